import { idFromUid } from '../model/ids.ts'
import type { Series } from '../recurrence/series.ts'
import type { SeedEvent } from '../wire/seeds/seed.ts'
import { type Component, propertyOf, textOf } from './components.ts'
import { isCancelled, readDraft, type Scene, saidInFull } from './drafts.ts'
import { linesOf, type Recurrence, readRecurrence, seriesFrom, slotNear } from './recurrences.ts'
import { LeftOut, type Say } from './report.ts'
import { splitAt } from './split.ts'
import { dateStamp, utcStamp } from './stamps.ts'
import { momentIn, readTimes, seedTime, type Times } from './times.ts'
import type { Moment } from './zones.ts'

/** An event of a file, and what to read it with. */
export type Entry = { event: Component; scene: Scene }
/** An event of a seed, and the line that it comes from. */
export type Said = { event: SeedEvent; line: number }
/** All that a file says of one UID. */
/** The last of several mains that say the same UID stands first. */
export type Group = { uid: string; mains: Entry[]; changes: Entry[]; say: Say }

type Read = Times & { draft: SeedEvent; recurrence: Recurrence | undefined; line: number }
/** A series from one slot on, up to the next such. */
type Stretch = Read & { id: string; uid: string; recurrence: Recurrence; from: number; shift: number }

/** The events of a seed that say what a file says of a UID. */
export function eventsOf({ uid, mains, changes, say }: Group): Said[] {
  const read = firstOf(mains, (main) => unlessLeftOut(() => readEntry(main), say))
  const id = idFromUid(uid)
  if (!read?.recurrence) {
    const single = read ? [{ event: { id, iCalUID: uid, ...read.draft }, line: read.line }] : []
    return [...single, ...changes.flatMap((change) => alone(change, uid, say))]
  }
  const first: Stretch = { ...read, recurrence: read.recurrence, id, uid, from: Number.NEGATIVE_INFINITY, shift: 0 }
  const stretches = stretchesOf(first, changes.filter(isForFuture), say)
  const single = changes.filter((change) => !isForFuture(change))
  return stretches.flatMap((stretch, at) => {
    const own = single.filter(({ event, scene }) => stretchAt(stretches, slotSaid(event, scene, first)) === at)
    return unlessLeftOut(() => withChanges(stretch, own, first, say), say) ?? []
  })
}

function firstOf<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one)
    if (found) return found
  }
  return undefined
}

function unlessLeftOut<T>(act: () => T, say: Say): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    say(error.line, `left out: ${error.message}`)
    return undefined
  }
}

function readEntry({ event, scene }: Entry): Read {
  const times = readTimes(event, scene.zones, scene.say)
  // A rule that one instance bears says nothing.
  const recurs = !isChange(event) || isForFuture({ event })
  const recurrence = recurs ? readRecurrence(event, times.start, scene.zones, scene.say) : undefined
  if (recurrence) seriesFrom(recurrence, times.start, event.line)
  return { ...times, draft: readDraft(event, times, scene), recurrence, line: event.line }
}

export const isChange = (event: Component): boolean => textOf(event, 'recurrence-id') !== undefined

const isForFuture = ({ event }: Pick<Entry, 'event'>): boolean =>
  propertyOf(event, 'recurrence-id')?.parameters.get('range')?.toUpperCase() === 'THISANDFUTURE'

/** The slot that a change names, as a start of the series. */
function slotSaid(event: Component, { zones, say }: Scene, { start }: Times): number {
  const governing = start.dated ? undefined : start.zone
  const property = propertyOf(event, 'recurrence-id')
  const moment = property && momentIn(property, zones, { governing, recurring: true, say })
  return moment ? slotNear(moment, start, zones) : Number.NaN
}

/** A change whose series the file does not have: a series itself where it goes on by a rule of its own. */
function alone(change: Entry, uid: string, say: Say): Said[] {
  const read = unlessLeftOut(() => readEntry(change), say)
  const slot = read && slotSaid(change.event, change.scene, read)
  if (!read || slot === undefined) return []
  const stamp = Number.isNaN(slot) ? read.start.at : slot
  const id = `${idFromUid(uid)}_${read.start.dated ? dateStamp(stamp) : utcStamp(stamp)}`
  const recurrence = read.recurrence && linesOf(read.recurrence, read.start)
  return [{ event: { ...read.draft, id, iCalUID: uid, ...(recurrence && { recurrence }) }, line: read.line }]
}

/** How often one series is split. */
const MOST_SPLITS = 100

/** A series in the stretches that it was split into by changes of all that follows. */
function stretchesOf(first: Stretch, changes: Entry[], say: Say): Stretch[] {
  const inOrder = changes
    .map((change) => ({ change, slot: slotSaid(change.event, change.scene, first) }))
    .filter(({ change, slot }) => {
      if (Number.isNaN(slot)) say(change.event.line, 'left out: RECURRENCE-ID is no date or time')
      return !Number.isNaN(slot)
    })
    .sort((a, b) => a.slot - b.slot)
  const stretches = [first]
  for (const { change } of inOrder.slice(MOST_SPLITS)) {
    say(change.event.line, `left out: it changes a series from an instance on for more than the ${MOST_SPLITS}th time`)
  }
  for (const { change, slot } of inOrder.slice(0, MOST_SPLITS)) {
    const current = stretches.at(-1) ?? first
    const split = unlessLeftOut(() => splitOff(current, change, slot), say)
    if (split) stretches.splice(-1, 1, ...split)
  }
  return stretches
}

function splitOff(current: Stretch, change: Entry, slot: number): Stretch[] {
  const read = readEntry(change)
  const from = slot + current.shift
  const [before, after] = splitAt(current, from, read.start)
  const start =
    read.start.dated || current.start.dated ? read.start : { zone: current.start.zone ?? 'UTC', ...read.start }
  // The service's own name for the second part of a series (behaviour 4.12.1).
  const id = `${idFromUid(current.uid)}_R${(current.start.dated ? dateStamp : utcStamp)(from).replace('Z', '')}`
  const ends = { start: seedTime(start), end: seedTime(read.end, start.dated ? undefined : start.zone) }
  const draft = { ...read.draft, ...ends, iCalUID: `${id}@google.com` }
  const rest = { ...read, start, draft, recurrence: read.recurrence ?? after, id, uid: current.uid, from: slot }
  const gone = isCancelled(change.event) ? [] : [{ ...rest, shift: read.start.at - slot }]
  return from <= current.start.at ? gone : [{ ...current, recurrence: before }, ...gone]
}

const stretchAt = (stretches: readonly Stretch[], slot: number): number =>
  Math.max(
    0,
    stretches.findLastIndex(({ from }) => from <= slot),
  )

type Placed = { change: Entry; slot: number }

/** A stretch of a series, and its changed instances: a change wins over what excludes its instance, or has none there. */
function withChanges(stretch: Stretch, changes: Entry[], first: Times, say: Say): Said[] {
  const { id, uid, start, recurrence, draft, line } = stretch
  const series = seriesFrom({ ...recurrence, excluded: [] }, start, line)
  const placed = new Map<number, Placed>()
  for (const change of changes) {
    const said = slotSaid(change.event, change.scene, first)
    if (Number.isNaN(said)) {
      say(change.event.line, 'left out: RECURRENCE-ID is no date or time')
      continue
    }
    const slot = slotIn(series, said, stretch.shift)
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
  const master = { id, iCalUID: uid, ...draft, recurrence: linesOf(whole, start) }
  const shown = slots.filter(({ slot }) => !cancelled.has(slot))
  return [{ event: master, line }, ...shown.flatMap((one) => changedInstance(one, { id, start, draft }, say))]
}

const slotIn = (series: Series, slot: number, shift: number): number => (series.includes(slot) ? slot : slot + shift)

type Whole = { id: string; start: Moment; draft: SeedEvent }

function changedInstance({ change, slot }: Placed, { id, start, draft: whole }: Whole, say: Say): Said[] {
  const { event } = change
  const originalStartTime = seedTime({ ...start, at: slot })
  const place = { recurringEventId: id, originalStartTime }
  if (isCancelled(event)) return [{ event: { ...place, status: 'cancelled' }, line: event.line }]
  const read = unlessLeftOut(() => readEntry(change), say)
  if (!read) return []
  const { organizer: _, ...draft } = read.draft
  return [{ event: { ...saidInFull(draft, whole), ...place }, line: event.line }]
}

/** The UID of an event of a file, if it has one. */
export const uidOf = (event: Component): string | undefined => textOf(event, 'uid')
