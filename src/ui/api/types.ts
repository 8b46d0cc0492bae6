/** The rest of `src/ui` imports the types of the server from here alone. */

export type { AnyEffect } from '../../control/faults/effects.ts'
export type { Fault, FaultView } from '../../control/faults/faults.ts'
export type { HistoricChange } from '../../control/history/changes.ts'
export type { Hint, RecordedCall } from '../../control/journal/recordedCall.ts'
export type { Overview, WorldSummary } from '../../control/overview.ts'
export type { WorldResult } from '../../control/worldResult.ts'
export type { Snapshot } from '../../control/worlds/snapshots.ts'
export type { ClockMode, ClockState, Fired } from '../../model/clock.ts'
export type { Setting } from '../../schema/setting.ts'
export type { SeedCounts } from '../../seeds/applySeed.ts'

import type { CalendarListEntry } from '../../schema/calendarListEntry.ts'
import type { Event } from '../../schema/event.ts'
import type { Mail } from '../../schema/mail.ts'

/** Most fields may be missing, for example in a free/busy view. */
export type ServiceEvent = Partial<Event> & Pick<Event, 'id'>

export type CalendarEntry = CalendarListEntry & {
  id: string
  summary: string
  timeZone?: string
  accessRole: 'freeBusyReader' | 'reader' | 'writer' | 'owner'
}

export type EventTime = { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }

export type Attendee = NonNullable<Event['attendees']>[number]

export type NumberedMail = Mail & { id: number }
