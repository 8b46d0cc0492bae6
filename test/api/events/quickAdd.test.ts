import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { needsRole, share } from '../../support/sharing.ts'

const QUICK_ADD = '/calendars/primary/events/quickAdd'
/** A Wednesday: 10:20 in New York, where Alice's calendar is. */
const WEDNESDAY = '2026-03-04T15:20:00Z'

const quickAdd = (text: string, now = WEDNESDAY) =>
  openCalendar({ now })
    .as(ALICE)
    .post(`${QUICK_ADD}?text=${encodeURIComponent(text)}`)

/** Times by the calendar's clock, to the minute; of an all-day event its dates. */
const shown = ({ date, dateTime }: { date?: string; dateTime?: string }) => date ?? dateTime?.slice(0, 16)

type Row = [sentence: string, summary: string | undefined, location: string | undefined, start: string, end: string]
const SENTENCES: Row[] = [
  ['Lunch tomorrow', 'Lunch', undefined, '2026-03-05', '2026-03-06'],
  ['Dinner tonight', 'Dinner', undefined, '2026-03-04', '2026-03-05'],
  ['Dinner tonight at 8', 'Dinner', undefined, '2026-03-04T20:00', '2026-03-04T21:00'],
  ["Dinner with Ann tonight at 7pm at Luigi's", 'Dinner with Ann', "Luigi's", '2026-03-04T19:00', '2026-03-04T20:00'],
  ['Meeting at 3pm', 'Meeting', undefined, '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Meeting 3pm tomorrow', 'Meeting', undefined, '2026-03-05T15:00', '2026-03-05T16:00'],
  ['Meeting tomorrow at 3pm for 2 hours', 'Meeting', undefined, '2026-03-05T15:00', '2026-03-05T17:00'],
  ['Standup at 9am', 'Standup', undefined, '2026-03-05T09:00', '2026-03-05T10:00'],
  ['Call 19:00', 'Call', undefined, '2026-03-04T19:00', '2026-03-04T20:00'],
  ['Call tomorrow at noon', 'Call', undefined, '2026-03-05T12:00', '2026-03-05T13:00'],
  ['Party Friday at midnight', 'Party', undefined, '2026-03-06T00:00', '2026-03-06T01:00'],
  ['Review 3-4pm', 'Review', undefined, '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Review Friday 3pm-4pm', 'Review', undefined, '2026-03-06T15:00', '2026-03-06T16:00'],
  ['Appointment at Somewhere on June 3rd 10am-10:25am', 'Appointment', 'Somewhere', '2026-06-03T10:00', '2026-06-03T10:25'],
  ['Shift tomorrow from 9 to 11', 'Shift', undefined, '2026-03-05T09:00', '2026-03-05T11:00'],
  ['Holiday June 3 - June 7', 'Holiday', undefined, '2026-06-03', '2026-06-08'],
  ['Conference June 3-5', 'Conference', undefined, '2026-06-03', '2026-06-06'],
  ['Workshop next Monday', 'Workshop', undefined, '2026-03-09', '2026-03-10'],
  ['Workshop next Friday at 10am', 'Workshop', undefined, '2026-03-13T10:00', '2026-03-13T11:00'],
  ['Workshop this Friday', 'Workshop', undefined, '2026-03-06', '2026-03-07'],
  ['Workshop Monday', 'Workshop', undefined, '2026-03-09', '2026-03-10'],
  ['Workshop next Wednesday', 'Workshop', undefined, '2026-03-11', '2026-03-12'],
  ['Dentist on Aug 12 at 3:30pm', 'Dentist', undefined, '2026-08-12T15:30', '2026-08-12T16:30'],
  ['Dentist 12 August 2027', 'Dentist', undefined, '2027-08-12', '2027-08-13'],
  ['Dentist 8/12', 'Dentist', undefined, '2026-08-12', '2026-08-13'],
  ['Dentist 2026-03-09', 'Dentist', undefined, '2026-03-09', '2026-03-10'],
  ['Dentist 2026-03-09 14:00', 'Dentist', undefined, '2026-03-09T14:00', '2026-03-09T15:00'],
  ['Dentist 2026-03-09 at 14:00', 'Dentist', undefined, '2026-03-09T14:00', '2026-03-09T15:00'],
  ['Focus for 2 hours', 'Focus', undefined, '2026-03-04T10:30', '2026-03-04T12:30'],
  ['Focus at 2pm for 90 minutes', 'Focus', undefined, '2026-03-04T14:00', '2026-03-04T15:30'],
  ['Focus at 2pm for half an hour', 'Focus', undefined, '2026-03-04T14:00', '2026-03-04T14:30'],
  ['Focus at 2pm for 1h 30m', 'Focus', undefined, '2026-03-04T14:00', '2026-03-04T15:30'],
  ['Focus at 2pm for 1 hour and 30 minutes', 'Focus', undefined, '2026-03-04T14:00', '2026-03-04T15:30'],
  ['Focus tomorrow for 3 days', 'Focus', undefined, '2026-03-05', '2026-03-08'],
  ['Trip for 3 days', 'Trip', undefined, '2026-03-04', '2026-03-07'],
  ['Coffee at 4pm in Room 5', 'Coffee', 'Room 5', '2026-03-04T16:00', '2026-03-04T17:00'],
  ['Coffee with Bob at Blue Bottle at 4pm tomorrow', 'Coffee with Bob', 'Blue Bottle', '2026-03-05T16:00', '2026-03-05T17:00'],
  ['Party tomorrow 10pm-2am', 'Party', undefined, '2026-03-05T22:00', '2026-03-06T02:00'],
  ['Party Friday 11pm to 1am', 'Party', undefined, '2026-03-06T23:00', '2026-03-07T01:00'],
  ['Buy 2 apples', 'Buy 2 apples', undefined, '2026-03-04T10:30', '2026-03-04T11:30'],
  ['Room 101 inspection', 'Room 101 inspection', undefined, '2026-03-04T10:30', '2026-03-04T11:30'],
  ['Flight BA117 tomorrow at 6am', 'Flight BA117', undefined, '2026-03-05T06:00', '2026-03-05T07:00'],
  ['1:1 with Bob tomorrow at 11am', '1:1 with Bob', undefined, '2026-03-05T11:00', '2026-03-05T12:00'],
  ['5k run Saturday 8am', '5k run', undefined, '2026-03-07T08:00', '2026-03-07T09:00'],
  ['LUNCH TOMORROW AT NOON', 'LUNCH', undefined, '2026-03-05T12:00', '2026-03-05T13:00'],
  ['Café mit Zoë tomorrow at 15:30', 'Café mit Zoë', undefined, '2026-03-05T15:30', '2026-03-05T16:30'],
  ['打合せ tomorrow 3pm', '打合せ', undefined, '2026-03-05T15:00', '2026-03-05T16:00'],
  ['Sync in 30 minutes', 'Sync', undefined, '2026-03-04T10:50', '2026-03-04T11:50'],
  ['Sync in 3 days', 'Sync', undefined, '2026-03-07', '2026-03-08'],
  ['Meet Mark May 5', 'Meet Mark', undefined, '2026-05-05', '2026-05-06'],
  ['Drinks at 5', 'Drinks', undefined, '2026-03-04T17:00', '2026-03-04T18:00'],
  ['Ask April about May on June 2', 'Ask April about May', undefined, '2026-06-02', '2026-06-03'],
  ['tomorrow', undefined, undefined, '2026-03-05', '2026-03-06'],
  ['3pm', undefined, undefined, '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Gym every Monday at 6pm', 'Gym', undefined, '2026-03-09T18:00', '2026-03-09T19:00'],
  ['Interview yesterday at 3pm', 'Interview', undefined, '2026-03-03T15:00', '2026-03-03T16:00'],
  ['Lunch 12:00-13:00', 'Lunch', undefined, '2026-03-04T12:00', '2026-03-04T13:00'],
  ['Wait for 2 people at 3pm', 'Wait for 2 people', undefined, '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Meeting at 3pm at 221B Baker Street', 'Meeting', '221B Baker Street', '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Meeting in Berlin on Friday', 'Meeting', 'Berlin', '2026-03-06', '2026-03-07'],
  ['Meeting @ HQ tomorrow at 2pm', 'Meeting', 'HQ', '2026-03-05T14:00', '2026-03-05T15:00'],
  ['Run at 05:30', 'Run', undefined, '2026-03-05T05:30', '2026-03-05T06:30'],
  ['Work from 9 to 5', 'Work', undefined, '2026-03-05T09:00', '2026-03-05T17:00'],
  ['noon Friday: lunch', 'lunch', undefined, '2026-03-06T12:00', '2026-03-06T13:00'],
  ['Call at 3pm UTC', 'Call', undefined, '2026-03-05T10:00', '2026-03-05T11:00'],
  ['Call at 3pm PST', 'Call', undefined, '2026-03-04T18:00', '2026-03-04T19:00'],
  ['Watch 3pm-3pm', 'Watch', undefined, '2026-03-04T15:00', '2026-03-05T15:00'],
  ['Lunch , then a walk tomorrow', 'Lunch, then a walk', undefined, '2026-03-05', '2026-03-06'],
  ['Nap for two hours at 2pm', 'Nap', undefined, '2026-03-04T14:00', '2026-03-04T16:00'],
  ['Trip from Friday for a week', 'Trip', undefined, '2026-03-06', '2026-03-13'],
  ['Look in at the airport at 5pm', 'Look in', 'the airport', '2026-03-04T17:00', '2026-03-04T18:00'],
  ['Meeting in 2 weeks at 10am', 'Meeting', undefined, '2026-03-18T10:00', '2026-03-18T11:00'],
  ['Sync in two hours', 'Sync', undefined, '2026-03-04T12:20', '2026-03-04T13:20'],
  ['Retreat 5-7 May', 'Retreat', undefined, '2026-05-05', '2026-05-08'],
  ['Flight May 5 10am to May 6 2pm', 'Flight', undefined, '2026-05-05T10:00', '2026-05-06T14:00'],
  ['Call at 12am', 'Call', undefined, '2026-03-05T00:00', '2026-03-05T01:00'],
  ['Meeting on the 15th of March', 'Meeting', undefined, '2026-03-15', '2026-03-16'],
  ['Trip April 2026', 'Trip', undefined, '2026-04-01', '2026-04-02'],
  ['Trip 2026 April', 'Trip', undefined, '2026-04-01', '2026-04-02'],
  ['Call Monday 3pm about Tuesday 4pm', 'Call about Tuesday 4pm', undefined, '2026-03-09T15:00', '2026-03-09T16:00'],
  ['Lunch Monday 3pm or Tuesday', 'Lunch or Tuesday', undefined, '2026-03-09T15:00', '2026-03-09T16:00'],
  ['Lunch at 3pm or Monday 4pm', 'Lunch or Monday 4pm', undefined, '2026-03-04T15:00', '2026-03-04T16:00'],
  ['Lunch Monday or Tuesday', 'Lunch or Tuesday', undefined, '2026-03-09', '2026-03-10'],
  ['Call at 10:20', 'Call', undefined, '2026-03-04T10:20', '2026-03-04T11:20'],
  ['Sync in 20 minutes for 2 hours', 'Sync', undefined, '2026-03-04T10:40', '2026-03-04T12:40'],
  ['Party on 9999-12-30', 'Party', undefined, '9999-12-30', '9999-12-31'],
  ['Born 739678 days ago', 'Born', undefined, '0001-01-01', '0001-01-02'],
  ['Call now', 'Call', undefined, '2026-03-04T10:20', '2026-03-04T11:20'],
  ['Call 3 hours from now', 'Call', undefined, '2026-03-04T13:20', '2026-03-04T14:20'],
  ['Call at 1', 'Call', undefined, '2026-03-04T13:00', '2026-03-04T14:00'],
  ['Call at 6', 'Call', undefined, '2026-03-04T18:00', '2026-03-04T19:00'],
  ['Call at 7', 'Call', undefined, '2026-03-05T07:00', '2026-03-05T08:00'],
  ['Train 2026-12-15T05:30', 'Train', undefined, '2026-12-15T05:30', '2026-12-15T06:30'],
  ['Team  dinner on  the  12th of March', 'Team dinner', undefined, '2026-03-12', '2026-03-13'],
  ['Dinner tomorrow at  7pm', 'Dinner', undefined, '2026-03-05T19:00', '2026-03-05T20:00'],
  ['Dinner tomorrow @7pm', 'Dinner', undefined, '2026-03-05T19:00', '2026-03-05T20:00'],
  ['Dinner tomorrow @  7pm', 'Dinner', undefined, '2026-03-05T19:00', '2026-03-05T20:00'],
  ['Meet  at   Joe’s tomorrow', 'Meet', 'Joe’s', '2026-03-05', '2026-03-06'],
  ['at Joe’s tomorrow', 'at Joe’s', undefined, '2026-03-05', '2026-03-06'],
  ['- Lunch, - tomorrow', 'Lunch', undefined, '2026-03-05', '2026-03-06'],
  ['Lunch  ; a walk tomorrow', 'Lunch; a walk', undefined, '2026-03-05', '2026-03-06'],
  ['Nap at 2pm for 2 hours, then tea', 'Nap, then tea', undefined, '2026-03-04T14:00', '2026-03-04T16:00'],
  ['Trip for 1 week and 2 days', 'Trip', undefined, '2026-03-04', '2026-03-13'],
  ['Trip for 1 day and 2 hours', 'Trip', undefined, '2026-03-04T10:30', '2026-03-05T12:30'],
  ['Trip for 2 hours and 1 day', 'Trip', undefined, '2026-03-04T10:30', '2026-03-05T12:30'],
  ['Work Friday 10pm to Monday 9am', 'Work', undefined, '2026-03-06T22:00', '2026-03-09T09:00'],
  ['Launch March 15, 2027 at 9:05 am', 'Launch', undefined, '2027-03-15T09:05', '2027-03-15T10:05'],
] // biome-ignore format: a table

test.each(SENTENCES)('7.9, 14.32 %s', async (sentence, summary, location, start, end) => {
  const { status, body } = await quickAdd(sentence)
  expect(status).toBe(200)
  expect([body.summary, body.location, shown(body.start), shown(body.end)]).toEqual([summary, location, start, end])
})

test('a sentence can contain seconds', async () => {
  const { body } = await quickAdd('Lift-off at 3:15:30pm')

  expect(body.start.dateTime).toBe('2026-03-04T15:15:30-05:00')
})

test('a past time that crosses midnight begins tomorrow and ends on the day after', async () => {
  const { body } = await quickAdd('Party 11pm-1am', '2026-03-05T04:30:00Z')

  expect([body.start, body.end].map(shown)).toEqual(['2026-03-05T23:00', '2026-03-06T01:00'])
})

test.each([
  'Party on 9999-12-31',
  'Born 3000 years ago',
  'Born 739679 days ago',
  'Sync in 9999999999 hours',
  'Sync in 99999999999999999999999 minutes',
  `Sync in ${'9'.repeat(400)} hours`,
  'Sync in 80000000 hours',
  'Sync for 9999999999 hours',
  'Trip for 9999999999 days',
  'Trip for 5000000 weeks',
  `Trip tomorrow for ${'9'.repeat(400)} days`,
  'Focus at 2pm for 99999999999 hours and 99999999999 minutes',
])('14.32 %s is refused because no event can have that time', async (sentence) => {
  const { fake, as } = openCalendar({ now: WEDNESDAY })
  const before = fake.state()
  const reply = await as(ALICE).post(`${QUICK_ADD}?text=${encodeURIComponent(sentence)}`)

  expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'badRequest' })
  expect(fake.state()).toEqual(before)
})

test.each([
  'Sync in 99999999999 days',
  'Dentist 12 August 99999',
  'Dentist 0/0/0',
  'Dentist 12 August 0000',
  'Dentist 275760-09-13',
  'Dentist in 9999999 years',
  'Dentist 999999999 months ago at 3pm UTC',
  'Dentist 99999999999999 seconds from now',
  'Dentist at 99:99',
  'Born 12 August 1950',
])('%s returns 200 with any event', async (sentence) => {
  expect([200, 400]).toContain((await quickAdd(sentence)).status)
})

test('no instant is before the year 1, also in an eastern zone', async () => {
  const { as } = openCalendar({ now: WEDNESDAY })
  const born = (hour: string) =>
    as(BOB).post(`${QUICK_ADD}?text=${encodeURIComponent(`Born 739678 days ago at ${hour}`)}`)

  expect((await born('1am')).status).toBe(200)
  expect(errorOf(await born('12:30am'))).toMatchObject({ status: 400, reason: 'badRequest' })
})

test('a sentence is read in the zone of its calendar', async () => {
  const { as } = openCalendar({ now: WEDNESDAY })
  const { body } = await as(BOB).post(`${QUICK_ADD}?text=Feierabend+at+5pm`)
  expect(body.start).toEqual({ dateTime: '2026-03-04T17:00:00+01:00', timeZone: 'Europe/Berlin' })
})

test('a date in a sentence is a day in the calendar’s zone', async () => {
  const { as } = openCalendar({ now: '2026-03-04T03:00:00Z' })
  const { body } = await as(ALICE).post(`${QUICK_ADD}?text=Bins+today`)
  expect(body.start).toEqual({ date: '2026-03-03' })
})

/** New York's clocks go from 2:00 to 3:00 on 8 March and from 2:00 back to 1:00 on 1 November. */
const CHANGING_CLOCKS: [sentence: string, now: string, start: string, end: string][] = [
  ['Run tomorrow at 2:30am', '2026-03-07T15:00:00Z', '2026-03-08T03:30:00-04:00', '2026-03-08T04:30:00-04:00'],
  ['Sleep March 8 1am for 3 hours', WEDNESDAY, '2026-03-08T01:00:00-05:00', '2026-03-08T05:00:00-04:00'],
  ['Sleep March 8 1am-4am', WEDNESDAY, '2026-03-08T01:00:00-05:00', '2026-03-08T04:00:00-04:00'],
  ['Sleep Nov 1 at 12:30am for 2 hours', WEDNESDAY, '2026-11-01T00:30:00-04:00', '2026-11-01T01:30:00-05:00'],
  ['Check in 2 hours', '2026-03-08T06:30:00Z', '2026-03-08T04:30:00-04:00', '2026-03-08T05:30:00-04:00'],
  ['Feed the cat', '2026-11-01T06:10:00Z', '2026-11-01T01:30:00-05:00', '2026-11-01T02:30:00-05:00'],
  ['Call on Monday at 9am', '2026-03-06T15:00:00Z', '2026-03-09T09:00:00-04:00', '2026-03-09T10:00:00-04:00'],
] // biome-ignore format: a table

test.each(CHANGING_CLOCKS)('%s, sent at %s around a change of clocks', async (sentence, now, start, end) => {
  const { body } = await quickAdd(sentence, now)
  expect([body.start.dateTime, body.end.dateTime]).toEqual([start, end])
})

test.each(['Lunch at noon', 'Lunch'])('7.9 “%s” has the caller’s default length', async (text) => {
  const { fake, as } = openCalendar({ now: WEDNESDAY })
  fake.seed({ accounts: [{ email: ALICE, settings: { defaultEventLength: '25' } }] })
  const { body } = await as(ALICE).post(`${QUICK_ADD}?text=${text}`)
  expect(Date.parse(body.end.dateTime) - Date.parse(body.start.dateTime)).toBe(25 * 60_000)
})

test('11.11, 11.14 a form body can contain the field mask', async () => {
  const { fake } = openCalendar({ now: WEDNESDAY })
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = 'text=Lunch+tomorrow&fields=summary'
  const reply = await fake.request(`/calendar/v3${QUICK_ADD}`, { method: 'POST', headers, body })
  expect(await reply.json()).toEqual({ summary: 'Lunch' })
})

test('an empty JSON object as body is ignored', async () => {
  const { as } = openCalendar({ now: WEDNESDAY })
  const { body } = await as(ALICE).post(`${QUICK_ADD}?text=Lunch+tomorrow`, {})
  expect(body).toMatchObject({ summary: 'Lunch', start: { date: '2026-03-05' } })
})

test('a reader cannot add an event', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), ALICE, BOB, 'reader')
  expect(errorOf(await as(BOB).post(`/calendars/${ALICE}/events/quickAdd?text=Lunch`))).toEqual(needsRole('writer'))
})

test('a caller without access to a calendar cannot add an event', async () => {
  const { as } = openCalendar()
  expect((await as(BOB).post(`/calendars/${ALICE}/events/quickAdd?text=Lunch`)).status).toBe(404)
})

const REPEATED: [text: string, summary: string, start: string, rule: string][] = [
  ['Standup at 9am every Friday', 'Standup', '2026-03-06T09:00', 'RRULE:FREQ=WEEKLY;BYDAY=FR'],
  ['Team lunch every thu', 'Team lunch', '2026-03-05', 'RRULE:FREQ=WEEKLY;BYDAY=TH'],
  ['Stretch at 3pm daily', 'Stretch', '2026-03-04T15:00', 'RRULE:FREQ=DAILY'],
  ['Stretch at 3pm every day', 'Stretch', '2026-03-04T15:00', 'RRULE:FREQ=DAILY'],
  ['Report tomorrow weekly', 'Report', '2026-03-05', 'RRULE:FREQ=WEEKLY'],
  ['Rent June 1 every month', 'Rent', '2026-06-01', 'RRULE:FREQ=MONTHLY'],
  ['Feast June 3 every year', 'Feast', '2026-06-03', 'RRULE:FREQ=YEARLY'],
]

test.each(REPEATED)('7.9 %j makes a series', async (text, summary, start, rule) => {
  const { status, body } = await quickAdd(text)
  expect([status, body.summary, shown(body.start), body.recurrence]).toEqual([200, summary, start, [rule]])
})

test.each(['Read the daily news', 'Weekly review tomorrow', 'Everyday Friday'])(
  '7.9 %j makes a single event',
  async (text) => {
    expect((await quickAdd(text)).body).not.toHaveProperty('recurrence')
  },
)
