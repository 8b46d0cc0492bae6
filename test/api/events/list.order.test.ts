import { expect, test } from 'vitest'
import { ALICE, allDay, at, BOB, type Client, errorOf, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'

/** The items of lists, and their order. */
const EVENTS = '/calendars/primary/events'
const DAILY = 'RRULE:FREQ=DAILY;COUNT=3'
const [FIRST, SECOND, THIRD] = ['02', '03', '04'].map((date) => `meet00_202603${date}T140000Z`)
type Item = { id: string; status: string }

async function put(client: Client, event: object): Promise<void> {
  const { status, text } = await client.post(EVENTS, event)
  if (status !== 200) throw new Error(text)
}
const patch = async (client: Client, id: string, body: object) =>
  expect((await client.patch(`${EVENTS}/${id}`, body)).status).toBe(200)
const remove = async (client: Client, id: string) => expect((await client.delete(`${EVENTS}/${id}`)).status).toBe(204)

async function listed(client: Client, query: string, path = EVENTS) {
  const { status, body } = await client.get(`${path}?${query}`)
  expect(status).toBe(200)
  const ids: string[] = body.items.map(({ id, status }: Item) => (status === 'cancelled' ? `-${id}` : id))
  return {
    ids,
    token: encodeURIComponent(body.nextSyncToken ?? ''),
    next: encodeURIComponent(body.nextPageToken ?? ''),
  }
}

async function withSeries() {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  await put(alice, { id: 'meet00', ...hour('2026-03-02', 9), recurrence: [DAILY] })
  fake.clock.advance('1m')
  await patch(alice, SECOND ?? '', { location: 'Elsewhere' })
  fake.clock.advance('1m')
  return { alice, fake }
}

test('5.11 a deleted series is listed once, or as its instances with singleEvents', async () => {
  const { alice } = await withSeries()
  const [whole, single] = [await listed(alice, ''), await listed(alice, 'singleEvents=true')]
  await remove(alice, 'meet00')
  expect((await listed(alice, `syncToken=${whole.token}`)).ids).toEqual(['-meet00'])
  expect((await listed(alice, `singleEvents=true&syncToken=${single.token}`)).ids.sort()).toEqual(
    [FIRST, SECOND, THIRD].map((id) => `-${id}`),
  )
  expect((await listed(alice, 'showDeleted=true')).ids.sort()).toEqual(['-meet00', `-${SECOND}`])
  expect((await listed(alice, '')).ids).toEqual([])
})

test('14.7 a sync returns the changes in the window of its list, and all deletions', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  for (const id of ['remain', 'leaves', 'goes00']) await put(alice, { id, ...hour('2026-03-10', 9) })
  await put(alice, { id: 'before', ...hour('2026-03-02', 9) })
  const { ids, token } = await listed(alice, 'timeMin=2026-03-09T00:00:00Z')
  expect(ids).toEqual(['remain', 'leaves', 'goes00'])
  fake.clock.advance('1m')
  await patch(alice, 'remain', { summary: 'Here' })
  await patch(alice, 'leaves', hour('2026-03-03', 9))
  await patch(alice, 'before', { summary: 'Still outside' })
  await remove(alice, 'goes00')
  for (const more of ['', '&showDeleted=true']) {
    expect((await listed(alice, `syncToken=${token}${more}`)).ids).toEqual(['remain', '-goes00'])
  }
})

test('5.3, 5.3.1 a write that keeps updated is last in the order of revisions, and keeps its place in the order of updated', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  for (const id of ['older0', 'recent']) {
    await put(alice, { id, ...hour('2026-03-02', 9) })
    fake.clock.advance('1m')
  }
  await patch(alice, 'older0', { reminders: { useDefault: false } })
  expect((await listed(alice, 'orderBy=updated')).ids).toEqual(['older0', 'recent'])
  expect((await listed(alice, '')).ids).toEqual(['recent', 'older0'])
  expect((await listed(alice, 'orderBy=updated&maxResults=1')).ids).toEqual(['older0'])
})

const BY_START = 'singleEvents=true&orderBy=startTime'

test('1.13 the values of an enum are read in any case', async () => {
  const alice = openCalendar().as(ALICE)
  await put(alice, { id: 'later0', ...allDay('2026-03-04', '2026-03-05') })
  await put(alice, { id: 'sooner', ...allDay('2026-03-03', '2026-03-05') })

  expect((await listed(alice, BY_START.replace('startTime', 'starttime'))).ids).toEqual(['sooner', 'later0'])
  expect(errorOf(await alice.get(`${EVENTS}?orderBy=starttime`)).message).toBe(
    'The requested ordering is not available for the particular query.',
  )
  expect((await listed(alice, 'eventTypes=DEFAULT&eventTypes=FocusTime')).ids).toEqual(['later0', 'sooner'])
})

test('5.4 the dates of an all-day series are ordered by midnight in the calendar’s zone, before timed events of that instant', async () => {
  const alice = openCalendar().as(ALICE)
  const timed = (id: string, start: string, end: string) => ({ id, start: at(start), end: at(end) })
  await put(alice, {
    ...timed('night0', '2026-03-02T00:00:00-05:00', '2026-03-02T01:00:00-05:00'),
    recurrence: [DAILY],
  })
  await put(alice, timed('late00', '2026-03-01T20:00:00-05:00', '2026-03-01T21:00:00-05:00'))
  await put(alice, timed('late01', '2026-03-02T23:00:00-05:00', '2026-03-02T23:30:00-05:00'))
  await put(alice, { id: 'dated0', ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const all = [
    'late00',
    'dated0_20260302',
    'night0_20260302T050000Z',
    'late01',
    'dated0_20260303',
    'night0_20260303T050000Z',
    'night0_20260304T050000Z',
  ]
  expect((await listed(alice, BY_START)).ids).toEqual(all)
  const paged: string[] = []
  for (let more = ''; paged.length <= all.length; ) {
    const { ids, next } = await listed(alice, `${BY_START}&maxResults=1${more}`)
    paged.push(...ids)
    if (!next) break
    more = `&pageToken=${next}`
  }
  expect(paged).toEqual(all)
})

const INSTANCES = `${EVENTS}/meet00/instances`

test('4.4, 4.10 a cancelled instance is ordered by its original start, also if it had been moved', async () => {
  const { alice } = await withSeries()
  await patch(alice, FIRST ?? '', hour('2026-03-20', 9))
  expect((await listed(alice, '', INSTANCES)).ids).toEqual([SECOND, THIRD, FIRST])
  await remove(alice, FIRST ?? '')
  expect((await listed(alice, 'showDeleted=true', INSTANCES)).ids).toEqual([`-${FIRST}`, SECOND, THIRD])
  expect((await listed(alice, `showDeleted=true&${BY_START}`)).ids).toEqual([`-${FIRST}`, SECOND, THIRD])
})

test('4.4 originalStart finds one of several changed instances', async () => {
  const { alice } = await withSeries()
  await patch(alice, THIRD ?? '', hour('2026-03-01', 9))
  const found = async (start: string) => (await listed(alice, `originalStart=${start}`, INSTANCES)).ids
  expect(await found('2026-03-02T14:00:00Z')).toEqual([FIRST])
  expect(await found('2026-03-03T14:00:00Z')).toEqual([SECOND])
  expect(await found('2026-03-04T14:00:00Z')).toEqual([THIRD])
  const pages: string[] = []
  for (let more = ''; pages.length < 4; ) {
    const { ids, next } = await listed(alice, `maxResults=1${more}`, INSTANCES)
    pages.push(...ids)
    if (!next) break
    more = `&pageToken=${next}`
  }
  expect(pages).toEqual([THIRD, FIRST, SECOND])
})

test('4.4.1 an all-day instance that ends exactly at timeMin is listed by instances', async () => {
  const alice = openCalendar().as(ALICE)
  await put(alice, { id: 'dated0', ...allDay('2026-03-02', '2026-03-03'), recurrence: [DAILY] })
  const from = async (timeMin: string) => (await listed(alice, `timeMin=${timeMin}`, `${EVENTS}/dated0/instances`)).ids
  expect(await from('2026-03-04T05:00:00Z')).toEqual(['dated0_20260303', 'dated0_20260304'])
  expect(await from('2026-03-04T05:00:01Z')).toEqual(['dated0_20260304'])
})

test('a page token of one series is invalid for another, and the sync token of its instances is valid for the calendar', async () => {
  const { alice } = await withSeries()
  await put(alice, { id: 'other0', ...hour('2026-03-02', 9), recurrence: [DAILY] })
  const { next } = await listed(alice, 'maxResults=1', INSTANCES)
  const reply = await alice.get(`${EVENTS}/other0/instances?maxResults=1&pageToken=${next}`)
  expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'invalid' })
  const { token } = await listed(alice, '', INSTANCES)
  await patch(alice, 'other0', { summary: 'Other' })
  const { ids } = await listed(alice, `singleEvents=true&syncToken=${token}`)
  expect(ids).toEqual(['02', '03', '04'].map((date) => `other0_202603${date}T140000Z`))
})

test('7.1.1 an account with hideInvitations lists events without guests, and those with only other guests', async () => {
  const hidden = { accounts: [{ email: BOB, settings: { hideInvitations: 'true' } }] }
  const { as } = openCalendar({ seed: [PEOPLE, hidden] })
  const [alice, bob] = [as(ALICE), as(BOB)]
  await put(alice, { id: 'invite', ...hour('2026-03-02', 9), attendees: [{ email: BOB }] })
  await put(bob, { id: 'alone0', ...hour('2026-03-02', 9) })
  await put(bob, { id: 'others', ...hour('2026-03-02', 9), attendees: [{ email: ALICE }] })
  expect((await listed(bob, '')).ids).toEqual(['alone0', 'others'])
  expect((await listed(bob, 'showHiddenInvitations=true')).ids).toEqual(['invite', 'alone0', 'others'])
})

test('4.3 the cancelled instances of a deleted series are not listed', async () => {
  const { alice } = await withSeries()
  await remove(alice, FIRST ?? '')
  expect((await listed(alice, '')).ids.sort()).toEqual([`-${FIRST}`, 'meet00', SECOND])
  await remove(alice, 'meet00')
  expect((await listed(alice, '')).ids).toEqual([])
})

test('3.3 a request with an API key lists a public calendar, without default reminders', async () => {
  const { as, anonymous } = openCalendar()
  const rule = { role: 'reader', scope: { type: 'default' } }
  expect((await as(ALICE).post(`/calendars/${ALICE}/acl`, rule)).status).toBe(200)
  await put(as(ALICE), { id: 'open00', ...hour('2026-03-02', 9) })
  const { status, body } = await anonymous.get(`/calendars/${ALICE}/events?key=any`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ accessRole: 'reader', defaultReminders: [], items: [{ id: 'open00' }] })
})

test('5.8 a page token is accepted only with its sync token', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  const { token: early } = await listed(alice, '')
  for (const id of ['first0', 'second']) {
    fake.clock.advance('1m')
    await put(alice, { id, ...hour('2026-03-02', 9) })
  }
  const { token: late } = await listed(alice, '')
  const { ids, next } = await listed(alice, `syncToken=${early}&maxResults=1`)
  expect(ids).toEqual(['first0'])
  expect(errorOf(await alice.get(`${EVENTS}?syncToken=${late}&pageToken=${next}`))).toMatchObject({
    status: 400,
    location: 'syncToken',
  })
})

test('5.4 an instance at the start of a later created event precedes it on every page', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  await put(alice, { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
  await put(alice, { id: 'single', ...hour('2026-03-09', 9) })
  await put(alice, { id: 'before', ...hour('2026-03-05', 9) })

  const query = 'singleEvents=true&orderBy=startTime&timeMin=2026-03-04T00:00:00Z'
  const [first, later] = [['before'], ['series_20260309T130000Z', 'single']]
  expect((await listed(alice, query)).ids).toEqual([...first, ...later])
  const page = await listed(alice, `${query}&maxResults=1`)
  expect(page.ids).toEqual(first)
  expect((await listed(alice, `${query}&pageToken=${page.next}`)).ids).toEqual(later)
})
