import { auth, type calendar_v3, calendar as openClient } from '@googleapis/calendar'
import { expect } from 'vitest'
import { createFakeCalendar, type FakeCalendar, type FakeCalendarOptions, type Seed } from '../../src/index.ts'
import { withReplyChecks } from './replies.ts'
import teamSeed from './team.json' with { type: 'json' }

export type Client = calendar_v3.Calendar
export type Event = calendar_v3.Schema$Event

export const team = teamSeed as Seed

/** A Wednesday, 08:00 in New York, 14:00 in Berlin, 22:00 in Tokyo; New York changes its clocks on the Sunday after. */
export const MORNING = '2026-03-04T13:00:00Z'

export const TEAM = 'c_7hbrteam0k2m9pv4qd81s6u3fo@group.calendar.google.com'
export const TALKS = 'c_7hbrtalks5n2ve8lq41j9g0kos@group.calendar.google.com'

/** The way in which clients reach a fake: `fetch` in process, or a socket. `inProcess.ts` sets it. */
export const transport = { inProcess: false }

/** Returns the URL of a fake, and a fetch function for it. Starts its server unless `transport` is in process. */
export async function connectTo(fake: FakeCalendar) {
  if (transport.inProcess) return { url: 'http://fake-calendar.localhost', fetch: fake.fetch }
  const { url } = await fake.listen({ port: 0 })
  return { url, fetch }
}

/**
 * Opens a fake with the team's seed, over a socket or in process (see `transport`), and the official client configured for it.
 */
export async function openTeam(options: FakeCalendarOptions = {}) {
  const fake = createFakeCalendar({ seed: team, now: MORNING, ...options })
  const { url, fetch } = await connectTo(fake)
  const rootUrl = `${url}/`
  // Each response is checked against the schemas of the service before the client gets it.
  const checkedFetch = withReplyChecks(fetch)
  const as = (token: string): Client => {
    const credentials = new auth.OAuth2()
    credentials.setCredentials({ access_token: token })
    return openClient({ version: 'v3', auth: credentials, rootUrl, fetchImplementation: checkedFetch })
  }
  return {
    fake,
    as,
    withKey: (key: string): Client =>
      openClient({ version: 'v3', auth: key, rootUrl, fetchImplementation: checkedFetch }),
    nobody: openClient({ version: 'v3', rootUrl, fetchImplementation: checkedFetch }),
    close: () => fake.close(),
  }
}

export type ClientError = {
  code: number
  domain: string
  reason: string
  message: string
  locationType?: string
  location?: string
}

/** Returns the code and the first item of the error that a client throws. Fails the test if the call succeeds. */
export async function rejectionOf(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => expect.unreachable('the call succeeded'),
    (thrown) => thrown,
  )
  expect(error.status).toBe(error.code)
  const [first] = error.cause.errors
  return { code: error.code, ...first }
}

type Listed<T> = { data: { items?: T[] } }

/** Returns the items of a list. Fails the test if it has none. */
export const itemsOf = <T>({ data }: Listed<T>): T[] => data.items ?? expect.unreachable('a list has items')
export const idsOf = (list: Listed<{ id?: string | null }>) => itemsOf(list).map(({ id }) => id)

/** Returns a header of a client's response, which has its headers as an object. */
export const headerOf = (headers: object, name: string) => new Headers(Object.entries(headers)).get(name)

/** Returns a text. Fails the test if it is missing. */
export const requireText = (text: string | null | undefined): string => text ?? expect.unreachable('a value is missing')
