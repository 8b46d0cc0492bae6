import { type Access, atLeast, requireCalendar, requireMatch, roleOf } from '../../model/access.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { CalendarListEntry } from '../../schema/calendarListEntry.ts'
import { COUNT, enumParam, FLAG, PATH, SYNC_PAGING } from '../../schema/params.ts'
import type { Role } from '../../schema/roles.ts'
import { LIST_ADD, LIST_GET, LIST_READ, LIST_WRITE } from '../../schema/scopes.ts'
import { addressOf } from '../../schema/values/address.ts'
import { closePage, collectionEtag, listByLastChange, openPage, type PageQuery } from '../../sync/paging.ts'
import { calendarOf, removeEntry, showEntry, writeEntry } from '../calendarListEntry.ts'
import { ensurePublicCalendar } from '../calendars/publicCalendars.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint, updateEndpoints } from '../endpoint.ts'

type CallerAccess = Pick<Access, 'world' | 'caller'>
type ListQuery = PageQuery & {
  minAccessRole?: Role | undefined
  showDeleted?: boolean | undefined
  showHidden?: boolean | undefined
  showOwnOrganizationOnly?: boolean | undefined
}

function listEntries({ world, caller }: CallerAccess, params: ListQuery) {
  const email = caller.email ?? throwApiError('loginRequired')
  const list = ['calendarList', email]
  const tokens = { list, account: email, form: 'base64' as const, checkParams: refuseFiltersBesideSyncToken }
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
function refuseFiltersBesideSyncToken({
  minAccessRole,
  showDeleted,
  showHidden,
  showOwnOrganizationOnly,
}: ListQuery): void {
  if (minAccessRole) throw apiError('syncTokenWith', { location: 'minAccessRole' })
  if (showOwnOrganizationOnly) throw apiError('syncTokenWith', { location: 'showOwnOrganizationOnly' })
  if (showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
  if (showHidden === false) throw apiError('syncTokenWith', { location: 'showHidden' })
}

const ownerOf = (world: WorldData, calendarId: string): string =>
  world.calendars.get(calendarId)?.dataOwner ?? calendarId
const domainOf = (email: string): string => email.slice(email.indexOf('@') + 1)

type Listed = { email: string; entry: CalendarListEntry; calendar: StoredCalendar }

function requireEntry({ world, caller }: CallerAccess, calendarId: string): Listed {
  const email = caller.email ?? throwApiError('loginRequired')
  const entry = world.lists.of(email).get(calendarId === 'primary' ? email : addressOf(calendarId))
  const calendar = entry && calendarOf(world, email, entry)
  return calendar && roleOf(world, entry.id, caller) !== 'none' ? { email, entry, calendar } : throwApiError('notFound')
}

const COLLECTION = '/users/me/calendarList'
const ENTRY = `${COLLECTION}/{calendarId}` as const

const list = endpoint({
  id: 'calendar.calendarList.list',
  path: COLLECTION,
  summary: "Returns the calendars on the user's calendar list.",
  scopes: LIST_READ,
  params: {
    ...SYNC_PAGING,
    maxResults: COUNT,
    minAccessRole: enumParam('freeBusyReader', 'owner', 'reader', 'writer', 'writerWithoutPrivateAccess'),
    showDeleted: FLAG,
    showHidden: FLAG,
    showOwnOrganizationOnly: FLAG,
  },
  response: 'CalendarList',
  subscription: true,
  handle: (call) => listEntries(call, call.params),
})

export const calendarList = [
  endpoint({
    id: 'calendar.calendarList.delete',
    path: ENTRY,
    summary: "Removes a calendar from the user's calendar list.",
    scopes: LIST_WRITE,
    params: { calendarId: PATH },
    handle(call) {
      const { email, entry, calendar } = requireEntry(call, call.params.calendarId)
      requireMatch(entry.etag, call.ifMatch)
      if (entry.primary) throw apiError('cannotChangeOwnPrimarySubscription')
      if (calendar.dataOwner === email) throw apiError('cannotUnsubscribeFromOwnedCalendar')
      removeEntry(call.world, email, entry)
    },
  }),
  endpoint({
    id: 'calendar.calendarList.get',
    path: ENTRY,
    summary: "Returns a calendar from the user's calendar list.",
    scopes: LIST_GET,
    params: { calendarId: PATH },
    response: 'CalendarListEntry',
    handle(call) {
      const { email, entry } = requireEntry(call, call.params.calendarId)
      return showEntry(call.world, email, entry)
    },
  }),
  endpoint({
    id: 'calendar.calendarList.insert',
    path: COLLECTION,
    summary: "Inserts an existing calendar into the user's calendar list.",
    scopes: LIST_ADD,
    params: { colorRgbFormat: FLAG },
    request: 'CalendarListEntry',
    response: 'CalendarListEntry',
    /** Changes the entry if there is one (behaviour 3.5.4). */
    handle({ world, caller, params: { colorRgbFormat = false }, body }) {
      const email = caller.email ?? throwApiError('loginRequired')
      const requestedId = addressOf(body.id || throwApiError('missingField', { field: 'id' }))
      ensurePublicCalendar(world, requestedId)
      const { id } = requireCalendar(world, requestedId, caller).calendar
      return showEntry(world, email, writeEntry(world, email, id, { body, colorRgbFormat, how: 'patch' }))
    },
  }),
  list,
  ...updateEndpoints(
    'calendarList',
    "Updates an existing calendar on the user's calendar list.",
    {
      path: ENTRY,
      scopes: LIST_WRITE,
      params: { calendarId: PATH, colorRgbFormat: FLAG },
      request: 'CalendarListEntry',
      response: 'CalendarListEntry',
    },
    (how) => (call) => {
      const { world, body, params } = call
      const { calendarId, colorRgbFormat = false } = params
      if (how === 'update' && calendarId === 'primary') throw apiError('invalidId', { field: 'calendarId' }) // behaviour 3.5.5
      const { email, entry } = requireEntry(call, calendarId)
      requireMatch(entry.etag, call.ifMatch)
      return showEntry(world, email, writeEntry(world, email, entry.id, { body, colorRgbFormat, how }))
    },
  ),
  watchOf(list, 'calendarList', 'Watches for changes to the calendar list.'),
]
