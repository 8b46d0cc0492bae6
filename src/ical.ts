import { runForCaller } from './schema/values/callerStack.ts'
import { type ICalendarOptions, type ICalendarSeed, readICalendar } from './seeds/ical/readICalendar.ts'
import type { Remark } from './seeds/ical/remarks.ts'

export type { ICalendarOptions, ICalendarSeed, Remark }

/**
 * Reads an iCalendar file into a seed, with a `report` of what was left out or changed. An event that the service cannot hold
 * is left out. Rejects with a RangeError for text that is not iCalendar, and for an invalid option, with its name.
 */
export function fromICalendar(text: string | Uint8Array, options?: ICalendarOptions): Promise<ICalendarSeed> {
  const calendar = options?.calendar ?? (options?.owner === undefined ? undefined : 'primary')
  return runForCaller(fromICalendar, async () => readICalendar(text, { ...options, calendar }))
}
