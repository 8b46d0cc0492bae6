import { type ExpectedError, expectError } from './expect.ts'
import type { Kit } from './kit.ts'
import type { HttpVerb, RequestOptions } from './target.ts'

/**
 * Resources that a scenario changes besides the calendars of the run. The user must permit them. `loopback` stands for
 * changes that only a server on this machine permits: many calendars, and settings that cannot be restored.
 */
export type Permission = 'primary' | 'guest' | 'loopback'

/** A short statement about the service, and the headings of docs/behaviour that it tests. */
export type Scenario = {
  readonly name: string
  readonly headings: readonly string[]
  readonly needs?: Permission
  readonly run: (kit: Kit) => Promise<void>
}

/** Scenarios about one subject, which share a calendar. */
export type ScenarioGroup = { readonly name: string; readonly scenarios: readonly Scenario[] }

/** Creates a scenario. Its headings are one text, such as `4.1.2, 4.5.1`. */
export const scenario = (name: string, headings: string, run: Scenario['run'], needs?: Permission): Scenario => ({
  name,
  headings: headings.split(', '),
  run,
  ...(needs && { needs }),
})

/** A request, as a function of the kit, and its expected error. */
export type ErrorRow = readonly [
  name: string,
  headings: string,
  verb: HttpVerb,
  path: string | ((kit: Kit) => Promise<string>),
  request:
    | ((kit: Kit) => (RequestOptions & { body?: unknown }) | Promise<RequestOptions & { body?: unknown }>)
    | undefined,
  refusal: ExpectedError,
]

/** Creates a scenario for each rejected request. A path without a leading slash is relative to the shared calendar. */
export const errorScenarios = (rows: readonly ErrorRow[]): Scenario[] =>
  rows.map(([name, headings, verb, path, request, expectedError]) =>
    scenario(name, headings, async (kit) => {
      const { body, ...how } = (await request?.(kit)) ?? {}
      const relative = typeof path === 'string' ? path : await path(kit)
      const where = relative.startsWith('/') ? relative : `${await kit.events()}${relative ? `/${relative}` : ''}`
      expectError(await kit.call(verb, where, body, how), expectedError)
    }),
  )
