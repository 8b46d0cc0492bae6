import { type ExpectedRefusal, expectRefusal } from './expect.ts'
import type { Kit } from './kit.ts'
import type { RequestOptions, Verb } from './target.ts'

/** What a scenario reaches beyond the calendars that a run makes: whoever runs it is asked first. */
export type Permission = 'primary' | 'guest'

/** A short statement of how the service behaves, and the headings of docs/behaviour that it is taken from. */
export type Scenario = {
  readonly name: string
  readonly headings: readonly string[]
  readonly needs?: Permission
  readonly run: (kit: Kit) => Promise<void>
}

/** Scenarios about one thing: they share a calendar. */
export type Group = { readonly name: string; readonly scenarios: readonly Scenario[] }

/** Writes a scenario in one breath: its headings stand in one text, as `4.1.2, 4.5.1`. */
export const scenario = (name: string, headings: string, run: Scenario['run'], needs?: Permission): Scenario => ({
  name,
  headings: headings.split(', '),
  run,
  ...(needs && { needs }),
})

/** A request, as a function of the kit, and how it is refused. */
export type RefusalRow = readonly [
  name: string,
  headings: string,
  verb: Verb,
  path: string | ((kit: Kit) => Promise<string>),
  request:
    | ((kit: Kit) => (RequestOptions & { body?: unknown }) | Promise<RequestOptions & { body?: unknown }>)
    | undefined,
  refusal: ExpectedRefusal,
]

/** A scenario for each request that is refused. A path without a slash before it stands below the shared calendar's. */
export const refusals = (rows: readonly RefusalRow[]): Scenario[] =>
  rows.map(([name, headings, verb, path, request, refusal]) =>
    scenario(name, headings, async (kit) => {
      const { body, ...how } = (await request?.(kit)) ?? {}
      const said = typeof path === 'string' ? path : await path(kit)
      const where = said.startsWith('/') ? said : `${await kit.events()}${said ? `/${said}` : ''}`
      expectRefusal(await kit.call(verb, where, body, how), refusal)
    }),
  )
