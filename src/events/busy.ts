import type { Composed } from './fields.ts'
import { instanceId, isMaster, slotsIn, timesAt } from './series.ts'
import { instantIn, type Times, windowOf } from './times.ts'

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
  isChanged: (id: string) => boolean
}

/** The periods that events take up of a stretch of time, by start, not merged. A series takes those of its instances; a changed one is an event itself. */
export function busyTimes(events: readonly Composed[], { email, zone, from, to, isChanged }: BusyQuery): Period[] {
  const window = windowOf(from, to, zone)
  const periods = events
    .filter((event) => takesTime(event, email))
    .flatMap((event) => {
      if (!isMaster(event)) return [periodOf(event, zone)]
      const slots = slotsIn(event, window).filter((slot) => !isChanged(instanceId(event, slot)))
      return slots.map((slot) => periodOf(timesAt(event, slot), zone))
    })
  return periods
    .filter(({ start, end }) => end > start && end > window.from && start < window.to) // an event without length takes no time
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

/** An event takes time unless it is cancelled, transparent, or declined by the calendar's owner (behaviour 10.9). */
export function takesTime(
  { status, transparency, attendees }: Pick<Composed, 'status' | 'transparency' | 'attendees'>,
  email: string | undefined,
): boolean {
  const answer = attendees?.find((attendee) => attendee.email === email)?.responseStatus
  return status !== 'cancelled' && transparency !== 'transparent' && answer !== 'declined'
}

const periodOf = ({ start, end }: Times, zone: string): Period => ({
  start: instantIn(start, zone),
  end: instantIn(end, zone),
})
