import type { CalendarListEntry } from '../../wire/calendarListEntry.ts'
import type { Event } from '../../wire/event.ts'
import { all, call } from '../client.ts'

/** What the service shows; of some calendars less, so that most may be missing. */
export type Shown = Partial<Event> & Pick<Event, 'id'>
export type Entry = CalendarListEntry & {
  id: string
  summary: string
  timeZone?: string
  accessRole: 'freeBusyReader' | 'reader' | 'writer' | 'owner'
}
export type Instant = { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }
export type Guest = NonNullable<Event['attendees']>[number]

export const eventsPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
export const eventPath = (calendarId: string, eventId: string): string =>
  `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`

export const calendarList = (account: string): Promise<Entry[]> =>
  all<Entry>({ method: 'calendarList.list', path: '/users/me/calendarList', account, query: { maxResults: 250 } })

type Range = { timeMin: string; timeMax: string }

const MOST = 2500

/** The events of a calendar in a range, each instance of a series by itself. */
export const eventsIn = (calendarId: string, { timeMin, timeMax }: Range, account?: string): Promise<Shown[]> =>
  all<Shown>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { timeMin, timeMax, singleEvents: true, maxResults: MOST, prettyPrint: false },
    ...(account !== undefined && { account }),
  })

export const found = (calendarId: string, q: string): Promise<Shown[]> =>
  all<Shown>({ method: 'events.list', path: eventsPath(calendarId), query: { q, maxResults: 250 } })

/** An event as it is now, with its etag. */
export async function eventOf(calendarId: string, eventId: string, timeZone?: string): Promise<Shown> {
  const { data } = await call<Shown>({
    method: 'events.get',
    path: eventPath(calendarId, eventId),
    query: { timeZone },
  })
  return data
}
