import { callService, listAll } from './client.ts'
import type { CalendarEntry, ServiceEvent } from './types.ts'

export const eventsPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`

/**
 * Account and world default to those in the page's address. All reads reject with a RequestError, or with the browser's error if
 * there is no response.
 */
type ReadOptions = { account?: string | undefined; world?: string | undefined; signal?: AbortSignal | undefined }

const toRequestOptions = ({ account, world, signal }: ReadOptions) => ({
  ...(account !== undefined && { account }),
  ...(world !== undefined && { world }),
  ...(signal && { signal }),
})

export const listCalendars = (options: ReadOptions): Promise<CalendarEntry[]> =>
  listAll<CalendarEntry>({
    method: 'calendarList.list',
    path: '/users/me/calendarList',
    query: { maxResults: 250 },
    ...toRequestOptions(options),
  })

const PAGE_SIZE = 2500

type TimeRange = { timeMin: string; timeMax: string }

/** A series is listed as its instances; cancelled events are left out. */
export const listEvents = (calendarId: string, range: TimeRange, options: ReadOptions = {}): Promise<ServiceEvent[]> =>
  listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { ...range, singleEvents: true, maxResults: PAGE_SIZE, prettyPrint: false },
    ...toRequestOptions(options),
  })

const MAX_MATCHES = 50

/** Returns at most 50, and does not expand series into their instances. */
export async function searchEvents(calendarId: string, q: string, options: ReadOptions = {}): Promise<ServiceEvent[]> {
  const { data } = await callService<{ items?: ServiceEvent[] }>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { q, maxResults: MAX_MATCHES },
    ...toRequestOptions(options),
  })
  return data.items ?? []
}

/** A deleted event is returned with the status `cancelled`. */
export async function getEvent(calendarId: string, eventId: string, options: ReadOptions = {}): Promise<ServiceEvent> {
  const { data } = await callService<ServiceEvent>({
    method: 'events.get',
    path: eventPath(calendarId, eventId),
    ...toRequestOptions(options),
  })
  return data
}
