import type { Difference } from './difference.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { type KindName, kindOf } from './kinds.ts'
import type { View } from './view.ts'

/** What became of one record between two moments. */
export type Change = {
  /** A cancelled event counts as deleted, and so does a channel that was stopped. */
  change: 'added' | 'changed' | 'deleted'
  kind: KindName
  /** Whose it is: of an event and a rule, the account that owns the calendar. */
  account?: string
  calendarId?: string
  id: string
  /** What people call it: an event's summary, whom a rule is for; empty where it has none. */
  title: string
  /** What was and is, by path: `{ 'attendees[bob@example.com].responseStatus': ['needsAction', 'accepted'] }`; null for none. */
  fields: Fields
  /** What became of the guests' copies of an event by this. */
  copies: Change[]
}

/** A change with what it is read from: the record as replies showed it before and after. */
export type Found = {
  change: Change
  was: object | undefined
  is: object | undefined
  /** The record as replies show it, of what is gone as they did. */
  resource: object
  /** What a secondary calendar is called. */
  calendar: string | undefined
}

/** What a difference is to those who look from outside; nothing where they see none. */
export function changeOf(
  { name, id, was: stored, is: storedNow }: Difference,
  before: View,
  after: View,
  { all = false } = {},
): Found | undefined {
  const { kind, owner } = kindOf(name) ?? {}
  if (!kind || owner === undefined) return undefined
  const was = kind.find(before, owner, id, stored)
  const is = kind.find(after, owner, id, storedNow)
  const record = is ?? was
  if (!record || (!(was && is) && kind.isGiven?.(record, owner))) return undefined
  const fields = fieldsOf(was, is, { all })
  if (was && is && Object.keys(fields).length === 0) return undefined
  const view = is ? after : before
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
  return { change, was, is, resource: kind.shown?.(view, record) ?? record, calendar: calendarTitle(view, calendarId) }
}

/** What a secondary calendar is called; a primary one goes without saying. */
function calendarTitle(view: View, calendarId: string | undefined): string | undefined {
  if (calendarId === undefined || view.get('accounts', calendarId)) return undefined
  return (view.get('calendars', calendarId) as { summary?: string } | undefined)?.summary ?? calendarId
}
