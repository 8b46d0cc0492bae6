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
  /** The account of the record. For an event or a rule it is the owner of the calendar. */
  account?: string
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

/** A change with the record before and after it, as responses contain it. */
export type ChangeRecord = {
  change: Change
  was: object | undefined
  is: object | undefined
  /** The record as responses contain it after the change, or before a deletion. */
  resource: object
  /** The title of a secondary calendar. */
  calendar: string | undefined
}

/** Converts a difference of the store to a change. Returns undefined if clients cannot see it. */
export function changeOf(
  { name, id, was: stored, is: storedNow }: Difference,
  before: MomentView,
  after: MomentView,
  { all = false } = {},
): ChangeRecord | undefined {
  const { kind, owner } = kindOf(name) ?? {}
  if (!kind || owner === undefined) return undefined
  const was = kind.find(before, owner, id, stored)
  const is = kind.find(after, owner, id, storedNow)
  const record = is ?? was
  const view = is ? after : before
  if (!record || (!(was && is) && kind.isImplicit?.(record, owner, view))) return undefined
  const fields = withoutSecrets(fieldsOf(was, is, { all }), kind.secrets)
  if (was && is && Object.keys(fields).length === 0) return undefined
  const { account, calendarId, title } = kind.place(view, owner, id, record)
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

const withoutSecrets = (fields: Fields, secrets: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([path, values]) => [
      path,
      secrets.includes(path) ? ([redacted(values[0]), redacted(values[1])] as const) : values,
    ]),
  )

const redacted = (value: unknown): unknown => (value === null ? null : REDACTED)

/** Returns the title of a secondary calendar. A primary calendar needs none. */
function calendarTitle(view: MomentView, calendarId: string | undefined): string | undefined {
  if (calendarId === undefined || view.get('accounts', calendarId)) return undefined
  return (view.get('calendars', calendarId) as { summary?: string } | undefined)?.summary ?? calendarId
}
