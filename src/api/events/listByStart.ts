import { boundsIn, isDated, longestIn } from '../../db/byInterval.ts'
import type { Version } from '../../db/version.ts'
import { isMaster, type Master, type Slot } from '../../model/series.ts'
import { toInstant } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import { type Cursor, compare, drawn, type Entry, type Turn } from '../../sync/paging.ts'
import type { Event } from '../../wire/event.ts'
import { liesWithin, type Show, type Source, shownInstancesOf, withUid } from './source.ts'
import type { ShownEvent } from './view.ts'

/** An entry, or a series whose instances take its place. */
type Drawn = Entry<ShownEvent> & { opens?: () => Iterable<Drawn> }

/**
 * Single events and the instances of series by their start (behaviour 5.4). At the same instant all-day events come
 * before timed ones; then what was there first.
 */
export function listByStart(source: Source, { after }: Cursor, show: Show): Iterable<Entry<ShownEvent>> {
  const { records, window, query } = source
  const resumed = after ? Number(after[0]) : Number.NEGATIVE_INFINITY
  const gone = { gone: source.withGone }
  if (query.iCalUID !== undefined) return drawn(named(query.iCalUID))
  return drawn([...records.lanes(gone)].map(single).concat(records.upcomingLanes(gone).map(series)))

  /** The moment from which a lane is taken up again: a date begins within a day of its UTC midnight, whatever the zone. */
  function resumedIn(lane: number): number {
    return resumed - (isDated(lane) ? DAY : 0)
  }

  function* single(lane: number): Generator<Drawn> {
    for (const version of records.lane(lane, window, { from: resumedIn(lane) })) yield entry(version)
  }

  /** Each series of a lane, opened no sooner than one of its instances may have its turn. */
  function* series(lane: number): Generator<Drawn> {
    const [from, to] = boundsIn(window, lane)
    for (const { version, end } of records.upcoming(lane, Math.max(from, resumedIn(lane)))) {
      const earliest = end - longestIn(lane)
      if (earliest >= to) return
      yield { at: [earliest - (isDated(lane) ? DAY : 0)], show: nothing, opens: () => instances(version) }
    }
  }

  function named(iCalUID: string): Iterable<Drawn>[] {
    const versions = [...withUid(records, iCalUID)].filter((version) => liesWithin(version, window))
    const singles = versions.filter(({ value }) => !isMaster(value)).map(entry)
    const opened = versions.filter(({ value }) => isMaster(value)).map(instances)
    return [singles.sort((a, b) => compare(a.at, b.at)), ...opened]
  }

  function instances(version: Version<Event>): Iterable<Drawn> {
    const master = version.value as Master
    const dated = master.start.date !== undefined
    const turnOf = (slot: Slot) => turn(version, dated, slot, slot)
    return shownInstancesOf(source, master, show, { from: resumed - DAY, turnOf })
  }

  function entry(version: Version<Event>): Drawn {
    const { value, lane, start } = version
    return { at: turn(version, isDated(lane), start), show: () => show(value) }
  }

  function turn({ place }: Version<Event>, dated: boolean, start: number, slot: Slot = 0): Turn {
    return [toInstant({ dated, start }, source.zone), dated ? 0 : 1, place, slot]
  }
}

/** A cancelled instance has the turn that it would have had (behaviour 4.10). */
export const startOf = ({ status, start, originalStartTime }: Event): Event['start'] =>
  status === 'cancelled' ? (originalStartTime ?? start) : start

const nothing = () => undefined
