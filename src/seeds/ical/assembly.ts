import { idFromUid } from '../../model/events/series.ts'
import { formatRecurrence } from '../../recurrence/split.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { isCancelledComponent, type ReadContext, readDraft, withDefaults } from './eventFields.ts'
import { formatICalDate, formatICalUtc } from './icalDateTime.ts'
import { parseRecurrence, type Recurrence, requireSeries, splitSeries, toSlot } from './recurrences.ts'
import { type Report, UnsupportedEventError } from './remarks.ts'
import { type Component, findProperty, findText } from './syntax.ts'
import { describeInvalidTime, type EventTimes, parseZonedDateTime, readEventTimes, toSeedTime } from './times.ts'

export type FileEvent = { event: Component; context: ReadContext }
export type ParsedEvent = { event: SeedEvent; line: number }
/**
 * All events of a file with one UID: masters (events without RECURRENCE-ID), and exceptions (events with one, which change
 * an instance of a series) by it. The first master is used if the service can hold it, else the next.
 */
export type UidGroup = { uid: string; masters: FileEvent[]; exceptions: Map<string, FileEvent>; report: Report }

type ParsedSeries = EventTimes & { draft: SeedEvent; recurrence: Recurrence | undefined; line: number }
/**
 * A part of a series from one split to the next. A slot is the original start of an instance, in epoch milliseconds (UTC
 * midnight for all-day series). `from` is the first slot that belongs to the part, and `shift` is how many milliseconds
 * its starts are moved.
 */
type SeriesSegment = ParsedSeries & { id: string; uid: string; recurrence: Recurrence; from: number; shift: number }
/** An exception and its slot. */
type PlacedException = FileEvent & { slot: number }

/**
 * Returns the seed events for the events of one UID: a single event, or a series followed by its exceptions. Events that
 * the service cannot hold are left out and reported.
 */
export function assembleEvents({ uid, masters, exceptions, report }: UidGroup): ParsedEvent[] {
  const read = findFirstResult(masters, (master) => tryOrReport(() => parseFileEvent(master), report))
  const id = idFromUid(uid)
  if (!read?.recurrence) {
    const single = read ? [{ event: { id, iCalUID: uid, ...read.draft }, line: read.line }] : []
    return [...single, ...[...exceptions.values()].flatMap((change) => readOrphanException(change, uid, report))]
  }
  const first = { ...read, recurrence: read.recurrence, id, uid, from: Number.NEGATIVE_INFINITY, shift: 0 }
  const placed = [...exceptions.values()].flatMap((change): PlacedException[] => {
    const slot = readSlot(change, first)
    if (slot !== undefined) return [{ ...change, slot }]
    const text = findText(change.event, 'recurrence-id') ?? ''
    report(change.event.line, `the event was left out, because ${describeInvalidTime('RECURRENCE-ID', text)}`)
    return []
  })
  const segments = splitIntoSegments(first, placed.filter(isThisAndFuture), report)
  const single = new Map(segments.map((segment) => [segment, [] as PlacedException[]]))
  for (const change of placed.filter((one) => !isThisAndFuture(one))) {
    const segment = segments.findLast(({ from }) => from <= change.slot) ?? segments[0]
    if (segment) single.get(segment)?.push(change)
  }
  return [...single].flatMap(
    ([segment, own]) => tryOrReport(() => createSegmentEvents(segment, own, report), report) ?? [],
  )
}

function findFirstResult<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one)
    if (found) return found
  }
  return undefined
}

function tryOrReport<T>(act: () => T, report: Report): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof UnsupportedEventError)) throw error
    report(error.line, `the event was left out, because ${error.message}`)
    return undefined
  }
}

/**
 * Parses one event of a file. Reports its parts that are ignored. Throws an UnsupportedEventError if the service cannot
 * hold it.
 */
function parseFileEvent({ event, context }: FileEvent): ParsedSeries {
  const { zones, report } = context
  const times = readEventTimes(event, zones, report)
  const recurs = findText(event, 'recurrence-id') === undefined || isThisAndFuture({ event })
  const recurrence = recurs ? parseRecurrence(event, times.start, zones, report) : undefined
  return { ...times, draft: readDraft(event, times, context), recurrence, line: event.line }
}

const isThisAndFuture = ({ event }: Pick<FileEvent, 'event'>): boolean =>
  findProperty(event, 'recurrence-id')?.parameters.range?.toUpperCase() === 'THISANDFUTURE'

/** Returns the slot that RECURRENCE-ID of an exception names, or undefined if it is no date or time. */
function readSlot({ event, context }: FileEvent, { start }: EventTimes): number | undefined {
  const { zones, report } = context
  const governing = start.dated ? undefined : start.zone
  const property = findProperty(event, 'recurrence-id')
  const moment = property && parseZonedDateTime(property, { governing, recurring: true }, zones, report)
  return moment && toSlot(moment, start, zones)
}

/**
 * Returns an exception whose series is not in the file, as an event with an id of its own. It becomes a series if it
 * continues by a rule of its own. Empty if it is left out.
 */
function readOrphanException(change: FileEvent, uid: string, report: Report): ParsedEvent[] {
  const read = tryOrReport(() => parseFileEvent(change), report)
  if (!read) return []
  const { start, draft, line } = read
  const stamp = readSlot(change, read) ?? start.at
  const id = `${idFromUid(uid)}_${start.dated ? formatICalDate(stamp) : formatICalUtc(stamp)}`
  const recurrence = read.recurrence && formatRecurrence(read.recurrence, start.dated)
  return [{ event: { ...draft, id, iCalUID: uid, ...(recurrence && { recurrence }) }, line }]
}

/**
 * Splits a series at the changes with RANGE=THISANDFUTURE, and returns its parts in order. Reports changes that cannot
 * be applied.
 */
function splitIntoSegments(first: SeriesSegment, changes: readonly PlacedException[], report: Report): SeriesSegment[] {
  const segments = [first]
  for (const change of changes.toSorted((a, b) => a.slot - b.slot)) {
    const current = segments.at(-1) ?? first
    const split = tryOrReport(() => splitSegment(current, change), report)
    if (split) segments.splice(-1, 1, ...split)
  }
  return segments
}

/**
 * Splits a part of a series at a slot, and returns both parts. Only the rest is returned if nothing is left before the
 * slot, and only the first part if the change cancels the rest. Throws an UnsupportedEventError if the rule cannot be
 * split, or the service cannot hold the change.
 */
function splitSegment(current: SeriesSegment, change: PlacedException): SeriesSegment[] {
  const { event, slot } = change
  const read = parseFileEvent(change)
  const from = slot + current.shift
  const isDated = current.start.dated
  const start = read.start.dated || isDated ? read.start : { zone: current.start.zone ?? 'UTC', ...read.start }
  const [before, after] = splitSeries(current, from, start)
  // The id that the service gives to the second part of a series (behaviour 4.12.1).
  const id = `${idFromUid(current.uid)}_R${(isDated ? formatICalDate : formatICalUtc)(from).replace('Z', '')}`
  const times = { start: toSeedTime(start), end: toSeedTime(read.end, start.dated ? undefined : start.zone) }
  const draft = { ...read.draft, ...times, iCalUID: `${id}@google.com` }
  const shift = read.start.at - slot
  const rest = { ...read, start, draft, recurrence: read.recurrence ?? after, id, uid: current.uid, from: slot, shift }
  return [
    ...(from > current.start.at ? [{ ...current, recurrence: before }] : []),
    ...(isCancelledComponent(event) ? [] : [rest]),
  ]
}

/**
 * Returns one part of a series and its exceptions. A changed instance takes precedence over an EXDATE of its slot.
 * Throws an UnsupportedEventError if the part is no series of the service.
 */
function createSegmentEvents(
  segment: SeriesSegment,
  exceptions: readonly PlacedException[],
  report: Report,
): ParsedEvent[] {
  const { id, uid, start, end, recurrence, draft, line, shift } = segment
  const series = requireSeries({ ...recurrence, excluded: [] }, start, line)
  const placed = new Map<number, PlacedException>()
  for (const change of exceptions) {
    const slot = series.includes(change.slot) ? change.slot : change.slot + shift
    const isOutside = !series.includes(slot)
    const isCancelled = isCancelledComponent(change.event)
    if (isOutside) {
      const effect = isCancelled ? 'left out' : 'added as one more instance'
      const reason = 'its series has no occurrence at its RECURRENCE-ID; correct RECURRENCE-ID'
      report(change.event.line, `the event was ${effect}, because ${reason}`)
    }
    if (isOutside && isCancelled) placed.delete(slot)
    else placed.set(slot, { ...change, slot })
  }
  const changed = [...placed.values()].filter(({ event }) => !isCancelledComponent(event)).map(({ slot }) => slot)
  const excluded = new Set(recurrence.excluded.filter((one) => !changed.includes(one)))
  const added = [...recurrence.added, ...changed.filter((slot) => !series.includes(slot))]
  const lines = formatRecurrence({ ...recurrence, added, excluded: [...excluded] }, start.dated)
  const master = { id, iCalUID: uid, ...draft, recurrence: lines }
  const shown = [...placed.values()].filter(({ slot }) => !excluded.has(slot))
  const periods = [...(recurrence.ends ?? [])].filter(
    ([slot, until]) => until - slot !== end.at - start.at && !placed.has(slot) && !excluded.has(slot),
  )
  const place = (slot: number) => ({ recurringEventId: id, originalStartTime: toSeedTime({ ...start, at: slot }) })
  return [
    { event: master, line },
    ...shown.flatMap((one) => createExceptionEvents(one, place(one.slot), draft, report)),
    ...periods.map(([slot, until]) => {
      const times = { start: toSeedTime({ ...start, at: slot }), end: toSeedTime({ ...start, at: until }) }
      return { event: { ...place(slot), ...times }, line }
    }),
  ]
}

/** Returns an exception at `place` in its series, whose fields are `whole`. Empty if it is left out. */
function createExceptionEvents(
  { event, context }: PlacedException,
  place: Pick<SeedEvent, 'recurringEventId' | 'originalStartTime'>,
  whole: SeedEvent,
  report: Report,
): ParsedEvent[] {
  if (isCancelledComponent(event)) return [{ event: { ...place, status: 'cancelled' }, line: event.line }]
  const read = tryOrReport(() => parseFileEvent({ event, context }), report)
  if (!read) return []
  const { organizer: _, ...draft } = read.draft
  return [{ event: { ...withDefaults(draft, whole), ...place }, line: event.line }]
}
