import type { Window } from '../db/byInterval.ts'
import { busyTimes, type Period } from '../model/busy.ts'
import type { Composed } from '../model/fields.ts'
import { instanceId, isMaster, type Slot, seriesOf } from '../model/series.ts'
import { instantIn, spanOfTimes, windowOf } from '../model/times.ts'
import { DAY } from '../recurrence/days.ts'
import type { StoredCalendar, World } from '../world/world.ts'

/** How far a series is looked at: two years (behaviour 14.35). */
const REACH = 2 * 366 * DAY

/**
 * The stretch in which an event wants time: its own, or of a series what is still to come of it, and of one that is over
 * its last two years.
 */
export function conflictWindow(event: Composed, zone: string, now: number): Window {
  if (!isMaster(event)) return windowOf(instantIn(event.start, zone), instantIn(event.end, zone), zone)
  const { start, end } = spanOfTimes(event)
  const { first = start, last = start, endless } = seriesOf(event)
  const over = endless ? Number.POSITIVE_INFINITY : last + end - start
  const from = Math.max(first, over > now ? now : over - REACH)
  return windowOf(from, from + REACH, zone)
}

/** Whether a room is taken at a time that a meeting wants, by anything but that meeting (behaviour 14.35). */
export function hasConflict(world: World, room: StoredCalendar, calendarId: string, meeting: Composed): boolean {
  const { id: email, timeZone: zone } = room
  const { from, to } = conflictWindow(meeting, zone, world.clock.now())
  const [own, theirs] = [world.events.of(calendarId), world.events.of(email)]
  const wanted = busyTimes([meeting], {
    email: undefined,
    zone,
    from,
    to,
    isChanged: (series, slot) => own.get(instanceId(series, slot)) !== undefined,
  })
  const others = [...theirs.inWindow(from, to, zone)].filter(
    ({ id, recurringEventId }) => id !== meeting.id && recurringEventId !== meeting.id,
  )
  // An instance that changes for the first time leaves the place that its series has for it.
  const isChanged = (series: Composed, slot: Slot) => {
    const id = instanceId(series, slot)
    return id === meeting.id || theirs.get(id) !== undefined
  }
  return overlap(wanted, busyTimes(others, { email, zone, from, to, isChanged }))
}

/** Whether two lists of periods, each by start, have a moment in common. */
function overlap(wanted: readonly Period[], busy: readonly Period[]): boolean {
  let at = 0
  for (const { start, end } of wanted) {
    while ((busy[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1
    if ((busy[at]?.start ?? Number.POSITIVE_INFINITY) < end) return true
  }
  return false
}
