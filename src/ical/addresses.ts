import { keyedDigest } from '../time/digest.ts'
import { addressOf } from '../wire/values/address.ts'
import { roleOf } from '../world/access.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { calendarText } from './writing/calendar.ts'

/** What the private address of a calendar holds in place of a secret: the same in every run, for tests to be the same. */
export const privateToken = (calendarId: string): string =>
  keyedDigest('fake-calendar: the private address of a calendar', addressOf(calendarId)).toString('hex').slice(0, 32)

const ROOT = 'calendar/ical'

/** Where a calendar of a world is found as a file: by anybody if it is public, and by whoever knows its private address. */
export function addressesOf(calendarId: string, world = 'default'): { public: string; private: string } {
  const at = `${world === 'default' ? '' : `/w/${world}`}/${ROOT}/${encodeURIComponent(calendarId)}`
  return { public: `${at}/public/basic.ics`, private: `${at}/private-${privateToken(calendarId)}/basic.ics` }
}

export const calendarNamed = (world: World, calendarId: string): StoredCalendar | undefined => {
  const calendar = world.calendars.get(addressOf(calendarId))
  return calendar?.deleted ? undefined : calendar
}

/** The file at an address, `public` or `private-` and a token; nothing where there is none. */
export function fileAt(world: World, calendarId: string, sight: string): string | undefined {
  const calendar = calendarNamed(world, calendarId)
  if (!calendar) return undefined
  if (sight === `private-${privateToken(calendar.id)}`) return calendarText(world, calendar, 'all')
  const role = sight === 'public' ? roleOf(world, calendar.id, { email: undefined }) : 'none'
  if (role === 'none') return undefined
  return calendarText(world, calendar, role === 'freeBusyReader' ? 'busy' : 'public')
}
