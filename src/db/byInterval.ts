import { byText, Tree } from './tree.ts'
import type { Version } from './version.ts'

/** Where a record lies in time: instants in milliseconds, or for an all-day one the UTC midnights of its dates. */
export type Span = { readonly dated: boolean; readonly start: number; readonly end: number }
/** A stretch of time, as instants and as the wall clock of the zone that dates are read in shows it (as if it were UTC). */
export type Window = { from: number; to: number; wallFrom: number; wallTo: number }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Records are kept apart by length, so that one long event does not make every look-up reach far back. */
const LONGEST = [
  ...[0.25, 0.5, 1, 2, 4, 8].map((hours) => hours * HOUR),
  ...[1, 2, 4, 8, 32, 128, 400, 4000].map((days) => days * DAY),
  Number.POSITIVE_INFINITY,
]
const LANES = LONGEST.length
/** A record that lies nowhere in time. */
export const NOWHERE = -1

/** A record's lane: by its length, and apart from others by what it is. */
export const laneOf = ({ dated, start, end }: Span, gone: boolean): number =>
  LONGEST.findIndex((longest) => end - start <= longest) + LANES * (Number(dated) + 2 * Number(gone))

/** Whether a lane holds dates. */
export const isDated = (lane: number): boolean => lane % (2 * LANES) >= LANES
/** Whether a lane holds what is gone. */
export const isGone = (lane: number): boolean => lane >= 2 * LANES
/** No record of a lane is longer. */
export const longestIn = (lane: number): number => LONGEST[lane % LANES] ?? 0

type Mark = {
  readonly group?: string | undefined
  readonly lane: number
  readonly start: number
  readonly place: number
}

const byMark = (a: Mark, b: Mark): number => a.lane - b.lane || a.start - b.start || a.place - b.place
const byGroup = (a: Mark, b: Mark): number => byText(a.group ?? '', b.group ?? '') || byMark(a, b)

/** The index `byInterval`: versions by bucket and start, so that a window costs what lies in it. */
export type Timeline<T> = Tree<Version<T>, undefined>

export const newTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byMark)
/** The same for the members of groups, apart by group. */
export const newGroupTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byGroup)

/** The buckets that hold something, of one group if given; buckets of cancelled records only if asked for. */
export function* lanesIn<T>(
  timeline: Timeline<T>,
  { gone, group }: { gone: boolean; group?: string | undefined },
): Generator<number> {
  for (let lane = 0; ; lane++) {
    const least: Mark = { group, lane, start: Number.NEGATIVE_INFINITY, place: -1 }
    const [first] = timeline.getPairOrNextHigher(least as Version<T>) ?? []
    if (!first || (group !== undefined && first.group !== group) || (isGone(first.lane) && !gone)) return
    lane = first.lane
    yield lane
  }
}

/**
 * One lane of a window by start, from a moment on where one is given: what ends after the window begins and starts
 * before it ends (behaviour 1.15).
 */
export function* inLane<T>(
  timeline: Timeline<T>,
  lane: number,
  window: Window,
  { from: start = Number.NEGATIVE_INFINITY, of }: { from?: number | undefined; of?: string | undefined } = {},
): Generator<Version<T>> {
  const [from, to] = boundsIn(window, lane)
  const first: Mark = { group: of, lane, start: Math.max(from - longestIn(lane), start), place: -1 }
  for (const version of timeline.keys(first as Version<T>)) {
    if (version.lane !== lane || version.start >= to || (of !== undefined && version.group !== of)) return
    if (version.end > from) yield version
  }
}

export const overlaps = ({ dated, start, end }: Span, window: Window): boolean => {
  const [from, to] = boundsOf(window, dated)
  return end > from && start < to
}

/** A window as what lies in a lane sees it: dates by the wall clock. */
export const boundsIn = (window: Window, lane: number) => boundsOf(window, isDated(lane))

const boundsOf = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)
