import { computed, effect, signal } from '@preact/signals'
import { PATH_WORLD } from './api/baseUrl.ts'

/** The state of the page that the query of its address contains, so that links and the Back button work. */
export type Route = {
  world: string
  /** An e-mail address. Empty until the page has chosen the first account of the world. */
  account: string
  /** The id of a panel. */
  panel: string
  /** The name of a calendar view. Empty for the default view. */
  view: string
  /** A day such as `2026-03-02`. Empty for today. */
  date: string
  /** The open item of the panel, in the panel's own format: `<calendarId>/<eventId>` in the calendar. Empty for none. */
  item: string
}

const DEFAULTS: Route = { world: PATH_WORLD ?? 'default', account: '', panel: 'calendar', view: '', date: '', item: '' }

/** Returns the route in the page's address. A parameter that is missing or empty has its default. */
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

/**
 * Changes parts of the route and the page's address. With `replace`, the Back button does not return to the previous
 * address. A change that leaves the address as it is has no effect.
 */
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

/** Navigates to another world. Its first account is chosen, and no item is open. */
export const openWorld = (name: string, changes: Partial<Route> = {}): void =>
  navigate({ world: name, account: '', item: '', ...changes })

effect(() => {
  document.title = `${route.value.panel}, ${route.value.world} · fake-calendar`
})
