import { expect, test } from 'vitest'
import { fromICalendar } from '../../src/ical.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { ALICE, clientOf } from '../support/calendar.ts'

const times = (timeZone: string) => ({
  start: { dateTime: '2026-03-02T09:00:00', timeZone },
  end: { dateTime: '2026-03-02T10:00:00', timeZone },
})

/** A world whose event has a zone, and its owner. */
function open(timeZone: string, more: object = {}) {
  const calendars = [{ id: ALICE, events: [{ id: 'call1', summary: 'Call', ...times(timeZone), ...more }] }]
  const fake = createFakeCalendar({ seed: { accounts: [{ email: ALICE }], calendars }, now: '2026-03-01T00:00:00Z' })
  return { fake, alice: clientOf(fake.request, { Authorization: `Bearer ${ALICE}` }) }
}
const CALL = '/calendars/primary/events/call1'

test.each([
  ['GMT-07:00', '2026-03-02T16:00:00Z'],
  ['UTC+05:30', '2026-03-02T03:30:00Z'],
  ['GMT+2', '2026-03-02T07:00:00Z'],
  ['UTC-0930', '2026-03-02T18:30:00Z'],
])('13.1 an existing event in %s comes back with that zone', async (timeZone, dateTime) => {
  const { alice } = open(timeZone)
  expect((await alice.get(CALL)).body.start).toEqual({ dateTime, timeZone })
})

test('13.1 the days of a series are those of its offset', async () => {
  const { alice } = open('GMT-07:00', { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'] })
  const { items } = (await alice.get(`${CALL}/instances`)).body
  const starts = items.map(({ start }: { start: { dateTime: string } }) => start.dateTime)
  expect(starts).toEqual(['2026-03-02T16:00:00Z', '2026-03-09T16:00:00Z', '2026-03-16T16:00:00Z'])
})

test('13.1 a write leaves the offset, and may not contain one', async () => {
  const { alice } = open('UTC+05:30')
  const { body } = await alice.patch(CALL, { summary: 'Talk' })
  expect(body).toMatchObject({ summary: 'Talk', start: { timeZone: 'UTC+05:30' } })

  const { start, end } = body
  const imported = { start, end, iCalUID: 'call2@example.com', attendees: [{ email: ALICE }] }
  const ofTimes = ['start', 'end'].map((which) => `Invalid time zone definition for ${which} time.`)
  for (const [refused, messages] of [
    [await alice.put(CALL, body), ofTimes],
    [await alice.patch(CALL, { end }), ofTimes.slice(1)],
    [await alice.patch(CALL, { start: { date: '2026-03-02' }, end }), ['Invalid start time.']],
    [await alice.post('/calendars/primary/events', { start, end }), ofTimes],
    [await alice.post('/calendars/primary/events/import', imported), ofTimes],
  ] as const) {
    expect(refused.status).toBe(400)
    expect(refused.body.error.errors).toMatchObject(messages.map((message) => ({ message })))
  }
})

test.each(['GMT-17:00', 'GMT-07:60', 'GMT07:00', 'EST-07:00', 'gmt-07:00'])('13.1 %s is no offset', (timeZone) => {
  expect(() => open(timeZone)).toThrow('Invalid time zone definition')
})

test('13.1 a state and an iCalendar file keep the offset', async () => {
  const { fake } = open('GMT-07:00', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const restored = createFakeCalendar({ seed: await (await fake.request('/_control/state')).json() })
  const file = await (await restored.request(restored.ical(ALICE).private)).text()
  expect(file).toContain('DTSTART;TZID="GMT-07:00":20260302T090000')

  const { calendars } = await fromICalendar(file, { owner: ALICE })
  expect(calendars?.[0]?.events?.[0]?.start?.timeZone).toBe('GMT-07:00')
})
