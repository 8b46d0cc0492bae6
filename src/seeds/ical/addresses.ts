import { roleOf } from '../../model/access.ts'
import { keyedDigest } from '../../model/ids.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { addressOf } from '../../schema/values/address.ts'
import { writeCalendar } from './writing/calendar.ts'

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

/**
 * Returns the iCalendar file at an address in chunks of text. `access` is the part of the path after the calendar id:
 * `public`, or `private-` and the token. Returns undefined if there is no such file, and for `public` if the public has no
 * role on the calendar. Readers of busy times only get events named "Busy".
 */
export function findFeed(world: WorldData, calendarId: string, access: string): Iterable<string> | undefined {
  const calendar = findLiveCalendar(world, calendarId)
  if (!calendar) return undefined
  if (access === `private-${derivePrivateToken(calendar.id)}`) return writeCalendar(world, calendar, 'all')
  const role = access === 'public' ? roleOf(world, calendar.id, { email: undefined }) : 'none'
  if (role === 'none') return undefined
  return writeCalendar(world, calendar, role === 'freeBusyReader' ? 'busy' : 'public')
}
