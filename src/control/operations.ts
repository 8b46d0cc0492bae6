import { calendarFiles } from './calendarFiles.ts'
import { calls } from './calls.ts'
import { clock } from './clock.ts'
import { conferences } from './conferences.ts'
import { routeOf } from './route.ts'
import { faults } from './faults.ts'
import { history } from './history.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import { snapshots } from './snapshots.ts'
import { worlds } from './worlds.ts'

/** Everything that a test author may do, by the chapters of its page. The routes and `fake.*` both come from here. */
export const CHAPTERS = {
  'A world': worlds,
  Snapshots: snapshots,
  'What has changed': history,
  'The clock': clock,
  Conferences: conferences,
  Mail: mail,
  'Faults and quota': faults,
  'Push messages': notifications,
  OAuth: oauth,
  'What was called': calls,
  'Calendars as files': calendarFiles,
} as const

/** All of it in one row. */
export const OPERATIONS = Object.values(CHAPTERS).flat()

/** What is under `/_control`. */
export const control = OPERATIONS.map(routeOf)
