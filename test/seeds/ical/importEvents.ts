import { fromICalendar, type ICalendarOptions } from '../../../src/ical.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'

/** Wraps the lines of an event in a calendar. */
export const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
export const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT']

/** Returns Alice's events after reading a file, and the report. */
export async function read(text: string | Uint8Array, options: Partial<ICalendarOptions> = {}) {
  const seed = await fromICalendar(text, { owner: ALICE, ...options })
  const { fake, as } = openCalendar({ seed: 'default' })
  fake.seed(seed)
  const { body } = await as(ALICE).get('/calendars/primary/events?showDeleted=true')
  const at = '/calendars/primary/events?singleEvents=true&orderBy=startTime&timeMax=2031-01-01T00:00:00Z'
  const list = await as(ALICE).get(at)
  return {
    seed,
    fake,
    events: body.items,
    instances: list.body.items,
    reasons: seed.report.map(({ reason }) => reason),
  }
}

/** Returns the only event of a file, and the report. */
export async function readOne(...lines: string[]) {
  const { events, ...rest } = await read(calendar(...event(...lines)))
  return { ...rest, one: events[0] }
}
