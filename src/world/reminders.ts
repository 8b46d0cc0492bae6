import type { Tuple } from '../db/tree.ts'
import type { Composed } from '../model/fields.ts'
import type { Event } from '../wire/event.ts'
import { isPrimary } from './access.ts'
import type { Caller, Reminders, StoredCalendar, World } from './world.ts'

type Place = { world: World; calendar: Pick<StoredCalendar, 'id'>; caller: Caller }
type Reminding = Pick<Event, 'id' | 'start' | 'creator' | 'recurringEventId' | 'reminders'>

const reminderKey = (email: string, calendarId: string, eventId: string): Tuple => [email, calendarId, eventId]

/** What somebody is reminded by who never said (behaviour 7.12). */
const defaultReminders = ({ start }: Pick<Event, 'start'>): Reminders => ({ useDefault: start.date === undefined })

/**
 * Whose reminders stand in the event itself: of a primary calendar its account's, elsewhere its maker's. Everybody
 * else's stand beside it.
 */
const isKeeper = (world: World, calendarId: string, { creator }: Pick<Event, 'creator'>, email: string): boolean =>
  email === calendarId || (email === creator?.email && !isPrimary(world, calendarId))

/** What an event reminds a caller of: each account has its own, and nobody in particular none (behaviour 7.12). */
export function remindersOf({ world, calendar, caller }: Place, event: Reminding): Reminders | undefined {
  const { email } = caller
  if (email === undefined || event.reminders === undefined) return undefined
  if (isKeeper(world, calendar.id, event, email)) return event.reminders
  return ownReminders(world, email, calendar.id, event) ?? defaultReminders(event)
}

/** What an account said of an event; of an instance, else of its series. */
const ownReminders = (
  { reminders }: World,
  email: string,
  calendarId: string,
  { id, recurringEventId }: Reminding,
): Reminders | undefined =>
  reminders.get(reminderKey(email, calendarId, id)) ??
  (recurringEventId === undefined ? undefined : reminders.get(reminderKey(email, calendarId, recurringEventId)))

/** An account's reminders for an event whose record holds somebody else's. */
export type OwnReminders = { key: Tuple; reminders: Reminders }

/**
 * Splits a caller's write: `composed` has the reminders of the account whose reminders the event holds, and `ownReminders`
 * the caller's, if they are stored apart and have changed.
 */
export function separateReminders(
  place: Place,
  current: Event | undefined,
  composed: Composed,
): { composed: Composed; ownReminders: OwnReminders | undefined } {
  const { world, calendar, caller } = place
  const { email = '' } = caller
  if (isKeeper(world, calendar.id, current ?? composed, email)) return { composed, ownReminders: undefined }
  const before = current ?? { ...composed, reminders: defaultReminders(composed) }
  const { reminders = defaultReminders(composed) } = composed
  const isChanged = JSON.stringify(reminders) !== JSON.stringify(remindersOf(place, before as Reminding))
  const ownReminders = isChanged ? { key: reminderKey(email, calendar.id, composed.id), reminders } : undefined
  return { composed: { ...composed, reminders: before.reminders }, ownReminders }
}

export const saveOwnReminders = (world: World, { key, reminders }: OwnReminders): void =>
  world.reminders.set(key, reminders)

/** Takes everybody's reminders along to another calendar; what the event itself keeps there. */
export function moveReminders(world: World, event: Reminding, from: string, to: string): Reminders | undefined {
  let kept = defaultReminders(event)
  for (const { email } of world.accounts.values()) {
    const own = isKeeper(world, from, event, email)
      ? event.reminders
      : world.reminders.get(reminderKey(email, from, event.id))
    if (own === undefined) continue
    if (isKeeper(world, to, event, email)) kept = own
    else world.reminders.set(reminderKey(email, to, event.id), own)
  }
  return event.reminders && kept
}

/** One account's reminders for an event, as a seed and a state say them. */
export type SeededReminders = Reminders & { calendarId: string; eventId: string }

export const putReminders = (
  { reminders }: World,
  email: string,
  { calendarId, eventId, useDefault, overrides }: SeededReminders,
): void => reminders.set(reminderKey(email, calendarId, eventId), { useDefault, ...(overrides && { overrides }) })

/** All that stands beside events, by account. */
export function remindersByAccount({ reminders }: World): Map<string, SeededReminders[]> {
  const byAccount = new Map<string, SeededReminders[]>()
  for (const [row, own] of reminders.entries()) {
    const [email = '', calendarId = '', eventId = ''] = row.map(String)
    byAccount.set(email, [...(byAccount.get(email) ?? []), { calendarId, eventId, ...own }])
  }
  return byAccount
}
