import { keyedDigest } from '../../model/ids.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { addressOf } from '../../schema/values/address.ts'

/** Returns the token of a calendar's private address. It is derived from the id, so that tests are repeatable. */
export const derivePrivateToken = (calendarId: string): string =>
  keyedDigest('fake-calendar: the private address of a calendar', addressOf(calendarId)).toString('hex').slice(0, 32)

const FEED_ROOT = 'calendar/ical'

/** Returns the paths of a calendar's public and private iCalendar files. `world` is the name of the world. */
export function createFeedPaths(calendarId: string, world = 'default'): { public: string; private: string } {
  const at = `${world === 'default' ? '' : `/w/${world}`}/${FEED_ROOT}/${encodeURIComponent(calendarId)}`
  return { public: `${at}/public/basic.ics`, private: `${at}/private-${derivePrivateToken(calendarId)}/basic.ics` }
}

/** Returns the calendar of an id in any case, or undefined if there is none or if it is deleted. */
export const findLiveCalendar = (world: WorldData, calendarId: string): StoredCalendar | undefined => {
  const calendar = world.calendars.get(addressOf(calendarId))
  return calendar?.deleted ? undefined : calendar
}
