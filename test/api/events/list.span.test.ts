import { expect, test } from 'vitest'
import { ALICE, allDay, at, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
/** Alice is in New York, five hours behind UTC until 8 March. */
async function listed(events: readonly object[], window: Record<string, string>) {
  const alice = openCalendar().as(ALICE)
  for (const one of events) await alice.post(EVENTS, one)
  const found: string[][] = []
  for (const ways of [{}, { singleEvents: 'true' }, { singleEvents: 'true', orderBy: 'startTime' }] as Record<
    string,
    string
  >[]) {
    const { body } = await alice.get(`${EVENTS}?${new URLSearchParams({ ...window, ...ways })}`)
    found.push(body.items.map(({ summary }: { summary: string }) => summary))
  }
  expect(found[1]).toEqual(found[0])
  expect(found[2]).toEqual(found[0])
  return found[0]
}
const timed = { summary: 'timed', start: at('2026-03-02T10:00:00'), end: at('2026-03-02T11:00:00') }
const instant = { summary: 'no time at all', start: at('2026-03-02T10:00:00'), end: at('2026-03-02T10:00:00') }
const day = { summary: 'day', ...allDay('2026-03-02', '2026-03-03') }
const long = { summary: 'long', start: at('2026-03-01T10:00:00'), end: at('2026-03-20T10:00:00') }

test.each([
  ['ends as the window begins', timed, '16:00:00Z', '18:00:00Z', false],
  ['ends a second after it begins', timed, '15:59:59Z', '18:00:00Z', true],
  ['starts as the window ends', timed, '13:00:00Z', '15:00:00Z', false],
  ['starts a second before it ends', timed, '13:00:00Z', '15:00:01Z', true],
  ['contains the whole window', timed, '15:20:00Z', '15:30:00Z', true],
  ['has no duration and lies in the window', instant, '14:00:00Z', '16:00:00Z', true],
  ['has no duration and lies at the start of the window', instant, '15:00:00Z', '16:00:00Z', false],
  ['is an all-day event around the window', day, '12:00:00Z', '13:00:00Z', true],
  ['is all-day on the day before in the calendar’s zone', day, '04:00:00Z', '05:00:00Z', false],
  ['is all-day on the day that begins just before the window ends', day, '04:00:00Z', '05:00:01Z', true],
  ['began long before and ends long after the window', long, '12:00:00Z', '13:00:00Z', true],
])(
  '1.15 a list with a window contains a single event exactly if it overlaps: an event that %s',
  async (_, event, from, to, found) => {
    const window = { timeMin: `2026-03-02T${from}`, timeMax: `2026-03-02T${to}` }
    expect(await listed([event], window)).toEqual(found ? [event.summary] : [])
  },
)

test('4.3 an instance that was moved and then deleted is at its original time', async () => {
  const alice = openCalendar().as(ALICE)
  const hours = { start: at('2026-03-02T10:00:00'), end: at('2026-03-02T11:00:00') }
  await alice.post(EVENTS, { id: 'daa1100', ...hours, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const path = `${EVENTS}/daa1100_20260303T150000Z`
  await alice.patch(path, { start: at('2026-04-10T10:00:00'), end: at('2026-04-10T11:00:00') })
  await alice.delete(path)
  const listDeleted = async (day: string) => {
    const window = {
      timeMin: `${day}T00:00:00Z`,
      timeMax: `${day}T23:00:00Z`,
      showDeleted: 'true',
      singleEvents: 'true',
    }
    const { body } = await alice.get(`${EVENTS}?${new URLSearchParams(window)}`)
    return body.items.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)
  }

  expect(await listDeleted('2026-03-03')).toEqual(['daa1100_20260303T150000Z cancelled'])
  expect(await listDeleted('2026-04-10')).toEqual([])
})

test('4.3 a deleted day of an all-day series is on that day of the calendar’s zone', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post(EVENTS, {
    id: 'dates01',
    ...allDay('2026-03-02', '2026-03-03'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  })
  await alice.delete(`${EVENTS}/dates01_20260303`)
  const from = async (timeMin: string) => {
    const window = { timeMin, timeMax: '2026-03-04T05:00:00Z', showDeleted: 'true', singleEvents: 'true' }
    const { body } = await alice.get(`${EVENTS}?${new URLSearchParams(window)}`)
    return body.items.map(({ id }: { id: string }) => id)
  }

  expect(await from('2026-03-04T04:59:59Z')).toEqual(['dates01_20260303'])
})

test('14.32 a series has the instance that ends in the last second of the year 9999, and none after it', async () => {
  const alice = openCalendar().as(ALICE)
  const hours = { start: at('9999-12-29T22:59:59', 'UTC'), end: at('9999-12-29T23:59:59', 'UTC') }
  await alice.post(EVENTS, { id: 'last01', ...hours, recurrence: ['RRULE:FREQ=DAILY'] })

  const { body } = await alice.get(`${EVENTS}/last01/instances`)

  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
    [29, 30, 31].map((day) => `last01_999912${day}T225959Z`),
  )
})

test('14.32 the first second of the year 1 is a valid time, and no earlier one is', async () => {
  const alice = openCalendar().as(ALICE)
  const insert = async (start: string) =>
    (await alice.post(EVENTS, { start: at(start, 'UTC'), end: at('2026-03-02T10:00:00', 'UTC') })).status

  expect(await insert('0000-01-01T00:00:00Z')).toBe(200)
  expect(await insert('0000-01-01T00:00:00+01:00')).toBe(400)
})
