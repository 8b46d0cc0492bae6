import { keyedDigest } from '../../model/ids.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { addressOf } from '../../schema/values/address.ts'

/** Derived from the id, so that tests are repeatable. */
export const derivePrivateToken = (calendarId: string): string =>
  keyedDigest('fake-calendar: the private address of a calendar', addressOf(calendarId)).toString('hex').slice(0, 32)

const FEED_ROOT = 'calendar/ical'

export function createFeedPaths(calendarId: string, world = 'default'): { public: string; private: string } {
  const at = `${world === 'default' ? '' : `/w/${world}`}/${FEED_ROOT}/${encodeURIComponent(calendarId)}`
  return { public: `${at}/public/basic.ics`, private: `${at}/private-${derivePrivateToken(calendarId)}/basic.ics` }
}

export const findLiveCalendar = (world: WorldData, calendarId: string): StoredCalendar | undefined => {
  const calendar = world.calendars.get(addressOf(calendarId))
  return calendar?.deleted ? undefined : calendar
}
