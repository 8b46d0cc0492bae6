import { computed, effect, signal } from '@preact/signals'
import { NAMED } from './where.ts'

/** What the page shows, as its address says it: the query holds it, so that a link leads there and Back leads back. */
export type Route = {
  world: string
  account: string
  panel: string
  view: string
  /** A day: 2026-03-02. */
  date: string
  /** What a panel shows of its own, such as an event. */
  item: string
}

const EMPTY: Route = { world: NAMED ?? 'default', account: '', panel: 'calendar', view: '', date: '', item: '' }

function read(): Route {
  const query = new URLSearchParams(location.search)
  const said = Object.keys(EMPTY).flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value] as const] : []
  })
  return { ...EMPTY, ...Object.fromEntries(said) }
}

export const route = signal<Route>(read())
export const world = computed(() => route.value.world)
export const account = computed(() => route.value.account)

addEventListener('popstate', () => {
  route.value = read()
})

/** Shows something else. What only settles what is shown already (`replace`) is no step that Back undoes. */
export function go(changes: Partial<Route>, { replace = false } = {}): void {
  const next = { ...route.peek(), ...changes }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(next)) if (value !== '') query.set(name, value)
  const address = `${location.pathname}?${query}${location.hash}`
  if (address === location.pathname + location.search + location.hash) return
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  route.value = next
}

effect(() => {
  document.title = `${route.value.panel}, ${route.value.world} · fake-calendar`
})
