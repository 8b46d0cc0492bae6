import { z } from 'zod'
import { calendar } from './calendar.ts'
import { eventReminder } from './event.ts'
import { byDefault, flag, kind, listOf, namedSchema, neededBy, part, text, type WithoutNulls } from './jsonSchema.ts'

const calendarNotification = namedSchema('CalendarNotification', z.object({ type: text, method: text }))

/** One account's color, name and reminders of a calendar. */
export const calendarListEntryBody = z.object({
  id: neededBy(text, 'calendarList.insert'),
  summaryOverride: text,
  colorId: text,
  backgroundColor: text,
  foregroundColor: text,
  hidden: byDefault(flag, 'false'),
  selected: byDefault(flag, 'false'),
  defaultReminders: listOf(eventReminder),
  notificationSettings: part({ notifications: listOf(calendarNotification) }),
})

export const calendarListEntry = calendarListEntryBody.extend({
  kind: kind('calendar#calendarListEntry'),
  etag: text,
  primary: byDefault(flag, 'false'),
  deleted: byDefault(flag, 'false'),
})

const { description, location, timeZone, dataOwner, conferenceProperties, autoAcceptInvitations } = calendar.shape
/** An entry with fields of the calendar and the account's `accessRole`. */
export const shownEntry = namedSchema(
  'CalendarListEntry',
  calendarListEntry.extend({
    summary: text,
    description,
    location,
    timeZone,
    dataOwner,
    conferenceProperties,
    autoAcceptInvitations,
    accessRole: text,
  }),
)

export type CalendarListEntryBody = z.output<typeof calendarListEntryBody>
type AlwaysSet = 'kind' | 'etag' | 'id'
type Stored = WithoutNulls<z.output<typeof calendarListEntry>>
type Reminders = { method: string; minutes: number }[]
export type CalendarListEntry = Omit<Stored, AlwaysSet | 'defaultReminders'> &
  Required<Pick<Stored, AlwaysSet>> & { defaultReminders: Reminders }
