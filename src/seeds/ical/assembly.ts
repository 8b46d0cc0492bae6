import { idFromUid } from '../../model/events/series.ts'
import type { Series } from '../../recurrence/series.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { type Component, findProperty, findText } from './components.ts'
import { isCancelled, type ReadContext, readDraft, withDefaults } from './drafts.ts'
import { formatDate, formatUtc } from './icalDateTime.ts'
import { nearestSlot, type Recurrence, readRecurrence, requireSeries, toRecurrenceLines } from './recurrences.ts'
import { type Report, UnsupportedEventError } from './report.ts'
import { splitSeries } from './split.ts'
import { type EventTimes, parseZonedDateTime, readTimes, toSeedTime } from './times.ts'
import type { ZonedDateTime } from './zones.ts'

/** An event of a file and the context to parse it with. */
export type FileEvent = { event: Component; context: ReadContext }
/** An event of a seed and its line in the file. */
export type ParsedEvent = { event: SeedEvent; line: number }
/** All events of a file with one UID. */
/** The last of several masters with the same UID stands first. */
export type UidGroup = { uid: string; masters: FileEvent[]; exceptions: FileEvent[]; report: Report }

type ParsedSeries = EventTimes & { draft: SeedEvent; recurrence: Recurrence | undefined; line: number }
/** A part of a series from one slot to the next split. */
type SeriesSegment = ParsedSeries & { id: string; uid: string; recurrence: Recurrence; from: number; shift: number }

/** Returns the seed events for the events of one UID. */
export function eventsOf({ uid, masters, exceptions, report }: UidGroup): ParsedEvent[] {
  const read = firstDefined(masters, (main) => orReport(() => parseFileEvent(main), report))
  const id = idFromUid(uid)
  if (!read?.recurrence) {
    const single = read ? [{ event: { id, iCalUID: uid, ...read.draft }, line: read.line }] : []
    return [...single, ...exceptions.flatMap((change) => orphanException(change, uid, report))]
  }
  const first: SeriesSegment = {
    ...read,
    recurrence: read.recurrence,
    id,
    uid,
    from: Number.NEGATIVE_INFINITY,
    shift: 0,
  }
  const segments = segmentsOf(first, exceptions.filter(isThisAndFuture), report)
  const single = exceptions.filter((change) => !isThisAndFuture(change))
  return segments.flatMap((segment, at) => {
    const own = single.filter(({ event, context }) => segmentAt(segments, namedSlot(event, context, first)) === at)
    return orReport(() => segmentEvents(segment, own, first, report), report) ?? []
  })
}

function firstDefined<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one)
    if (found) return found
  }
  return undefined
}

function orReport<T>(act: () => T, report: Report): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof UnsupportedEventError)) throw error
    report(error.line, `left out: ${error.message}`)
    return undefined
  }
}

function parseFileEvent({ event, context }: FileEvent): ParsedSeries {
  const times = readTimes(event, context.zones, context.report)
  // A rule of a single instance is ignored.
  const recurs = !isException(event) || isThisAndFuture({ event })
  const recurrence = recurs ? readRecurrence(event, times.start, context.zones, context.report) : undefined
  if (recurrence) requireSeries(recurrence, times.start, event.line)
  return { ...times, draft: readDraft(event, times, context), recurrence, line: event.line }
}

export const isException = (event: Component): boolean => findText(event, 'recurrence-id') !== undefined

const isThisAndFuture = ({ event }: Pick<FileEvent, 'event'>): boolean =>
  findProperty(event, 'recurrence-id')?.parameters.get('range')?.toUpperCase() === 'THISANDFUTURE'

/** Returns the slot of an exception as a start of the series. */
function namedSlot(event: Component, { zones, report }: ReadContext, { start }: EventTimes): number {
  const governing = start.dated ? undefined : start.zone
  const property = findProperty(event, 'recurrence-id')
  const moment = property && parseZonedDateTime(property, zones, { governing, recurring: true, report })
  return moment ? nearestSlot(moment, start, zones) : Number.NaN
}

/** Returns an exception whose series is not in the file. It becomes a series if it continues by a rule of its own. */
function orphanException(change: FileEvent, uid: string, report: Report): ParsedEvent[] {
  const read = orReport(() => parseFileEvent(change), report)
  const slot = read && namedSlot(change.event, change.context, read)
  if (!read || slot === undefined) return []
  const stamp = Number.isNaN(slot) ? read.start.at : slot
  const id = `${idFromUid(uid)}_${read.start.dated ? formatDate(stamp) : formatUtc(stamp)}`
  const recurrence = read.recurrence && toRecurrenceLines(read.recurrence, read.start)
  return [{ event: { ...read.draft, id, iCalUID: uid, ...(recurrence && { recurrence }) }, line: read.line }]
}

/** Limit of the splits of one series. */
const MAX_SPLITS = 100

/** Splits a series at the changes with RANGE=THISANDFUTURE. */
function segmentsOf(first: SeriesSegment, exceptions: FileEvent[], report: Report): SeriesSegment[] {
  const inOrder = exceptions
    .map((change) => ({ change, slot: namedSlot(change.event, change.context, first) }))
    .filter(({ change, slot }) => {
      if (Number.isNaN(slot)) report(change.event.line, 'left out: RECURRENCE-ID is no date or time')
      return !Number.isNaN(slot)
    })
    .sort((a, b) => a.slot - b.slot)
  const segments = [first]
  for (const { change } of inOrder.slice(MAX_SPLITS)) {
    report(
      change.event.line,
      `left out: it changes a series from an instance on for more than the ${MAX_SPLITS}th time`,
    )
  }
  for (const { change, slot } of inOrder.slice(0, MAX_SPLITS)) {
    const current = segments.at(-1) ?? first
    const split = orReport(() => splitOff(current, change, slot), report)
    if (split) segments.splice(-1, 1, ...split)
  }
  return segments
}

function splitOff(current: SeriesSegment, change: FileEvent, slot: number): SeriesSegment[] {
  const read = parseFileEvent(change)
  const from = slot + current.shift
  const [before, after] = splitSeries(current, from, read.start)
  const start =
    read.start.dated || current.start.dated ? read.start : { zone: current.start.zone ?? 'UTC', ...read.start }
  // The id that the service gives to the second part of a series (behaviour 4.12.1).
  const id = `${idFromUid(current.uid)}_R${(current.start.dated ? formatDate : formatUtc)(from).replace('Z', '')}`
  const ends = { start: toSeedTime(start), end: toSeedTime(read.end, start.dated ? undefined : start.zone) }
  const draft = { ...read.draft, ...ends, iCalUID: `${id}@google.com` }
  const rest = { ...read, start, draft, recurrence: read.recurrence ?? after, id, uid: current.uid, from: slot }
  const tail = isCancelled(change.event) ? [] : [{ ...rest, shift: read.start.at - slot }]
  return from <= current.start.at ? tail : [{ ...current, recurrence: before }, ...tail]
}

const segmentAt = (segments: readonly SeriesSegment[], slot: number): number =>
  Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= slot),
  )

type PlacedException = { change: FileEvent; slot: number }

/** Returns one part of a series and its exceptions. A changed instance takes precedence over an EXDATE of its slot. */
function segmentEvents(
  segment: SeriesSegment,
  exceptions: FileEvent[],
  first: EventTimes,
  report: Report,
): ParsedEvent[] {
  const { id, uid, start, end, recurrence, draft, line } = segment
  const series = requireSeries({ ...recurrence, excluded: [] }, start, line)
  const placed = new Map<number, PlacedException>()
  for (const change of exceptions) {
    const named = namedSlot(change.event, change.context, first)
    if (Number.isNaN(named)) {
      report(change.event.line, 'left out: RECURRENCE-ID is no date or time')
      continue
    }
    const slot = slotIn(series, named, segment.shift)
    if (isCancelled(change.event) && !series.includes(slot)) placed.delete(slot)
    else placed.set(slot, { change, slot })
  }
  const slots = [...placed.values()]
  const changed = slots.filter(({ change }) => !isCancelled(change.event)).map(({ slot }) => slot)
  const cancelled = new Set(recurrence.excluded.filter((one) => !changed.includes(one)))
  const whole: Recurrence = {
    ...recurrence,
    added: [...recurrence.added, ...changed.filter((slot) => !series.includes(slot))],
    excluded: [...cancelled],
  }
  const master = { id, iCalUID: uid, ...draft, recurrence: toRecurrenceLines(whole, start) }
  const shown = slots.filter(({ slot }) => !cancelled.has(slot))
  const periods = [...(recurrence.ends ?? [])].filter(
    ([slot, until]) => until - slot !== end.at - start.at && !placed.has(slot) && !cancelled.has(slot),
  )
  return [
    { event: master, line },
    ...shown.flatMap((one) => exceptionEvent(one, { id, start, draft }, report)),
    ...periods.map(([slot, until]) => ({ event: periodEvent(slot, until, { id, start }), line })),
  ]
}

/** Returns the instance of an RDATE with a period of another length than the series. */
function periodEvent(slot: number, until: number, { id, start }: Pick<SegmentMaster, 'id' | 'start'>): SeedEvent {
  const originalStartTime = toSeedTime({ ...start, at: slot })
  return { recurringEventId: id, originalStartTime, start: originalStartTime, end: toSeedTime({ ...start, at: until }) }
}

const slotIn = (series: Series, slot: number, shift: number): number => (series.includes(slot) ? slot : slot + shift)

type SegmentMaster = { id: string; start: ZonedDateTime; draft: SeedEvent }

function exceptionEvent(
  { change, slot }: PlacedException,
  { id, start, draft: whole }: SegmentMaster,
  report: Report,
): ParsedEvent[] {
  const { event } = change
  const originalStartTime = toSeedTime({ ...start, at: slot })
  const place = { recurringEventId: id, originalStartTime }
  if (isCancelled(event)) return [{ event: { ...place, status: 'cancelled' }, line: event.line }]
  const read = orReport(() => parseFileEvent(change), report)
  if (!read) return []
  const { organizer: _, ...draft } = read.draft
  return [{ event: { ...withDefaults(draft, whole), ...place }, line: event.line }]
}

/** Returns the UID of an event of a file, if it has one. */
export const uidOf = (event: Component): string | undefined => findText(event, 'uid')
