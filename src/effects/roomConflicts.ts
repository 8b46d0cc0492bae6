import type { Window } from '../db/indexes.ts'
import { busyTimes, type Period } from '../model/events/busy.ts'
import type { Composed } from '../model/events/fields.ts'
import { instanceId, isMaster, type Slot, seriesOf } from '../model/events/series.ts'
import { instantIn, spanOfTimes, windowOf } from '../model/events/times.ts'
import type { StoredCalendar, WorldData } from '../model/worldData.ts'
import { DAY_MS } from '../recurrence/days.ts'

/** Conflicts of a series are searched for two years (behaviour 14.35). */
const CONFLICT_RANGE_MS = 2 * 366 * DAY_MS

/**
 * Returns the window in which an event is checked for conflicts: from its start to its end. For a series it is the next
 * two years, or the last two years of a series that has ended.
 */
export function conflictWindow(event: Composed, zone: string, now: number): Window {
  if (!isMaster(event)) return windowOf(instantIn(event.start, zone), instantIn(event.end, zone), zone)
  const { start, end } = spanOfTimes(event)
  const { first = start, last = start, endless } = seriesOf(event)
  const over = endless ? Number.POSITIVE_INFINITY : last + end - start
  const from = Math.max(first, over > now ? now : over - CONFLICT_RANGE_MS)
  return windowOf(from, from + CONFLICT_RANGE_MS, zone)
}

/** Returns true if another event makes a room busy at any time of a meeting (behaviour 14.35). */
export function hasConflict(world: WorldData, room: StoredCalendar, calendarId: string, meeting: Composed): boolean {
  const { id: email, timeZone: zone } = room
  const { from, to } = conflictWindow(meeting, zone, world.clock.now())
  const [own, theirs] = [world.events.of(calendarId), world.events.of(email)]
  const wanted = busyTimes([{ event: meeting }], {
    email: undefined,
    zone,
    from,
    to,
    isChanged: (series, slot) => own.get(instanceId(series, slot)) !== undefined,
  })
  const others = [...theirs.inWindow(from, to, zone)].filter(
    ({ event: { id, recurringEventId } }) => id !== meeting.id && recurringEventId !== meeting.id,
  )
  const isChanged = (series: Composed, slot: Slot) => {
    const id = instanceId(series, slot)
    return id === meeting.id || theirs.get(id) !== undefined
  }
  return overlap(wanted, busyTimes(others, { email, zone, from, to, isChanged }))
}

function overlap(wanted: readonly Period[], busy: readonly Period[]): boolean {
  let at = 0
  for (const { start, end } of wanted) {
    while ((busy[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1
    if ((busy[at]?.start ?? Number.POSITIVE_INFINITY) < end) return true
  }
  return false
}
