import { type Refused, refused } from './answer.ts'
import type { Kit } from './kit.ts'
import type { How, Verb } from './server.ts'

/** What a scenario reaches beyond the calendars that a run makes: whoever runs it is asked first. */
export type Touch = 'primary' | 'guest'

/** A short statement of how the service behaves, and the headings of docs/behaviour that it is taken from. */
export type Scenario = {
  readonly name: string
  readonly headings: readonly string[]
  readonly touches?: Touch
  readonly run: (kit: Kit) => Promise<void>
}

/** Scenarios about one thing: they share a calendar. */
export type Group = { readonly name: string; readonly scenarios: readonly Scenario[] }

/** Writes a scenario in one breath: its headings stand in one text, as `4.1.2, 4.5.1`. */
export const scenario = (name: string, headings: string, run: Scenario['run'], touches?: Touch): Scenario => ({
  name,
  headings: headings.split(', '),
  run,
  ...(touches && { touches }),
})

/** A request, as a function of the kit, and how it is refused. */
export type Refusal = readonly [
  name: string,
  headings: string,
  verb: Verb,
  path: string | ((kit: Kit) => Promise<string>),
  request: ((kit: Kit) => (How & { body?: unknown }) | Promise<How & { body?: unknown }>) | undefined,
  refusal: Refused,
]

/** A scenario for each request that is refused. A path without a slash before it stands below the shared calendar's. */
export const refusals = (rows: readonly Refusal[]): Scenario[] =>
  rows.map(([name, headings, verb, path, request, refusal]) =>
    scenario(name, headings, async (kit) => {
      const { body, ...how } = (await request?.(kit)) ?? {}
      const said = typeof path === 'string' ? path : await path(kit)
      const where = said.startsWith('/') ? said : `${await kit.events()}${said ? `/${said}` : ''}`
      refused(await kit.call(verb, where, body, how), refusal)
    }),
  )
