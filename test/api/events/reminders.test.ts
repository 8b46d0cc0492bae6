import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, errorOf, hour, openCalendar, type Reply } from '../../support/calendar.ts'
import { DEFAULT, OWN, popup, REMINDER_FORMS, TAKEN } from '../../support/reminderForms.ts'

const EVENTS = '/calendars/primary/events'
const timed = hour('2026-03-02', 9)
const dated = allDay('2026-03-02', '2026-03-03')

/** The reminders of a reply, or the reason of its error. */
const outcomeOf = (reply: Reply) => (reply.status === 200 ? reply.body.reminders : errorOf(reply).reason)

test.each(REMINDER_FORMS)('3.2.10 an insert, a PUT and an import take reminders of the form "$name"', async (form) => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, { id: 'event1', ...timed, reminders: OWN })
  const replies = [
    await alice.post(EVENTS, { ...timed, ...form.body }),
    await alice.put(`${EVENTS}/event1`, { ...timed, ...form.body }),
    await alice.post(`${EVENTS}/import`, { iCalUID: 'a@example.net', ...timed, ...form.body }),
  ]
  expect(replies.map(outcomeOf)).toEqual([form.inserted, form.inserted, form.inserted])
})

test.each(REMINDER_FORMS)('3.2.10 a PATCH merges reminders of the form "$name"', async ({ body, patched }) => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const series = { id: 'event1', ...timed, reminders: OWN, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await alice.post(EVENTS, series)
  const paths = [`${EVENTS}/event1_20260303T140000Z`, `${EVENTS}/event1`]
  for (const path of paths) expect(outcomeOf(await alice.patch(path, body)), path).toEqual(patched)
})

test.each(REMINDER_FORMS)('3.2.10 an all-day event takes reminders of the form "$name"', async ({ body, inserted }) => {
  const { as } = openCalendar()
  const reply = await as(ALICE).post(EVENTS, { ...dated, ...body })
  expect(outcomeOf(reply)).toEqual(inserted === DEFAULT ? TAKEN : inserted)
})

test('3.2.10 an all-day event keeps the defaults of its write, and a guest’s copy has the guest’s own', async () => {
  const { as } = openCalendar()
  const setDefaults = (account: string, minutes: number) =>
    as(account).patch(`/users/me/calendarList/${account}`, { defaultReminders: [popup(minutes)] })
  await setDefaults(BOB, 45)
  const { body } = await as(ALICE).post(EVENTS, { id: 'event1', ...dated, attendees: [{ email: BOB }] })
  expect(body.reminders).toEqual(TAKEN)
  for (const account of [ALICE, BOB]) await setDefaults(account, 99)

  expect((await as(ALICE).get(`${EVENTS}/event1`)).body.reminders).toEqual(TAKEN)
  expect((await as(BOB).get(`${EVENTS}/event1`)).body.reminders).toEqual({ useDefault: false, overrides: [popup(45)] })
})

test('3.2.10 an all-day event has no reminders where its calendar has no defaults', async () => {
  const { as } = openCalendar()
  const { id } = (await as(ALICE).post('/calendars', { summary: 'Team' })).body
  for (const reminders of [undefined, DEFAULT])
    expect((await as(ALICE).post(`/calendars/${id}/events`, { ...dated, reminders })).body.reminders).toEqual({
      useDefault: false,
    })
})

test('3.2.10 a timed event that becomes all-day takes over the default reminders, and keeps its own', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const toAllDay = { start: { ...dated.start, dateTime: null }, end: { ...dated.end, dateTime: null } }
  for (const [id, reminders, expected] of [
    ['event1', undefined, TAKEN],
    ['event2', OWN, OWN],
  ] as const) {
    await alice.post(EVENTS, { id, ...timed, reminders })
    expect((await alice.patch(`${EVENTS}/${id}`, toAllDay)).body.reminders).toEqual(expected)
  }
})
