import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ALICE, BOB, type Client, openCalendar } from '../support/calendar.ts'
import { startCounting } from './steps.ts'

const EVENTS = '/calendars/primary/events'
const start = { dateTime: '2000-01-03T09:00:00', timeZone: 'Europe/Berlin' }
const end = { dateTime: '2000-01-03T10:00:00', timeZone: 'Europe/Berlin' }
const series = (...recurrence: string[]) => ({ start, end, recurrence })
const endless = series('RRULE:FREQ=DAILY')

type Bomb = {
  /** True while the request is too slow and not yet fixed. */
  open?: true

  name: string
  before?: (alice: Client) => Promise<unknown>
  act: (alice: Client) => Promise<{ status: number }>
  steps: number
}
const list = (query: Record<string, string>) => (alice: Client) => alice.get(`${EVENTS}?${new URLSearchParams(query)}`)
const put =
  (...events: object[]) =>
  async (alice: Client) => {
    for (const event of events) expect((await alice.post(EVENTS, event)).status).toBe(200)
  }
const many = (count: number, event: object) => put(...Array.from({ length: count }, () => event))
const ofDaily = { id: 'daa1100', ...endless }
const byStart = { singleEvents: 'true', orderBy: 'startTime', maxResults: '10' }
const batchOf = (parts: string[]) =>
  `${parts.map((part) => `--b\r\nContent-Type: application/http\r\n\r\n${part}\r\n`).join('')}--b--`
const batch = (body: string) => (alice: Client) =>
  alice.post('/_batch', body, { 'Content-Type': 'multipart/mixed; boundary=b' })

/** Small requests that once took seconds, with about ten times the steps that each may need. */
// biome-ignore format: a table
const BOMBS: readonly Bomb[] = [
  { name: 'ten instances of an endless series', before: put(ofDaily), act: list(byStart), steps: 20_000 },
  { name: 'ten instances of an endless series up to the last year', before: put(ofDaily), act: list({ ...byStart, timeMax: '9999-12-31T00:00:00Z' }), steps: 20_000 },
  { name: 'ten instances of a series that ends in 9999', before: put(series('RRULE:FREQ=DAILY;UNTIL=99991231T000000Z')), act: list(byStart), steps: 20_000 },
  { name: 'ten of three hundred endless series', before: many(300, endless), act: list(byStart), steps: 200_000 },
  { name: 'none of thirty endless series, by an iCalUID', before: many(30, endless), act: list({ ...byStart, iCalUID: 'nobody@x.example' }), steps: 20_000 },
  { name: 'instances of an endless series', before: put(ofDaily), act: (alice) => alice.get(`${EVENTS}/daa1100/instances?maxResults=10&timeMax=9999-12-31T00:00:00Z`), steps: 20_000 },
  { name: 'one instance of an endless series by its original start', before: put(ofDaily), act: (alice) => alice.get(`${EVENTS}/daa1100/instances?originalStart=2030-01-01T08:00:00Z&timeMax=9999-12-31T00:00:00Z`), steps: 20_000 },
  { name: 'none of an endless series, by what it does not say', before: put(ofDaily), act: list({ singleEvents: 'true', privateExtendedProperty: 'one=two', timeMax: '9999-12-31T00:00:00Z' }), steps: 20_000 },
  { name: 'the same by start', before: put(ofDaily), act: list({ ...byStart, q: 'nothing', timeMax: '9999-12-31T00:00:00Z' }), steps: 20_000 },
  { name: 'a thousand million instances and a guest', act: (alice) => alice.post(EVENTS, { ...series('RRULE:FREQ=DAILY;COUNT=1000000000'), attendees: [{ email: BOB }] }), steps: 200_000 },
  { name: 'a rule that never fires', act: (alice) => alice.post(EVENTS, series('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')), steps: 200_000 },
  { name: 'a rule that takes every millionth day', act: (alice) => alice.post(EVENTS, series('RRULE:FREQ=DAILY;INTERVAL=999999')), steps: 200_000 },
  { name: 'a week of a week-numbered series', before: put(series('RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=5000')), act: list({ ...byStart, timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-08T00:00:00Z' }), steps: 200_000 },
  { name: 'free/busy of days from the first year to the last', before: put({ start: { date: '0001-01-01' }, end: { date: '0001-01-02' }, recurrence: ['RRULE:FREQ=DAILY'] }), act: (alice) => alice.post('/freeBusy', { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-08T00:00:00Z', items: [{ id: ALICE }] }), steps: 20_000 },
  { name: 'as many rules as there may be, half of which take away', act: (alice) => alice.post(EVENTS, series(...Array.from({ length: 5 }, () => ['RRULE:FREQ=DAILY;COUNT=1000', 'EXRULE:FREQ=DAILY;COUNT=1000']).flat())), steps: 400_000 },
  { name: 'a field mask of three thousand brackets', act: list({ fields: '('.repeat(3000) }), steps: 20_000 },
  { name: 'a name of ten thousand signs', act: (alice) => alice.get(`${EVENTS}/${'a'.repeat(10_000)}`), steps: 20_000 },
  { name: 'JSON a hundred thousand deep', act: (alice) => alice.post(EVENTS, `${'['.repeat(100_000)}${']'.repeat(100_000)}`), steps: 200_000 },
  { name: 'a duration of sixty thousand digits', act: (alice) => alice.post('/_control/clock/advance', { by: `${'9'.repeat(60_000)}s` }), steps: 20_000 },
  { name: 'a batch whose parts are the boundary', act: batch(batchOf([`GET /calendar/v3/calendars/${'batch_calendar_v3'.padEnd(30_000, '_')} HTTP/1.1\r\nAuthorization: Bearer ${ALICE}\r\n`])), steps: 20_000 },
  { name: 'a part of twenty thousand header lines', act: batch(batchOf([`GET /calendar/v3/colors HTTP/1.1\r\n${'X-Y: z\r\n'.repeat(20_000)}`])), steps: 400_000 },
]

let work: ReturnType<typeof startCounting>
beforeAll(() => {
  work = startCounting()
})
afterAll(() => work.stop())

test.each(BOMBS.filter(({ open }) => !open).map((bomb) => [bomb.name, bomb] as const))(
  'the cost of %s is in proportion to its result',
  async (_, { before, act, steps }) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { fake, as } = openCalendar()
    const alice = as(ALICE)
    work.takeCount(20_000_000)
    await before?.(alice)
    // Batches are outside of the service's own path.
    const client: Client = {
      ...alice,
      post: (path, body, headers) =>
        path === '/_batch'
          ? asReply(fake.request('/batch', { method: 'POST', body: String(body), headers: headers ?? {} }))
          : alice.post(path, body, headers),
    }
    work.takeCount()
    const { status } = await act(client)
    const count = work.takeCount()

    expect(status).toBeLessThan(500)
    expect(count).toBeLessThan(steps)
  },
)

const asReply = async (response: Promise<Response>) => {
  const { status, headers } = await response
  return { status, headers, text: '', body: undefined }
}
