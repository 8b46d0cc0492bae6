import { collectionEtag, type PageQuery, page } from '../../sync/paging.ts'
import { listName } from '../../sync/tokens.ts'
import type { CalendarListEntry, CalendarListEntryBody } from '../../wire/calendarListEntry.ts'
import { refuse } from '../../wire/refusals.ts'
import type { Role } from '../../wire/roles.ts'
import { addressOf } from '../../wire/values/address.ts'
import { atLeast, requireMatch, roleFor, roleOf } from '../../world/access.ts'
import type { Caller, StoredCalendar, World } from '../../world/world.ts'
import { addPublicCalendar, isPublicCalendar } from '../calendars/publicCalendars.ts'
import { calendarOf, removeEntry, showEntry, writeEntry } from './entry.ts'

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
  const wanted = (entry: CalendarListEntry, query: ListQuery) =>
    (calendarOf(world, email, entry)
      ? atLeast(roleOf(world, entry.id, caller), query.minAccessRole ?? 'freeBusyReader')
      : query.showDeleted) &&
    (query.showHidden || !entry.hidden) &&
    (!query.showOwnOrganizationOnly || domainOf(ownerOf(world, entry.id)) === domainOf(email))
  const shown = page(
    world,
    entries,
    { list: listName('calendarList', email), account: email, form: 'sealed', query },
    (entry, syncing, query) => (syncing || wanted(entry, query) ? showEntry(world, email, entry) : undefined),
  )
  return { kind: 'calendar#calendarList', etag: listEtag(world, email), ...shown }
}

/** A list also shows what its calendars say of themselves, and the roles that their rules give. */
function listEtag(world: World, email: string): string {
  const entries = world.lists.of(email)
  const rules = [...entries.values()].map(({ id }) => world.acl.of(id).latest)
  return collectionEtag(entries.latest, world.calendars.latest, ...rules)
}

/** A sync always tells of what is hidden and deleted, and of the whole list (behaviour 5.17). */
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

type Listed = { email: string; entry: CalendarListEntry; calendar: StoredCalendar }

function storedEntry(world: World, caller: Caller, calendarId: string): Listed {
  const email = caller.email ?? refuse('loginRequired')
  const entry = world.lists.of(email).get(calendarId === 'primary' ? email : addressOf(calendarId))
  const calendar = entry && calendarOf(world, email, entry)
  return calendar && roleOf(world, entry.id, caller) !== 'none' ? { email, entry, calendar } : refuse('notFound')
}

export type EntryWrite = { body: CalendarListEntryBody; colorRgbFormat: boolean }

/**
 * Puts a calendar that the caller may see on their list; one that is on it already gets the settings given (behaviour
 * 3.5.4).
 */
export function insertEntry(world: World, caller: Caller, { body, colorRgbFormat }: EntryWrite): object {
  const email = caller.email ?? refuse('loginRequired')
  const asked = addressOf(body.id || refuse('missingField', { field: 'id' }))
  if (isPublicCalendar(asked) && !world.calendars.get(asked)) addPublicCalendar(world, asked)
  const { id } = roleFor(world, asked, caller).calendar
  return showEntry(world, email, writeEntry(world, email, id, { body, colorRgbFormat, how: 'patch' }))
}

/** PUT and PATCH. A PUT goes by the calendar's address and not by `primary` (behaviour 3.5.5). */
export function updateEntry(
  world: World,
  caller: Caller,
  calendarId: string,
  { ifMatch, ...write }: EntryWrite & { ifMatch: string | undefined; how: 'patch' | 'update' },
): object {
  if (write.how === 'update' && calendarId === 'primary') refuse('invalidId')
  const { email, entry } = storedEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  return showEntry(world, email, writeEntry(world, email, entry.id, write))
}

export function deleteEntry(world: World, caller: Caller, calendarId: string, ifMatch: string | undefined): void {
  const { email, entry, calendar } = storedEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  if (entry.primary) refuse('cannotChangeOwnPrimarySubscription')
  if (calendar.dataOwner === email) refuse('cannotUnsubscribeFromOwnedCalendar')
  removeEntry(world, email, entry)
}
