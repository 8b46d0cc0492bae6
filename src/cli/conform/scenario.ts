import { type ExpectedError, expectError } from './expect.ts'
import type { Kit } from './kit.ts'
import type { HttpVerb, RequestOptions } from './target.ts'

/**
 * Resources that a scenario changes besides the calendars of the run. The user must permit them. `loopback` stands for
 * changes that only a server on this machine permits: many calendars, and settings that cannot be restored.
 */
export type Permission = 'primary' | 'guest' | 'loopback'

/** A statement about the service, and the function that tests it. */
export type Scenario = {
  /** The statement, as a short sentence. It identifies the scenario in reports. */
  readonly name: string
  /** The headings of docs/behaviour that it tests, such as `4.1.2`. */
  readonly headings: readonly string[]
  /** The permission without which it is skipped. */
  readonly needs?: Permission
  /** Rejects with a DifferenceError if the statement is false, with an InconclusiveError if that cannot be decided. */
  readonly run: (kit: Kit) => Promise<void>
}

/** Scenarios about one subject, which share a calendar. */
export type ScenarioGroup = { readonly name: string; readonly scenarios: readonly Scenario[] }

/** Returns a scenario. Its headings of docs/behaviour are one text, such as `4.1.2, 4.5.1`. */
export const scenario = (name: string, headings: string, run: Scenario['run'], needs?: Permission): Scenario => ({
  name,
  headings: headings.split(', '),
  run,
  ...(needs && { needs }),
})

/**
 * A rejected request: the name and headings of its scenario, its verb and path, its options and body (undefined for none),
 * and its expected error.
 */
export type ErrorRow = readonly [
  name: string,
  headings: string,
  verb: HttpVerb,
  path: string | ((kit: Kit) => Promise<string>),
  request:
    | ((kit: Kit) => (RequestOptions & { body?: unknown }) | Promise<RequestOptions & { body?: unknown }>)
    | undefined,
  expectedError: ExpectedError,
]

/**
 * Returns a scenario for each rejected request, which checks the error. A path without a leading slash is relative to the
 * events of the shared calendar.
 */
export const errorScenarios = (rows: readonly ErrorRow[]): Scenario[] =>
  rows.map(([name, headings, verb, path, request, expectedError]) =>
    scenario(name, headings, async (kit) => {
      const { body, ...how } = (await request?.(kit)) ?? {}
      const relative = typeof path === 'string' ? path : await path(kit)
      const where = relative.startsWith('/') ? relative : `${await kit.eventsPath()}${relative ? `/${relative}` : ''}`
      expectError(await kit.call(verb, where, body, how), expectedError)
    }),
  )
