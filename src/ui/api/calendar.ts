import { callService, listAll } from './client.ts'
import type { CalendarEntry, ServiceEvent } from './types.ts'

export const eventsPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`

/** Options of a read: the account that reads, and a signal that aborts it. */
export type ReadOptions = { account?: string | undefined; world?: string | undefined; signal?: AbortSignal | undefined }

const defined = ({ account, world, signal }: ReadOptions) => ({
  ...(account !== undefined && { account }),
  ...(world !== undefined && { world }),
  ...(signal && { signal }),
})

export const listCalendars = (options: ReadOptions): Promise<CalendarEntry[]> =>
  listAll<CalendarEntry>({
    method: 'calendarList.list',
    path: '/users/me/calendarList',
    query: { maxResults: 250 },
    ...defined(options),
  })

const PAGE_SIZE = 2500

export type TimeRange = { timeMin: string; timeMax: string }

/** Lists the events of a calendar in a range. A series is listed as its instances. */
export const listEvents = (calendarId: string, range: TimeRange, options: ReadOptions = {}): Promise<ServiceEvent[]> =>
  listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { ...range, singleEvents: true, maxResults: PAGE_SIZE, prettyPrint: false },
    ...defined(options),
  })

const MAX_MATCHES = 50

/** Finds events by their text. Returns the first page only. */
export async function searchEvents(calendarId: string, q: string, options: ReadOptions = {}): Promise<ServiceEvent[]> {
  const { data } = await callService<{ items?: ServiceEvent[] }>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { q, maxResults: MAX_MATCHES },
    ...defined(options),
  })
  return data.items ?? []
}

/** Returns the current version of an event. */
export async function getEvent(calendarId: string, eventId: string, options: ReadOptions = {}): Promise<ServiceEvent> {
  const { data } = await callService<ServiceEvent>({
    method: 'events.get',
    path: eventPath(calendarId, eventId),
    ...defined(options),
  })
  return data
}

/** Lists instances of a series, cancelled ones included. */
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
    ...defined(options),
  }
  if (query.maxResults === undefined) return listAll<ServiceEvent>(request)
  return callService<{ items?: ServiceEvent[] }>(request).then(({ data }) => data.items ?? [])
}
