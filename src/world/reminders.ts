import type { Composed } from '../model/fields.ts'
import type { Event } from '../wire/event.ts'
import { isPrimary } from './access.ts'
import type { Caller, Reminders, StoredCalendar, World } from './world.ts'

type Place = { world: World; calendar: Pick<StoredCalendar, 'id'>; caller: Caller }
type Reminding = Pick<Event, 'id' | 'start' | 'creator' | 'recurringEventId' | 'reminders'>

/** The row of one account's reminders for an event of a calendar: none of the three has a space in it. */
const rowOf = (email: string, calendarId: string, eventId: string): string => `${email} ${calendarId} ${eventId}`

/** What somebody is reminded by who never said (behaviour 7.12). */
const unsaid = ({ start }: Pick<Event, 'start'>): Reminders => ({ useDefault: start.date === undefined })

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
  return said(world, email, calendar.id, event) ?? unsaid(event)
}

/** What an account said of an event; of an instance, else of its series. */
const said = (
  { reminders }: World,
  email: string,
  calendarId: string,
  { id, recurringEventId }: Reminding,
): Reminders | undefined =>
  reminders.get(rowOf(email, calendarId, id)) ??
  (recurringEventId === undefined ? undefined : reminders.get(rowOf(email, calendarId, recurringEventId)))

/**
 * What a caller's write leaves in the event: the reminders of their keeper. Those of somebody else are put beside it;
 * `aside` says that they are others than before.
 */
export function withRemindersAside(
  place: Place,
  current: Event | undefined,
  composed: Composed,
): { composed: Composed; aside: boolean } {
  const { world, calendar, caller } = place
  const { email = '' } = caller
  if (isKeeper(world, calendar.id, current ?? composed, email)) return { composed, aside: false }
  const before = current ?? { ...composed, reminders: unsaid(composed) }
  const { reminders = unsaid(composed) } = composed
  const aside = JSON.stringify(reminders) !== JSON.stringify(remindersOf(place, before as Reminding))
  if (aside) world.reminders.set(rowOf(email, calendar.id, composed.id), reminders)
  return { composed: { ...composed, reminders: before.reminders }, aside }
}

/** Takes everybody's reminders along to another calendar; what the event itself keeps there. */
export function remindersMoved(world: World, event: Event, from: string, to: string): Reminders | undefined {
  let kept = unsaid(event)
  for (const { email } of world.accounts.values()) {
    const own = isKeeper(world, from, event, email)
      ? event.reminders
      : world.reminders.get(rowOf(email, from, event.id))
    if (own === undefined) continue
    if (isKeeper(world, to, event, email)) kept = own
    else world.reminders.set(rowOf(email, to, event.id), own)
  }
  return event.reminders && kept
}

/** One account's reminders for an event, as a seed and a state say them. */
export type SeededReminders = Reminders & { calendarId: string; eventId: string }

export const putReminders = (
  { reminders }: World,
  email: string,
  { calendarId, eventId, useDefault, overrides }: SeededReminders,
): void => reminders.set(rowOf(email, calendarId, eventId), { useDefault, ...(overrides && { overrides }) })

/** All that stands beside events, by account. */
export function remindersByAccount({ reminders }: World): Map<string, SeededReminders[]> {
  const byAccount = new Map<string, SeededReminders[]>()
  for (const [row, own] of reminders.entries()) {
    const [email = '', calendarId = '', eventId = ''] = row.split(' ')
    byAccount.set(email, [...(byAccount.get(email) ?? []), { calendarId, eventId, ...own }])
  }
  return byAccount
}
