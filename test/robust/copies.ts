import { expect } from 'vitest'
import { rowsWithGuest } from '../support/eventRows.ts'
import { type Item, PEOPLE } from './people.ts'

/** The fields that all copies of a meeting share. */
const SHARED = [
  ...rowsWithGuest('meeting', 'refused').map(([field]) => field),
  ...['iCalUID', 'recurrence', 'sequence', 'recurringEventId', 'eventType'],
]
/** Returns the shared fields of an event as JSON. */
const sharedPart = (event: Item) => JSON.stringify(SHARED.map((field) => event[field] ?? null))
/** Returns the times of an event as JSON, independent of their zones. */
const toInstants = (event: Item) =>
  JSON.stringify(
    ['start', 'end', 'originalStartTime'].map((field) => {
      const { date, dateTime } = (event[field] ?? {}) as { date?: string; dateTime?: string }
      return date ?? (dateTime && Date.parse(dateTime))
    }),
  )
/** Returns the guests with their responses as JSON. */
const toResponses = ({ attendees = [] }: Item) =>
  JSON.stringify(attendees.map(({ email, responseStatus }) => [email, responseStatus]))

/**
 * Checks that the copy of a guest equals the organizer's event. `fresh` has the events of each account, in the order of
 * PEOPLE. Returns false if the event is no copy, or if there is nothing to compare.
 */
export function requireEqualCopy(item: Item, fresh: Item[][]): boolean {
  const { email, self } = item.organizer as { email: string; self?: boolean }
  if (self || item.privateCopy) return false
  const own = fresh[PEOPLE.indexOf(email)]?.find(({ id }) => id === item.id)
  if (!own && item.recurringEventId) return false // an instance without an exception on the organizer's calendar
  if (!own) return expect.unreachable(`${item.id} without its organizer's own`)
  expect(sharedPart(item)).toBe(sharedPart(own))
  expect(toInstants(item)).toBe(toInstants(own))
  expect(toResponses(item)).toBe(toResponses(own))
  return true
}
