import { countConferenceReads } from '../../effects/conferences.ts'
import { type Access, requireEvent } from '../../model/access.ts'
import { COUNT, enumParam, FLAG, PAGING, PATH, TEXT, TIMESTAMP, VERSION } from '../../schema/params.ts'
import { EVENT_MOVE, EVENT_READ, EVENT_WRITE } from '../../schema/scopes.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint, updateEndpoints } from '../endpoint.ts'
import { deleteEvent } from './delete.ts'
import { importEvent } from './import.ts'
import { insertEvent } from './insert.ts'
import { listInstances } from './instances.ts'
import { listEvents } from './list.ts'
import { moveEvent } from './move.ts'
import { patchEvent } from './patch.ts'
import { ATTENDEE_VIEW, LIST_PARAMS } from './source.ts'
import { updateEvent } from './update.ts'
import { type ShownEvent, showEvent } from './view.ts'

const COLLECTION = '/calendars/{calendarId}/events'
const EVENT = `${COLLECTION}/{eventId}` as const

const eventParams = { calendarId: PATH, eventId: PATH } as const
const sending = { sendNotifications: FLAG, sendUpdates: enumParam('all', 'externalOnly', 'none') } as const
const carrying = { conferenceDataVersion: VERSION, eventLabelVersion: VERSION, supportsAttachments: FLAG } as const
const writeParams = { ...eventParams, ...sending, ...ATTENDEE_VIEW, ...carrying } as const
/** Loaded on first use, because only quickAdd needs the grammar. */
let sentences: typeof import('./quickAdd.ts')

function withCountedReads<Shown extends ShownEvent | { items: ShownEvent[] }>(
  { world }: Pick<Access, 'world'>,
  shown: Shown,
): Shown {
  countConferenceReads(world, 'items' in shown ? shown.items : [shown])
  return shown
}

const list = endpoint({
  id: 'calendar.events.list',
  path: COLLECTION,
  summary: 'Returns events on the specified calendar.',
  scopes: EVENT_READ,
  role: 'freeBusyReader',
  public: true,
  params: LIST_PARAMS,
  response: 'Events',
  subscription: true,
  handle: (call) => withCountedReads(call, listEvents(call, call.params)),
})

export const events = [
  endpoint({
    id: 'calendar.events.delete',
    path: EVENT,
    summary: 'Deletes an event.',
    scopes: EVENT_WRITE,
    role: 'writer',
    params: { ...eventParams, ...sending },
    handle: (call) => deleteEvent(call, call.params.eventId, call.ifMatch, call.params),
  }),
  endpoint({
    id: 'calendar.events.get',
    path: EVENT,
    summary: 'Returns an event based on its id.',
    scopes: EVENT_READ,
    role: 'freeBusyReader',
    public: true,
    params: { ...eventParams, ...ATTENDEE_VIEW, timeZone: TEXT },
    response: 'Event',
    handle: (call) => withCountedReads(call, showEvent(call, requireEvent(call, call.params.eventId), call.params)),
  }),
  endpoint({
    id: 'calendar.events.import',
    path: `${COLLECTION}/import`,
    summary: 'Imports an event: adds a private copy of an existing event to a calendar.',
    scopes: EVENT_WRITE,
    role: 'writer',
    params: { calendarId: PATH, ...carrying },
    request: 'Event',
    response: 'Event',
    handle: (call) => showEvent(call, importEvent(call, call.body, call.params), {}),
  }),
  endpoint({
    id: 'calendar.events.insert',
    path: COLLECTION,
    summary: 'Creates an event.',
    scopes: EVENT_WRITE,
    role: 'writer',
    params: { calendarId: PATH, ...sending, ...carrying, maxAttendees: COUNT },
    request: 'Event',
    response: 'Event',
    handle: (call) => showEvent(call, insertEvent(call, call.body, call.params), call.params),
  }),
  endpoint({
    id: 'calendar.events.instances',
    path: `${EVENT}/instances`,
    summary: 'Returns instances of the specified recurring event.',
    scopes: EVENT_READ,
    role: 'freeBusyReader',
    public: true,
    params: {
      ...eventParams,
      ...ATTENDEE_VIEW,
      ...PAGING,
      originalStart: TEXT,
      showDeleted: FLAG,
      timeMax: TIMESTAMP,
      timeMin: TIMESTAMP,
      timeZone: TEXT,
    },
    response: 'Events',
    subscription: true,
    handle: (call) => withCountedReads(call, listInstances(call, call.params.eventId, call.params)),
  }),
  list,
  endpoint({
    id: 'calendar.events.move',
    path: `${EVENT}/move`,
    summary: "Moves an event to another calendar: changes the event's organizer.",
    scopes: EVENT_MOVE,
    role: 'writer',
    params: { ...eventParams, destination: { ...TEXT, required: true }, ...sending },
    response: 'Event',
    handle: (call) => showEvent(call, moveEvent(call, call.params.eventId, call.params.destination, call.params), {}),
  }),
  endpoint({
    id: 'calendar.events.quickAdd',
    path: `${COLLECTION}/quickAdd`,
    summary: 'Creates an event based on a simple text string.',
    scopes: EVENT_WRITE,
    role: 'writer',
    params: { calendarId: PATH, ...sending, text: { ...TEXT, required: true } },
    response: 'Event',
    prepare: async () => {
      sentences ??= await import('./quickAdd.ts')
    },
    handle: (call) => showEvent(call, sentences.quickAdd(call, call.params.text, call.params), {}),
  }),
  ...updateEndpoints(
    'events',
    'Updates an event.',
    { path: EVENT, scopes: EVENT_WRITE, role: 'writer', params: writeParams, request: 'Event', response: 'Event' },
    (how) => {
      const write = how === 'patch' ? patchEvent : updateEvent
      return (call) => showEvent(call, write(call, call.params.eventId, call), call.params)
    },
  ),
  watchOf(list, 'events', 'Watches for changes to events.'),
]
