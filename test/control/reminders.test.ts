import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../support/calendar.ts'
import { newCalendar, share } from '../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const LIST = '/users/me/calendarList'
const email = (...minutes: number[]) => ({
  useDefault: false,
  overrides: minutes.map((one) => ({ method: 'email', minutes: one })),
})

/** What was mailed to whom, and when. */
const mailed = ({ fake }: ReturnType<typeof openCalendar>) =>
  fake
    .mail()
    .filter(({ kind }) => kind !== 'acl')
    .map(({ kind, to, eventId, sentAt }) => [kind, to, eventId, sentAt])

// behaviour 7.23
test('an event reminds by mail as the clock passes', async () => {
  const world = openCalendar()
  await world
    .as(ALICE)
    .post(EVENTS, { id: 'plans', summary: 'Plans', ...hour('2026-03-02', 9), reminders: email(10, 60) })

  expect(await world.fake.advanceTo('2026-03-02T13:00:00Z')).toEqual([
    { what: `reminder of plans to ${ALICE}`, at: '2026-03-02T13:00:00.000Z' },
  ])
  await world.fake.advance('1w')

  expect(mailed(world)).toEqual([
    ['reminder', ALICE, 'plans', '2026-03-02T13:00:00.000Z'],
    ['reminder', ALICE, 'plans', '2026-03-02T13:50:00.000Z'],
  ])
})

// behaviour 7.23
test('a series reminds of each instance, and where one was moved at its own time', async () => {
  const world = openCalendar()
  const series = { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
  await world.as(ALICE).post(EVENTS, { ...series, reminders: email(10) })
  await world.as(ALICE).patch(`${EVENTS}/series_20260303T140000Z`, hour('2026-03-03', 11))
  await world.as(ALICE).delete(`${EVENTS}/series_20260304T140000Z`)

  await world.fake.advance('2w')

  expect(mailed(world).map(([, , , sentAt]) => sentAt)).toEqual([
    '2026-03-02T13:50:00.000Z',
    '2026-03-03T15:50:00.000Z',
    '2026-03-05T13:50:00.000Z',
  ])
})

// behaviour 7.12, 7.23
test('everybody is reminded by their own word, which may change', async () => {
  const world = openCalendar()
  const { as, fake } = world
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post(LIST, { id })
  await as(ALICE).post(`/calendars/${id}/events`, { id: 'plans', ...hour('2026-03-02', 9) })
  await as(BOB).patch(`${LIST}/${id}`, { defaultReminders: [{ method: 'email', minutes: 30 }] })
  await as(ALICE).patch(`/calendars/${id}/events/plans`, hour('2026-03-02', 10))

  await fake.advance('2d')

  expect(mailed(world)).toEqual([['reminder', BOB, 'plans', '2026-03-02T14:30:00.000Z']])
})

// behaviour 7.23, 15.12
test('whoever may read a calendar and has it on their list is reminded, by whatever rule they may', async () => {
  const people = [ALICE, BOB, CAROL, 'dave@example.com', 'erin@example.net']
  const rules = [
    { scope: { type: 'group', value: 'staff@example.com' }, role: 'reader' },
    { scope: { type: 'group', value: 'nobody@example.com' }, role: 'reader' },
    { scope: { type: 'user', value: CAROL }, role: 'freeBusyReader' },
    { scope: { type: 'domain', value: 'example.net' }, role: 'reader' },
  ] as const
  const world = openCalendar({
    seed: {
      accounts: people.map((one) => ({ email: one })),
      groups: [{ email: 'staff@example.com', members: [BOB, 'dave@example.com'] }],
    },
  })
  const { as, fake } = world
  const id = await newCalendar(as(ALICE))
  for (const rule of rules) await as(ALICE).post(`/calendars/${id}/acl`, rule)
  const defaultReminders = [{ method: 'email', minutes: 30 }]
  for (const one of [BOB, CAROL, 'erin@example.net']) await as(one).post(LIST, { id, defaultReminders })

  await as(ALICE).post(`/calendars/${id}/events`, { id: 'plans', ...hour('2026-03-02', 9) })

  expect((await fake.advance('2d')).map(({ what }) => what).sort()).toEqual(
    [BOB, 'erin@example.net'].map((to) => `reminder of plans to ${to}`),
  )
})

// behaviour 7.12, 7.23
test('the default reminders of a list hold for what is on the calendar already, and no longer than they stand', async () => {
  const world = openCalendar()
  const { as, fake } = world
  const by = (...methods: string[]) =>
    as(ALICE).patch(`${LIST}/primary`, { defaultReminders: methods.map((method) => ({ method, minutes: 30 })) })
  await as(ALICE).post(EVENTS, { id: 'plans', ...hour('2026-03-02', 9) })
  await as(ALICE).post(EVENTS, { id: 'later', ...hour('2026-03-04', 9) })

  await by('popup', 'email')
  expect((await fake.advance('2d')).map(({ what }) => what)).toEqual([`reminder of plans to ${ALICE}`])
  await by('popup')
  expect(await fake.advance('1w')).toEqual([])
})

// behaviour 7.23
test('what is deleted, or taken off, reminds nobody', async () => {
  const world = openCalendar()
  const { as, fake } = world
  await as(ALICE).post(EVENTS, { id: 'plans', ...hour('2026-03-02', 9), reminders: email(10) })
  await as(ALICE).post(EVENTS, { id: 'other', ...hour('2026-03-02', 9), reminders: email(10) })
  await as(ALICE).delete(`${EVENTS}/plans`)
  await as(ALICE).patch(`${EVENTS}/other`, { reminders: { useDefault: true } })

  expect(await fake.advance('2d')).toEqual([])
  expect(mailed(world)).toEqual([])
})

// behaviour 7.23
test('reminders outlast a reset and a state', async () => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(EVENTS, { id: 'plans', ...hour('2026-03-02', 9), reminders: email(10) })

  const again = openCalendar({ seed: fake.state() })
  await again.fake.advance('2d')
  again.fake.reset()
  await again.fake.advance('2d')

  expect(mailed(again)).toEqual([['reminder', ALICE, 'plans', '2026-03-02T13:50:00.000Z']])
})

// behaviour 7.23
test('the agenda comes in the morning to those whose list asks for it', async () => {
  const world = openCalendar()
  const { as, fake } = world
  await as(ALICE).post(EVENTS, { id: 'plans', summary: 'Plans', ...hour('2026-03-02', 9) })
  await as(ALICE).post(EVENTS, { id: 'rerun', ...hour('2026-03-01', 8), recurrence: ['RRULE:FREQ=DAILY'] })
  await as(ALICE).patch(`${LIST}/primary`, {
    notificationSettings: { notifications: [{ type: 'agenda', method: 'email' }] },
  })

  await fake.advance('2d')

  expect(mailed(world).map(([kind, to, , sentAt]) => [kind, to, sentAt])).toEqual([
    ['agenda', ALICE, '2026-03-02T10:00:00.000Z'],
    ['agenda', ALICE, '2026-03-03T10:00:00.000Z'],
  ])
  expect(fake.mail()[0]?.events?.map(({ eventId }) => eventId)).toEqual(['rerun_20260302T130000Z', 'plans'])
  await as(ALICE).patch(`${LIST}/primary`, { notificationSettings: { notifications: [] } })
  expect(await fake.advance('2d')).toEqual([])
})
