import { findFieldRule } from '../../model/events/fields.ts'
import type { Event } from '../../schema/event.ts'
import type { ChangeRecord } from './change.ts'
import { KINDS } from './kinds.ts'

/**
 * Returns a list in which changes of guests' copies are in `copies` of the organizer's change, if that is in the list
 * too. Fields that belong to the copy alone, such as its colour or reminders, also stay in the list as a change of
 * their own.
 */
export function foldCopies(found: readonly ChangeRecord[]): ChangeRecord[] {
  const events = new Map<string, ChangeRecord>()
  for (const one of found) if (one.change.kind === 'event') events.set(keyOf(one.change.calendarId, one.change.id), one)
  const copies = new Map<ChangeRecord, ChangeRecord[]>()
  const rest: ChangeRecord[] = []
  for (const one of found) {
    const organizerChange = one.change.kind === 'event' ? findOrganizerChange(one, events) : undefined
    if (!organizerChange) {
      rest.push(one)
      continue
    }
    copies.set(organizerChange, [...(copies.get(organizerChange) ?? []), one])
    const own = withOwnFields(one)
    if (own) rest.push(own)
  }
  return rest.map((one) => {
    const copyChanges = copies.get(one)
    return copyChanges ? { ...one, change: { ...one.change, copies: copyChanges.map(({ change }) => change) } } : one
  })
}

const keyOf = (calendarId: string | undefined, id: string): string => `${calendarId}\n${id}`

/**
 * Returns the change of the organizer's event if a change is that of a guest's copy. `events` are the changes of events
 * by `keyOf`. Returns undefined for other events, private copies, and copies whose organizer's event did not change.
 */
function findOrganizerChange(
  { change, was, is }: ChangeRecord,
  events: ReadonlyMap<string, ChangeRecord>,
): ChangeRecord | undefined {
  const { organizer, iCalUID, privateCopy } = (is ?? was) as Event
  if (!organizer?.email || organizer.email === change.calendarId || privateCopy) return undefined
  const found = events.get(keyOf(organizer.email, change.id))
  const organizerEvent = (found?.is ?? found?.was) as Event | undefined
  return organizerEvent?.iCalUID === iCalUID ? found : undefined
}

/** Returns true if the path of a change (`reminders.useDefault`) is in a field that belongs to the copy alone. */
function isCopyPath(path: string): boolean {
  const [field = '', part] = path.split(/[.[]/)
  const rule = findFieldRule(field)
  return rule?.owner === 'copy' || (part !== undefined && part === rule?.privatePart)
}

/** Returns a change with only the fields that belong to the copy alone, or undefined if none of them changed. */
function withOwnFields(found: ChangeRecord): ChangeRecord | undefined {
  const { change } = found
  const own = Object.entries(change.fields).filter(([path]) => isCopyPath(path))
  if (change.change !== 'changed' || own.length === 0) return undefined
  return { ...found, change: { ...change, fields: Object.fromEntries(own) } }
}

/** Returns the changes sorted by kind (as in KINDS), account, calendar id, start and title. */
export const sortChanges = (found: readonly ChangeRecord[]): ChangeRecord[] =>
  found
    .map((one) => [sortKey(one), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => one)

/** Returns a text whose order is that of the changes. */
function sortKey({ change: { kind, account, calendarId, title, id }, was, is }: ChangeRecord): string {
  const { dateTime, date } = ((is ?? was) as Partial<Event>).start ?? {}
  const start = dateTime === undefined ? (date ?? '') : new Date(dateTime).toISOString()
  return [KINDS.indexOf(kind), account ?? '', calendarId ?? '', start, title, id].join('\n')
}
