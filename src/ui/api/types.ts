/** Types of the server that the inspector uses. They are imported from here only. */

export type { Overview, WorldView } from '../../control/overview.ts'
export type { HistoricChange } from '../../history/changes.ts'
export type { Planted } from '../../life/seed.ts'
export type { Snapshot } from '../../life/snapshots.ts'
export type { Notification } from '../../push/messages.ts'
export type { ChannelView } from '../../push/notifications.ts'
export type { AnyEffect } from '../../testing/faults/effects.ts'
export type { Fault, FaultView } from '../../testing/faults/faults.ts'
export type { CallHint, RecordedCall } from '../../testing/journal/recordedCall.ts'
export type { QuotaState } from '../../testing/quota.ts'
export type { ClockMode, ClockState, Fired } from '../../time/clock.ts'
export type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceState,
  PendingConference,
} from '../../wire/conferencePolicy.ts'
export type {
  Consent,
  OAuthClient,
  OAuthCue,
  OAuthCueName,
  OAuthSeed,
  ServiceAccount,
} from '../../wire/seeds/oauth.ts'
export type { Setting } from '../../wire/setting.ts'
export type { Grant } from '../../world/credentials.ts'

import type { CalendarListEntry } from '../../wire/calendarListEntry.ts'
import type { Event } from '../../wire/event.ts'
import type { Mail } from '../../wire/mail.ts'

/** An event as the service returns it. Most fields may be missing, for example in a free/busy view. */
export type ServiceEvent = Partial<Event> & Pick<Event, 'id'>

export type CalendarEntry = CalendarListEntry & {
  id: string
  summary: string
  timeZone?: string
  accessRole: 'freeBusyReader' | 'reader' | 'writer' | 'owner'
}

/** The start or end of an event: a date, or a date and time. */
export type EventTime = { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }

export type Attendee = NonNullable<Event['attendees']>[number]

/** A mail with its number in the outbox. */
export type NumberedMail = Mail & { id: number }
