import { scheduleAgenda, scheduleDefaultReminders } from '../effects/reminders.ts'
import { roleOf, subscribersOf } from '../model/access.ts'
import { IS_SUBSCRIBED } from '../model/collections.ts'
import {
  type EntryColor,
  entryColor,
  nextEntryColor,
  readDefaultReminders,
  rgbColor,
} from '../model/events/fieldValues.ts'
import type { StoredCalendar, WorldData } from '../model/worldData.ts'
import { apiError, throwInvalidValue } from '../schema/apiErrors.ts'
import type { CalendarListEntry, CalendarListEntryBody } from '../schema/calendarListEntry.ts'
import type { WithoutNulls } from '../schema/jsonSchema.ts'
import { isEqual, mergePatch, without } from '../schema/values/json.ts'
import type { UpdateMode } from './endpoint.ts'

type EntryDraft = WithoutNulls<CalendarListEntryBody>
type ComposedEntry = Omit<CalendarListEntry, 'kind' | 'etag'>

/** Undefined if the entry or the calendar is deleted or the account has no role. */
export function calendarOf(
  world: WorldData,
  email: string,
  { id, deleted }: CalendarListEntry,
): StoredCalendar | undefined {
  // A live entry of a deleted calendar exists only if a fault keeps it (behaviour 2.6.4).
  const calendar = deleted ? undefined : world.calendars.get(id)
  return calendar && roleOf(world, id, { email }) !== 'none' ? calendar : undefined
}

/** Merges the fields of the calendar with the account's settings. */
export function showEntry(world: WorldData, email: string, entry: CalendarListEntry): object {
  const { kind, etag, id } = entry
  const calendar = calendarOf(world, email, entry)
  if (!calendar) return { kind, etag, id, defaultReminders: [], deleted: true }
  return {
    kind,
    etag,
    id,
    summary: calendar.summary,
    ...(calendar.description && { description: calendar.description }),
    ...(calendar.location && { location: calendar.location }),
    timeZone: calendar.timeZone,
    ...(calendar.dataOwner && { dataOwner: calendar.dataOwner }),
    ...(entry.summaryOverride && { summaryOverride: entry.summaryOverride }),
    colorId: entry.colorId,
    backgroundColor: entry.backgroundColor,
    foregroundColor: entry.foregroundColor,
    ...(entry.hidden && { hidden: true }),
    ...(entry.selected && { selected: true }),
    accessRole: roleOf(world, id, { email }),
    defaultReminders: entry.defaultReminders,
    ...(entry.notificationSettings && { notificationSettings: entry.notificationSettings }),
    ...(entry.primary && { primary: true }),
    conferenceProperties: calendar.conferenceProperties,
    ...(calendar.autoAcceptInvitations !== undefined && { autoAcceptInvitations: calendar.autoAcceptInvitations }),
  }
}

export function writeEntry(
  world: WorldData,
  email: string,
  id: string,
  { body, colorRgbFormat, how }: { body: CalendarListEntryBody; colorRgbFormat: boolean; how: UpdateMode },
): CalendarListEntry {
  const stored = world.lists.of(email).get(id)
  const current = stored?.deleted ? undefined : stored
  if (body.hidden && current?.primary) throw apiError('cannotChangeOwnPrimarySubscription')
  const base: ComposedEntry = current ?? { id, ...nextEntryColor(world.lists.of(email).size), defaultReminders: [] }
  // A PUT without `notificationSettings` keeps them (behaviour 3.5.7).
  const { notificationSettings } = base
  const draft: EntryDraft = mergePatch(how === 'patch' ? base : { notificationSettings }, body)
  const entry = composeEntry(base, draft, body, colorRgbFormat)
  return current && isEqual(without(current, 'kind', 'etag'), entry) ? current : saveEntry(world, email, entry)
}

/** Removes a calendar from the lists of the accounts that `isLost` selects; by default from all. */
export function removeEntries(
  world: WorldData,
  calendarId: string,
  isLost: (email: string) => boolean = () => true,
): void {
  for (const email of subscribersOf(world, calendarId, 'entry')) {
    const entry = world.lists.of(email).get(calendarId)
    if (entry && isLost(email)) removeEntry(world, email, entry)
  }
}

/** The colour stays, so that it returns with the entry. */
export const removeEntry = (world: WorldData, email: string, { id, ...color }: CalendarListEntry): void => {
  saveEntry(world, email, { id, ...pickColor(color), defaultReminders: [], deleted: true })
}

/** Writes an entry again, unchanged, so that it becomes the last of its list (behaviour 5.3.1). */
export function moveEntryToEnd(world: WorldData, email: string, id: string): void {
  const entry = world.lists.of(email).get(id)
  if (entry) saveEntry(world, email, without(entry, 'kind', 'etag'))
}

export function addEntry(
  world: WorldData,
  email: string,
  { id, ...settings }: Partial<ComposedEntry> & { id: string },
): CalendarListEntry {
  const color = settings.colorId ? entryColor(settings.colorId) : nextEntryColor(world.lists.of(email).size)
  return saveEntry(world, email, entryInOrder({ id, defaultReminders: [], ...color, ...settings }))
}

function composeEntry(
  current: ComposedEntry,
  draft: EntryDraft,
  body: CalendarListEntryBody,
  colorRgbFormat: boolean,
): ComposedEntry {
  return entryInOrder({
    id: current.id,
    summaryOverride: draft.summaryOverride,
    ...requestedColor(current, body, colorRgbFormat),
    hidden: draft.hidden,
    selected: draft.selected && !draft.hidden,
    defaultReminders: readDefaultReminders(draft.defaultReminders ?? []),
    notificationSettings: requestedNotifications(draft),
    primary: current.primary,
  })
}

const pickColor = ({ colorId, backgroundColor, foregroundColor }: Partial<ComposedEntry>) => ({
  colorId,
  backgroundColor,
  foregroundColor,
})

/** Returns the colours of a body: by id, or with `colorRgbFormat` by value (behaviour 1.22). */
function requestedColor(
  current: ComposedEntry,
  body: CalendarListEntryBody,
  colorRgbFormat: boolean,
): Partial<EntryColor> {
  const { colorId, backgroundColor = current.backgroundColor, foregroundColor = current.foregroundColor } = body
  if (colorRgbFormat && (body.backgroundColor || body.foregroundColor))
    return rgbColor(backgroundColor ?? '', foregroundColor ?? '')
  return colorId && colorId !== current.colorId ? entryColor(colorId) : pickColor(current)
}

const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse', 'agenda']

/** SMS is dropped without an error (behaviour 3.2.10). */
function requestedNotifications({ notificationSettings }: EntryDraft): CalendarListEntry['notificationSettings'] {
  const requested = notificationSettings?.notifications?.filter(({ method }) => method !== 'sms')
  for (const { type, method } of requested ?? []) {
    if (!NOTIFICATIONS.includes(type ?? '') || method !== 'email')
      throwInvalidValue('notificationSettings', `no notification ${type} by ${method}`)
  }
  return requested?.length ? { notifications: requested.map(({ type, method }) => ({ type, method })) } : undefined
}

const entryInOrder = (entry: ComposedEntry): ComposedEntry => ({
  id: entry.id,
  ...(entry.summaryOverride && { summaryOverride: entry.summaryOverride }),
  ...pickColor(entry),
  ...(entry.hidden && { hidden: true }),
  ...(entry.selected && { selected: true }),
  defaultReminders: entry.defaultReminders,
  ...(entry.notificationSettings && { notificationSettings: entry.notificationSettings }),
  ...(entry.primary && { primary: true }),
})

function saveEntry(world: WorldData, email: string, entry: ComposedEntry): CalendarListEntry {
  const entries = world.lists.of(email)
  const before = entries.get(entry.id)
  const after = entries.put(entry.id, (revision) => ({
    kind: 'calendar#calendarListEntry',
    etag: `"${revision}"`,
    ...entry,
  }))
  const remindsByMail = [before, after].some((one) => one && IS_SUBSCRIBED.reminders(one))
  if (remindsByMail) scheduleDefaultReminders(world, email, entry.id)
  scheduleAgenda(world, email, entry.id)
  return after
}
