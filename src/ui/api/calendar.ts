import { callService, listAll, type Request } from './client.ts'
import type { CalendarEntry, ServiceEvent } from './types.ts'

export const eventsPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`

/** All reads reject with a RequestError, or with the browser's error if there is no response. */
type ReadOptions = Pick<Request, 'account' | 'world' | 'until' | 'signal'>

export const listCalendars = (options: ReadOptions): Promise<CalendarEntry[]> =>
  listAll<CalendarEntry>({
    method: 'calendarList.list',
    path: '/users/me/calendarList',
    query: { maxResults: 250 },
    ...options,
  })

const PAGE_SIZE = 2500

type TimeRange = { timeMin: string; timeMax: string }

/** A series is listed as its instances; cancelled events are left out. */
export const listEvents = (calendarId: string, range: TimeRange, options: ReadOptions = {}): Promise<ServiceEvent[]> =>
  listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { ...range, singleEvents: true, maxResults: PAGE_SIZE, prettyPrint: false },
    ...options,
  })

export type CalendarEvents = { entry: CalendarEntry; events: readonly ServiceEvent[] }

/** Only the selected calendars. */
export async function listCalendarsWithEvents(range: TimeRange, options: ReadOptions): Promise<CalendarEvents[]> {
  const entries = (await listCalendars(options)).filter(({ selected }) => selected)
  return Promise.all(entries.map(async (entry) => ({ entry, events: await listEvents(entry.id, range, options) })))
}

/** A deleted event is returned with the status `cancelled`. */
export async function getEvent(calendarId: string, eventId: string, options: ReadOptions = {}): Promise<ServiceEvent> {
  const { data } = await callService<ServiceEvent>({
    method: 'events.get',
    path: eventPath(calendarId, eventId),
    ...options,
  })
  return data
}
