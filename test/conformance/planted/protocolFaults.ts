import { ALICE, BOB } from '../../support/calendar.ts'
import {
  adds,
  bearer,
  eachEvent,
  events,
  ignores,
  isList,
  isWrite,
  type Json,
  moved,
  type PlantedFault,
  toUtc,
  withoutFields,
  withoutHeader,
} from './fault.ts'

const usedTokens = new Set<string>()
const declined = new Set<string>()

/** Servers that are wrong about chapters 5 to 15 of the book. */
export const PROTOCOL_FAULTS: Readonly<Record<string, PlantedFault>> = {
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
