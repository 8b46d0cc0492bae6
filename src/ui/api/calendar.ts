import { callService, listAll } from './client.ts'
import type { CalendarEntry, ServiceEvent } from './types.ts'

/** Returns the path of a calendar's events, below `/calendar/v3`. */
export const eventsPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
/** Returns the path of an event, below `/calendar/v3`. */
export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`

/**
 * Options of a read: the account that makes it, the world, and a signal that aborts it. Account and world default to those
 * in the page's address. All reads of this file reject with a RequestError if the response is an error, and with the
 * browser's error if there is no response or the signal is aborted.
 */
export type ReadOptions = { account?: string | undefined; world?: string | undefined; signal?: AbortSignal | undefined }

/** Returns the options that are not undefined. */
const toRequestOptions = ({ account, world, signal }: ReadOptions) => ({
  ...(account !== undefined && { account }),
  ...(world !== undefined && { world }),
  ...(signal && { signal }),
})

/** Lists the account's calendar list, without deleted and hidden entries. */
export const listCalendars = (options: ReadOptions): Promise<CalendarEntry[]> =>
  listAll<CalendarEntry>({
    method: 'calendarList.list',
    path: '/users/me/calendarList',
    query: { maxResults: 250 },
    ...toRequestOptions(options),
  })

const PAGE_SIZE = 2500

/** A range of instants in RFC 3339: events that end after `timeMin` and start before `timeMax`. */
export type TimeRange = { timeMin: string; timeMax: string }

/** Lists the events of a calendar in a range. A series is listed as its instances; cancelled events are left out. */
export const listEvents = (calendarId: string, range: TimeRange, options: ReadOptions = {}): Promise<ServiceEvent[]> =>
  listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { ...range, singleEvents: true, maxResults: PAGE_SIZE, prettyPrint: false },
    ...toRequestOptions(options),
  })

const MAX_MATCHES = 50

/** Finds events with the words of a text. Returns at most 50, and does not expand series into their instances. */
export async function searchEvents(calendarId: string, q: string, options: ReadOptions = {}): Promise<ServiceEvent[]> {
  const { data } = await callService<{ items?: ServiceEvent[] }>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { q, maxResults: MAX_MATCHES },
    ...toRequestOptions(options),
  })
  return data.items ?? []
}

/** Reads the current version of an event. A deleted event is returned with the status `cancelled`. */
export async function getEvent(calendarId: string, eventId: string, options: ReadOptions = {}): Promise<ServiceEvent> {
  const { data } = await callService<ServiceEvent>({
    method: 'events.get',
    path: eventPath(calendarId, eventId),
    ...toRequestOptions(options),
  })
  return data
}

/**
 * Lists instances of a series, cancelled ones included: all of them, or the first `maxResults`. An exception is an event in
 * place of its instance, and is listed with its changes.
 */
export function listInstances(
  calendarId: string,
  eventId: string,
  query: { timeMin?: string; timeMax?: string; maxResults?: number } = {},
  options: ReadOptions = {},
): Promise<ServiceEvent[]> {
  const request = {
    method: 'events.instances',
    path: `${eventPath(calendarId, eventId)}/instances`,
    query: { maxResults: PAGE_SIZE, showDeleted: true, ...query },
    ...toRequestOptions(options),
  }
  if (query.maxResults === undefined) return listAll<ServiceEvent>(request)
  return callService<{ items?: ServiceEvent[] }>(request).then(({ data }) => data.items ?? [])
}
