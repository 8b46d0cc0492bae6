import { findFieldRule } from '../../model/events/fields.ts'
import type { Event } from '../../schema/event.ts'
import type { ChangeRecord } from './change.ts'
import { KINDS } from './kinds.ts'

/**
 * Moves changes of guests' copies into `copies` of the organizer's change. A change of fields that belong to the copy
 * alone, such as its colour or reminders, stays in the list.
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

/** Returns the change of the organizer's event if a change is that of a guest's copy. */
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

/** Returns true for the path of a field that belongs to the copy alone. */
function isCopyPath(path: string): boolean {
  const [field = '', part] = path.split(/[.[]/)
  const rule = findFieldRule(field)
  return rule?.owner === 'copy' || (part !== undefined && part === rule?.privatePart)
}

function withOwnFields(found: ChangeRecord): ChangeRecord | undefined {
  const { change } = found
  const own = Object.entries(change.fields).filter(([path]) => isCopyPath(path))
  if (change.change !== 'changed' || own.length === 0) return undefined
  return { ...found, change: { ...change, fields: Object.fromEntries(own) } }
}

/** Sorts changes by kind, account, calendar, start and title. */
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
