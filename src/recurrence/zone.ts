import { momentText } from './written.ts'
import { LINKS } from './zone-links.ts'

/** What clocks show, with no zone: `2026-03-08T09:00:00`. */
export type WallTime = string

/** The same as a number: the milliseconds from 1970-01-01T00:00 to the reading on a clock that is never changed. */
export type Reading = number

const SECOND = 1000
const HOUR = 3600 * SECOND

/** Names are case-sensitive (behaviour 13.1), Intl's are not: only the spellings of the IANA database count. */
export function isZone(name: string): boolean {
  if (name === 'UTC') return true // the usual case at start, when the first use of Intl takes 15 ms
  spellings ??= new Set([...Intl.supportedValuesOf('timeZone'), ...LINKS])
  if (!spellings.has(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false // a name younger than this machine's zone data
  }
}

let spellings: Set<string> | undefined

/** How far clocks in the zone are ahead of UTC, in milliseconds. */
export function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  const chunk = Math.floor(clamp(instant) / CHUNK)
  const offset = clockOf(zone).chunks.get(chunk) ?? tabulate(chunk, zone)
  if (typeof offset === 'number') return offset
  return instant < offset.changesAt ? offset.before : offset.after
}

export function readingAt(instant: number, zone: string): Reading {
  return instant + offsetAt(instant, zone)
}

/**
 * The first instant at which clocks in the zone show a reading. A reading that they skip is taken at the offset from
 * before the skip (RFC 5545, 3.3.5; behaviour 14.19).
 */
export function instantOf(reading: Reading, zone: string): number {
  const before = offsetAt(reading - FURTHEST, zone)
  const after = offsetAt(reading + FURTHEST, zone)
  const early = reading - before
  if (before === after || offsetAt(early, zone) === before) return early
  const late = reading - after
  return offsetAt(late, zone) === after ? late : early
}

export function wallTimeAt(instant: number, zone: string): WallTime {
  return wallTimeOf(readingAt(instant, zone))
}

export function instantAt(wall: WallTime, zone: string): number {
  return instantOf(readingOf(wall), zone)
}

export function readingOf(wall: WallTime): Reading {
  return Date.parse(`${wall}Z`)
}

export function wallTimeOf(reading: Reading): WallTime {
  return momentText(reading)
}

/** One offset throughout, or the one change that falls inside. */
type Offset = number | { changesAt: number; before: number; after: number }
type Clock = { format: Intl.DateTimeFormat; chunks: Map<number, Offset> }

/** Three days: no zone has ever changed twice in so short a time (the quickest: Freetown in 1939, four days). */
const CHUNK = 2 ** 28
/** No zone has been further from UTC (Manila before 1845: 15:56:08 behind). */
const FURTHEST = 16 * HOUR
/** Outside these, a zone is as it is at their edge: local mean time before, no four-digit year after. */
const EARLIEST = Date.UTC(1800, 0, 1)
const LATEST = Date.UTC(9999, 11, 28)
/** Some 170 years of one zone, or ten years each of seventeen. */
const MOST_CHUNKS = 20_000

const clocks = new Map<string, Clock>()
let chunksKept = 0

function clockOf(zone: string): Clock {
  const known = clocks.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const clock = { format, chunks: new Map() }
  clocks.set(zone, clock)
  return clock
}

function tabulate(chunk: number, zone: string): Offset {
  if (++chunksKept > MOST_CHUNKS) forget()
  const { format, chunks } = clockOf(zone)
  const start = chunk * CHUNK
  const before = shownOffset(start, format)
  const after = shownOffset(start + CHUNK, format)
  const offset = before === after ? before : { changesAt: changeBetween(start, start + CHUNK, format), before, after }
  chunks.set(chunk, offset)
  return offset
}

function forget() {
  for (const { chunks } of clocks.values()) chunks.clear()
  chunksKept = 1
}

/** Clocks change on a whole second. */
function changeBetween(start: number, end: number, format: Intl.DateTimeFormat): number {
  const before = shownOffset(start, format)
  let [last, first] = [Math.floor(start / SECOND), Math.floor(end / SECOND)]
  while (first - last > 1) {
    const middle = Math.floor((first + last) / 2)
    if (shownOffset(middle * SECOND, format) === before) last = middle
    else first = middle
  }
  return first * SECOND
}

/** `03/08/2026, 09:00:00`, less the instant at which it is shown. */
function shownOffset(instant: number, format: Intl.DateTimeFormat): number {
  const [month = 0, day, year = 0, hour, minute, second] = format.format(instant).split(/\D+/).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / SECOND) * SECOND
}

function clamp(instant: number): number {
  return Math.min(Math.max(instant, EARLIEST), LATEST)
}
