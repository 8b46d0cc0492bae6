import type { Tuple } from '../db/store.ts'
import type { Event } from '../schema/event.ts'
import { isPrimary } from './access.ts'
import type { Composed } from './events/fields.ts'
import { sortReminders } from './events/fieldValues.ts'
import type { Caller, Reminders, StoredCalendar, WorldData } from './worldData.ts'

/** `reminders` are those of a former moment, for a later page of a list; without them those of the world are read. */
type CalendarReader = {
  world: WorldData
  calendar: Pick<StoredCalendar, 'id'>
  caller: Caller
  reminders?: Pick<WorldData['reminders'], 'get'>
}
type RemindableEvent = Pick<Event, 'id' | 'start' | 'creator' | 'recurringEventId' | 'reminders'>

/** The event comes first, because it is read for all accounts together. */
const reminderKey = (calendarId: string, eventId: string, email: string): Tuple => [calendarId, eventId, email]

/** The reminders of an account that has set none: all-day events have no defaults (behaviour 7.12). */
const defaultReminders = ({ start }: Pick<Event, 'start'>): Reminders => ({ useDefault: start.date === undefined })

/**
 * An all-day event has no `useDefault`: it takes over the default reminders that the account of the record has at the write
 * (behaviour 3.2.10).
 */
export function withStoredReminders<E extends Pick<Event, 'creator' | 'start' | 'reminders'>>(
  world: WorldData,
  calendarId: string,
  event: E,
): E {
  if (event.start.date === undefined || !event.reminders?.useDefault) return event
  const holder = isPrimary(world, calendarId) ? calendarId : (event.creator?.email ?? '')
  return { ...event, reminders: allDayReminders(world, calendarId, holder) }
}

function allDayReminders(world: WorldData, calendarId: string, email: string): Reminders {
  const defaults = world.lists.get(email)?.get(calendarId)?.defaultReminders ?? []
  return defaults.length === 0 ? { useDefault: false } : { useDefault: false, overrides: sortReminders([...defaults]) }
}

/**
 * The event record holds the owner's reminders on a primary calendar, the creator's on any other. Reminders of all
 * other accounts are stored apart.
 */
const isReminderHolder = (
  world: WorldData,
  calendarId: string,
  { creator }: Pick<Event, 'creator'>,
  email: string,
): boolean => email === calendarId || (email === creator?.email && !isPrimary(world, calendarId))

const HOLIDAYS = '#holiday@group.v.calendar.google.com'

/**
 * Each account has its own (behaviour 7.12). Undefined for a caller without an account, for an event whose record has no
 * reminders, and on a calendar of holidays (behaviour 15.15.1).
 */
export function remindersOf(
  { world, calendar, caller, reminders = world.reminders }: CalendarReader,
  event: RemindableEvent,
): Reminders | undefined {
  const { email } = caller
  if (email === undefined || event.reminders === undefined || calendar.id.endsWith(HOLIDAYS)) return undefined
  if (isReminderHolder(world, calendar.id, event, email)) return event.reminders
  const { id, recurringEventId = id } = event
  const own =
    reminders.get(reminderKey(calendar.id, id, email)) ??
    reminders.get(reminderKey(calendar.id, recurringEventId, email))
  return own === undefined || (own.useDefault && event.start.date !== undefined) ? defaultReminders(event) : own
}

/** Each once, in no fixed order. */
export function accountsWithReminders(
  { reminders, accounts }: WorldData,
  calendarId: string,
  { id, creator, recurringEventId }: RemindableEvent,
): string[] {
  const emails = [calendarId, creator?.email ?? '']
  for (const eventId of reminders.size === 0 ? [] : [id, recurringEventId ?? id]) {
    const isOfEvent = ([calendar, event]: Tuple) => calendar === calendarId && event === eventId
    for (const [, , email] of reminders.range([calendarId, eventId], isOfEvent)) emails.push(String(email))
  }
  return [...new Set(emails)].filter(accounts.records.has)
}

/** Reminders for an event whose record holds those of another account. */
export type OwnReminders = { key: Tuple; reminders: Reminders }

/**
 * `composed` has the reminders of the account whose reminders the record holds. `ownReminders` are the caller's, if they are
 * stored apart and differ from the present ones. Stores nothing.
 */
export function separateReminders(
  reader: CalendarReader,
  current: Event | undefined,
  composed: Composed,
): { composed: Composed; ownReminders: OwnReminders | undefined } {
  const { world, calendar, caller } = reader
  const { email = '' } = caller
  if (isReminderHolder(world, calendar.id, current ?? composed, email)) return { composed, ownReminders: undefined }
  const inRecord = current ? current.reminders : { useDefault: true }
  const known = current ? remindersOf(reader, current) : inRecord
  const takesDefaults = composed.start.date !== undefined && composed.reminders?.useDefault
  const reminders = takesDefaults
    ? allDayReminders(world, calendar.id, email)
    : (composed.reminders ?? defaultReminders(composed))
  const isChanged = JSON.stringify(reminders) !== JSON.stringify(known)
  const ownReminders = isChanged ? { key: reminderKey(calendar.id, composed.id, email), reminders } : undefined
  return { composed: { ...composed, reminders: inRecord }, ownReminders }
}

/** `reminders` are those in the event record on `to`, `remindersToStore` those that are stored apart. Stores nothing. */
export function movedReminders(
  world: WorldData,
  event: RemindableEvent,
  from: string,
  to: string,
): { reminders: Reminders | undefined; remindersToStore: OwnReminders[] } {
  let inRecord = defaultReminders(event)
  const remindersToStore: OwnReminders[] = []
  for (const email of accountsWithReminders(world, from, { ...event, recurringEventId: undefined })) {
    const own = isReminderHolder(world, from, event, email)
      ? event.reminders
      : world.reminders.get(reminderKey(from, event.id, email))
    if (own === undefined) continue
    if (isReminderHolder(world, to, event, email)) inRecord = own
    else remindersToStore.push({ key: reminderKey(to, event.id, email), reminders: own })
  }
  return { reminders: event.reminders && inRecord, remindersToStore }
}

export type SeededReminders = Reminders & { calendarId: string; eventId: string }

export const putReminders = (
  { reminders }: WorldData,
  email: string,
  { calendarId, eventId, useDefault, overrides }: SeededReminders,
): void => reminders.set(reminderKey(calendarId, eventId, email), { useDefault, ...(overrides && { overrides }) })

export function remindersByAccount({ reminders }: WorldData): Map<string, SeededReminders[]> {
  const byAccount = new Map<string, SeededReminders[]>()
  for (const [key, own] of reminders.entries()) {
    const [calendarId = '', eventId = '', email = ''] = key.map(String)
    const known = byAccount.get(email) ?? []
    known.push({ calendarId, eventId, ...own })
    byAccount.set(email, known)
  }
  return byAccount
}
