import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, CAROL, hour, openCalendar } from '../../support/calendar.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const LIST = '/users/me/calendarList'
const email = (...minutes: number[]) => ({
  useDefault: false,
  overrides: minutes.map((one) => ({ method: 'email', minutes: one })),
})

/** Returns the mails with recipient and time. */
const mailed = ({ fake }: ReturnType<typeof openCalendar>) =>
  fake
    .mail()
    .filter(({ kind }) => kind !== 'acl')
    .map(({ kind, to, eventId, sentAt }) => [kind, to, eventId, sentAt])

test('7.23 an event sends its reminders by mail when the clock reaches them', async () => {
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

test('7.23 a series sends a reminder for each instance, at the new time of a moved one', async () => {
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

test('7.12, 7.23 each account gets reminders by its own settings, which can change', async () => {
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

test('7.23, 15.12 a reader with the calendar on the list gets reminders, by any rule that grants access', async () => {
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

test('7.12, 7.23 the default reminders of a list entry apply to existing events while they are set', async () => {
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

test('7.23 a deleted event, or one whose calendar was removed from the list, has no reminders', async () => {
  const world = openCalendar()
  const { as, fake } = world
  await as(ALICE).post(EVENTS, { id: 'plans', ...hour('2026-03-02', 9), reminders: email(10) })
  await as(ALICE).post(EVENTS, { id: 'other', ...hour('2026-03-02', 9), reminders: email(10) })
  await as(ALICE).delete(`${EVENTS}/plans`)
  await as(ALICE).patch(`${EVENTS}/other`, { reminders: { useDefault: true, overrides: [] } })

  expect(await fake.advance('2d')).toEqual([])
  expect(mailed(world)).toEqual([])
})

test('7.23 reminders survive a reset and a restored state', async () => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(EVENTS, { id: 'plans', ...hour('2026-03-02', 9), reminders: email(10) })

  const again = openCalendar({ seed: fake.state() })
  await again.fake.advance('2d')
  again.fake.reset()
  await again.fake.advance('2d')

  expect(mailed(again)).toEqual([['reminder', ALICE, 'plans', '2026-03-02T13:50:00.000Z']])
})

test('7.23 the agenda is sent in the morning to accounts whose list entry selects it', async () => {
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

test('7.23 a reminder with a past due time is not sent, and one due at the start is', async () => {
  const world = openCalendar()
  const alice = world.as(ALICE)
  const at = (minutes: number) => {
    const instant = Date.parse('2026-03-01T12:00:00Z') + minutes * 60_000
    const dateTime = (by: number) => ({ dateTime: new Date(instant + by).toISOString() })
    return { start: dateTime(0), end: dateTime(60_000) }
  }
  await alice.post(EVENTS, { id: 'none0', ...at(10), reminders: email(10) })
  await alice.post(EVENTS, { id: 'then0', ...at(11), reminders: email(10) })
  await alice.post(EVENTS, { id: 'start', ...at(5), reminders: email(0) })
  await alice.post(EVENTS, { id: 'past0', ...at(-5), reminders: email(0) })
  await world.fake.advance('1d')

  expect(mailed(world).map(([, , id, sentAt]) => [id, sentAt])).toEqual([
    ['then0', '2026-03-01T12:01:00.000Z'],
    ['start', '2026-03-01T12:05:00.000Z'],
  ])
})

test('7.23 only reminders of the method email are sent, as mail of the service', async () => {
  const { as, fake } = openCalendar()
  const overrides = [
    { method: 'popup', minutes: 30 },
    { method: 'email', minutes: 20 },
  ]
  const event = { ...hour('2026-03-02', 9), reminders: { useDefault: false, overrides } }
  await as(ALICE).post(EVENTS, { id: 'named', summary: 'Plans', ...event })
  await as(ALICE).post(EVENTS, { id: 'plain', ...event })
  await fake.advance('2d')
  const reminder = {
    from: 'calendar-notification@google.com',
    to: ALICE,
    kind: 'reminder',
    calendarId: ALICE,
    sentAt: '2026-03-02T13:40:00.000Z',
  }

  expect(fake.mail()).toEqual([
    expect.objectContaining({ ...reminder, eventId: 'named', summary: 'Plans' }),
    expect.objectContaining({ ...reminder, eventId: 'plain' }),
  ])
})

test('7.23 an account that declined or lost access gets no reminder', async () => {
  const world = openCalendar()
  const { as, fake } = world
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post(LIST, { id })
  await as(BOB).patch(`${LIST}/${id}`, { defaultReminders: [{ method: 'email', minutes: 30 }] })
  await as(BOB).patch(`${LIST}/primary`, { defaultReminders: [{ method: 'email', minutes: 30 }] })
  await as(CAROL).patch(`${LIST}/primary`, { defaultReminders: [{ method: 'email', minutes: 30 }] })
  await as(ALICE).post(`/calendars/${id}/events`, { id: 'plans', ...hour('2026-03-02', 9) })
  await as(ALICE).post(EVENTS, {
    id: 'lunch',
    ...hour('2026-03-02', 12),
    attendees: [{ email: BOB }, { email: CAROL }],
  })
  await as(BOB).patch(`${EVENTS}/lunch`, { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  await as(ALICE).delete(`/calendars/${id}/acl/user:${BOB}`)

  expect((await fake.advance('2d')).map(({ what }) => what)).toEqual([`reminder of lunch to ${CAROL}`])
  expect(mailed(world).map(([, to, about]) => [to, about])).toEqual([[CAROL, 'lunch']])
})

test('7.23 only the next reminder of a series is on the agenda, and the end of the series is its end', async () => {
  const world = openCalendar()
  const series = { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  await world.as(ALICE).post(EVENTS, { ...series, reminders: email(10, 1440) })
  const fired = await world.fake.advance('2w')

  expect(mailed(world).map(([, , id, sentAt]) => [id, sentAt])).toEqual([
    ['series_20260302T140000Z', '2026-03-01T14:00:00.000Z'],
    ['series_20260302T140000Z', '2026-03-02T13:50:00.000Z'],
    ['series_20260303T140000Z', '2026-03-02T14:00:00.000Z'],
    ['series_20260303T140000Z', '2026-03-03T13:50:00.000Z'],
    ['series_20260304T140000Z', '2026-03-03T14:00:00.000Z'],
    ['series_20260304T140000Z', '2026-03-04T13:50:00.000Z'],
  ])
  expect(new Set(fired.map(({ what }) => what))).toEqual(new Set([`reminder of series to ${ALICE}`]))
})

const AGENDA = { notificationSettings: { notifications: [{ type: 'agenda', method: 'email' }] } }

test('7.23 an agenda lists the events of the day by start, of its calendar only', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  const late = { start: { dateTime: '2026-03-01T23:00:00-05:00' }, end: { dateTime: '2026-03-02T01:00:00-05:00' } }
  await alice.post(EVENTS, { id: 'after', ...hour('2026-03-03', 0) })
  await alice.post(EVENTS, { id: 'noon0', summary: 'Noon', ...hour('2026-03-02', 12) })
  await alice.post(EVENTS, { id: 'gone0', ...hour('2026-03-02', 13) })
  await alice.delete(`${EVENTS}/gone0`)
  await alice.post(EVENTS, { id: 'entire', summary: 'Day', ...allDay('2026-03-02', '2026-03-03') })
  await alice.post(EVENTS, { id: 'late0', ...late })
  await alice.post(EVENTS, { id: 'rerun', ...hour('2026-03-01', 8), recurrence: ['RRULE:FREQ=DAILY'] })
  await alice.patch(`${EVENTS}/rerun_20260302T130000Z`, hour('2026-03-02', 15))
  await alice.patch(`${LIST}/primary`, AGENDA)
  const fired = await fake.advance('1d')

  expect(fired).toEqual([{ what: `agenda of ${ALICE} to ${ALICE}`, at: '2026-03-02T10:00:00.000Z' }])
  expect(fake.mail()).toEqual([
    {
      id: 1,
      from: 'calendar-notification@google.com',
      to: ALICE,
      kind: 'agenda',
      calendarId: ALICE,
      summary: ALICE,
      sentAt: '2026-03-02T10:00:00.000Z',
      events: [
        { eventId: 'late0', start: expect.objectContaining({ dateTime: '2026-03-02T04:00:00Z' }) },
        { eventId: 'entire', summary: 'Day', start: { date: '2026-03-02' } },
        { eventId: 'noon0', summary: 'Noon', start: expect.objectContaining({ dateTime: '2026-03-02T17:00:00Z' }) },
        {
          eventId: 'rerun_20260302T130000Z',
          start: expect.objectContaining({ dateTime: '2026-03-02T20:00:00Z' }),
        },
      ],
    },
  ])
})

test('7.23 the agenda is sent at five o’clock in the account’s zone, also on the day of a clock change', async () => {
  const { as, fake } = openCalendar({ now: '2026-03-27T04:00:00Z' })
  await as(BOB).patch(`${LIST}/primary`, AGENDA)
  const fired = await fake.advance('3d')

  // In Berlin the clock changes on the 29th.
  expect(fired.map(({ at }) => at)).toEqual([
    '2026-03-28T04:00:00.000Z',
    '2026-03-29T03:00:00.000Z',
    '2026-03-30T03:00:00.000Z',
  ])
})

test('7.23 no agenda is sent for a calendar that is deleted or inaccessible', async () => {
  const { as, fake } = openCalendar()
  const [deleted, lost] = [await newCalendar(as(ALICE)), await newCalendar(as(ALICE))]
  for (const id of [deleted, lost]) {
    await share(as(ALICE), id, BOB, 'reader')
    await as(BOB).post(LIST, { id })
    await as(BOB).patch(`${LIST}/${id}`, AGENDA)
  }
  await as(ALICE).delete(`/calendars/${deleted}`)
  await as(ALICE).delete(`/calendars/${lost}/acl/user:${BOB}`)

  expect(await fake.advance('2d')).toEqual([])
  expect(fake.mail().filter(({ kind }) => kind === 'agenda')).toEqual([])
})
