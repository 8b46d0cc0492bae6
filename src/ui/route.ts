import { computed, effect, signal } from '@preact/signals'
import { PATH_WORLD } from './baseUrl.ts'

/** The state in the query of the address, so that links and the Back button work. */
export type Route = {
  world: string
  /** Empty until the page has chosen the first account of the world. */
  account: string
  panel: string
  /** Empty for the default view. */
  view: string
  /** `2026-03-02`; empty for today. */
  date: string
  /** The time zone that the page shows, `account`, `utc` or `browser`. Empty for that of the calendar. */
  zone: string
  /** The item in the panel's own format, such as `<calendarId>/<eventId>`. Empty for none. */
  item: string
}

const DEFAULTS: Route = {
  world: PATH_WORLD ?? 'default',
  account: '',
  panel: 'calendar',
  view: '',
  date: '',
  zone: '',
  item: '',
}

function readAddress(): Route {
  const query = new URLSearchParams(location.search)
  const given = Object.keys(DEFAULTS).flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value] as const] : []
  })
  return { ...DEFAULTS, ...Object.fromEntries(given) }
}

export const route = signal<Route>(readAddress())
export const world = computed(() => route.value.world)
export const account = computed(() => route.value.account)

addEventListener('popstate', () => {
  route.value = readAddress()
})

/** The Back button does not return to the previous address if `replace` is true. */
export function navigate(changes: Partial<Route>, { replace = false } = {}): void {
  const next = { ...route.peek(), ...changes }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(next)) if (value !== '') query.set(name, value)
  const address = `${location.pathname}?${query}${location.hash}`
  if (address === location.pathname + location.search + location.hash) return
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  route.value = next
}

/** The first account of the world is chosen, and no item is open. */
export const showWorld = (name: string, changes: Partial<Route> = {}): void =>
  navigate({ world: name, account: '', item: '', ...changes })

effect(() => {
  document.title = `${route.value.panel}, ${route.value.world} · fake-calendar`
})
