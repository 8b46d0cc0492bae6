import { acl } from './acl/routes.ts'
import { calendarList } from './calendarList/routes.ts'
import { calendars } from './calendars/routes.ts'
import { channels } from './channels/routes.ts'
import { colors } from './colors/routes.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events/routes.ts'
import { freebusy } from './freeBusy/routes.ts'
import { settings } from './settings/routes.ts'

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
