import type { Write } from '../../db/changeLog.ts'
import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { differences as treeDifferences } from '../../db/tree.ts'
import { findFieldRule } from '../../model/events/fields.ts'
import { initialRecordsIn } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { type Change, type ChangeRecord, type Difference, toChangeRecord } from './change.ts'
import type { HistoricChange } from './changes.ts'
import { formatChange } from './format.ts'
import { createSnapshotView, findKind, KINDS, type MomentView, toRecordKey } from './kinds.ts'
import { type ExpectedChange, verifyChanges } from './verify.ts'

// A MomentView reads the stored records of a world as they were at one moment. A copy is the event on a guest's calendar.

export type DiffOptions = {
  /** Lists guests' copies as changes of their own, instead of in `copies` of the organizer's change. */
  copies?: boolean | undefined
  /** Includes the fields that each write sets or that follow from others, such as `etag`, `updated` and `sequence`. */
  all?: boolean | undefined
}

/** Returns the changes between two snapshots, one per record, in the order of `sortChanges`. */
export const diffSnapshots = (before: StoreSnapshot, after: StoreSnapshot, options: DiffOptions = {}): ChangeRecord[] =>
  toChangeRecords(snapshotDifferences(before, after), createSnapshotView(before), createSnapshotView(after), options)

/**
 * Returns the changes by the latest writes, one per record, in the order of `sortChanges`. `writes` are in ascending
 * order, and `now` is the world after the last of them.
 */
export function diffWrites(writes: readonly Write[], now: MomentView, options: DiffOptions = {}): ChangeRecord[] {
  return toChangeRecords(writeDifferences(writes, now), createViewBefore(writes, now), now, options)
}

/** Converts differences to changes, without those that clients cannot see, in the order of `sortChanges`. */
function toChangeRecords(
  differences: Iterable<Difference>,
  before: MomentView,
  after: MomentView,
  { copies = false, all = false }: DiffOptions,
): ChangeRecord[] {
  const found: ChangeRecord[] = []
  for (const difference of differences) {
    const change = toChangeRecord(difference, before, after, { all })
    if (change) found.push(change)
  }
  return sortChanges(copies ? found : foldCopies(found))
}

/** Records that no client wrote have the revision 0. */
const BEFORE_FIRST_REVISION = -1

/**
 * Yields the differences between two snapshots in collections with a kind, in no particular order. Shared parts are
 * skipped, so the cost depends only on the writes in between. Initial records, which are not stored before their first
 * write, are compared too.
 */
export function* snapshotDifferences(before: StoreSnapshot, after: StoreSnapshot): Generator<Difference> {
  for (const [name, was, is] of treeDifferences(before.parts, after.parts)) {
    if (!findKind(name)) continue
    const former = (was as Records<object> | undefined) ?? initialRecordsIn(before, name)
    const records = (is as Records<object> | undefined) ?? initialRecordsIn(after, name)
    if (former && records) for (const found of records.differences(former)) yield { name, ...found }
    else
      for (const { id, value } of (records ?? former)?.since(BEFORE_FIRST_REVISION) ?? [])
        yield { name, id, was: former && value, is: records && value }
  }
}

/**
 * Yields one difference per written record, in the order of its first write: from the record before that write to the
 * record in `now`. `writes` are in ascending order, and `now` is the world after the last of them.
 */
export function* writeDifferences(writes: readonly Write[], now: MomentView): Generator<Difference> {
  const seen = new Set<string>()
  for (const { name, id, was } of writes) {
    const key = toRecordKey(name, id)
    if (seen.has(key) || !findKind(name)) continue
    seen.add(key)
    yield { name, id, was, is: now.get(name, id) }
  }
}

/** Returns a view of a world before its latest writes, given in ascending order. `now` is the world after them. */
export function createViewBefore(writes: readonly Write[], now: MomentView): MomentView {
  const former = new Map<string, object | undefined>()
  for (const { name, id, was } of writes) {
    const key = toRecordKey(name, id)
    if (!former.has(key)) former.set(key, was)
  }
  return {
    get(name, id) {
      const key = toRecordKey(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
  }
}

/**
 * Returns a list in which changes of guests' copies are in `copies` of the organizer's change, if that is in the list
 * too. Fields that belong to the copy alone, such as its colour or reminders, also stay in the list as a change of
 * their own.
 */
export function foldCopies(found: readonly ChangeRecord[]): ChangeRecord[] {
  const events = new Map<string, ChangeRecord>()
  for (const one of found)
    if (one.change.kind === 'event') events.set(toEventKey(one.change.calendarId, one.change.id), one)
  const copies = new Map<ChangeRecord, ChangeRecord[]>()
  const rest: ChangeRecord[] = []
  for (const one of found) {
    const organizerChange = one.change.kind === 'event' ? findOrganizerChange(one, events) : undefined
    if (!organizerChange) {
      rest.push(one)
      continue
    }
    copies.set(organizerChange, [...(copies.get(organizerChange) ?? []), one])
    const ofCopy = withCopyFields(one)
    if (ofCopy) rest.push(ofCopy)
  }
  return rest.map((one) => {
    const copyChanges = copies.get(one)
    return copyChanges ? { ...one, change: { ...one.change, copies: copyChanges.map(({ change }) => change) } } : one
  })
}

const toEventKey = (calendarId: string | undefined, id: string): string => `${calendarId}\n${id}`

/**
 * Returns the change of the organizer's event if a change is that of a guest's copy. `events` are the changes of events
 * by `toEventKey`. Returns undefined for other events, private copies, and copies whose organizer's event did not change.
 */
function findOrganizerChange(
  { change, was, is }: ChangeRecord,
  events: ReadonlyMap<string, ChangeRecord>,
): ChangeRecord | undefined {
  const { organizer, iCalUID, privateCopy } = (is ?? was) as Event
  if (!organizer?.email || organizer.email === change.calendarId || privateCopy) return undefined
  const found = events.get(toEventKey(organizer.email, change.id))
  const organizerEvent = (found?.is ?? found?.was) as Event | undefined
  return organizerEvent?.iCalUID === iCalUID ? found : undefined
}

/** Returns true if the path of a change (`reminders.useDefault`) is in a field that belongs to the copy alone. */
function isCopyPath(path: string): boolean {
  const [field = '', part] = path.split(/[.[]/)
  const rule = findFieldRule(field)
  return rule?.owner === 'copy' || (part !== undefined && part === rule?.privatePart)
}

/**
 * Returns a change of a copy with only the fields that belong to the copy alone. Returns undefined if none of them
 * changed, and for an added or deleted copy.
 */
function withCopyFields(found: ChangeRecord): ChangeRecord | undefined {
  const { change } = found
  const fields = Object.entries(change.fields).filter(([path]) => isCopyPath(path))
  if (change.change !== 'changed' || fields.length === 0) return undefined
  return { ...found, change: { ...change, fields: Object.fromEntries(fields) } }
}

/** Returns a copy of the changes, sorted by kind (as in KINDS), account, calendar id, start, title and id. */
export const sortChanges = (found: readonly ChangeRecord[]): ChangeRecord[] =>
  found
    .map((one) => [sortKey(one), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => one)

/** Returns a text by which `sortChanges` sorts a change. */
function sortKey({ change: { kind, account, calendarId, title, id }, was, is }: ChangeRecord): string {
  const { dateTime, date } = ((is ?? was) as Partial<Event>).start ?? {}
  const start = dateTime === undefined ? (date ?? '') : new Date(dateTime).toISOString()
  return [KINDS.indexOf(kind), account ?? '', calendarId ?? '', start, title, id].join('\n')
}

/** A list of changes that can be formatted and verified, in the order of `sortChanges`. */
export type Diff = Change[] & {
  /** One line per change: `event "Lunch" of alice@example.com, 2026-03-09: location none → "Room 1"`. */
  readonly text: string
  /**
   * Throws a VerificationError unless the changes are exactly those expected. The message names missing changes, each
   * with the nearest one, and unexpected changes. Returns the changes.
   */
  verify(expected: readonly ExpectedChange[]): Change[]
}

/** Writes, the oldest first. */
export type History = HistoricChange[] & {
  /** The number of writes that the change log dropped, from the beginning of the world. */
  readonly dropped: number
}

/** Parses the argument of `verify`. Throws a RangeError if it is invalid. */
type ParseExpected = (expected: unknown) => ExpectedChange[]

/**
 * Adds `text` and `verify` to a list of changes, and returns it. `found` are the same changes with their records, and
 * `parseExpected` parses the argument of `verify`.
 */
export function toDiff(found: readonly ChangeRecord[], changes: Change[], parseExpected: ParseExpected): Diff {
  const verify = (expected: readonly ExpectedChange[]): Change[] => {
    verifyChanges(found, parseExpected(expected))
    return changes
  }
  return withHiddenProperties(changes, { text: found.map(formatChange).join('\n'), verify })
}

/** Adds `dropped` to a list of writes, and returns it. */
export const toHistory = (changes: HistoricChange[], dropped: number): History =>
  withHiddenProperties(changes, { dropped })
