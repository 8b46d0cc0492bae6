/** Defects that random sequences found or could have found, one in each test. */
import { expect, onTestFinished, test } from 'vitest'
import { createFakeCalendar, type FakeWorld, type Seed } from '../../src/index.ts'

const NOW = '2026-03-02T09:00:00Z'
const [ALICE, BOB, SLASH] = ['alice@example.com', 'bob@example.com', 'a/b@example.com']
const PRIMARY = '/calendars/primary/events'
const seed: Seed = {
  accounts: [
    { email: ALICE, timeZone: 'UTC' },
    { email: BOB, timeZone: 'UTC' },
  ],
}
const day = (date: string, next: string) => ({ start: { date }, end: { date: next } })
const hour = (day: string) => ({
  start: { dateTime: `${day}T09:00:00Z`, timeZone: 'UTC' },
  end: { dateTime: `${day}T10:00:00Z`, timeZone: 'UTC' },
})

function open(seeds: Seed = seed) {
  const fake = createFakeCalendar({ seed: seeds, now: NOW })
  onTestFinished(() => fake.close())
  return { fake, ...clients(fake) }
}

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>
/** Calls the service as an account, and returns the body of the reply. A refused request throws. */
function clients(world: FakeWorld) {
  return {
    as(account: string): Record<'get' | 'post' | 'patch' | 'delete', Call> {
      const call =
        (method: string): Call =>
        async (path, body, headers = {}) => {
          const response = await world.request(`/calendar/v3${path}`, {
            method,
            headers: { Authorization: `Bearer ${account}`, 'Content-Type': 'application/json', ...headers },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          const text = await response.text()
          if (response.status >= 300) throw new Error(`${response.status} ${text}`)
          return text ? JSON.parse(text) : undefined
        }
      return { get: call('GET'), post: call('POST'), patch: call('PATCH'), delete: call('DELETE') }
    },
  }
}

const idsOf = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id)

test('pages after a dry run contain every event', async () => {
  const { as } = open()
  const alice = as(ALICE)
  await alice.post(`/calendars/${ALICE}/acl`, { role: 'reader', scope: { type: 'default' } })
  const insert = (id: string) => alice.post(PRIMARY, { id, ...day('2026-03-02', '2026-03-03') })
  for (const id of ['event1', 'event2', 'event3']) await insert(id)
  const path = `/calendars/${ALICE}/events`
  await as('eve@example.com').get(`${path}?maxResults=1`, undefined, { 'X-Fake-Calendar-Inspector': '1' })
  for (const id of ['event4', 'event5', 'event6']) await insert(id)

  const first = await alice.get(`${path}?maxResults=1`)
  await insert('event7')
  const rest = await alice.get(`${path}?maxResults=250&pageToken=${encodeURIComponent(first.nextPageToken)}`)

  expect([...idsOf(first), ...idsOf(rest)]).toEqual(['event1', 'event2', 'event3', 'event4', 'event5', 'event6'])
})

/** A series of alice's or a secondary calendar's, to which bob is invited, with one changed instance. */
async function meetings(calendarId: string) {
  const { fake, as } = open({ ...seed, calendars: [{ id: 'team@example.com', owner: ALICE, timeZone: 'UTC' }] })
  const alice = as(ALICE)
  const path = `/calendars/${calendarId}/events`
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
  await alice.post(path, { id: 'series', ...hour('2026-03-02'), recurrence, attendees: [{ email: BOB }] })
  await alice.patch(`${path}/series_20260303T090000Z`, { summary: 'changed' })
  return { fake, alice, bob: as(BOB), path }
}
const INSTANCE = 'series_20260303T090000Z'

test('calendars.clear cancels an exception once, like events.delete of its series', async () => {
  const [cleared, deleted] = [await meetings(ALICE), await meetings(ALICE)]
  await cleared.alice.post(`/calendars/${ALICE}/clear`)
  await deleted.alice.delete(`${deleted.path}/series`)

  const [first, second] = await Promise.all(
    [cleared, deleted].map(async ({ alice, path }) => alice.get(`${path}/${INSTANCE}`)),
  )
  expect(first.status).toBe('cancelled')
  expect(first.sequence).toBe(second.sequence)
})

test('calendars.clear of a guest declines every instance', async () => {
  const { alice, bob, path } = await meetings(ALICE)
  await bob.post(`/calendars/${BOB}/clear`)

  for (const id of ['series', INSTANCE]) {
    const [own, meeting] = [await bob.get(`${PRIMARY}/${id}`), await alice.get(`${path}/${id}`)]
    expect([own.status, own.attendees[0].responseStatus], id).toEqual(['cancelled', 'declined'])
    expect(meeting.attendees[0].responseStatus, id).toBe('declined')
  }
})

test('calendars.delete cancels an exception once, like events.delete of its series', async () => {
  const [removed, deleted] = [await meetings('team@example.com'), await meetings('team@example.com')]
  await removed.alice.delete('/calendars/team@example.com')
  await deleted.alice.delete(`${deleted.path}/series`)

  const [first, second] = await Promise.all(
    [removed, deleted].map(async ({ bob }) => bob.get(`${PRIMARY}/${INSTANCE}`)),
  )
  expect(first.status).toBe('cancelled')
  expect(first.sequence).toBe(second.sequence)
})

test('clearing a calendar writes every event and every copy once', async () => {
  const { fake, alice, path } = await meetings(ALICE)
  for (const date of ['20260302', '20260304']) await alice.patch(`${path}/series_${date}T090000Z`, { location: 'room' })
  // Each write takes one revision, because the clock is frozen.
  const revision = () => fake.state().counters?.revision ?? 0
  const before = revision()
  await alice.post(`/calendars/${ALICE}/clear`)

  // The series and its three exceptions, on the calendars of alice and of bob.
  expect(revision() - before).toBe(8)
})

const spaced = (id: string): Seed => ({
  ...seed,
  accounts: [
    { email: ALICE, timeZone: 'UTC', calendarList: [{ id, defaultReminders: [{ method: 'email', minutes: 10 }] }] },
  ],
  calendars: [
    { id, owner: ALICE, timeZone: 'UTC', events: [{ id: 'lunch', summary: 'Lunch', ...hour('2026-03-03') }] },
  ],
})

test.each(['our team', 'team/a', 'büro@example.com'])(
  'an event of the calendar "%s" sends a reminder to its reader',
  async (id) => {
    const { fake } = open(spaced(id))
    await fake.advance('1d')
    expect(fake.mail().map(({ kind, summary }) => [kind, summary])).toEqual([['reminder', 'Lunch']])
  },
)

test.each(['our team', 'team/a'])(
  'the state of a world has the full id of the calendar "%s" in reminders',
  async (id) => {
    const roles = [{ role: 'writer' as const, scope: { type: 'user' as const, value: BOB } }]
    const { fake, as } = open({ ...seed, calendars: [{ id, owner: ALICE, timeZone: 'UTC', acl: roles }] })
    const path = `/calendars/${encodeURIComponent(id)}/events`
    await as(ALICE).post(path, { id: 'lunch', ...hour('2026-03-03') })
    const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 7 }] }
    await as(BOB).patch(`${path}/lunch`, { reminders })

    const again = createFakeCalendar({ seed: fake.state() })
    onTestFinished(() => again.close())
    expect((await clients(again).as(BOB).get(`${path}/lunch`)).reminders).toEqual(reminders)
  },
)

test.each([undefined, { useDefault: false }])(
  'a writer who inserted an all-day event with the reminders %j keeps them when it becomes timed',
  async (reminders) => {
    const acl = [{ role: 'writer' as const, scope: { type: 'user' as const, value: BOB } }]
    const { as } = open({ ...seed, calendars: [{ id: ALICE, acl }] })
    const path = `/calendars/${ALICE}/events`
    await as(BOB).post(path, { id: 'lunch', ...day('2026-03-02', '2026-03-03'), reminders })
    const { start, end } = hour('2026-03-02')
    const toTimed = { start: { ...start, date: null }, end: { ...end, date: null } }

    expect((await as(BOB).patch(`${path}/lunch`, toTimed)).reminders).toEqual({ useDefault: false })
  },
)

test.each(['our team', 'team/a'])('sync tokens of the calendar "%s" can be expired alone', async (calendarId) => {
  const { fake, as } = open({ ...seed, calendars: [{ id: calendarId, owner: ALICE }] })
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`
  const { nextSyncToken } = await as(ALICE).get(path)
  fake.syncTokens.expire({ calendarId })
  await expect(as(ALICE).get(`${path}?syncToken=${encodeURIComponent(nextSyncToken)}`)).rejects.toThrow('410')
})

test('sync tokens of a calendar whose id has a slash stay valid when those of another calendar expire', async () => {
  const { fake, as } = open({
    ...seed,
    calendars: [
      { id: 'team/a', owner: ALICE },
      { id: 'team', owner: ALICE },
    ],
  })
  const path = `/calendars/${encodeURIComponent('team/a')}/events`
  const { nextSyncToken } = await as(ALICE).get(path)
  fake.syncTokens.expire({ calendarId: 'team' })
  expect((await as(ALICE).get(`${path}?syncToken=${encodeURIComponent(nextSyncToken)}`)).items).toEqual([])
})

test('sync tokens of an account whose address has a slash can be expired alone', async () => {
  const { fake, as } = open()
  const { nextSyncToken } = await as(SLASH).get(PRIMARY)
  fake.syncTokens.expire({ calendarId: SLASH })
  await expect(as(SLASH).get(`${PRIMARY}?syncToken=${encodeURIComponent(nextSyncToken)}`)).rejects.toThrow('410')
})

test('after the clock was set back a stale list has the events of that time', async () => {
  const { fake, as } = open()
  await as(ALICE).post(PRIMARY, { id: 'lunch', ...day('2026-03-02', '2026-03-03') })
  fake.clock.freeze('2026-03-02T08:00:00Z')
  await as(ALICE).post(PRIMARY, { id: 'dinner', ...day('2026-03-02', '2026-03-03') })
  fake.faults.add({ on: 'events.list', do: { stale: '5s' } })
  expect(idsOf(await as(ALICE).get(PRIMARY))).toContain('lunch')
})

test('a series that starts in the first century does not change those of other fakes', async () => {
  const { as } = open()
  const start = (year: string) => ({
    start: { date: `${year}-01-01` },
    end: { date: `${year}-01-02` },
    recurrence: ['RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=5'],
  })
  await as(ALICE).post(PRIMARY, { id: 'ancient', ...start('0020') })
  await as(ALICE).get(`${PRIMARY}/ancient/instances`)

  const other = open()
  await other.as(ALICE).post(PRIMARY, { id: 'modern', ...start('2020') })
  const { items } = await other.as(ALICE).get(`${PRIMARY}/modern/instances`)
  const starts = items.map(({ start }: { start: { date: string } }) => start.date)
  // The start itself, and the Mondays of the weeks 53 (ISO 8601).
  expect(starts).toEqual(['2020-01-01', '2020-12-28', '2026-12-28', '2032-12-27', '2037-12-28', '2043-12-28'])
})

test('an endless series without timeMax ends before the instant two years after the clock', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'endless', ...hour('2026-03-02'), recurrence: ['RRULE:FREQ=YEARLY'] })
  const ids = ['endless_20260302T090000Z', 'endless_20270302T090000Z']
  expect(idsOf(await as(ALICE).get(`${PRIMARY}?singleEvents=true`))).toEqual(ids)
  expect(idsOf(await as(ALICE).get(`${PRIMARY}/endless/instances`))).toEqual(ids)
})

test("a fork's channel names the world of the fork in its resource", async () => {
  const { fake, as } = open()
  const watch = (id: string) => ({ id, type: 'web_hook', address: 'https://hooks.example.com/' })
  await as(ALICE).post(`${PRIMARY}/watch`, watch('mine'))
  const fork = fake.fork(fake.snapshot('before'), 'copy')
  const { as: inFork } = clients(fork)
  const { resourceUri } = await inFork(ALICE).post(`${PRIMARY}/watch`, watch('other'))
  const sent: unknown[] = []
  fork.onNotification(({ channelId, headers }) => {
    sent.push([channelId, new Headers(headers).get('X-Goog-Resource-URI')])
  })
  await inFork(ALICE).post(PRIMARY, { id: 'lunch', ...day('2026-03-02', '2026-03-03') })
  await fork.notifications.settled()

  expect(sent).toContainEqual(['mine', resourceUri])
  // The list of channels names the same address.
  const listed = fake
    .world('copy')
    .channels()
    .find(({ id }) => id === 'mine')
  expect(listed?.resourceUri).toBe(resourceUri)
})

const insertThree = async (alice: { post: Call }) => {
  for (const id of ['event1', 'event2', 'event3']) await alice.post(PRIMARY, { id, ...day('2026-03-02', '2026-03-03') })
}
const RENAMED = { summary: 'renamed' }

test('a list that began before a snapshot continues after a reset and a restore', async () => {
  const { fake, as } = open()
  const alice = as(ALICE)
  await insertThree(alice)
  const { nextPageToken } = await alice.get(`${PRIMARY}?maxResults=1`)
  await alice.patch(`${PRIMARY}/event1`, RENAMED)
  fake.snapshot('before')
  fake.reset()
  fake.restore('before')
  await alice.patch(`${PRIMARY}/event2`, RENAMED)
  expect(idsOf(await alice.get(`${PRIMARY}?pageToken=${nextPageToken}`))).toEqual(['event2', 'event3'])
})

test('a list continues in a fork of a later snapshot', async () => {
  const { fake, as } = open()
  await insertThree(as(ALICE))
  const { nextPageToken } = await as(ALICE).get(`${PRIMARY}?maxResults=1`)
  const inFork = clients(fake.fork(fake.snapshot('before'), 'copy')).as(ALICE)
  await inFork.patch(`${PRIMARY}/event2`, RENAMED)
  expect(idsOf(await inFork.get(`${PRIMARY}?pageToken=${nextPageToken}`))).toEqual(['event2', 'event3'])
})

const DAILY = { ...day('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
const LAST = 'series1_20260304'

test("an instance that its organizer cancelled stays cancelled on a guest's calendar when a change restores the series", async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(ALICE).delete(`${PRIMARY}/series1`)
  await as(ALICE).patch(`${PRIMARY}/series1`, { status: 'confirmed', location: 'room' })
  for (const account of [ALICE, BOB])
    expect((await as(account).get(`${PRIMARY}/${LAST}`)).status, account).toBe('cancelled')
})

test('a cancelled instance stays cancelled when its series moves to a guest who has deleted the invitation', async () => {
  const { as } = open({
    ...seed,
    calendars: [{ id: BOB, acl: [{ role: 'writer', scope: { type: 'user', value: ALICE } }] }],
  })
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  await as(BOB).delete(`${PRIMARY}/series1`)
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(ALICE).post(`${PRIMARY}/series1/move?destination=${BOB}`)
  expect((await as(BOB).get(`${PRIMARY}/${LAST}`)).status).toBe('cancelled')
})

test('an instance that was cancelled before its series stays cancelled when the series is restored, also after a response to it', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(ALICE).delete(`${PRIMARY}/series1`)
  await as(BOB).patch(`${PRIMARY}/${LAST}`, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await as(ALICE).patch(`${PRIMARY}/series1`, { status: 'confirmed' })
  for (const account of [ALICE, BOB])
    expect((await as(account).get(`${PRIMARY}/${LAST}`)).status, account).toBe('cancelled')
})

test('a live instance of a series that its guest deleted stays live after a response to a cancelled one', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(BOB).delete(`${PRIMARY}/series1`)
  const first = 'series1_20260302'
  await as(ALICE).patch(`${PRIMARY}/${first}`, day('2026-03-02', '2026-03-04'))
  await as(BOB).patch(`${PRIMARY}/${LAST}`, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  for (const account of [ALICE, BOB])
    expect((await as(account).get(`${PRIMARY}/${first}`)).status, account).toBe('confirmed')
})

test('instances are restored for guests when a change restores the series', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  const first = 'series1_20260302'
  await as(ALICE).patch(`${PRIMARY}/${first}`, { summary: 'changed' })
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(ALICE).delete(`${PRIMARY}/series1`)
  await as(ALICE).patch(`${PRIMARY}/series1`, { status: 'confirmed', location: 'room' })
  for (const account of [ALICE, BOB])
    expect((await as(account).get(`${PRIMARY}/${first}`)).status, account).toBe('confirmed')
})

test('a list of instances whose first page was a dry run syncs the instances that a series lost in between', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...hour('2026-03-02'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const list = `${PRIMARY}?singleEvents=true`
  const first = await as(ALICE).get(`${list}&maxResults=1`, undefined, { 'X-Fake-Calendar-Inspector': '1' })
  const nullTimes = { dateTime: null, timeZone: null }
  const { start, end } = day('2026-03-02', '2026-03-03')
  await as(ALICE).patch(`${PRIMARY}/series1`, { start: { ...start, ...nullTimes }, end: { ...end, ...nullTimes } })
  const { nextSyncToken } = await as(ALICE).get(`${list}&pageToken=${first.nextPageToken}`)
  const { items } = await as(ALICE).get(`${list}&syncToken=${nextSyncToken}`)
  expect(idsOf({ items })).toContain('series1_20260303T090000Z')
})

test('a removed guest keeps no content of an instance, also after a later change of the deleted series', async () => {
  const { as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: BOB }] })
  await as(BOB).patch(`${PRIMARY}/${LAST}`, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await as(ALICE).delete(`${PRIMARY}/series1`)
  await as(ALICE).patch(`${PRIMARY}/series1`, { attendees: [] })
  const removed = await as(BOB).get(`${PRIMARY}/${LAST}`)
  await as(ALICE).patch(`${PRIMARY}/series1`, { colorId: '1' })
  expect(await as(BOB).get(`${PRIMARY}/${LAST}`)).toEqual(removed)
})

test('a restored world restores with a series only the instances that its deletion cancelled', async () => {
  const { fake, as } = open()
  await as(ALICE).post(PRIMARY, { id: 'series1', ...DAILY })
  await as(ALICE).patch(`${PRIMARY}/series1_20260302`, RENAMED)
  await as(ALICE).delete(`${PRIMARY}/${LAST}`)
  await as(ALICE).delete(`${PRIMARY}/series1`)
  const restored = open(fake.state() as Seed).as(ALICE)
  await restored.patch(`${PRIMARY}/series1`, { status: 'confirmed' })
  expect((await restored.get(`${PRIMARY}/series1_20260302`)).status).toBe('confirmed')
  expect((await restored.get(`${PRIMARY}/${LAST}`)).status).toBe('cancelled')
})

test('an instance that was responded to after the deletion of its series is restored with the series', async () => {
  const alice = open().as(ALICE)
  await alice.post(PRIMARY, { id: 'series1', ...DAILY, attendees: [{ email: ALICE }] })
  await alice.delete(`${PRIMARY}/series1`)
  await alice.patch(`${PRIMARY}/${LAST}`, { attendees: [{ email: ALICE, responseStatus: 'accepted' }] })
  await alice.patch(`${PRIMARY}/series1`, { status: 'confirmed' })
  expect((await alice.get(`${PRIMARY}/${LAST}`)).status).toBe('confirmed')
})
