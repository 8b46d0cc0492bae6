import { REDACTED } from '../journal/redact.ts'
import type { Difference } from './difference.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { type KindName, kindOf } from './kinds.ts'
import type { MomentView } from './view.ts'

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

/** A change with its record. */
export type ChangeRecord = {
  change: Change
  /** The record before the change. Undefined for an added one. */
  was: object | undefined
  /** The record after the change. Undefined for a deleted one. */
  is: object | undefined
  /** The record as responses contain it after the change, or before a deletion. */
  resource: object
  /** The title of the change's calendar if it is not a primary one, else undefined. */
  calendar: string | undefined
}

/**
 * Converts a difference of the store to a change. Returns undefined for an internal collection, for a record that an
 * account or a calendar brings with it, and if no field differs. `all` also compares fields that each write sets.
 * `copies` of the result is empty.
 */
export function changeOf(
  { name, id, was: stored, is: storedNow }: Difference,
  before: MomentView,
  after: MomentView,
  { all = false } = {},
): ChangeRecord | undefined {
  const { kind, parent } = kindOf(name) ?? {}
  if (!kind || parent === undefined) return undefined
  const was = kind.find(before, parent, id, stored)
  const is = kind.find(after, parent, id, storedNow)
  const record = is ?? was
  const view = is ? after : before
  if (!record || (!(was && is) && kind.isImplicit?.(record, parent, view))) return undefined
  const fields = withoutSecrets(fieldsOf(was, is, { all }), kind.secrets)
  if (was && is && Object.keys(fields).length === 0) return undefined
  const { account, calendarId, title } = kind.place(view, parent, id, record)
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
    resource: kind.withSharedFields?.(view, record) ?? record,
    calendar: calendarTitle(view, calendarId),
  }
}

/** Returns the fields with the values of secret ones redacted. A missing value stays null. */
const withoutSecrets = (fields: Fields, secrets: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([path, values]) => [
      path,
      secrets.includes(path) ? ([redacted(values[0]), redacted(values[1])] as const) : values,
    ]),
  )

const redacted = (value: unknown): unknown => (value === null ? null : REDACTED)

/** Returns the title of a secondary calendar, or its id if it no longer exists. Returns undefined for a primary one. */
function calendarTitle(view: MomentView, calendarId: string | undefined): string | undefined {
  if (calendarId === undefined || view.get('accounts', calendarId)) return undefined
  return (view.get('calendars', calendarId) as { summary?: string } | undefined)?.summary ?? calendarId
}
