import { instanceOf, isMaster, type Master, type Slot } from '../events/series.ts'
import { instantIn, inUtc } from '../events/times.ts'
import { DAY } from '../recurrence/days.ts'
import { type Cursor, drawn, type Entry, type Turn } from '../store/paging.ts'
import { isDated, isScattered, lanesOf } from '../store/timeline.ts'
import type { Version } from '../store/version.ts'
import type { Event } from '../wire/event.ts'
import { instancesOf, type Show, type Source } from './source.ts'
import type { ShownEvent } from './view.ts'

/** An entry, or a series whose instances take its place. */
type Drawn = Entry<ShownEvent> & { opens?: () => Iterable<Drawn> }

/**
 * Single events and the instances of series by their start (behaviour 5.4). At the same instant all-day events come
 * before timed ones; then what was there first.
 */
export function inOrderOfStart(source: Source, { after }: Cursor, show: Show): Iterable<Entry<ShownEvent>> {
  const resumed = after && Number(after[0])
  return drawn(lanesOf(source.withGone).map((lane) => laneOf(lane)))

  function* laneOf(lane: number): Generator<Drawn> {
    // A date begins within a day of its UTC midnight, whatever the zone.
    const from = isScattered(lane) || resumed === undefined ? undefined : resumed - (isDated(lane) ? DAY : 0)
    for (const version of source.records.lane(lane, source.window, from)) {
      if (isMaster(version.value)) {
        yield { at: [version.start - DAY], show: nothing, opens: () => instances(version, version.value as Master) }
      } else yield { at: turn(version, version.value.start), show: () => show(version.value) }
    }
  }

  function* instances(version: Version<Event>, master: Master): Generator<Drawn> {
    const from = resumed === undefined ? undefined : resumed - DAY
    for (const slot of instancesOf(source, master, from)) {
      const at = turn(version, slotTime(master.start, slot), slot)
      yield { at, show: () => show(instanceOf(master, slot, source.calendarId)) }
    }
  }

  function turn({ place }: Version<Event>, start: Event['start'], slot: Slot = 0): Turn {
    return [instantIn(start, source.zone), start.date === undefined ? 1 : 0, place, slot]
  }
}

const nothing = () => undefined

const slotTime = ({ date }: Event['start'], slot: Slot): Event['start'] =>
  date === undefined ? { dateTime: inUtc(slot) } : { date: inUtc(slot).slice(0, 10) }
