import type { Write } from '../../db/changeLog.ts'
import { type Records, differences as treeDifferences } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { findFieldRule } from '../../model/events/fields.ts'
import { initialRecordsIn } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'
import { runForCaller } from '../../schema/values/callerStack.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { type Change, type ChangeRecord, type Difference, toChangeRecord } from './change.ts'
import type { HistoricChange } from './changes.ts'
import { formatChange } from './format.ts'
import { expandSeries } from './instances.ts'
import { createRewindableView, createSnapshotView, findKind, KINDS, type MomentView, toRecordKey } from './kinds.ts'
import { type ExpectedChange, verifyChanges } from './verify.ts'

export type DiffOptions = {
  /** Lists guests' copies as changes of their own, instead of in `copies` of the organizer's change. */
  copies?: boolean | undefined
  /** Includes the fields that each write sets or that follow from others, such as `etag`, `updated` and `sequence`. */
  all?: boolean | undefined
  /**
   * Lists the instances of each changed series in place of the series, so that an excluded date and a cancelled instance are the
   * same change. A series of more than 366 instances is listed beside its first 366.
   */
  instances?: boolean | undefined
}

export const diffSnapshots = (before: StoreSnapshot, after: StoreSnapshot, options: DiffOptions = {}): ChangeRecord[] =>
  toChangeRecords(snapshotDifferences(before, after), createSnapshotView(before), createSnapshotView(after), options)

/** `writes` are in ascending order, and `now` is the world after the last of them. */
export function diffWrites(writes: readonly Write[], now: MomentView, options: DiffOptions = {}): ChangeRecord[] {
  return toChangeRecords(writeDifferences(writes, now), createViewBefore(writes, now), now, options)
}

function toChangeRecords(
  differences: Iterable<Difference>,
  before: MomentView,
  after: MomentView,
  { copies = false, all = false, instances = false }: DiffOptions,
): ChangeRecord[] {
  const found: ChangeRecord[] = []
  for (const difference of instances ? expandSeries(differences, before, after) : differences) {
    const change = toChangeRecord(difference, before, after, { all })
    if (change) found.push(change)
  }
  return sortChanges(copies ? found : foldCopies(found))
}

/** Records that no client wrote have the revision 0. */
const BEFORE_FIRST_REVISION = -1

/** Shared parts are skipped, so the cost depends only on the writes in between. Initial records are compared too. */
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

export function* writeDifferences(writes: readonly Write[], now: MomentView): Generator<Difference> {
  const seen = new Set<string>()
  for (const { name, id, was } of writes) {
    const key = toRecordKey(name, id)
    if (seen.has(key) || !findKind(name)) continue
    seen.add(key)
    yield { name, id, was, is: now.get(name, id) }
  }
}

/** `writes` are the latest, in ascending order. */
export function createViewBefore(writes: readonly Write[], now: MomentView): MomentView {
  const view = createRewindableView(now)
  for (const write of [...writes].reverse()) view.undo(write)
  return view
}

/** Moves guests' copies into `copies` of the organizer's change. Fields of the copy alone stay a change too. */
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

/** Returns undefined for other events, private copies, and copies whose organizer's event did not change. */
function findOrganizerChange(
  { change, was, is }: ChangeRecord,
  events: ReadonlyMap<string, ChangeRecord>,
): ChangeRecord | undefined {
  const { organizer, iCalUID, privateCopy } = (is ?? was) as Event
  if (!organizer?.email || organizer.email === change.calendarId || privateCopy) return undefined
  const found = events.get(toEventKey(organizer.email, change.id))
  const organizerEvent = (found?.is ?? found?.was) as Event | undefined
  if (organizerEvent?.iCalUID !== iCalUID) return undefined
  // An event that moved left its calendar.
  return found?.change.change === 'added' && change.change === 'deleted' ? undefined : found
}

function isCopyPath(path: string): boolean {
  const [field = '', part] = path.split(/[.[]/)
  const rule = findFieldRule(field)
  return rule?.owner === 'copy' || (part !== undefined && part === rule?.privatePart)
}

function withCopyFields(found: ChangeRecord): ChangeRecord | undefined {
  const { change } = found
  const fields = Object.entries(change.fields).filter(([path]) => isCopyPath(path))
  if (change.change !== 'changed' || fields.length === 0) return undefined
  return { ...found, change: { ...change, fields: Object.fromEntries(fields) } }
}

/** Sorts by kind (as in KINDS), account, calendar id, start, title and id. */
export const sortChanges = (found: readonly ChangeRecord[]): ChangeRecord[] =>
  found
    .map((one) => [sortKey(one), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => one)

function sortKey({ change: { kind, account, calendarId, title, id }, was, is }: ChangeRecord): string {
  const { dateTime, date } = ((is ?? was) as Partial<Event>).start ?? {}
  const start = dateTime === undefined ? (date ?? '') : new Date(dateTime).toISOString()
  return [KINDS.indexOf(kind), account ?? '', calendarId ?? '', start, title, id].join('\n')
}

/** Changes in the order of `sortChanges`. */
export type Diff = Change[] & {
  /** One line per change: `event "Lunch" of alice@example.com, 2026-03-09: location none → "Room 1"`. */
  readonly text: string
  /**
   * Throws a VerificationError unless the changes are exactly those expected. The message names missing changes, each
   * with the nearest one, and unexpected changes. Returns the changes.
   */
  verify(expected: readonly ExpectedChange[]): Change[]
}

export type History = HistoricChange[] & {
  /** The number of writes that the change log dropped, from the beginning of the world. */
  readonly dropped: number
}

type ParseExpected = (expected: unknown) => ExpectedChange[]

export function toDiff(found: readonly ChangeRecord[], changes: Change[], parseExpected: ParseExpected): Diff {
  const verify = (expected: readonly ExpectedChange[]): Change[] =>
    runForCaller(verify, () => {
      verifyChanges(found, parseExpected(expected))
      return changes
    })
  return withHiddenProperties(changes, { text: found.map(formatChange).join('\n'), verify })
}

export const toHistory = (changes: HistoricChange[], dropped: number): History =>
  withHiddenProperties(changes, { dropped })
