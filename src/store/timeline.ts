import type { Version } from './records.ts'
import { Tree } from './tree.ts'

/** Where a record lies in time: instants in milliseconds, or for an all-day one the UTC midnights of its dates. */
export type Span = { readonly dated: boolean; readonly start: number; readonly end: number }
/** A stretch of time, as instants and as the wall clock of the zone that dates are read in shows it (as if it were UTC). */
export type Window = { from: number; to: number; wallFrom: number; wallTo: number }

const DAY = 86_400_000
/** Records are kept apart by length, so that one long event does not make every look-up reach far back. */
const LONGEST = [DAY, 32 * DAY, 400 * DAY, 4000 * DAY, Number.POSITIVE_INFINITY]
const LANES = LONGEST.length
/** A record that lies nowhere in time. */
export const NOWHERE = -1

/** A record's lane: dated ones after timed ones, those that are gone after those that are there. */
export const laneOf = ({ dated, start, end }: Span, gone: boolean): number =>
  LONGEST.findIndex((longest) => end - start <= longest) + (dated ? LANES : 0) + (gone ? 2 * LANES : 0)

/** What a place on the timeline is compared by. */
export type Mark = { readonly lane: number; readonly start: number; readonly place: number }

const byMark = (a: Mark, b: Mark): number => a.lane - b.lane || a.start - b.start || a.place - b.place

/** Versions by lane and start: a window costs what it holds, however many lie outside it. */
export type Timeline<T> = Tree<Version<T>, undefined>

export const newTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byMark)

/** Versions in time that end after a window begins and start before it ends (behaviour 1), each lane by start. */
export function* overlapping<T>(timeline: Timeline<T>, window: Window, gone: boolean): Generator<Version<T>> {
  for (let lane = gone ? 2 * LANES : 0; lane < (gone ? 4 : 2) * LANES; lane++) yield* inLane(timeline, lane, window)
}

/** The lanes of the timeline, of what is there or of what is gone. */
export const lanesOf = (gone: boolean): number[] =>
  Array.from({ length: 2 * LANES }, (_, lane) => lane + (gone ? 2 * LANES : 0))

/** One lane of a window, by start. */
export function* inLane<T>(timeline: Timeline<T>, lane: number, window: Window): Generator<Version<T>> {
  const [from, to] = boundsOf(window, isDated(lane))
  const longest = LONGEST[lane % LANES] ?? 0
  const first: Mark = { lane, start: from - longest, place: -1 }
  for (const version of timeline.keys(first as Version<T>)) {
    if (version.lane !== lane || version.start >= to) return
    if (version.end > from) yield version
  }
}

const isDated = (lane: number): boolean => lane % (2 * LANES) >= LANES

export const overlaps = ({ dated, start, end }: Span, window: Window): boolean => {
  const [from, to] = boundsOf(window, dated)
  return end > from && start < to
}

const boundsOf = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)
