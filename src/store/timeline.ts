import { Tree } from './tree.ts'
import type { Version } from './version.ts'

/** Where a record lies in time: instants in milliseconds, or for an all-day one the UTC midnights of its dates. */
export type Span = {
  readonly dated: boolean
  readonly start: number
  readonly end: number
  /** Whether it is found in several places between start and end, and not in one that lasts. */
  readonly scattered?: boolean
}
/** A stretch of time, as instants and as the wall clock of the zone that dates are read in shows it (as if it were UTC). */
export type Window = { from: number; to: number; wallFrom: number; wallTo: number }

const DAY = 86_400_000
/** Records are kept apart by length, so that one long event does not make every look-up reach far back. */
const LONGEST = [DAY, 32 * DAY, 400 * DAY, 4000 * DAY, Number.POSITIVE_INFINITY]
const LANES = LONGEST.length
/** A record that lies nowhere in time. */
export const NOWHERE = -1

/** A record's lane: by its length, and apart from others by what it is. */
export const laneOf = ({ dated, start, end, scattered = false }: Span, gone: boolean): number =>
  LONGEST.findIndex((longest) => end - start <= longest) +
  LANES * (Number(dated) + 2 * Number(scattered) + 4 * Number(gone))

/** What a place on the timeline is compared by. */
export type Mark = { readonly lane: number; readonly start: number; readonly place: number }

const byMark = (a: Mark, b: Mark): number => a.lane - b.lane || a.start - b.start || a.place - b.place

/** Versions by lane and start: a window costs what it holds, however many lie outside it. */
export type Timeline<T> = Tree<Version<T>, undefined>

export const newTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byMark)

/** The lanes of the timeline, without those of what is gone where that is not asked for. */
export const lanesOf = (gone: boolean): number[] => Array.from({ length: (gone ? 8 : 4) * LANES }, (_, lane) => lane)

/**
 * One lane of a window by start, from a moment on where one is given: what ends after the window begins and starts
 * before it ends (behaviour 1.15).
 */
export function* inLane<T>(
  timeline: Timeline<T>,
  lane: number,
  window: Window,
  start = Number.NEGATIVE_INFINITY,
): Generator<Version<T>> {
  const [from, to] = boundsOf(window, isDated(lane))
  const longest = LONGEST[lane % LANES] ?? 0
  const first: Mark = { lane, start: Math.max(from - longest, start), place: -1 }
  for (const version of timeline.keys(first as Version<T>)) {
    if (version.lane !== lane || version.start >= to) return
    if (version.end > from) yield version
  }
}

/** Whether a lane holds dates. */
export const isDated = (lane: number): boolean => lane % (2 * LANES) >= LANES
/** Whether a lane holds what is found in several places. */
export const isScattered = (lane: number): boolean => lane % (4 * LANES) >= 2 * LANES

export const overlaps = ({ dated, start, end }: Span, window: Window): boolean => {
  const [from, to] = boundsOf(window, dated)
  return end > from && start < to
}

const boundsOf = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)
