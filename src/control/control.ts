import { calendarFiles } from './calendarFiles.ts'
import { clock } from './clock.ts'
import { conferences } from './conferences.ts'
import { routeOf } from './endpoint.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import { worlds } from './worlds.ts'

/** Everything that a test author may do, by the chapters of its page. The routes and `fake.*` both come from here. */
export const CHAPTERS = {
  'A world': worlds,
  'The clock': clock,
  Conferences: conferences,
  Mail: mail,
  'Push messages': notifications,
  OAuth: oauth,
  'Calendars as files': calendarFiles,
} as const

/** All of it in one row. */
export const OPERATIONS = Object.values(CHAPTERS).flat()

/** What is under `/_control`. */
export const control = OPERATIONS.map(routeOf)
