import { afterAll, beforeAll, beforeEach, onTestFinished, test } from 'vitest'
import { createFakeCalendar, type FakeCalendar } from '../../src/index.ts'
import { ALICE, BOB } from '../support/calendar.ts'
import { type Answer, expectOk, expectStatus } from './expect.ts'

/**
 * Another server, an access token there, and one of a second account; by default each file starts a server. Vitest sets
 * `BASE_URL` itself.
 */
const { CALENDAR_URL, TOKEN, SECOND_TOKEN } = process.env
/** The name of a fault of `planted/faults.ts`, with which the server of each file answers. */
const { PLANTED } = process.env

/** A test that needs a server which reaches this machine: only on a server of the suite. */
export const localTest: ReturnType<typeof test.skipIf> = test.skipIf(CALENDAR_URL !== undefined)
/** A test that needs a second account. */
export const guestTest: ReturnType<typeof test.skipIf> = test.skipIf(
  CALENDAR_URL !== undefined && SECOND_TOKEN === undefined,
)

/** The summary of calendars that the suite creates, which it also removes. */
export const SUMMARY = 'fake-calendar conformance'

const DAY_MS = 86_400_000
/** A Monday. Each test has its own week from here on, so that all tests of a file can share a calendar. */
const FIRST_WEEK_MS = Date.UTC(2031, 0, 6)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
export type RequestOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  /** The caller: the account of the token (`owner`, the default), the second account, or nobody. */
  as?: 'owner' | 'guest' | 'nobody'
}

let fake: FakeCalendar | undefined
let closePlanted: (() => void) | undefined
let origin = ''
let sharedCalendar = ''
let secondCalendar: Promise<string> | undefined
let owner = ''
let guest = BOB
let week = -1

/**
 * Starts a server with two accounts, unless CALENDAR_URL names one, and creates a calendar for the tests of this file. Removes both
 * afterwards.
 */
export function useCalendar(): void {
  beforeAll(async () => {
    const accounts = [ALICE, BOB].map((email) => ({ email, kind: 'workspace' as const, timeZone: 'Europe/Berlin' }))
    if (CALENDAR_URL === undefined) fake = createFakeCalendar({ seed: { accounts } })
    origin = (CALENDAR_URL ?? (await fake?.listen())?.url ?? '').replace(/(\/calendar\/v3)?\/*$/, '')
    if (fake && PLANTED) {
      const { openPlantedServer } = await import('./planted/server.ts')
      const planted = await openPlantedServer(fake, PLANTED)
      origin = planted.origin
      closePlanted = planted.close
    }
    owner = (await expectOk(get('/calendars/primary'))).id
    if (SECOND_TOKEN !== undefined) guest = (await expectOk(get('/calendars/primary', {}, { as: 'guest' }))).id
    sharedCalendar = (await expectOk(post('/calendars', { summary: SUMMARY }))).id
  })
  beforeEach(() => {
    week += 1
  })
  afterAll(async () => {
    const second = await secondCalendar
    for (const id of [sharedCalendar, second]) if (id) await send('DELETE', `/calendars/${id}`)
    secondCalendar = undefined
    week = -1
    closePlanted?.()
    await fake?.close()
    fake = undefined
  })
}

/** Returns the token of a caller; undefined for nobody. */
export const tokenOf = (caller: RequestOptions['as']): string | undefined =>
  caller === 'nobody' ? undefined : caller === 'guest' ? (SECOND_TOKEN ?? BOB) : (TOKEN ?? ALICE)

/**
 * Returns the URL of a path. A path below `/` is of the API, one below `//` of the server, and any other is relative to the
 * calendar of the file, such as `events`.
 */
export function urlOf(path: string): string {
  if (path.startsWith('//')) return origin + path.slice(1)
  return `${origin}/calendar/v3${path.startsWith('/') ? path : `/calendars/${sharedCalendar}/${path}`}`
}

function formatQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

/** Sends a request, by default as the owner. The body is sent as JSON, or unchanged if it is a string. */
export async function send(
  method: Method,
  path: string,
  body?: unknown,
  { query, headers, as }: RequestOptions = {},
): Promise<Answer> {
  const token = tokenOf(as)
  const response = await fetch(urlOf(path) + formatQuery(query), {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('Content-Type')?.startsWith('application/json')
  const request = `${method} ${path}${formatQuery(query)}`
  return { request, status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
}

export const get = (path: string, query?: Query, options?: RequestOptions): Promise<Answer> =>
  send('GET', path, undefined, { ...options, ...(query && { query }) })
export const post = (path: string, body?: unknown, options?: RequestOptions): Promise<Answer> =>
  send('POST', path, body, options)
export const put = (path: string, body: unknown, options?: RequestOptions): Promise<Answer> =>
  send('PUT', path, body, options)
export const patch = (path: string, body: unknown, options?: RequestOptions): Promise<Answer> =>
  send('PATCH', path, body, options)
export const del = (path: string, options?: RequestOptions): Promise<Answer> => send('DELETE', path, undefined, options)

/** Deletes a resource, and expects 204. */
export const remove = (path: string, options?: RequestOptions) => expectStatus(del(path, options), 204)

/** Returns the id of the calendar of the file. Its zone is UTC. */
export const calendarId = (): string => sharedCalendar
/** Returns the address of the owner: the id of its primary calendar. */
export const ownerEmail = (): string => owner
/** Returns the address of the second account. */
export const guestEmail = (): string => guest

/** Returns the id of a second calendar, which is created on first use, because accounts can create few calendars per hour. */
export function secondCalendarId(): Promise<string> {
  secondCalendar ??= expectOk(post('/calendars', { summary: SUMMARY })).then(({ id }) => id)
  return secondCalendar
}

/** Creates a calendar for this test, and returns its id. */
export async function createCalendar(body: object = {}): Promise<string> {
  const { id } = await expectOk(post('/calendars', { summary: SUMMARY, ...body }))
  onTestFinished(async () => {
    await send('DELETE', `/calendars/${id}`)
  })
  return id
}

/** Creates an event, by default from 9 to 10 on the Monday of this test. Returns its body. */
export const createEvent = (body: object = {}, options?: RequestOptions) =>
  expectOk(post('events', { ...hour(9), ...body }, options))

/** Removes what a test created outside of its calendars, whatever its result. */
export const removeLater = (path: string, options?: RequestOptions): void =>
  onTestFinished(async () => {
    await del(path, options)
  })

/** Returns the date of a day of the week of this test, such as `2031-01-06`: 0 is its Monday. */
export const day = (at = 0): string => new Date(FIRST_WEEK_MS + (week * 7 + at) * DAY_MS).toISOString().slice(0, 10)
/** Returns an hour (0 to 23) of such a day, such as `2031-01-06T09:00:00Z`. */
export const instant = (hour: number, at = 0): string => `${day(at)}T${String(hour).padStart(2, '0')}:00:00Z`
/** Returns `start` and `end` of an event that lasts an hour, in UTC. */
export const hour = (from: number, at = 0) => ({
  start: { dateTime: instant(from, at), timeZone: 'UTC' },
  end: { dateTime: instant(from + 1, at), timeZone: 'UTC' },
})
/** Returns `start` and `end` of an event of whole days, of which `to` is the first that is not included. */
export const allDay = (from = 0, to = from + 1) => ({ start: { date: day(from) }, end: { date: day(to) } })
/** Returns `timeMin` and `timeMax` of the whole week. */
export const thisWeek = () => ({ timeMin: instant(0), timeMax: instant(0, 7) })
/** Returns an instant in the form of recurrence lines and ids of instances: `20310106T090000Z`. */
export const compact = (time: string): string => time.replace(/[-:]/g, '')

/** Returns an id that no other test uses. It is the same at each call; an ending (`0` to `v`) distinguishes the ids of a test. */
export const unusedId = (ending = ''): string =>
  `${sharedCalendar
    .replace(/@.*/, '')
    .replace(/[^0-9a-v]/g, '')
    .slice(-20)}${String(week).padStart(4, '0')}${ending}`

/** Lists all pages of a path. Returns the items, the body of the last page, and the number of pages. */
export async function listAll(path: string, query: Query = {}, options?: RequestOptions) {
  const items: Answer['body'][] = []
  for (let pages = 1, pageToken: string | undefined; ; pages++) {
    const last = await expectOk(get(path, { ...query, pageToken }, options))
    items.push(...(last.items ?? []))
    pageToken = last.nextPageToken
    if (pageToken === undefined) return { items, last, pages, syncToken: last.nextSyncToken as string }
  }
}

/** Returns the dates or instants at which events start. */
export const listStarts = (items: readonly Answer['body'][]): string[] =>
  items.map(({ start }) => start.dateTime ?? start.date)

/** The recurrence of a series of four days. */
export const DAILY = ['RRULE:FREQ=DAILY;COUNT=4']

/**
 * Creates a series of four days, from 9 to 10 on each. Returns it (`made`), its id and path, and `at`, which returns the id of
 * the instance at a day and an hour.
 */
export async function createSeries(body: object = {}) {
  const made = await createEvent({ summary: 'Series', recurrence: DAILY, ...body })
  const at = (on: number, hour = 9) => `${made.id}_${compact(instant(hour, on))}`
  return { made, id: made.id as string, path: `events/${made.id}`, at }
}

/** Suppresses mail. */
export const QUIET = { query: { sendUpdates: 'none' } }
/** Sends a request as the second account, without mail. */
export const AS_GUEST = { ...QUIET, as: 'guest' } as const

/** Creates a meeting with the second account. Returns its id, and the paths of the event (`mine`) and of the guest's copy. */
export async function createMeeting(body: object = {}) {
  const email = guestEmail()
  const { id } = await createEvent({ summary: 'Meeting', attendees: [{ email }], ...body }, QUIET)
  return { id, email, mine: `events/${id}`, theirs: `/calendars/primary/events/${id}` }
}
