import { idFromUid } from '../../model/events/series.ts'
import type { Series } from '../../recurrence/series.ts'
import { formatRecurrence } from '../../recurrence/split.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { isCancelledComponent, type ReadContext, readDraft, withDefaults } from './eventFields.ts'
import { formatICalDate, formatICalUtc } from './icalDateTime.ts'
import {
  parseRecurrence,
  type Recurrence,
  reportUnmatchedDates,
  requireSeries,
  splitSeries,
  toSlot,
} from './recurrences.ts'
import { type Component, findProperty, findText, type Report, UnsupportedEventError } from './syntax.ts'
import { describeInvalidTime, type EventTimes, parseZonedDateTime, readEventTimes, toSeedTime } from './times.ts'
import type { ZonedDateTime } from './zones.ts'

export type FileEvent = { event: Component; context: ReadContext }
export type ParsedEvent = { event: SeedEvent; line: number }
/**
 * All events of a file with one UID: masters (events without RECURRENCE-ID), and exceptions (events with one, which change
 * an instance of a series). The first master is used if the service can hold it, else the next.
 */
export type UidGroup = { uid: string; masters: FileEvent[]; exceptions: FileEvent[]; report: Report }

type ParsedSeries = EventTimes & { draft: SeedEvent; recurrence: Recurrence | undefined; line: number }
/**
 * A part of a series from one split to the next. A slot is the original start of an instance, in epoch milliseconds (UTC
 * midnight for all-day series). `from` is the first slot that belongs to the part, and `shift` is how many milliseconds
 * its starts are moved.
 */
type SeriesSegment = ParsedSeries & { id: string; uid: string; recurrence: Recurrence; from: number; shift: number }

/**
 * Returns the seed events for the events of one UID: a single event, or a series followed by its exceptions. Events that
 * the service cannot hold are left out and reported.
 */
export function assembleEvents({ uid, masters, exceptions, report }: UidGroup): ParsedEvent[] {
  const read = findFirstResult(masters, (master) => tryOrReport(() => parseFileEvent(master), report))
  const id = idFromUid(uid)
  if (!read?.recurrence) {
    const single = read ? [{ event: { id, iCalUID: uid, ...read.draft }, line: read.line }] : []
    return [...single, ...exceptions.flatMap((change) => readOrphanException(change, uid, report))]
  }
  const first: SeriesSegment = {
    ...read,
    recurrence: read.recurrence,
    id,
    uid,
    from: Number.NEGATIVE_INFINITY,
    shift: 0,
  }
  const segments = splitIntoSegments(first, exceptions.filter(isThisAndFuture), report)
  const single = exceptions.filter((change) => !isThisAndFuture(change))
  return segments.flatMap((segment, at) => {
    const own = single.filter(
      ({ event, context }) => findSegmentIndex(segments, readSlot(event, context, first)) === at,
    )
    return tryOrReport(() => createSegmentEvents(segment, own, first, report), report) ?? []
  })
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
  const times = readEventTimes(event, context.zones, context.report)
  const recurs = !hasRecurrenceId(event) || isThisAndFuture({ event })
  const recurrence = recurs ? parseRecurrence(event, times.start, context.zones, context.report) : undefined
  if (recurrence) {
    requireSeries(recurrence, times.start, event.line)
    const series = requireSeries({ ...recurrence, excluded: [] }, times.start, event.line)
    reportUnmatchedDates(event, series, times.start, context.zones, context.report)
  }
  return { ...times, draft: readDraft(event, times, context), recurrence, line: event.line }
}

export const hasRecurrenceId = (event: Component): boolean => findText(event, 'recurrence-id') !== undefined

const isThisAndFuture = ({ event }: Pick<FileEvent, 'event'>): boolean =>
  findProperty(event, 'recurrence-id')?.parameters.get('range')?.toUpperCase() === 'THISANDFUTURE'

/**
 * Returns the slot that RECURRENCE-ID of an exception names, as a start of the series in epoch milliseconds (UTC
 * midnight for all-day series). Returns NaN if it is no date or time.
 */
function readSlot(event: Component, { zones, report }: ReadContext, { start }: EventTimes): number {
  const governing = start.dated ? undefined : start.zone
  const property = findProperty(event, 'recurrence-id')
  const moment = property && parseZonedDateTime(property, zones, { governing, recurring: true, report })
  return moment ? toSlot(moment, start, zones) : Number.NaN
}

/**
 * Returns an exception whose series is not in the file, as an event with an id of its own. It becomes a series if it
 * continues by a rule of its own. Empty if it is left out.
 */
function readOrphanException(change: FileEvent, uid: string, report: Report): ParsedEvent[] {
  const read = tryOrReport(() => parseFileEvent(change), report)
  const slot = read && readSlot(change.event, change.context, read)
  if (!read || slot === undefined) return []
  const stamp = Number.isNaN(slot) ? read.start.at : slot
  const id = `${idFromUid(uid)}_${read.start.dated ? formatICalDate(stamp) : formatICalUtc(stamp)}`
  const recurrence = read.recurrence && formatRecurrence(read.recurrence, read.start.dated)
  return [{ event: { ...read.draft, id, iCalUID: uid, ...(recurrence && { recurrence }) }, line: read.line }]
}

const describeInvalidSlot = ({ event }: FileEvent): string =>
  `the event was left out, because ${describeInvalidTime('RECURRENCE-ID', findText(event, 'recurrence-id') ?? '')}`

const MAX_SPLITS = 100

/**
 * Splits a series at the changes with RANGE=THISANDFUTURE, and returns its parts in order. Reports changes that cannot
 * be applied.
 */
function splitIntoSegments(first: SeriesSegment, exceptions: FileEvent[], report: Report): SeriesSegment[] {
  const inOrder = exceptions
    .map((change) => ({ change, slot: readSlot(change.event, change.context, first) }))
    .filter(({ change, slot }) => {
      if (Number.isNaN(slot)) report(change.event.line, describeInvalidSlot(change))
      return !Number.isNaN(slot)
    })
    .sort((a, b) => a.slot - b.slot)
  const segments = [first]
  for (const { change } of inOrder.slice(MAX_SPLITS)) {
    report(
      change.event.line,
      `the event was left out, because its series has more than ${MAX_SPLITS} changes with RANGE=THISANDFUTURE; write the rest as a series of its own`,
    )
  }
  for (const { change, slot } of inOrder.slice(0, MAX_SPLITS)) {
    const current = segments.at(-1) ?? first
    const split = tryOrReport(() => splitSegment(current, change, slot), report)
    if (split) segments.splice(-1, 1, ...split)
  }
  return segments
}

/**
 * Splits a part of a series at a slot, and returns both parts. Only the rest is returned if nothing is left before the
 * slot, and only the first part if the change cancels the rest. Throws an UnsupportedEventError if the rule cannot be
 * split, or the service cannot hold the change.
 */
function splitSegment(current: SeriesSegment, change: FileEvent, slot: number): SeriesSegment[] {
  const read = parseFileEvent(change)
  const from = slot + current.shift
  const start =
    read.start.dated || current.start.dated ? read.start : { zone: current.start.zone ?? 'UTC', ...read.start }
  const [before, after] = splitSeries(current, from, start)
  // The id that the service gives to the second part of a series (behaviour 4.12.1).
  const id = `${idFromUid(current.uid)}_R${(current.start.dated ? formatICalDate : formatICalUtc)(from).replace('Z', '')}`
  const ends = { start: toSeedTime(start), end: toSeedTime(read.end, start.dated ? undefined : start.zone) }
  const draft = { ...read.draft, ...ends, iCalUID: `${id}@google.com` }
  const rest = { ...read, start, draft, recurrence: read.recurrence ?? after, id, uid: current.uid, from: slot }
  const tail = isCancelledComponent(change.event) ? [] : [{ ...rest, shift: read.start.at - slot }]
  return from <= current.start.at ? tail : [{ ...current, recurrence: before }, ...tail]
}

const findSegmentIndex = (segments: readonly SeriesSegment[], slot: number): number =>
  Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= slot),
  )

type PlacedException = { change: FileEvent; slot: number }

/**
 * Returns one part of a series and its exceptions. A changed instance takes precedence over an EXDATE of its slot.
 * Throws an UnsupportedEventError if the part is no series of the service.
 */
function createSegmentEvents(
  segment: SeriesSegment,
  exceptions: FileEvent[],
  first: EventTimes,
  report: Report,
): ParsedEvent[] {
  const { id, uid, start, end, recurrence, draft, line } = segment
  const series = requireSeries({ ...recurrence, excluded: [] }, start, line)
  const placed = new Map<number, PlacedException>()
  for (const change of exceptions) {
    const named = readSlot(change.event, change.context, first)
    if (Number.isNaN(named)) {
      report(change.event.line, describeInvalidSlot(change))
      continue
    }
    const slot = resolveSlot(series, named, segment.shift)
    if (!series.includes(slot)) {
      const effect = isCancelledComponent(change.event) ? 'left out' : 'added as one more instance'
      report(
        change.event.line,
        `the event was ${effect}, because its series has no occurrence at its RECURRENCE-ID; correct RECURRENCE-ID`,
      )
    }
    if (isCancelledComponent(change.event) && !series.includes(slot)) placed.delete(slot)
    else placed.set(slot, { change, slot })
  }
  const slots = [...placed.values()]
  const changed = slots.filter(({ change }) => !isCancelledComponent(change.event)).map(({ slot }) => slot)
  const cancelled = new Set(recurrence.excluded.filter((one) => !changed.includes(one)))
  const whole: Recurrence = {
    ...recurrence,
    added: [...recurrence.added, ...changed.filter((slot) => !series.includes(slot))],
    excluded: [...cancelled],
  }
  const master = { id, iCalUID: uid, ...draft, recurrence: formatRecurrence(whole, start.dated) }
  const shown = slots.filter(({ slot }) => !cancelled.has(slot))
  const periods = [...(recurrence.ends ?? [])].filter(
    ([slot, until]) => until - slot !== end.at - start.at && !placed.has(slot) && !cancelled.has(slot),
  )
  return [
    { event: master, line },
    ...shown.flatMap((one) => createExceptionEvents(one, { id, start, draft }, report)),
    ...periods.map(([slot, until]) => ({ event: createPeriodEvent(slot, until, { id, start }), line })),
  ]
}

function createPeriodEvent(slot: number, until: number, { id, start }: Pick<SegmentMaster, 'id' | 'start'>): SeedEvent {
  const originalStartTime = toSeedTime({ ...start, at: slot })
  return { recurringEventId: id, originalStartTime, start: originalStartTime, end: toSeedTime({ ...start, at: until }) }
}

const resolveSlot = (series: Series, slot: number, shift: number): number =>
  series.includes(slot) ? slot : slot + shift

type SegmentMaster = { id: string; start: ZonedDateTime; draft: SeedEvent }

function createExceptionEvents(
  { change, slot }: PlacedException,
  { id, start, draft: whole }: SegmentMaster,
  report: Report,
): ParsedEvent[] {
  const { event } = change
  const originalStartTime = toSeedTime({ ...start, at: slot })
  const place = { recurringEventId: id, originalStartTime }
  if (isCancelledComponent(event)) return [{ event: { ...place, status: 'cancelled' }, line: event.line }]
  const read = tryOrReport(() => parseFileEvent(change), report)
  if (!read) return []
  const { organizer: _, ...draft } = read.draft
  return [{ event: { ...withDefaults(draft, whole), ...place }, line: event.line }]
}

export const findUid = (event: Component): string | undefined => findText(event, 'uid')
