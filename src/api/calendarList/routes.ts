import type { CalendarListEntryBody } from '../../schema/calendarListEntry.ts'
import { COUNT, choice, FLAG, PATH, SYNC_PAGING } from '../../schema/params.ts'
import { LIST_ADD, LIST_GET, LIST_READ, LIST_WRITE } from '../../schema/scopes.ts'
import { watchOf } from '../channels/watch.ts'
import { type Call, endpoint } from '../endpoint.ts'
import { deleteEntry, getEntry, insertEntry, listEntries, updateEntry } from './entries.ts'

const COLLECTION = '/users/me/calendarList'
const ENTRY = `${COLLECTION}/{calendarId}` as const
const listParams = {
  ...SYNC_PAGING,
  maxResults: COUNT,
  minAccessRole: choice('freeBusyReader', 'owner', 'reader', 'writer', 'writerWithoutPrivateAccess'),
  showDeleted: FLAG,
  showHidden: FLAG,
  showOwnOrganizationOnly: FLAG,
} as const

const list = endpoint({
  id: 'calendar.calendarList.list',
  verb: 'GET',
  path: COLLECTION,
  summary: "Returns the calendars on the user's calendar list.",
  scopes: LIST_READ,
  params: listParams,
  response: 'CalendarList',
  subscription: true,
  handle: ({ world, caller, params }) => listEntries(world, caller, params),
})

type Update = Pick<Call, 'world' | 'caller' | 'ifMatch'> & {
  params: { calendarId: string; colorRgbFormat?: boolean | undefined }
  body: CalendarListEntryBody
}

const updateFromBody = (
  { world, caller, params: { calendarId, colorRgbFormat = false }, body, ifMatch }: Update,
  how: 'patch' | 'update',
) => updateEntry(world, caller, calendarId, { body, colorRgbFormat, ifMatch, how })

export const calendarList = [
  endpoint({
    id: 'calendar.calendarList.delete',
    verb: 'DELETE',
    path: ENTRY,
    summary: "Removes a calendar from the user's calendar list.",
    scopes: LIST_WRITE,
    params: { calendarId: PATH },
    handle: ({ world, caller, params, ifMatch }) => deleteEntry(world, caller, params.calendarId, ifMatch),
  }),
  endpoint({
    id: 'calendar.calendarList.get',
    verb: 'GET',
    path: ENTRY,
    summary: "Returns a calendar from the user's calendar list.",
    scopes: LIST_GET,
    params: { calendarId: PATH },
    response: 'CalendarListEntry',
    handle: ({ world, caller, params }) => getEntry(world, caller, params.calendarId),
  }),
  endpoint({
    id: 'calendar.calendarList.insert',
    verb: 'POST',
    path: COLLECTION,
    summary: "Inserts an existing calendar into the user's calendar list.",
    scopes: LIST_ADD,
    params: { colorRgbFormat: FLAG },
    request: 'CalendarListEntry',
    response: 'CalendarListEntry',
    handle: ({ world, caller, params, body }) =>
      insertEntry(world, caller, { body, colorRgbFormat: params.colorRgbFormat === true }),
  }),
  list,
  endpoint({
    id: 'calendar.calendarList.patch',
    verb: 'PATCH',
    path: ENTRY,
    summary: "Updates an existing calendar on the user's calendar list. This method supports patch semantics.",
    scopes: LIST_WRITE,
    params: { calendarId: PATH, colorRgbFormat: FLAG },
    request: 'CalendarListEntry',
    response: 'CalendarListEntry',
    handle: (call) => updateFromBody(call, 'patch'),
  }),
  endpoint({
    id: 'calendar.calendarList.update',
    verb: 'PUT',
    path: ENTRY,
    summary: "Updates an existing calendar on the user's calendar list.",
    scopes: LIST_WRITE,
    params: { calendarId: PATH, colorRgbFormat: FLAG },
    request: 'CalendarListEntry',
    response: 'CalendarListEntry',
    handle: (call) => updateFromBody(call, 'update'),
  }),
  watchOf(list, 'calendarList', 'Watches for changes to the calendar list.'),
]
