import { scheduleAgenda, scheduleAllReminders } from '../../effects/reminders.ts'
import { type EntryColor, entryColor, nextEntryColor, rgbColor } from '../../model/colors.ts'
import { readReminders } from '../../model/reminders.ts'
import type { CalendarListEntry, CalendarListEntryBody } from '../../wire/calendarListEntry.ts'
import type { Solid } from '../../wire/json.ts'
import { refuse } from '../../wire/refusals.ts'
import { merged, same, without } from '../../wire/values/merge.ts'
import { roleOf } from '../../world/access.ts'
import type { StoredCalendar, World } from '../../world/world.ts'

type EntryDraft = Solid<CalendarListEntryBody>
type ComposedEntry = Omit<CalendarListEntry, 'kind' | 'etag'>

/** The calendar that an entry stands for, unless it is gone for this account: removed, deleted, or without a role. */
export function calendarOf(
  world: World,
  email: string,
  { id, deleted }: CalendarListEntry,
): StoredCalendar | undefined {
  const calendar = deleted ? undefined : world.calendars.get(id)
  return calendar && !calendar.deleted && roleOf(world, id, { email }) !== 'none' ? calendar : undefined
}

/** A calendar as one account's list shows it: the calendar's own words around the account's settings for it. */
export function showEntry(world: World, email: string, entry: CalendarListEntry): object {
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

/** Writes what a client asks of an entry: into the one there is, or as a new one. */
export function writeEntry(
  world: World,
  email: string,
  id: string,
  { body, colorRgbFormat, how }: { body: CalendarListEntryBody; colorRgbFormat: boolean; how: 'patch' | 'update' },
): CalendarListEntry {
  const there = world.lists.of(email).get(id)
  const current = there?.deleted ? undefined : there
  if (body.hidden && current?.primary) refuse('cannotChangeOwnPrimarySubscription')
  const base: ComposedEntry = current ?? { id, ...nextEntryColor(world.lists.of(email).size), defaultReminders: [] }
  // A PUT keeps what of mail it does not name (behaviour 3.5.7).
  const { notificationSettings } = base
  const draft: EntryDraft = merged(how === 'patch' ? base : { notificationSettings }, body)
  return saveChanged(world, email, current, composeEntry(base, draft, body, colorRgbFormat))
}

/** Takes a calendar off the lists of those it is gone for. */
export function removeEntries(world: World, calendarId: string, goneFor: (email: string) => boolean): void {
  for (const { email } of world.accounts.values()) {
    const entry = world.lists.of(email).get(calendarId)
    if (entry && !entry.deleted && goneFor(email)) removeEntry(world, email, entry)
  }
}

export const removeEntry = (world: World, email: string, { id, ...color }: CalendarListEntry): void => {
  save(world, email, { id, ...pickColor(color), defaultReminders: [], deleted: true })
}

/** Puts a calendar on a list without asking who may see it. */
export function addEntry(
  world: World,
  email: string,
  { id, ...settings }: Partial<ComposedEntry> & { id: string },
): CalendarListEntry {
  const color = settings.colorId ? entryColor(settings.colorId) : nextEntryColor(world.lists.of(email).size)
  return save(world, email, entryInOrder({ id, defaultReminders: [], ...color, ...settings }))
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
    ...colorAsked(current, body, colorRgbFormat),
    hidden: draft.hidden,
    selected: draft.selected && !draft.hidden,
    defaultReminders: readReminders('defaultReminders', draft.defaultReminders ?? []),
    notificationSettings: notificationsAsked(draft),
    primary: current.primary,
  })
}

const pickColor = ({ colorId, backgroundColor, foregroundColor }: Partial<ComposedEntry>) => ({
  colorId,
  backgroundColor,
  foregroundColor,
})

/** Colours go by id, or with `colorRgbFormat` by value; without it values are ignored (behaviour 1.22). */
function colorAsked(current: ComposedEntry, body: CalendarListEntryBody, colorRgbFormat: boolean): Partial<EntryColor> {
  const { colorId, backgroundColor = current.backgroundColor, foregroundColor = current.foregroundColor } = body
  if (colorRgbFormat && (body.backgroundColor || body.foregroundColor))
    return rgbColor(backgroundColor ?? '', foregroundColor ?? '')
  return colorId && colorId !== current.colorId ? entryColor(colorId) : pickColor(current)
}

const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse', 'agenda']

/** Notifications by SMS, which the service no longer sends, are ignored without an error (behaviour 3.2.10). */
function notificationsAsked({ notificationSettings }: EntryDraft): CalendarListEntry['notificationSettings'] {
  const asked = notificationSettings?.notifications?.filter(({ method }) => method !== 'sms')
  for (const { type, method } of asked ?? []) {
    if (!NOTIFICATIONS.includes(type ?? '') || method !== 'email') {
      refuse('invalidValue', { field: 'notificationSettings', problem: `no notification ${type} by ${method}` })
    }
  }
  return asked?.length ? { notifications: asked.map(({ type, method }) => ({ type, method })) } : undefined
}

/** The fields of an entry in the order of a reply, without those that are false or empty. */
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

function saveChanged(
  world: World,
  email: string,
  current: CalendarListEntry | undefined,
  entry: ComposedEntry,
): CalendarListEntry {
  if (!current) return save(world, email, entry)
  return same(without(current, 'kind', 'etag'), entry) ? current : save(world, email, entry)
}

function save(world: World, email: string, entry: ComposedEntry): CalendarListEntry {
  const entries = world.lists.of(email)
  const before = entries.get(entry.id)
  const after = entries.put(entry.id, (revision) => ({
    kind: 'calendar#calendarListEntry',
    etag: `"${revision}"`,
    ...entry,
  }))
  if (remindsByMail(before) || remindsByMail(after)) scheduleAllReminders(world, entry.id)
  scheduleAgenda(world, email, entry.id)
  return after
}

const remindsByMail = (entry: CalendarListEntry | undefined): boolean =>
  entry?.defaultReminders.some(({ method }) => method === 'email') ?? false
