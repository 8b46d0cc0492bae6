import { z } from 'zod'
import { calendar } from './calendar.ts'
import { eventReminder } from './event.ts'
import { byDefault, flag, kind, list, namedSchema, neededBy, part, text, type WithoutNulls } from './jsonSchema.ts'

const calendarNotification = namedSchema('CalendarNotification', z.object({ type: text(), method: text() }))

/** A calendar list entry: one account's color, name and reminders of a calendar. */
export const calendarListEntryBody = z.object({
  id: neededBy(text(), 'calendarList.insert'),
  summaryOverride: text(),
  colorId: text(),
  backgroundColor: text(),
  foregroundColor: text(),
  hidden: byDefault(flag(), 'false'),
  selected: byDefault(flag(), 'false'),
  defaultReminders: list(eventReminder),
  notificationSettings: part({ notifications: list(calendarNotification) }),
})

/** The stored part of an entry. Fields of the calendar itself are added when the entry is shown. */
export const calendarListEntry = calendarListEntryBody.extend({
  kind: kind('calendar#calendarListEntry'),
  etag: text(),
  primary: byDefault(flag(), 'false'),
  deleted: byDefault(flag(), 'false'),
})

const { description, location, timeZone, dataOwner, conferenceProperties, autoAcceptInvitations } = calendar.shape
export const shownEntry = namedSchema(
  'CalendarListEntry',
  calendarListEntry.extend({
    summary: text(),
    description,
    location,
    timeZone,
    dataOwner,
    conferenceProperties,
    autoAcceptInvitations,
    accessRole: text(),
  }),
)

export type CalendarListEntryBody = z.output<typeof calendarListEntryBody>
type Written = 'kind' | 'etag' | 'id'
type Parsed = WithoutNulls<z.output<typeof calendarListEntry>>
type Reminders = { method: string; minutes: number }[]
export type CalendarListEntry = Omit<Parsed, Written | 'defaultReminders'> &
  Required<Pick<Parsed, Written>> & { defaultReminders: Reminders }
