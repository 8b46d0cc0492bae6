import type { Event } from '../wire/event.ts'
import { instanceId, instanceOf, isMaster, reachOf, slotsIn } from './series.ts'
import { instantIn, windowOf } from './times.ts'

/** A stretch of time that is taken, in milliseconds. */
export type Period = { start: number; end: number }
export type BusyQuery = {
  /** Whose time it is: what they declined does not take it. */
  email: string | undefined
  /** The zone that dates are read in. */
  zone: string
  now: number
  from?: number
  to?: number
  /** Whether an instance of a series has been changed: what it takes, its own record says. */
  isChanged?: (id: string) => boolean
}

/** When events take up time, by start, not merged. Series are expanded; changed instances stand for themselves. */
export function busyTimes(events: readonly Event[], { email, zone, now, from, to, isChanged }: BusyQuery): Period[] {
  const window = windowOf(from, to, zone)
  const given = new Set(isChanged ? [] : events.map(({ id }) => id))
  const changed = isChanged ?? ((id: string) => given.has(id))
  const periods = events
    .filter((event) => takesTime(event, email))
    .flatMap((event) => {
      if (!isMaster(event)) return [periodOf(event, zone)]
      const slots = slotsIn(event, reachOf(event, window, now)).filter((slot) => !changed(instanceId(event, slot)))
      return slots.map((slot) => periodOf(instanceOf(event, slot, ''), zone))
    })
  return periods
    .filter(({ start, end }) => end > start && end > window.from && start < window.to) // what has no length takes no time
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Time is taken by what is there, opaque, and not declined by its owner (behaviour 10). */
function takesTime({ status, transparency, attendees }: Event, email: string | undefined): boolean {
  const answer = attendees?.find((attendee) => attendee.email === email)?.responseStatus
  return status !== 'cancelled' && transparency !== 'transparent' && answer !== 'declined'
}

const periodOf = ({ start, end }: Event, zone: string): Period => ({
  start: instantIn(start, zone),
  end: instantIn(end, zone),
})
