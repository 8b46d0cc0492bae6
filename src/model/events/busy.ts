import type { Interval } from '../../db/indexes.ts'
import { isSameAddress } from '../../schema/values/address.ts'
import type { Composed } from './fields.ts'
import { isMaster, type Slot, slotsIn } from './series.ts'
import { instantInZone, spanOfTimes, windowOf } from './times.ts'

/** Milliseconds. */
export type Period = { start: number; end: number }
export type TimedEvent = { event: Composed; interval?: Interval | undefined }
export type BusyQuery = {
  email: string | undefined
  zone: string
  from: number
  to: number
  isChanged: (series: Composed, slot: Slot) => boolean
}

/** Sorted by start and not merged. A series is busy at its unchanged instances. */
export function busyTimes(events: Iterable<TimedEvent>, { email, zone, from, to, isChanged }: BusyQuery): Period[] {
  const window = windowOf(from, to, zone)
  const periods: Period[] = []
  const addPeriod = (dated: boolean, from: number, to: number): void => {
    const [start, end] = [instantInZone({ dated, start: from }, zone), instantInZone({ dated, start: to }, zone)]
    if (end > start && end > window.from && start < window.to) periods.push({ start, end })
  }
  for (const { event, interval } of events) {
    if (!isBusy(event, email)) continue
    const { dated, start, end } = interval ?? spanOfTimes(event)
    if (!isMaster(event)) addPeriod(dated, start, end)
    else
      for (const slot of slotsIn(event, window)) {
        if (!isChanged(event, slot)) addPeriod(dated, slot, slot + end - start)
      }
  }
  return periods.sort((a, b) => a.start - b.start)
}

/** Cancelled, transparent, and declined by the calendar's owner are not busy (behaviour 10.9). */
export function isBusy(
  { status, transparency, attendees }: Pick<Composed, 'status' | 'transparency' | 'attendees'>,
  email: string | undefined,
): boolean {
  const response = attendees?.find((attendee) => isSameAddress(attendee.email, email))?.responseStatus
  return status !== 'cancelled' && transparency !== 'transparent' && response !== 'declined'
}
