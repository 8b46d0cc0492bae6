import { calendarFiles } from './calendarFiles.ts'
import { calls } from './calls.ts'
import { clock } from './clock.ts'
import { conferences } from './conferences.ts'
import { faults } from './faults.ts'
import { history } from './history.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import { snapshots } from './snapshots.ts'
import { worlds } from './worlds.ts'

/** All control operations, by the sections of docs/reference/control.md. The routes and `fake.*` are generated from it. */
export const CHAPTERS = {
  'A world': worlds,
  Snapshots: snapshots,
  Changes: history,
  'The clock': clock,
  Conferences: conferences,
  Mail: mail,
  'Faults and quota': faults,
  'Push messages': notifications,
  OAuth: oauth,
  Calls: calls,
  'Calendars as files': calendarFiles,
} as const

/** All operations in one list. */
export const OPERATIONS = Object.values(CHAPTERS).flat()
