import { ALICE, BOB } from '../../support/calendar.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies have many shapes, which the faults state
export type Json = any

/** A request, which a fault may change before the fake gets it. A body that is no JSON is a text. */
export type PlantedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: Json
}

/** A reply, which a fault may change before the client gets it. A body that is no JSON is a text. */
export type PlantedReply = { status: number; headers: Headers; body: Json; indent: number }

/** A wrong server: what it does otherwise, the heading of the book that it breaks, and the files with the tests of that fact. */
export type PlantedFault = {
  heading: string
  files: string
  request?(request: PlantedRequest): void
  reply?(reply: PlantedReply, request: PlantedRequest): void
  /** Changes the headers of a push message, by their names in lower case. */
  message?(headers: Headers): void
}

const bearer = (account: string) => `Bearer ${account}`
const isList = ({ method, path }: PlantedRequest, name: string) => method === 'GET' && path.endsWith(`/${name}`)
const isWrite = ({ method, path }: PlantedRequest) => method !== 'GET' && /\/events(\/|$)/.test(path)

/** Calls `change` with each event of a reply: of a list, or alone. */
function eachEvent({ body }: PlantedReply, change: (event: Json) => void): void {
  for (const one of [body, ...(body?.items ?? [])]) if (one?.kind === 'calendar#event') change(one)
}

/** Changes each event of the replies. */
const events = (change: (event: Json) => void) => ({ reply: (reply: PlantedReply) => eachEvent(reply, change) })
/** Removes fields of each event. */
const withoutFields = (...names: string[]) =>
  events((event) => {
    for (const name of names) delete event[name]
  })
/** Replaces a pattern in the recurrence lines of each body. */
const rules = (pattern: RegExp, text: string) => ({
  request: ({ body }: PlantedRequest) => {
    if (Array.isArray(body?.recurrence))
      body.recurrence = body.recurrence.map((line: string) => line.replace(pattern, text))
  },
})
/** Ignores parameters of a query. */
const ignores = (...names: string[]) => ({
  request: ({ query }: PlantedRequest) => {
    for (const name of names) query.delete(name)
  },
})
/** Adds a parameter to the requests that `selects` selects. */
const adds = (name: string, value: string, selects: (request: PlantedRequest) => boolean) => ({
  request: (request: PlantedRequest) => {
    if (selects(request)) request.query.set(name, value)
  },
})
/** Changes the replies with an error of this status. */
const errors = (status: number, change: (reply: PlantedReply) => void) => ({
  reply: (reply: PlantedReply) => {
    if (reply.status === status) change(reply)
  },
})
const withoutHeader = (name: string) => ({
  reply: ({ headers }: PlantedReply) => {
    headers.delete(name)
  },
})
const onlyFirst = (name: string) => ({
  request: ({ query }: PlantedRequest) => {
    const [first] = query.getAll(name)
    if (first !== undefined) query.set(name, first)
  },
})
const toUtc = (time: string) => new Date(time).toISOString().replace('.000', '')
const moved = (time: string | null, ms: number) => new Date(Date.parse(time ?? '') + ms).toISOString()

const usedTokens = new Set<string>()
const declined = new Set<string>()

/** Wrong servers, by what they do otherwise than the service. Each must fail a test of its heading, and the correct one none. */
export const FAULTS: Readonly<Record<string, PlantedFault>> = {
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

  // 5 Sync
  'sync tokens work once': {
    ...{ heading: '5.10', files: 'events/sync' },
    request: ({ query }) => {
      const token = query.get('syncToken')
      if (token && usedTokens.has(token)) query.set('syncToken', 'used')
      if (token) usedTokens.add(token)
    },
  },
  'sync tokens on each page': {
    ...{ heading: '5.4', files: 'events/sync' },
    reply: ({ body }) => {
      if (body?.nextPageToken) body.nextSyncToken = 'CAAQAA=='
    },
  },
  'deltas without deletions': {
    ...{ heading: '5.10', files: 'events/sync' },
    reply: ({ body }, { query }) => {
      if (query.has('syncToken') && body?.items)
        body.items = body.items.filter((one: Json) => one.status !== 'cancelled')
    },
  },
  'orderBy beside a sync token accepted': {
    ...{ heading: '5.8', files: 'events/sync' },
    request: ({ query }) => query.has('syncToken') && query.delete('orderBy'),
  },
  'the newest change first': {
    ...{ heading: '5.3.1', files: 'events/list' },
    reply: ({ body }, request) => {
      if (isList(request, 'events') && !request.query.has('orderBy')) body?.items?.reverse()
    },
  },
  'an old updatedMin accepted': {
    ...{ heading: '5.16', files: 'events/list' },
    request: ({ query }) =>
      Date.parse(query.get('updatedMin') ?? '') < Date.now() - 40 * 86_400_000 && query.delete('updatedMin'),
  },
  'instances of a deleted series as one item': {
    ...{ heading: '5.11', files: 'events/sync' },
    reply: ({ body }, { query }) => {
      if (query.has('syncToken') && body?.items) body.items = body.items.slice(0, 1)
    },
  },

  // 6 Push
  'a resourceId for each channel': {
    ...{ heading: '6.1.4', files: 'channels' },
    reply: ({ body }) => {
      if (body?.kind === 'api#channel') body.resourceId = `${'x'.repeat(27)}${body.id}`.slice(-27)
    },
  },
  'expiration as a number': {
    ...{ heading: '6.1.2', files: 'channels' },
    reply: ({ body }) => {
      if (body?.kind === 'api#channel') body.expiration = Number(body.expiration)
    },
  },
  'receivers by http accepted': {
    ...{ heading: '6.1.6', files: 'channels' },
    request: ({ body }) => {
      if (/^http:\/\/(?!127)/.test(body?.address)) body.address = body.address.replace('http:', 'https:')
    },
  },
  'channels of a day': {
    ...{ heading: '6.1.5', files: 'channels' },
    request: ({ path, body }) => {
      if (path.endsWith('/watch') && body && !body.params && !body.expiration) body.params = { ttl: '86400' }
    },
  },
  'equal message numbers': {
    ...{ heading: '6.2.4', files: 'channels' },
    message: (headers) => headers.set('x-goog-message-number', '1'),
  },
  'messages without the token of the channel': {
    ...{ heading: '6.2.1', files: 'channels' },
    message: (headers) => headers.delete('x-goog-channel-token'),
  },

  // 7 People
  'guests accept at once': {
    ...{ heading: '7.10', files: 'events/guests' },
    ...events((event) => {
      for (const one of event.attendees ?? []) one.responseStatus &&= 'accepted'
    }),
  },
  'at most 100 guests': {
    ...{ heading: '7.20', files: 'events/guests' },
    request: ({ body }) => {
      if (body?.attendees?.length > 100)
        body.attendees = [...body.attendees, ...body.attendees.map((one: Json) => ({ email: `x${one.email}` }))]
    },
  },
  'guests without an address dropped': {
    ...{ heading: '7.11', files: 'events/guests' },
    request: ({ body }) => {
      if (Array.isArray(body?.attendees)) body.attendees = body.attendees.filter((one: Json) => one?.email)
    },
  },
  'guests see all guests': {
    ...{ heading: '7.18', files: 'events/guests' },
    request: (request) => {
      if (
        request.method === 'GET' &&
        request.headers.get('Authorization') === bearer(BOB) &&
        /events\/\w+$/.test(request.path)
      )
        request.headers.set('Authorization', bearer(ALICE))
    },
  },
  'a removed guest keeps the copy': {
    ...{ heading: '7.1', files: 'events/guests' },
    reply: (reply, request) => {
      if (request.headers.get('Authorization') === bearer(BOB))
        eachEvent(reply, (event) => {
          event.status = 'confirmed'
        })
    },
  },

  // 8 Event types
  'no event type': { heading: '8.1', files: 'events/types', ...withoutFields('eventType') },
  'focus time without properties': { heading: '8.4', files: 'events/types', ...withoutFields('focusTimeProperties') },
  'a working location at home without an object': {
    ...{ heading: '8.6', files: 'events/types' },
    ...events((event) => event.workingLocationProperties && delete event.workingLocationProperties.homeOffice),
  },
  'attachments always stored': {
    ...{ heading: '8.16', files: 'events/insert' },
    ...adds('supportsAttachments', 'true', isWrite),
  },
  'birthdays are public': {
    ...{ heading: '8.7', files: 'events/types' },
    ...events((event) => {
      if (event.eventType === 'birthday') event.visibility = 'public'
    }),
  },

  // 9 Conferences
  'conferences without conferenceDataVersion': {
    ...{ heading: '9.1', files: 'events/conferences' },
    ...adds('conferenceDataVersion', '1', isWrite),
  },
  'conferences of inserts without conferenceDataVersion': {
    ...{ heading: '9.1', files: 'events/conferences' },
    ...adds('conferenceDataVersion', '1', (request) => isWrite(request) && request.method === 'POST'),
  },
  'entry points reversed': {
    ...{ heading: '9.5', files: 'events/conferences' },
    ...events((event) => event.conferenceData?.entryPoints?.reverse()),
  },
  'requests of conferences not returned': {
    ...{ heading: '9.3', files: 'events/conferences' },
    ...events((event) => delete event.conferenceData?.createRequest),
  },

  // 10 Free/busy
  'busy times with a title': {
    ...{ heading: '10.13', files: 'freeBusy' },
    reply: ({ body }) => {
      for (const { busy } of Object.values<Json>(body?.calendars ?? {}))
        for (const one of busy ?? []) one.summary = 'Busy'
    },
  },
  'busy times not merged': {
    ...{ heading: '10.9', files: 'freeBusy' },
    reply: ({ body }) => {
      for (const calendar of Object.values<Json>(body?.calendars ?? {}))
        calendar.busy = calendar.busy?.flatMap((one: Json) => {
          const middle = toUtc(moved(one.start, (Date.parse(one.end) - Date.parse(one.start)) / 2))
          return Date.parse(one.end) - Date.parse(one.start) > 3_600_000
            ? [
                { ...one, end: middle },
                { ...one, start: middle },
              ]
            : [one]
        })
    },
  },
  'transparent events are busy': {
    ...{ heading: '10.9', files: 'freeBusy' },
    request: (request) => isWrite(request) && delete request.body?.transparency,
  },
  'declined events are busy': {
    ...{ heading: '10.9', files: 'freeBusy' },
    request: ({ path, method, body }) => {
      const own = body?.attendees?.find((one: Json) => one.responseStatus === 'declined')
      if (method !== 'PATCH' || !own) return
      declined.add(path)
      own.responseStatus = 'tentative'
    },
    reply: (reply, { path }) => {
      if (!declined.has(path)) return
      eachEvent(reply, (event) => {
        for (const one of event.attendees ?? []) if (one.self) one.responseStatus = 'declined'
      })
    },
  },
  'an unknown calendar is 404': {
    ...{ heading: '10.6', files: 'freeBusy' },
    reply: (reply) => {
      if (JSON.stringify(reply.body?.calendars ?? {}).includes('notFound')) reply.status = 404
    },
  },
  'busy times in the zone of the calendar': {
    ...{ heading: '10.12', files: 'freeBusy' },
    reply: ({ body }) => {
      for (const { busy } of Object.values<Json>(body?.calendars ?? {}))
        for (const one of busy ?? []) one.start = `${moved(one.start, 3_600_000).slice(0, 19)}+01:00`
    },
  },

  // 11 HTTP
  'fields ignored': { heading: '11.11', files: 'http', ...ignores('fields') },
  'parts of a batch without response-': {
    ...{ heading: '11.1.3', files: 'batch' },
    reply: (reply) => {
      if (typeof reply.body === 'string') reply.body = reply.body.replaceAll('response-', '')
    },
  },
  'X-HTTP-Method-Override ignored': {
    ...{ heading: '11.13', files: 'http' },
    request: ({ headers }) => headers.delete('X-HTTP-Method-Override'),
  },
  'pages of other sites may not read': {
    heading: '11.16',
    files: 'http',
    ...withoutHeader('Access-Control-Allow-Origin'),
  },
  'replies may be stored': { heading: '11.4', files: 'http', ...withoutHeader('Cache-Control') },
  'no header ETag': { heading: '11.5', files: 'etags calendarList', ...withoutHeader('ETag') },
  'If-None-Match ignored': {
    ...{ heading: '11.5', files: 'etags' },
    request: ({ headers }) => headers.delete('If-None-Match'),
  },
  'If-Match ignored': { heading: '11.8', files: 'etags', request: ({ headers }) => headers.delete('If-Match') },

  // 12 Limits
  'six reminders accepted': {
    ...{ heading: '12.7', files: 'events/insert' },
    request: ({ body }) => {
      if (body?.reminders?.overrides) body.reminders.overrides = body.reminders.overrides.slice(0, 5)
    },
  },
  'long ids cut': {
    ...{ heading: '12.2', files: 'events/ids' },
    request: ({ body }) => {
      if (body?.id?.length > 1024) body.id = body.id.slice(0, 1024)
    },
  },
  'batches of 40 parts': {
    ...{ heading: '12.16', files: 'batch' },
    reply: (reply, { body }) => {
      if (typeof body === 'string' && body.split('application/http').length > 41) reply.status = 400
    },
  },

  // 13 Times
  'unknown zones accepted': {
    ...{ heading: '13.2', files: 'events/times' },
    request: ({ body }) => {
      for (const end of ['start', 'end'])
        if (body?.[end]?.timeZone && !Intl.supportedValuesOf('timeZone').includes(body[end].timeZone))
          body[end].timeZone = 'UTC'
    },
  },
  'times with the offset of the request': {
    ...{ heading: '13.5', files: 'events/times' },
    reply: ({ body }, request) => {
      const time = request.body?.start?.dateTime ?? ''
      if (body?.start?.dateTime && /[+-]\d\d:[1-9]\d$/.test(time)) body.start.dateTime = time
    },
  },
  'instants always in UTC': {
    ...{ heading: '13.5', files: 'events/times' },
    ...events((event) => {
      for (const end of ['start', 'end']) if (event[end]?.dateTime) event[end].dateTime = toUtc(event[end].dateTime)
    }),
  },
  'times without their zone': {
    ...{ heading: '13.6', files: 'events/times' },
    ...events((event) => {
      for (const end of ['start', 'end']) delete event[end]?.timeZone
    }),
  },

  // 14 and 15 Decisions and accounts
  'a deleted calendar leaves the list': {
    ...{ heading: '15.9', files: 'calendarList' },
    reply: ({ body }, request) => {
      if (isList(request, 'calendarList') && body?.items) body.items = body.items.filter((one: Json) => !one.deleted)
    },
  },
  'a calendar with one rule': {
    ...{ heading: '15.6.1', files: 'acl' },
    reply: ({ body }, request) => {
      if (isList(request, 'acl') && body?.items?.length === 2) body.items = body.items.slice(1)
    },
  },
  'minAccessRole ignored': { heading: '1.23', files: 'calendarList', ...ignores('minAccessRole') },
}
