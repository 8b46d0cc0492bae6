import { acl } from './acl.ts'
import { calendarList } from './calendarList.ts'
import { calendars } from './calendars.ts'
import { channels } from './channels.ts'
import { colors } from './colors.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { freebusy } from './freebusy.ts'
import { settings } from './settings.ts'

/** The whole surface of the service, a table a resource. */
export const api: readonly Endpoint[] = [
  ...acl,
  ...calendarList,
  ...calendars,
  ...channels,
  ...colors,
  ...events,
  ...freebusy,
  ...settings,
]
