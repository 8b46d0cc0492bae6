import { expect, test } from 'vitest'
import { ALICE, type Client, hour, openCalendar, PEOPLE } from '../support/calendar.ts'
import { workOf } from '../support/work.ts'

const EVENTS = '/calendars/primary/events'
const insert = async (client: Client, id: string, more: object = {}) =>
  expect((await client.post(EVENTS, { id, ...hour('2026-03-02', 9), ...more })).status).toBe(200)

async function pageOf(client: Client, path: string, headers?: Record<string, string>) {
  const { status, body } = await client.get(path, undefined, headers)
  expect(status).toBe(200)
  return body as { nextPageToken?: string; items: { id: string }[] }
}

test('a dry run leaves no snapshot behind: later pages show every event of their moment', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
  for (const id of ['event1', 'event2', 'event3']) await insert(alice, id)
  const seen = await pageOf(as('new@example.com'), `/calendars/${ALICE}/events?maxResults=1`, {
    'X-Fake-Calendar-Inspector': '1',
  })
  expect(seen.nextPageToken).toBeDefined()

  for (const id of ['event4', 'event5', 'event6']) await insert(alice, id)
  const one = await pageOf(alice, `${EVENTS}?maxResults=1`)
  await insert(alice, 'event7')
  const two = await pageOf(alice, `${EVENTS}?pageToken=${encodeURIComponent(one.nextPageToken ?? '')}&maxResults=250`)
  expect([...one.items, ...two.items].map(({ id }) => id)).toEqual([
    ...['event1', 'event2', 'event3', 'event4', 'event5', 'event6'],
  ])
})

test('the fault `stale` shows what there is after the clock was set back', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  await insert(alice, 'event1')
  fake.clock.set('2026-02-01T12:00:00Z')
  await fake.faults.add({ on: 'events.list', do: { stale: '1m' } })
  expect((await pageOf(alice, EVENTS)).items.map(({ id }) => id)).toEqual(['event1'])
})

test('a reminder reaches an account of a calendar whose id has a space', async () => {
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
  const events = [{ id: 'event', summary: 'Retro', reminders, ...hour('2026-03-02', 9) }]
  const seed = { ...PEOPLE, calendars: [{ id: 'our team', owner: ALICE, events }] }
  const { fake } = openCalendar({ seed })
  fake.clock.advance('2d')
  expect(fake.mail(ALICE).map(({ kind, calendarId }) => [kind, calendarId])).toEqual([['reminder', 'our team']])
})

test('own reminders for an event of a calendar whose id has a space come back from a state', () => {
  const own = {
    calendarId: 'our team',
    eventId: 'event',
    useDefault: false,
    overrides: [{ method: 'popup', minutes: 5 }],
  }
  const [alice, ...others] = PEOPLE.accounts ?? []
  const seed = {
    accounts: [{ email: ALICE, ...alice, reminders: [own] }, ...others],
    calendars: [{ id: 'our team', owner: ALICE, events: [{ id: 'event', ...hour('2026-03-02', 9) }] }],
  }
  const { fake } = openCalendar({ seed })
  const [first] = fake.state().accounts ?? []
  expect(first && 'reminders' in first ? first.reminders : undefined).toEqual([own])
})

test.each([
  ['team/a', ALICE, { ...PEOPLE, calendars: [{ id: 'team/a', owner: ALICE }] }],
  ['a/b@example.com', 'a/b@example.com', PEOPLE],
])('sync tokens of the calendar %s expire', async (calendarId, account, seed) => {
  const { fake, as } = openCalendar({ seed })
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`
  const { body } = await as(account).get(path)
  fake.syncTokens.expire({ calendarId })
  const { status } = await as(account).get(`${path}?syncToken=${encodeURIComponent(body.nextSyncToken)}`)
  expect(status).toBe(410)
})

test('a page by `updated` costs as much after a reminders-only write as before', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  for (let n = 0; n < 120; n++) await insert(alice, `event${n}`)
  const page = () => workOf(() => pageOf(alice, `${EVENTS}?orderBy=updated&maxResults=10`))
  const before = await page()
  await alice.patch(`${EVENTS}/event5`, { reminders: { useDefault: false, overrides: [] } })
  expect(await page()).toBeLessThan(before + 20)
  const { items } = await pageOf(alice, `${EVENTS}?orderBy=updated&maxResults=250`)
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, n) => `event${n}`))
})
