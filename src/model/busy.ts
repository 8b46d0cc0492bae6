import type { Composed } from './fields.ts'
import { isMaster, type Slot, slotsIn } from './series.ts'
import { spanOfTimes, toInstant, windowOf } from './times.ts'

/** A stretch of time that is taken, in milliseconds. */
export type Period = { start: number; end: number }
export type BusyQuery = {
  /** Whose time it is: what they declined does not take it. */
  email: string | undefined
  /** The zone that dates are read in. */
  zone: string
  from: number
  to: number
  /** Whether an instance of a series has been changed: then its own record says what it takes. */
  isChanged: (series: Composed, slot: Slot) => boolean
}

/** The periods that events take up of a stretch of time, by start, not merged. A series takes those of its instances; a changed one is an event itself. */
export function busyTimes(events: Iterable<Composed>, { email, zone, from, to, isChanged }: BusyQuery): Period[] {
  const window = windowOf(from, to, zone)
  const periods: Period[] = []
  const take = (dated: boolean, from: number, to: number): void => {
    const [start, end] = [toInstant({ dated, start: from }, zone), toInstant({ dated, start: to }, zone)]
    // An event without length takes no time.
    if (end > start && end > window.from && start < window.to) periods.push({ start, end })
  }
  for (const event of events) {
    if (!takesTime(event, email)) continue
    const { dated, start, end } = spanOfTimes(event)
    if (!isMaster(event)) take(dated, start, end)
    else
      for (const slot of slotsIn(event, window)) {
        if (!isChanged(event, slot)) take(dated, slot, slot + end - start)
      }
  }
  return periods.sort((a, b) => a.start - b.start)
}

/** An event takes time unless it is cancelled, transparent, or declined by the calendar's owner (behaviour 10.9). */
export function takesTime(
  { status, transparency, attendees }: Pick<Composed, 'status' | 'transparency' | 'attendees'>,
  email: string | undefined,
): boolean {
  const answer = attendees?.find((attendee) => attendee.email === email)?.responseStatus
  return status !== 'cancelled' && transparency !== 'transparent' && answer !== 'declined'
}
