import { ALICE } from '../../support/calendar.ts'
import {
  adds,
  bearer,
  errors,
  events,
  ignores,
  isList,
  isWrite,
  moved,
  onlyFirst,
  type PlantedFault,
  rules,
  withoutFields,
  withoutHeader,
} from './fault.ts'

/** Servers that are wrong about chapters 1 to 4 of the book. */
export const RESOURCE_FAULTS: Readonly<Record<string, PlantedFault>> = {
  // 1 Methods
  'pages of 100': {
    ...{ heading: '1.11', files: 'events/list events/instances' },
    ...adds('maxResults', '100', (request) => {
      const isPaged = isList(request, 'events') || isList(request, 'instances')
      return isPaged && !request.query.has('maxResults') && !request.query.has('pageToken')
    }),
  },
  'maxResults ignored by lists of calendars': {
    ...{ heading: '1.11', files: 'calendarList' },
    request: (request) => isList(request, 'calendarList') && request.query.delete('maxResults'),
  },
  'maxResults ignored by rules': {
    ...{ heading: '1.11', files: 'acl' },
    request: (request) => isList(request, 'acl') && request.query.delete('maxResults'),
  },
  'maxResults ignored by settings': {
    ...{ heading: '1.11', files: 'settings' },
    request: (request) => isList(request, 'settings') && request.query.delete('maxResults'),
  },
  'maxResults ignored by instances': {
    ...{ heading: '1.11', files: 'events/instances' },
    request: (request) => isList(request, 'instances') && request.query.delete('maxResults'),
  },
  'deletions of events answer 200': {
    ...{ heading: '1.8', files: 'events/delete' },
    reply: (reply, { method, path }) => {
      if (method === 'DELETE' && path.includes('/events/') && reply.status === 204) reply.status = 200
    },
  },
  'booleans in lower case only': {
    ...{ heading: '1.12', files: 'events/list' },
    request: ({ query }) => {
      for (const [name, value] of [...query])
        if (/^(true|false)$/i.test(value) && /[A-Z]/.test(value)) query.delete(name)
    },
  },
  'q ignored': { heading: '1.17', files: 'events/list', ...ignores('q') },
  'iCalUID ignored': { heading: '1.18', files: 'events/list', ...ignores('iCalUID') },
  'one event type': { heading: '1.18', files: 'events/list', ...onlyFirst('eventTypes') },
  'one extended property': { heading: '1.18', files: 'events/list', ...onlyFirst('privateExtendedProperty') },
  'timeMin inclusive': {
    ...{ heading: '1.15', files: 'events/list' },
    request: ({ query }) => query.has('timeMin') && query.set('timeMin', moved(query.get('timeMin'), -1000)),
  },
  'timeMax inclusive': {
    ...{ heading: '1.15', files: 'events/list' },
    request: ({ query }) => query.has('timeMax') && query.set('timeMax', moved(query.get('timeMax'), 1000)),
  },
  'no compact JSON': { heading: '1.10', files: 'http', ...ignores('prettyPrint') },
  'unknown sendUpdates accepted': { heading: '1.13', files: 'events/insert', ...ignores('sendUpdates') },
  'readers may write': {
    ...{ heading: '1.2', files: 'acl' },
    request: (request) => isWrite(request) && request.headers.set('Authorization', bearer(ALICE)),
  },
  'deletions answer 200': {
    ...{ heading: '1.8', files: 'acl' },
    reply: (reply) => {
      if (reply.status === 204) Object.assign(reply, { status: 200, body: {} })
    },
  },
  'read-only fields accepted': {
    ...{ heading: '1.9', files: 'events/insert' },
    reply: ({ body }, request) => {
      if (request.method === 'POST' && request.body?.htmlLink && body?.htmlLink) body.htmlLink = request.body.htmlLink
      if (request.method === 'POST' && request.body?.etag && body?.etag) body.etag = request.body.etag
    },
  },
  'maxAttendees of zero accepted': { heading: '1.19', files: 'events/guests', ...ignores('maxAttendees') },

  // 2 Errors
  'deleted is 404': {
    ...{ heading: '2.3', files: 'events/delete' },
    ...errors(410, (reply) =>
      Object.assign(reply, { status: 404, body: { error: { ...reply.body.error, code: 404 } } }),
    ),
  },
  'a deleted event is not found': {
    ...{ heading: '2.3', files: 'events/delete' },
    reply: (reply, { method }) => {
      if (method === 'GET' && reply.body?.kind === 'calendar#event' && reply.body.status === 'cancelled')
        reply.status = 404
    },
  },
  'an id in use is 400': {
    ...{ heading: '2.2.4', files: 'events/ids' },
    ...errors(409, (reply) =>
      Object.assign(reply, { status: 400, body: { error: { ...reply.body.error, code: 400 } } }),
    ),
  },
  'errors without a domain': {
    ...{ heading: '2.1.1', files: 'http' },
    ...errors(404, ({ body }) => {
      delete body?.error?.errors?.[0]?.domain
    }),
  },
  'errors of the front end indented by one': {
    ...{ heading: '2.1.2', files: 'http' },
    ...errors(401, (reply) => Object.assign(reply, { indent: 1 })),
  },
  'an unknown path answers JSON': {
    ...{ heading: '2.7', files: 'http' },
    ...errors(404, ({ headers }) => headers.set('Content-Type', 'application/json; charset=UTF-8')),
  },
  'another message of 404': {
    ...{ heading: '2.1.1', files: 'http' },
    ...errors(404, ({ body }) => {
      if (body?.error)
        Object.assign(body.error, { message: 'Missing', errors: [{ ...body.error.errors[0], message: 'Missing' }] })
    }),
  },
  '401 without a challenge': { heading: '2.1.3', files: 'credentials', ...withoutHeader('WWW-Authenticate') },

  // 3 Resources
  'created moves': {
    heading: '3.2.6',
    files: 'events/update',
    ...events((event) => {
      event.created = event.updated
    }),
  },
  'etags of another number': {
    ...{ heading: '3.2.6', files: 'events/insert' },
    ...events((event) => {
      event.etag = event.etag?.replace(/\d+/, (number: string) => `${number.slice(0, -1)}1`)
    }),
  },
  'texts trimmed': {
    ...{ heading: '3.2.12', files: 'events/insert' },
    ...events((event) => {
      event.summary = event.summary?.trim()
    }),
  },
  'sequence stays': {
    heading: '3.2.7',
    files: 'events/update',
    ...events((event) => {
      event.sequence = 0
    }),
  },
  'keys in another order': {
    ...{ heading: '3.2.1', files: 'events/insert' },
    ...events((event) => {
      const { kind } = event
      delete event.kind
      event.kind = kind
    }),
  },
  'default values shown': {
    ...{ heading: '3.2.3', files: 'events/insert' },
    ...events((event) => {
      event.visibility ??= 'default'
    }),
  },
  'three settings': {
    ...{ heading: '3.7', files: 'settings' },
    reply: ({ body }) => {
      if (body?.kind === 'calendar#settings') body.items = body.items.slice(0, 3)
    },
  },
  'lists without default reminders': {
    ...{ heading: '3.3', files: 'events/list' },
    reply: ({ body }) => body?.kind === 'calendar#events' && delete body.defaultReminders,
  },
  'links of another host': {
    ...{ heading: '3.2.5', files: 'events/links' },
    ...events((event) => {
      event.htmlLink = event.htmlLink?.replace('www.', 'calendar.')
    }),
  },
  'no self among guests': {
    ...{ heading: '3.2.9', files: 'events/guests' },
    ...events((event) => {
      for (const attendee of event.attendees ?? []) delete attendee.self
    }),
  },
  'a colour of events is missing': {
    ...{ heading: '3.8', files: 'colors' },
    reply: ({ body }) => body?.kind === 'calendar#colors' && delete body.event['11'],
  },
  'PUT merges': {
    ...{ heading: '3.9.1', files: 'events/update' },
    request: (request) => {
      if (request.method === 'PUT' && isWrite(request)) request.method = 'PATCH'
    },
  },
  'null is ignored': {
    ...{ heading: '3.9.2', files: 'events/update' },
    request: ({ method, body }) => {
      if (method === 'PATCH') for (const key of Object.keys(body ?? {})) if (body[key] === null) delete body[key]
    },
  },
  'hidden calendars listed': {
    ...{ heading: '3.5.6', files: 'calendarList' },
    ...adds('showHidden', 'true', (request) => isList(request, 'calendarList')),
  },
  'rules with ids without a scope': {
    ...{ heading: '3.6.1', files: 'acl' },
    reply: ({ body }) => {
      for (const one of [body, ...(body?.items ?? [])])
        if (one?.kind === 'calendar#aclRule') one.id = one.id.replace(/^default/, 'public').replace('user:', '')
    },
  },

  'conference blocks stay in descriptions': {
    ...{ heading: '3.2.19', files: 'events/insert' },
    request: ({ body }) => {
      if (typeof body?.description === 'string') body.description = body.description.replaceAll('::~', ':: ~')
    },
  },
  'PUT of a calendar removes its labels': {
    ...{ heading: '3.2.18.1', files: 'calendars' },
    request: ({ method, path, body }) => {
      if (method === 'PUT' && /\/calendars\/[^/]+$/.test(path)) body.labelProperties ??= { eventLabels: [] }
    },
  },
  'out of office without reminders': {
    ...{ heading: '3.2.10', files: 'events/types' },
    ...events((event) => {
      if (event.eventType === 'outOfOffice') event.reminders = { useDefault: false }
    }),
  },
  'recurringEventId of any form accepted': {
    ...{ heading: '4.5.5', files: 'events/insert' },
    request: ({ method, body }) => {
      if (method === 'POST') delete body?.recurringEventId
    },
  },
  'rules with an unknown scope are for everyone': {
    ...{ heading: '3.6.3', files: 'acl' },
    request: ({ path, body }) => {
      if (path.endsWith('/acl') && body?.scope?.type === 'planet') body.scope.type = 'default'
    },
  },
  'originalStart as a date accepted': {
    ...{ heading: '4.4', files: 'events/instances' },
    request: ({ query }) => {
      const at = query.get('originalStart')
      if (at?.length === 10) query.set('originalStart', `${at}T00:00:00Z`)
    },
  },
  // 4 Series
  'ids of instances in local time': {
    ...{ heading: '4.1.2', files: 'events/instances' },
    ...events((event) => {
      const { dateTime, timeZone } = event.originalStartTime ?? {}
      if (!dateTime || !event.recurringEventId) return
      const local = new Date(dateTime).toLocaleString('sv-SE', { timeZone }) // yyyy-mm-dd HH:mm:ss
      event.id = `${event.recurringEventId}_${local.replace(/[-:]/g, '').replace(' ', 'T')}Z`
    }),
  },
  'no originalStartTime': { heading: '4.1.3', files: 'events/instances', ...withoutFields('originalStartTime') },
  'instances with recurrence': {
    ...{ heading: '4.1.3', files: 'events/instances' },
    ...events((event) => {
      if (event.recurringEventId) event.recurrence = ['RRULE:FREQ=DAILY']
    }),
  },
  'stubs with a title': {
    ...{ heading: '4.1.5', files: 'events/list' },
    ...events((event) => {
      if (event.status === 'cancelled') event.summary ??= 'Cancelled'
    }),
  },
  'EXDATE not returned': {
    ...{ heading: '4.2.2', files: 'events/recurrence' },
    ...events((event) => {
      event.recurrence = event.recurrence?.filter((line: string) => !line.startsWith('EXDATE'))
    }),
  },
  'INTERVAL ignored': { heading: '4.2.1', files: 'events/recurrence', ...rules(/;INTERVAL=\d+/, '') },
  'BYSETPOS ignored': { heading: '4.2.1', files: 'events/recurrence', ...rules(/;BYSETPOS=[-\d,]+/, '') },
  'WKST ignored': { heading: '4.2.1', files: 'events/recurrence', ...rules(/;WKST=\w\w/, '') },
  'EXDATE ignored': { heading: '4.2.1', files: 'events/recurrence', ...rules(/^EXDATE.*/, 'EXDATE:19700101T000000Z') },
  'UNTIL exclusive': {
    ...{ heading: '4.2.4', files: 'events/recurrence' },
    request: ({ body }) => {
      const earlier = (_: string, y: string, m: string, d: string, time: string) =>
        `UNTIL=${new Date(Date.UTC(+y, +m - 1, +d) - 86_400_000).toISOString().slice(0, 10).replace(/-/g, '')}${time}`
      if (Array.isArray(body?.recurrence))
        body.recurrence = body.recurrence.map((line: string) =>
          line.replace(/UNTIL=(\d{4})(\d\d)(\d\d)(T\d{6}Z)?/, (...found) =>
            earlier(...(found as [string, string, string, string, string])).replace('undefined', ''),
          ),
        )
    },
  },
  'series at the same instant of the day': {
    ...{ heading: '4.8', files: 'events/series' },
    request: ({ body }) => {
      for (const end of ['start', 'end'])
        if (body?.recurrence && body[end]?.timeZone && /Z$|[+-]\d\d:\d\d$/.test(body[end].dateTime ?? ''))
          body[end].timeZone = 'UTC'
        else if (body?.recurrence && body[end]?.timeZone && body[end].dateTime)
          body[end] = {
            dateTime: `${body[end].dateTime}${body[end].timeZone === 'UTC' ? 'Z' : '+01:00'}`,
            timeZone: 'UTC',
          }
    },
  },
}
