import { isEqual, isObject } from '../../schema/values/json.ts'
import { REDACTED } from '../journal/redact.ts'
import { findKind, type KindName, type MomentView } from './kinds.ts'

export type Difference = {
  /** The name of its collection in the store: `events/alice@example.com`. */
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object | undefined
  /** Of an instance: its series was stored before. */
  readonly isOfFormerSeries?: boolean
}

/** The change of one record between two moments. */
export type Change = {
  /** A cancelled event counts as deleted, and so does a channel that was stopped. */
  change: 'added' | 'changed' | 'deleted'
  kind: KindName
  /** The address of the record's account. For an event or a rule it is the owner of the calendar. */
  account?: string
  /**
   * The calendar of an event or a rule, or the calendar that the record is or lists. Undefined for settings, and for a
   * channel that watches no calendar.
   */
  calendarId?: string
  id: string
  /** The display name: the summary of an event, or the grantee of a rule. Empty if there is none. */
  title: string
  /**
   * The old and the new value by path: `{ 'attendees[bob@example.com].responseStatus': ['needsAction', 'accepted']
   * }`. A missing value is null.
   */
  fields: Fields
  /** The changes of the guests' copies that follow from this change of an event. */
  copies: Change[]
}

export type ChangeRecord = {
  change: Change
  was: object | undefined
  is: object | undefined
  /** The record was stored before, be it as deleted. Of an instance: its series was. */
  existed: boolean
  /** The record as responses contain it after the change, or before a deletion. */
  resource: object
  /** The names of fields of the resource that no message shows. */
  secrets: readonly string[]
}

/**
 * Returns undefined for an internal collection, for a record that an account or a calendar brings with it, and if no
 * field differs. `all` also compares fields that each write sets.
 */
export function toChangeRecord(
  { name, id, was: stored, is: storedNow, isOfFormerSeries = false }: Difference,
  before: MomentView,
  after: MomentView,
  { all = false } = {},
): ChangeRecord | undefined {
  const { kind, parent } = findKind(name) ?? {}
  if (!kind || parent === undefined) return undefined
  const was = kind.find(before, parent, id, stored)
  const is = kind.find(after, parent, id, storedNow)
  const record = is ?? was
  const view = is ? after : before
  if (!record || (!(was && is) && kind.isImplicit?.(record, parent, view))) return undefined
  const fields = redactFields(diffFields(was, is, { all }), kind.secrets)
  if (was && is && Object.keys(fields).length === 0) return undefined
  const { account, calendarId, title } = kind.locate(view, parent, id, record)
  const change: Change = {
    change: !was ? 'added' : !is ? 'deleted' : 'changed',
    kind: kind.kind,
    ...(account !== undefined && { account }),
    ...(calendarId !== undefined && { calendarId }),
    id,
    title,
    fields,
    copies: [],
  }
  return {
    change,
    was,
    is,
    existed: stored !== undefined || isOfFormerSeries,
    resource: kind.withSharedFields?.(view, record) ?? record,
    secrets: kind.secrets ?? [],
  }
}

const redactFields = (fields: Fields, secrets: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([path, values]) => [
      path,
      secrets.includes(path) ? ([toRedactedValue(values[0]), toRedactedValue(values[1])] as const) : values,
    ]),
  )

const toRedactedValue = (value: unknown): unknown => (value === null ? null : REDACTED)

export type Fields = Record<string, readonly [was: unknown, is: unknown]>

type Json = Readonly<Record<string, unknown>>

const VOLATILE = new Set(['kind', 'etag', 'updated', 'created', 'sequence', 'htmlLink', 'iCalUID', 'originWorld'])

/**
 * Compares parts of objects, and of lists whose elements have keys. For a new or a deleted record the result has all
 * fields.
 */
export function diffFields(was: object | undefined, is: object | undefined, { all = false } = {}): Fields {
  const fields: Fields = {}
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  for (const name of names) {
    if (!all && (VOLATILE.has(name) || name === 'id')) continue
    collectValue(fields, name, (was as Json | undefined)?.[name], (is as Json | undefined)?.[name])
  }
  return fields
}

function collectValue(fields: Fields, path: string, was: unknown, is: unknown): void {
  if (isEqual(was, is)) return
  const [before, after] = [indexElements(was), indexElements(is)]
  if (before && after) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(key), after.get(key)]
      if (one && other) collectFields(fields, `${path}[${key}]`, one, other)
      else addField(fields, `${path}[${key}]`, one, other)
    }
  } else if ((isObject(was) || was === undefined) && (isObject(is) || is === undefined))
    collectFields(fields, path, was ?? {}, is ?? {})
  else addField(fields, path, was, is)
}

function collectFields(fields: Fields, path: string, was: Json, is: Json): void {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    collectValue(fields, `${path}.${name}`, was[name], is[name])
}

/** Defines an own property, because paths contain names that clients choose, such as `__proto__`. */
function addField(fields: Fields, path: string, was: unknown, is: unknown): void {
  Object.defineProperty(fields, path, {
    value: [was ?? null, is ?? null],
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** The key is the `email`, else the `id`. Returns undefined unless every element has a key of its own. */
function indexElements(list: unknown): Map<string, Json> | undefined {
  if (list === undefined) return new Map()
  if (!Array.isArray(list)) return undefined
  const byKey = new Map<string, Json>()
  for (const element of list) {
    if (!isObject(element)) return undefined
    const { email, id } = element
    const key = typeof email === 'string' ? email : id
    if (typeof key !== 'string' || byKey.has(key)) return undefined
    byKey.set(key, element)
  }
  return byKey
}
