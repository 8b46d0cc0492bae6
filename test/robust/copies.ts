import { expect } from 'vitest'
import { type Item, PEOPLE } from './people.ts'

/** The fields that all copies of a meeting share. */
const SHARED = [
  'iCalUID',
  'summary',
  'description',
  'location',
  'recurrence',
  'sequence',
  'guestsCanInviteOthers',
  'recurringEventId',
  'eventType',
]
const sharedPart = (event: Item) => JSON.stringify(SHARED.map((field) => event[field] ?? null))
const moments = (event: Item) =>
  JSON.stringify(
    ['start', 'end', 'originalStartTime'].map((field) => {
      const { date, dateTime } = (event[field] ?? {}) as { date?: string; dateTime?: string }
      return date ?? (dateTime && Date.parse(dateTime))
    }),
  )
const answersOf = ({ attendees = [] }: Item) =>
  JSON.stringify(attendees.map(({ email, responseStatus }) => [email, responseStatus]))

/** Checks that a live copy equals the organizer's event. Returns true if this could be checked. */
export function agrees(item: Item, fresh: Item[][]): boolean {
  const { email, self } = item.organizer as { email: string; self?: boolean }
  if (self || item.privateCopy) return false
  const own = fresh[PEOPLE.indexOf(email)]?.find(({ id }) => id === item.id)
  if (!own && item.recurringEventId) return false // an instance without an exception on the organizer's calendar
  if (!own) return expect.unreachable(`${item.id} without its organizer's own`)
  expect(sharedPart(item)).toBe(sharedPart(own))
  expect(moments(item)).toBe(moments(own))
  expect(answersOf(item)).toBe(answersOf(own))
  return true
}
