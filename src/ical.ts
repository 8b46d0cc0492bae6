import { type ICalendarOptions, type ICalendarSeed, readICalendar } from './seeds/ical/reading.ts'
import type { Remark } from './seeds/ical/report.ts'

export type { ICalendarOptions, ICalendarSeed, Remark }

/**
 * The seed that a file of iCalendar says, with a `report` of what was left out or changed. No file is refused for one
 * event; what is no calendar at all rejects with a RangeError, an option that cannot be with one that names it.
 */
export async function fromICalendar(text: string | Uint8Array, options: ICalendarOptions): Promise<ICalendarSeed> {
  return readICalendar(text, options)
}
