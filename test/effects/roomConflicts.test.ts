import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, type Client, hour, openCalendar, PEOPLE } from '../support/calendar.ts'

/** Automatic responses of rooms, and the conflicts that they compare. */
const EVENTS = '/calendars/primary/events'
const ROOM = 'example.com_42@resource.calendar.google.com'
const room = { id: ROOM, owner: ALICE, autoAcceptInvitations: true }
const booking = (id: string, at: number, more: object = {}) => ({
  id,
  ...hour('2026-03-02', at),
  attendees: [{ email: ROOM, resource: true }],
  ...more,
})

type Attendee = { email: string; responseStatus: string }
const answer = ({ attendees = [] }: { attendees?: Attendee[] }) =>
  attendees.find(({ email }) => email === ROOM)?.responseStatus
const book = async (client: Client, ...bookingArgs: Parameters<typeof booking>) =>
  answer((await client.post(EVENTS, booking(...bookingArgs))).body)
const withRoom = (events: object[] = []) => {
  const calendars = [{ id: ALICE, events }, room]
  const { as, fake } = openCalendar({ seed: { ...PEOPLE, calendars } as Seed })
  return { alice: as(ALICE), bob: as(BOB), fake }
}
const daily = (day: string, at: number) => ({ ...hour(day, at), recurrence: ['RRULE:FREQ=DAILY'] })

test('7.17, 14.35 an instance that is moved does not conflict with itself in its room', async () => {
  const { alice } = withRoom()
  expect(await book(alice, 'series01', 12, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })).toBe('accepted')
  const half = { start: { dateTime: '2026-03-03T12:30:00-05:00' }, end: { dateTime: '2026-03-03T13:30:00-05:00' } }
  expect(answer((await alice.patch(`${EVENTS}/series01_20260303T170000Z`, half)).body)).toBe('accepted')
  expect(await book(alice, 'other001', 13, hour('2026-03-03', 13))).toBe('declined')
  expect(await book(alice, 'other002', 11, hour('2026-03-03', 11))).toBe('accepted')
})

test.each(['2023-01-02', '2010-01-04'])(
  '7.17, 14.35 a room with a daily series since %s is busy today',
  async (day) => {
    const { alice } = withRoom([{ ...booking('series01', 12), ...daily(day, 12) }])
    expect(await book(alice, 'clash001', 12)).toBe('declined')
    expect(await book(alice, 'free0001', 13)).toBe('accepted')
    expect(await book(alice, 'series02', 12, daily('2015-01-05', 12))).toBe('declined')
  },
)

test('7.17, 15.14 the rooms of a seed answer in its order, and a status in the seed stays', async () => {
  const events = [booking('first001', 12), booking('second01', 12)]
  const third = booking('third001', 12, { attendees: [{ email: ROOM, responseStatus: 'tentative' }] })
  const { alice } = withRoom([...events, third])
  const answers = ['first001', 'second01', 'third001'].map(async (id) =>
    answer((await alice.get(`${EVENTS}/${id}`)).body),
  )
  expect(await Promise.all(answers)).toEqual(['accepted', 'declined', 'tentative'])
  expect((await alice.get(`/calendars/${ROOM}/events`)).body.items).toHaveLength(3)
})

test('7.3, 7.17 a room answers again if a guest changes the time', async () => {
  const { alice, bob } = withRoom()
  await book(alice, 'taken001', 15)
  const attendees = [{ email: ROOM, resource: true }, { email: BOB }]
  expect(await book(alice, 'moves001', 12, { guestsCanModify: true, attendees })).toBe('accepted')
  await bob.patch(`${EVENTS}/moves001`, hour('2026-03-02', 15))
  expect(answer((await alice.get(`${EVENTS}/moves001`)).body)).toBe('declined')
})

test('7.5, 7.17 rooms get no mail', async () => {
  const { alice, fake } = withRoom()
  const attendees = [{ email: ROOM }, { email: BOB }]
  await alice.post(`${EVENTS}?sendUpdates=all`, booking('first001', 12, { attendees }))
  expect(fake.mail().map(({ to }) => to)).toEqual([BOB])
})
