import type { CalendarListEntry, CalendarListEntryBody } from '../wire/calendarListEntry.ts'
import type { Solid } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'
import type { Role } from '../wire/roles.ts'
import { atLeast, calendarFor, requireMatch, roleOf } from './access.ts'
import { type EntryColor, entryColor, nextEntryColor, rgbColor } from './colors.ts'
import { merged, same } from './merge.ts'
import { collectionEtag, type PageQuery, page } from './paging.ts'
import { readReminders } from './reminders.ts'
import { addressOf, type Caller, type StoredCalendar, type World } from './world.ts'

type EntryDraft = Solid<CalendarListEntryBody>
type Composed = Omit<CalendarListEntry, 'kind' | 'etag'>

/** A calendar as one account's list shows it: the calendar's own words around the account's settings for it. */
export function showEntry(world: World, email: string, entry: CalendarListEntry): object {
  const { kind, etag, id } = entry
  const calendar = world.calendars.get(id)
  if (entry.deleted || !calendar) return { kind, etag, id, defaultReminders: [], deleted: true }
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

export type ListQuery = PageQuery & {
  minAccessRole?: Role | undefined
  showDeleted?: boolean | undefined
  showHidden?: boolean | undefined
  showOwnOrganizationOnly?: boolean | undefined
}

export function listEntries(world: World, caller: Caller, query: ListQuery) {
  const email = caller.email ?? refuse('loginRequired')
  if (query.syncToken) refuseBesideSyncToken(query)
  const entries = world.lists.of(email)
  const wanted = (entry: CalendarListEntry) =>
    (query.showDeleted || !entry.deleted) &&
    (query.showHidden || !entry.hidden) &&
    (entry.deleted || atLeast(roleOf(world, entry.id, caller), query.minAccessRole ?? 'freeBusyReader')) &&
    (!query.showOwnOrganizationOnly || domainOf(ownerOf(world, entry.id)) === domainOf(email))
  const shown = page(world, entries, { list: `calendarList/${email}`, form: 'sealed', query }, (entry, syncing) =>
    syncing || wanted(entry) ? showEntry(world, email, entry) : undefined,
  )
  return { kind: 'calendar#calendarList', etag: collectionEtag(entries.latest, world.calendars.latest), ...shown }
}

/** A sync always tells of what is hidden and deleted, and of the whole list (behaviour 5). */
function refuseBesideSyncToken({ minAccessRole, showDeleted, showHidden, showOwnOrganizationOnly }: ListQuery): void {
  if (minAccessRole) refuse('syncTokenWith', { location: 'minAccessRole' })
  if (showOwnOrganizationOnly) refuse('syncTokenWith', { location: 'showOwnOrganizationOnly' })
  if (showDeleted === false) refuse('syncTokenWith', { location: 'showDeleted' })
  if (showHidden === false) refuse('syncTokenWith', { location: 'showHidden' })
}

const ownerOf = (world: World, calendarId: string): string => world.calendars.get(calendarId)?.dataOwner ?? calendarId
const domainOf = (email: string): string => email.slice(email.indexOf('@') + 1)

export const getEntry = (world: World, caller: Caller, calendarId: string): object => {
  const { email, entry } = storedEntry(world, caller, calendarId)
  return showEntry(world, email, entry)
}

function storedEntry(world: World, caller: Caller, calendarId: string): { email: string; entry: CalendarListEntry } {
  const email = caller.email ?? refuse('loginRequired')
  const entry = world.lists.of(email).get(calendarId === 'primary' ? email : addressOf(calendarId))
  return entry && !entry.deleted ? { email, entry } : refuse('notFound')
}

/** Puts a calendar that the caller may see on their list; one that is on it already gets the settings given (behaviour 3.5). */
export function insertEntry(
  world: World,
  caller: Caller,
  body: CalendarListEntryBody,
  colorRgbFormat: boolean,
): object {
  const email = caller.email ?? refuse('loginRequired')
  const calendar = calendarFor(world, body.id || refuse('missingField', { field: 'id' }), caller)
  const current = world.lists.of(email).get(calendar.id)
  const base = current && !current.deleted ? current : newEntry(world, email, calendar)
  return showEntry(
    world,
    email,
    saveChanged(world, email, current, compose(base, merged(base, body), body, colorRgbFormat)),
  )
}

/** PUT and PATCH. A PUT goes by the calendar's address and not by `primary` (behaviour 00). */
export function updateEntry(
  world: World,
  caller: Caller,
  calendarId: string,
  {
    body,
    colorRgbFormat,
    ifMatch,
    how,
  }: { body: CalendarListEntryBody; colorRgbFormat: boolean; ifMatch: string | undefined; how: 'patch' | 'update' },
): object {
  if (how === 'update' && calendarId === 'primary') refuse('invalidId')
  const { email, entry } = storedEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  if (body.hidden && entry.primary) refuse('cannotChangeOwnPrimarySubscription')
  const draft: EntryDraft = merged(how === 'patch' ? entry : {}, body)
  return showEntry(world, email, saveChanged(world, email, entry, compose(entry, draft, body, colorRgbFormat)))
}

export function deleteEntry(world: World, caller: Caller, calendarId: string, ifMatch: string | undefined): void {
  const { email, entry } = storedEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  if (entry.primary) refuse('cannotChangeOwnPrimarySubscription')
  if (world.calendars.get(entry.id)?.dataOwner === email) refuse('cannotUnsubscribeFromOwnedCalendar')
  removeEntry(world, email, entry)
}

/** Takes a calendar off the lists of those it is gone for. */
export function removeEntries(world: World, calendarId: string, goneFor: (email: string) => boolean): void {
  for (const { email } of world.accounts.values()) {
    const entry = world.lists.of(email).get(calendarId)
    if (entry && !entry.deleted && goneFor(email)) removeEntry(world, email, entry)
  }
}

const removeEntry = (world: World, email: string, { id, ...color }: CalendarListEntry): void => {
  save(world, email, { id, ...pickColor(color), defaultReminders: [], deleted: true })
}

/** Puts a calendar on a list without asking who may see it. */
export function addEntry(
  world: World,
  email: string,
  { id, ...settings }: Partial<Composed> & { id: string },
): CalendarListEntry {
  const color = settings.colorId ? entryColor(settings.colorId) : nextEntryColor(world.lists.of(email).size)
  return save(world, email, inOrder({ id, defaultReminders: [], ...color, ...settings }))
}

const newEntry = (world: World, email: string, { id }: StoredCalendar): Composed => ({
  id,
  ...nextEntryColor(world.lists.of(email).size),
  defaultReminders: [],
})

function compose(current: Composed, draft: EntryDraft, body: CalendarListEntryBody, colorRgbFormat: boolean): Composed {
  return inOrder({
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

const pickColor = ({ colorId, backgroundColor, foregroundColor }: Partial<Composed>) => ({
  colorId,
  backgroundColor,
  foregroundColor,
})

/** Colours go by id, or with `colorRgbFormat` by value; without it values are ignored (behaviour 1). */
function colorAsked(current: Composed, body: CalendarListEntryBody, colorRgbFormat: boolean): Partial<EntryColor> {
  const { colorId, backgroundColor = current.backgroundColor, foregroundColor = current.foregroundColor } = body
  if (colorRgbFormat && (body.backgroundColor || body.foregroundColor))
    return rgbColor(backgroundColor ?? '', foregroundColor ?? '')
  return colorId && colorId !== current.colorId ? entryColor(colorId) : pickColor(current)
}

const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse', 'agenda']

/** Notifications by SMS are a thing of the past: ignored, and no error (behaviour 3.2). */
function notificationsAsked({ notificationSettings }: EntryDraft): CalendarListEntry['notificationSettings'] {
  const asked = notificationSettings?.notifications?.filter(({ method }) => method !== 'sms')
  for (const { type, method } of asked ?? []) {
    if (!NOTIFICATIONS.includes(type ?? '') || method !== 'email') {
      refuse('invalidValue', { field: 'notificationSettings', problem: `no notification ${type} by ${method}` })
    }
  }
  return asked?.length ? { notifications: asked.map(({ type, method }) => ({ type, method })) } : undefined
}

/** The fields of an entry in one order, without those that say nothing. */
const inOrder = (entry: Composed): Composed => ({
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
  entry: Composed,
): CalendarListEntry {
  if (!current) return save(world, email, entry)
  const { kind: _, etag: __, ...before } = current
  return same(before, entry) ? current : save(world, email, entry)
}

const save = (world: World, email: string, entry: Composed): CalendarListEntry =>
  world.lists
    .of(email)
    .put(entry.id, (revision) => ({ kind: 'calendar#calendarListEntry', etag: `"${revision}"`, ...entry }))
