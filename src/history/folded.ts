import { isCopyField } from '../model/fields.ts'
import type { Event } from '../wire/event.ts'
import type { Found } from './change.ts'
import { KINDS } from './kinds.ts'

/**
 * Guests' copies, put under the organizer's event where that changed as well. What a guest has changed of their own copy
 * alone (its colour, its reminders) follows from nothing, and stays where it is.
 */
export function folded(found: readonly Found[]): Found[] {
  const events = new Map<string, Found>()
  for (const one of found) if (one.change.kind === 'event') events.set(keyOf(one.change.calendarId, one.change.id), one)
  const copies = new Map<Found, Found[]>()
  const rest: Found[] = []
  for (const one of found) {
    const organizers = one.change.kind === 'event' ? organizersOf(one, events) : undefined
    if (!organizers) {
      rest.push(one)
      continue
    }
    copies.set(organizers, [...(copies.get(organizers) ?? []), one])
    const own = ofItsOwn(one)
    if (own) rest.push(own)
  }
  return rest.map((one) => {
    const under = copies.get(one)
    return under ? { ...one, change: { ...one.change, copies: under.map(({ change }) => change) } } : one
  })
}

const keyOf = (calendarId: string | undefined, id: string): string => `${calendarId}\n${id}`

/** What became of the organizer's event, where this is a guest's copy of it. */
function organizersOf({ change, was, is }: Found, events: ReadonlyMap<string, Found>): Found | undefined {
  const { organizer, iCalUID, privateCopy } = (is ?? was) as Event
  if (!organizer?.email || organizer.email === change.calendarId || privateCopy) return undefined
  const found = events.get(keyOf(organizer.email, change.id))
  const theirs = (found?.is ?? found?.was) as Event | undefined
  return theirs?.iCalUID === iCalUID ? found : undefined
}

/** What each copy has for itself. */
const isOwn = (path: string): boolean =>
  path.startsWith('extendedProperties.private') || isCopyField(/^[^.[]*/.exec(path)?.[0] ?? '')

function ofItsOwn(found: Found): Found | undefined {
  const { change } = found
  const own = Object.entries(change.fields).filter(([path]) => isOwn(path))
  if (change.change !== 'changed' || own.length === 0) return undefined
  return { ...found, change: { ...change, fields: Object.fromEntries(own) } }
}

/** By kind, then by whose it is, then by when it is and what it is called. */
export const inOrder = (found: readonly Found[]): Found[] =>
  found
    .map((one) => [orderOf(one), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => one)

function orderOf({ change: { kind, account, calendarId, title, id }, was, is }: Found): string {
  const { dateTime, date } = ((is ?? was) as Partial<Event>).start ?? {}
  const start = dateTime === undefined ? (date ?? '') : new Date(dateTime).toISOString()
  return [KINDS.indexOf(kind), account ?? '', calendarId ?? '', start, title, id].join('\n')
}
