import { idBeforeSplit } from '../../model/events/series.ts'
import { formatICalDate } from '../../recurrence/format.ts'
import { formatRecurrence } from '../../recurrence/split.ts'
import type { SeedEvent } from '../schema/seed.ts'
import { seedIdFromUid } from '../seedIds.ts'
import { isCancelledComponent, readFileDraft, withDefaults } from './eventFields.ts'
import { formatICalUtc } from './icalDateTime.ts'
import { parseFileRecurrence, type Recurrence, requireSeries, splitSeries, toSeriesSlot } from './recurrences.ts'
import { type Report, UnsupportedEventError } from './remarks.ts'
import { type Component, findProperty, findText } from './syntax.ts'
import { describeInvalidTime, type EventTimes, parseZonedDateTime, readEventTimes, toSeedTime } from './times.ts'
import type { ReadContext } from './zones.ts'

export type FileEvent = { event: Component; context: ReadContext }
export type ParsedEvent = { event: SeedEvent; line: number }
/** The first master (an event without RECURRENCE-ID) that the service can hold is used; exceptions by RECURRENCE-ID. */
export type UidGroup = { uid: string; masters: FileEvent[]; exceptions: Map<string, FileEvent>; report: Report }

type ParsedSeries = EventTimes & { draft: SeedEvent; recurrence: Recurrence | undefined; line: number }
/** A part of a series from one split to the next, from the slot `from` on. Its starts are `shift` ms after their slots. */
type SeriesSegment = ParsedSeries & { id: string; uid: string; recurrence: Recurrence; from: number; shift: number }
/** A slot is the original start of an instance in epoch milliseconds, UTC midnight for all-day series. */
type PlacedException = FileEvent & { slot: number }

/** Returns a single event, or a series followed by its exceptions. Events that the service cannot hold are reported. */
export function assembleEvents({ uid, masters, exceptions, report }: UidGroup): ParsedEvent[] {
  let read: ParsedSeries | undefined
  for (const master of masters) read ??= tryOrReport(() => parseFileEvent(master), report)
  const id = seedIdFromUid(uid)
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

function tryOrReport<T>(act: () => T, report: Report): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof UnsupportedEventError)) throw error
    report(error.line, `the event was left out, because ${error.message}`)
    return undefined
  }
}

function parseFileEvent({ event, context }: FileEvent): ParsedSeries {
  const times = readEventTimes(event, context)
  const recurs = findText(event, 'recurrence-id') === undefined || isThisAndFuture({ event })
  const recurrence = recurs ? parseFileRecurrence(event, times.start, context) : undefined
  return { ...times, draft: readFileDraft(event, times, context), recurrence, line: event.line }
}

const isThisAndFuture = ({ event }: Pick<FileEvent, 'event'>): boolean =>
  findProperty(event, 'recurrence-id')?.parameters.range?.toUpperCase() === 'THISANDFUTURE'

function readSlot({ event, context }: FileEvent, { start }: EventTimes): number | undefined {
  const governing = start.dated ? undefined : start.zone
  const property = findProperty(event, 'recurrence-id')
  const moment = property && parseZonedDateTime(property, { governing, recurring: true }, context)
  return moment && toSeriesSlot(moment, start, context.zones)
}

function readOrphanException(change: FileEvent, uid: string, report: Report): ParsedEvent[] {
  const read = tryOrReport(() => parseFileEvent(change), report)
  if (!read) return []
  const { start, draft, line } = read
  const stamp = readSlot(change, read) ?? start.at
  const id = `${idBeforeSplit(seedIdFromUid(uid))}_${start.dated ? formatICalDate(stamp) : formatICalUtc(stamp)}`
  const recurrence = read.recurrence && formatRecurrence(read.recurrence, start.dated)
  return [{ event: { ...draft, id, iCalUID: uid, ...(recurrence && { recurrence }) }, line }]
}

function splitIntoSegments(first: SeriesSegment, changes: PlacedException[], report: Report): SeriesSegment[] {
  const segments = [first]
  for (const change of changes.toSorted((a, b) => a.slot - b.slot)) {
    const current = segments.at(-1) ?? first
    const split = tryOrReport(() => splitSegment(current, change), report)
    if (split) segments.splice(-1, 1, ...split)
  }
  return segments
}

/** Nothing may be left before the slot, and a cancelled change ends the series. */
function splitSegment(current: SeriesSegment, change: PlacedException): SeriesSegment[] {
  const { event, slot } = change
  const read = parseFileEvent(change)
  const from = slot + current.shift
  const isDated = current.start.dated
  const start = read.start.dated || isDated ? read.start : { zone: current.start.zone ?? 'UTC', ...read.start }
  const [before, after] = splitSeries(current, from, start)
  // The id that the service gives to the second part of a series (behaviour 4.12.1).
  const id = `${idBeforeSplit(seedIdFromUid(current.uid))}_R${(isDated ? formatICalDate : formatICalUtc)(from).replace('Z', '')}`
  const times = { start: toSeedTime(start), end: toSeedTime(read.end, start.dated ? undefined : start.zone) }
  const draft = { ...read.draft, ...times, iCalUID: `${id}@google.com` }
  const shift = read.start.at - slot
  const rest = { ...read, start, draft, recurrence: read.recurrence ?? after, id, uid: current.uid, from: slot, shift }
  return [
    ...(from > current.start.at ? [{ ...current, recurrence: before }] : []),
    ...(isCancelledComponent(event) ? [] : [rest]),
  ]
}

function createSegmentEvents(segment: SeriesSegment, exceptions: PlacedException[], report: Report): ParsedEvent[] {
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
