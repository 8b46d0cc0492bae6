import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { instanceNamed } from '../../model/events/series.ts'
import { toShownTime } from '../../model/events/times.ts'
import type { StoredCalendar } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'

/** The records of a world at one moment. */
export interface MomentView {
  get(name: string, id: string): object | undefined
}

export const viewOf = ({ parts }: StoreSnapshot): MomentView => ({
  get: (name, id) => (parts.get(name) as Records<object> | undefined)?.get(id),
})

export const calendarIn = (view: MomentView, id: string): StoredCalendar | undefined =>
  view.get('calendars', id) as StoredCalendar | undefined

/** Returns the stored event of an id, or the instance of a series that the id names and that was never written. */
export const eventIn = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  storedIn(view, calendarId, id) ?? instanceNamed(id, (master) => storedIn(view, calendarId, master), calendarId)

export const storedIn = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  view.get(`events/${calendarId}`, id) as Event | undefined

/** Returns the owner of a calendar. The id of a primary calendar is the address of its owner. */
export const ownerOf = (view: MomentView, calendarId: string): string | undefined =>
  view.get('accounts', calendarId) ? calendarId : calendarIn(view, calendarId)?.dataOwner

/** Returns an event with its times in the zone of its calendar, as responses contain them. */
export function shownIn(view: MomentView, calendarId: string, event: Event): Event {
  const zone = calendarIn(view, calendarId)?.timeZone ?? 'UTC'
  const { originalStartTime } = event
  return {
    ...event,
    start: toShownTime(event.start, zone),
    end: toShownTime(event.end, zone),
    ...(originalStartTime && { originalStartTime: toShownTime(originalStartTime, zone) }),
  }
}
