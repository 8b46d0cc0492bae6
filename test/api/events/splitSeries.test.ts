import { expect, test } from 'vitest'
import type { Seed } from '../../../src/index.ts'
import { ALICE, allDay, at, BOB, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const DAILY = 'RRULE:FREQ=DAILY'
const FIRST = 'standup0'
const SECOND = `${FIRST}_R20260305T090000`
const instance = (day: number) => `${FIRST}_202603${String(day).padStart(2, '0')}T090000Z`

/** Two days of the first series, then the second one, as the service's own pages leave them. */
const split = (exceptions: object[] = [], second: object = {}): Seed => ({
  accounts: [
    { email: ALICE, timeZone: 'UTC' },
    { email: BOB, timeZone: 'UTC' },
  ],
  calendars: [
    {
      id: ALICE,
      events: [
        { id: FIRST, ...hour('2026-03-02', 9, 'UTC'), recurrence: [`${DAILY};UNTIL=20260304T235959Z`] },
        { id: SECOND, ...hour('2026-03-05', 9, 'UTC'), recurrence: [`${DAILY};COUNT=4`], ...second },
        ...exceptions,
      ],
    },
  ],
})

const original = (day: number) => ({
  id: instance(day),
  recurringEventId: SECOND,
  originalStartTime: at(`2026-03-0${day}T09:00:00Z`),
})
const idsOf = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`${EVENTS}?${query}`)).body.items.map(({ id }: { id: string }) => id)
const decodedLink = (link: string) => Buffer.from(new URL(link).searchParams.get('eid') ?? '', 'base64').toString()

test('4.12.1 instances of a split series have ids without its mark, and its link is that of its first instance', async () => {
  const alice = openCalendar({ seed: split() }).as(ALICE)
  expect(await idsOf(alice, 'singleEvents=true&orderBy=startTime')).toEqual([2, 3, 4, 5, 6, 7, 8].map(instance))
  const { body } = await alice.get(`${EVENTS}/${SECOND}/instances`)
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([5, 6, 7, 8].map(instance))
  expect(body.items[1]).toMatchObject({ recurringEventId: SECOND, iCalUID: `${SECOND}@google.com` })
  const series = (await alice.get(`${EVENTS}/${SECOND}`)).body
  expect(decodedLink(series.htmlLink)).toBe(`${instance(5)} ${ALICE}`)
  expect((await alice.get(`${EVENTS}/${instance(4)}`)).body.recurringEventId).toBe(FIRST)
  expect((await alice.get(`${EVENTS}/${instance(5)}`)).body.recurringEventId).toBe(SECOND)
  for (const unknown of [instance(9), `${SECOND}_20260306T090000Z`])
    expect((await alice.get(`${EVENTS}/${unknown}`)).status).toBe(404)
})

test('4.12.1 a seed keeps the exceptions and stubs of a split series under their ids', async () => {
  const moved = { ...original(6), summary: 'Later', ...hour('2026-03-06', 15, 'UTC') }
  const { as, fake } = openCalendar({ seed: split([moved, { ...original(7), status: 'cancelled' }]) })
  const alice = as(ALICE)
  expect((await alice.get(`${EVENTS}/${instance(6)}`)).body).toMatchObject({
    summary: 'Later',
    recurringEventId: SECOND,
    start: { dateTime: '2026-03-06T15:00:00Z' },
    originalStartTime: { dateTime: '2026-03-06T09:00:00Z' },
  })
  expect(await idsOf(alice, 'singleEvents=true&orderBy=startTime&timeMin=2026-03-05T00:00:00Z')).toEqual(
    [5, 6, 8].map(instance),
  )
  const exported = fake.state()
  expect(await idsOf(openCalendar({ seed: exported }).as(ALICE), 'singleEvents=true')).toEqual(
    await idsOf(alice, 'singleEvents=true'),
  )
})

test('4.12.1 a change of an instance of a split series is in the delta, and its deletion leaves the first series alone', async () => {
  const alice = openCalendar({ seed: split() }).as(ALICE)
  const { nextSyncToken } = (await alice.get(EVENTS)).body
  expect((await alice.patch(`${EVENTS}/${instance(6)}`, { summary: 'Own' })).body).toMatchObject({
    id: instance(6),
    recurringEventId: SECOND,
  })
  await alice.delete(`${EVENTS}/${instance(7)}`)
  const { items } = (await alice.get(`${EVENTS}?syncToken=${nextSyncToken}`)).body
  expect(
    items.map(({ id, status, recurringEventId }: Record<string, string>) => [id, status, recurringEventId]),
  ).toEqual(
    expect.arrayContaining([
      [instance(6), 'confirmed', SECOND],
      [instance(7), 'cancelled', SECOND],
    ]),
  )
  expect(items.map(({ id }: { id: string }) => id)).not.toContain(FIRST)
  await alice.delete(`${EVENTS}/${SECOND}`)
  expect(await idsOf(alice, 'singleEvents=true')).toEqual([2, 3, 4].map(instance))
  expect((await alice.get(`${EVENTS}/${instance(6)}`)).body.status).toBe('cancelled')
})

test('4.12.1 guests have the same ids, answer one instance, and a move keeps them', async () => {
  const guests = { attendees: [{ email: BOB }] }
  const { as } = openCalendar({ seed: split([], guests) })
  const bob = as(BOB)
  expect(await idsOf(bob, 'singleEvents=true&orderBy=startTime')).toEqual([5, 6, 7, 8].map(instance))
  await bob.patch(`${EVENTS}/${instance(6)}`, { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  const seen = (await as(ALICE).get(`${EVENTS}/${instance(6)}`)).body
  expect(seen).toMatchObject({ recurringEventId: SECOND, attendees: [{ email: BOB, responseStatus: 'declined' }] })
  const { id } = (await as(ALICE).post('/calendars', { summary: 'Other' })).body
  await as(ALICE).post(`${EVENTS}/${SECOND}/move?destination=${id}`)
  const there = (await as(ALICE).get(`/calendars/${id}/events?singleEvents=true&orderBy=startTime`)).body.items
  expect(there.map((one: { id: string }) => one.id)).toEqual([5, 6, 7, 8].map(instance))
  expect(there[1].attendees[0].responseStatus).toBe('declined')
})

test('4.12.1 the instance that both series could have is the live one, then that of the first series', async () => {
  const overlap = split()
  const [first] = overlap.calendars?.[0]?.events ?? []
  Object.assign(first ?? {}, { recurrence: [DAILY] })
  const alice = openCalendar({ seed: overlap }).as(ALICE)
  expect((await alice.get(`${EVENTS}/${instance(6)}`)).body.recurringEventId).toBe(FIRST)
  await alice.delete(`${EVENTS}/${FIRST}`)
  expect((await alice.get(`${EVENTS}/${instance(6)}`)).body).toMatchObject({
    recurringEventId: SECOND,
    status: 'confirmed',
  })
})

test('4.12.1 an all-day series that was split has instances of dates', async () => {
  const days = { id: 'holidam_R20260305', ...allDay('2026-03-05', '2026-03-06'), recurrence: [`${DAILY};COUNT=2`] }
  const stub = {
    ...{ id: 'holidam_20260306', status: 'cancelled' as const, recurringEventId: days.id },
    originalStartTime: { date: '2026-03-06' },
  }
  const seed: Seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [days, stub] }] }
  const alice = openCalendar({ seed }).as(ALICE)
  expect(await idsOf(alice, 'singleEvents=true')).toEqual(['holidam_20260305'])
  expect(errorOf(await alice.get(`${EVENTS}/holidam_20260307`)).status).toBe(404)
})

test('4.12.1 a file of a split series keeps its UID and its changed instances', async () => {
  const moved = { ...original(6), summary: 'Later', ...hour('2026-03-06', 15, 'UTC') }
  const { fake } = openCalendar({ seed: split([moved]) })
  const text = await (await fake.request(fake.ical(ALICE).private)).text()
  expect(text).toContain(`UID:${SECOND}@google.com`)
  const copy = openCalendar({ seed: { accounts: [{ email: ALICE, timeZone: 'UTC' }] } })
  await copy.fake.importICalendar(text, { owner: ALICE, calendar: 'primary' })
  const { body } = await copy.as(ALICE).get(`${EVENTS}/${instance(6)}`)
  expect(body).toMatchObject({ summary: 'Later', recurringEventId: SECOND, iCalUID: `${SECOND}@google.com` })
})

test('4.12.1 the diff of an instance of a split series states what it was in its series', async () => {
  const { fake, as } = openCalendar({ seed: split([], { summary: 'Standup' }) })
  const before = fake.snapshot()
  await as(ALICE).patch(`${EVENTS}/${instance(6)}`, { summary: 'Own' })
  expect(fake.diff(before).text).toContain('summary "Standup" → "Own"')
  expect(fake.changes()).toMatchObject([{ id: instance(6), fields: { summary: ['Standup', 'Own'] } }])
})
