import { atLeast, requireCalendar, requireMatch, roleOf } from '../../model/access.ts'
import type { Caller, StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { CalendarListEntry, CalendarListEntryBody } from '../../schema/calendarListEntry.ts'
import type { Role } from '../../schema/roles.ts'
import { addressOf } from '../../schema/values/address.ts'
import { closePage, collectionEtag, listByLastChange, openPage, type PageQuery } from '../../sync/paging.ts'
import { ensurePublicCalendar } from '../calendars/publicCalendars.ts'
import { calendarOf, removeEntry, showEntry, writeEntry } from './entry.ts'

export type ListQuery = PageQuery & {
  minAccessRole?: Role | undefined
  showDeleted?: boolean | undefined
  showHidden?: boolean | undefined
  showOwnOrganizationOnly?: boolean | undefined
}

/** Throws `loginRequired` without an account. */
export function listEntries(world: WorldData, caller: Caller, params: ListQuery) {
  const email = caller.email ?? throwApiError('loginRequired')
  const list = ['calendarList', email]
  const tokens = { list, account: email, form: 'base64' as const, checkParams: refuseBesideSyncToken }
  const page = openPage(world, tokens, params)
  const { cursor, query } = page
  const isListed = (entry: CalendarListEntry) =>
    (calendarOf(world, email, entry)
      ? atLeast(roleOf(world, entry.id, caller), query.minAccessRole ?? 'freeBusyReader')
      : query.showDeleted) &&
    (query.showHidden || !entry.hidden) &&
    (!query.showOwnOrganizationOnly || domainOf(ownerOf(world, entry.id)) === domainOf(email))
  const show = (entry: CalendarListEntry) =>
    cursor.since > 0 || isListed(entry) ? showEntry(world, email, entry) : undefined
  const entries = listByLastChange(world, world.lists.of(email), page, show)
  const { items, ...next } = closePage(world, tokens, page, entries)
  return { kind: 'calendar#calendarList', etag: listEtag(world, email), ...next, items }
}

function listEtag(world: WorldData, email: string): string {
  const entries = world.lists.of(email)
  const rules = [...entries.values()].map(({ id }) => world.acl.of(id).latest)
  return collectionEtag(entries.latest, world.calendars.latest, ...rules)
}

/** Throws for filters beside a sync token, because a sync returns the whole list (behaviour 5.17). */
function refuseBesideSyncToken({ minAccessRole, showDeleted, showHidden, showOwnOrganizationOnly }: ListQuery): void {
  if (minAccessRole) throw apiError('syncTokenWith', { location: 'minAccessRole' })
  if (showOwnOrganizationOnly) throw apiError('syncTokenWith', { location: 'showOwnOrganizationOnly' })
  if (showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
  if (showHidden === false) throw apiError('syncTokenWith', { location: 'showHidden' })
}

const ownerOf = (world: WorldData, calendarId: string): string =>
  world.calendars.get(calendarId)?.dataOwner ?? calendarId
const domainOf = (email: string): string => email.slice(email.indexOf('@') + 1)

/** Throws `notFound` if the list does not contain the calendar. */
export const getEntry = (world: WorldData, caller: Caller, calendarId: string): object => {
  const { email, entry } = requireEntry(world, caller, calendarId)
  return showEntry(world, email, entry)
}

type Listed = { email: string; entry: CalendarListEntry; calendar: StoredCalendar }

/** Throws `loginRequired` without an account, and `notFound`. */
function requireEntry(world: WorldData, caller: Caller, calendarId: string): Listed {
  const email = caller.email ?? throwApiError('loginRequired')
  const entry = world.lists.of(email).get(calendarId === 'primary' ? email : addressOf(calendarId))
  const calendar = entry && calendarOf(world, email, entry)
  return calendar && roleOf(world, entry.id, caller) !== 'none' ? { email, entry, calendar } : throwApiError('notFound')
}

export type EntryWrite = { body: CalendarListEntryBody; colorRgbFormat: boolean }

/** Adds a calendar that the caller may see to the list, or changes its entry (behaviour 3.5.4). */
export function insertEntry(world: WorldData, caller: Caller, { body, colorRgbFormat }: EntryWrite): object {
  const email = caller.email ?? throwApiError('loginRequired')
  const requestedId = addressOf(body.id || throwApiError('missingField', { field: 'id' }))
  ensurePublicCalendar(world, requestedId)
  const { id } = requireCalendar(world, requestedId, caller).calendar
  return showEntry(world, email, writeEntry(world, email, id, { body, colorRgbFormat, how: 'patch' }))
}

/** Updates an entry. A PUT does not accept `primary` as id (behaviour 3.5.5). */
export function updateEntry(
  world: WorldData,
  caller: Caller,
  calendarId: string,
  { ifMatch, ...write }: EntryWrite & { ifMatch: string | undefined; how: 'patch' | 'update' },
): object {
  if (write.how === 'update' && calendarId === 'primary') throw apiError('invalidId')
  const { email, entry } = requireEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  return showEntry(world, email, writeEntry(world, email, entry.id, write))
}

/** Throws `notFound`, `staleEtag`, and errors for the primary calendar and for others that the caller owns. */
export function deleteEntry(world: WorldData, caller: Caller, calendarId: string, ifMatch: string | undefined): void {
  const { email, entry, calendar } = requireEntry(world, caller, calendarId)
  requireMatch(entry.etag, ifMatch)
  if (entry.primary) throw apiError('cannotChangeOwnPrimarySubscription')
  if (calendar.dataOwner === email) throw apiError('cannotUnsubscribeFromOwnedCalendar')
  removeEntry(world, email, entry)
}
