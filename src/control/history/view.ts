import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { instanceNamed } from '../../model/events/series.ts'
import { toShownTime } from '../../model/events/times.ts'
import type { StoredCalendar } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'

/** The stored records of a world at one moment. */
export interface MomentView {
  /**
   * Returns a record by the name of its collection (`events/alice@example.com`) and its id, or undefined if there is
   * none.
   */
  get(name: string, id: string): object | undefined
}

/** Returns a view of the data of a snapshot. */
export const viewOf = ({ parts }: StoreSnapshot): MomentView => ({
  get: (name, id) => (parts.get(name) as Records<object> | undefined)?.get(id),
})

/** Returns the stored calendar of an id, deleted or not, or undefined if there is none. */
export const calendarIn = (view: MomentView, id: string): StoredCalendar | undefined =>
  view.get('calendars', id) as StoredCalendar | undefined

/**
 * Returns the stored event of an id, cancelled or not, or the instance of a series that the id names and that was never
 * written. Returns undefined if there is neither.
 */
export const eventIn = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  storedIn(view, calendarId, id) ?? instanceNamed(id, (master) => storedIn(view, calendarId, master), calendarId)

/** Returns the stored event of an id, cancelled or not, or undefined if there is none. */
export const storedIn = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  view.get(`events/${calendarId}`, id) as Event | undefined

/**
 * Returns the address of a calendar's owner, or undefined for an unknown calendar. The id of a primary one is that
 * address.
 */
export const ownerOf = (view: MomentView, calendarId: string): string | undefined =>
  view.get('accounts', calendarId) ? calendarId : calendarIn(view, calendarId)?.dataOwner

/**
 * Returns a copy of an event with its times in the zone of its calendar (UTC without one), as responses contain them.
 */
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
