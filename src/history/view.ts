import type { Records } from '../db/records.ts'
import type { StoreSnapshot } from '../db/store.ts'
import { instanceNamed } from '../model/series.ts'
import { toShownTime } from '../model/times.ts'
import type { Event } from '../wire/event.ts'
import type { StoredCalendar } from '../world/world.ts'

/** A world as it was at one moment: a record of a collection by its id. */
export interface View {
  get(name: string, id: string): object | undefined
}

export const viewOf = ({ states }: StoreSnapshot): View => ({
  get: (name, id) => (states.get(name) as Records<object> | undefined)?.get(id),
})

export const calendarIn = (view: View, id: string): StoredCalendar | undefined =>
  view.get('calendars', id) as StoredCalendar | undefined

/** The stored event with an id, or the instance of a series that it names: nobody may have changed that by then. */
export const eventIn = (view: View, calendarId: string, id: string): Event | undefined =>
  storedIn(view, calendarId, id) ?? instanceNamed(id, (master) => storedIn(view, calendarId, master), calendarId)

export const storedIn = (view: View, calendarId: string, id: string): Event | undefined =>
  view.get(`events/${calendarId}`, id) as Event | undefined

/** The account whose calendar it is: a primary one bears its address. */
export const ownerOf = (view: View, calendarId: string): string | undefined =>
  view.get('accounts', calendarId) ? calendarId : calendarIn(view, calendarId)?.dataOwner

/** An event with its times as replies show them, by the clock of its calendar. */
export function shownIn(view: View, calendarId: string, event: Event): Event {
  const zone = calendarIn(view, calendarId)?.timeZone ?? 'UTC'
  const { originalStartTime } = event
  return {
    ...event,
    start: toShownTime(event.start, zone),
    end: toShownTime(event.end, zone),
    ...(originalStartTime && { originalStartTime: toShownTime(originalStartTime, zone) }),
  }
}
