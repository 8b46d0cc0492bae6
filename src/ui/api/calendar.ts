import { callService, collectPages, type Request } from './client.ts'
import type { CalendarEntry, ServiceEvent } from './types.ts'

export const pathOfEvents = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
export const pathOfEvent = (calendarId: string, eventId: string): string =>
  `${pathOfEvents(calendarId)}/${encodeURIComponent(eventId)}`

/** All reads reject with a RequestError, or with the browser's error if there is no response. */
type ReadOptions = Pick<Request, 'account' | 'world' | 'until' | 'signal'>

export const listCalendars = (options: ReadOptions): Promise<CalendarEntry[]> =>
  collectPages<CalendarEntry>({
    method: 'calendarList.list',
    path: '/users/me/calendarList',
    query: { maxResults: 250 },
    ...options,
  })

const PAGE_SIZE = 2500

type TimeRange = { timeMin: string; timeMax: string }

/** A series is listed as its instances; cancelled events are left out. */
export const listShownEvents = (
  calendarId: string,
  range: TimeRange,
  options: ReadOptions = {},
): Promise<ServiceEvent[]> =>
  collectPages<ServiceEvent>({
    method: 'events.list',
    path: pathOfEvents(calendarId),
    query: { ...range, singleEvents: true, maxResults: PAGE_SIZE, prettyPrint: false },
    ...options,
  })

export type CalendarEvents = { entry: CalendarEntry; events: readonly ServiceEvent[] }

/** Only the selected calendars. */
export async function listCalendarsWithEvents(range: TimeRange, options: ReadOptions): Promise<CalendarEvents[]> {
  const entries = (await listCalendars(options)).filter(({ selected }) => selected)
  return Promise.all(entries.map(async (entry) => ({ entry, events: await listShownEvents(entry.id, range, options) })))
}

/** A deleted event is returned with the status `cancelled`. */
export async function getEvent(calendarId: string, eventId: string, options: ReadOptions = {}): Promise<ServiceEvent> {
  const { data } = await callService<ServiceEvent>({
    method: 'events.get',
    path: pathOfEvent(calendarId, eventId),
    ...options,
  })
  return data
}
