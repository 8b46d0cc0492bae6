import { z } from 'zod'
import { calendar } from './calendar.ts'
import { eventReminder } from './event.ts'
import { byDefault, flag, kind, list, named, neededBy, part, type Solid, text } from './json.ts'

const calendarNotification = named('CalendarNotification', z.object({ type: text(), method: text() }))

/** A calendar on one account's list: that account's own colour, name and reminders for it. */
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

/** The stored part of an entry; what it says of the calendar itself is read from the calendar when it is shown. */
export const calendarListEntry = calendarListEntryBody.extend({
  kind: kind('calendar#calendarListEntry'),
  etag: text(),
  primary: byDefault(flag(), 'false'),
  deleted: byDefault(flag(), 'false'),
})

const { description, location, timeZone, dataOwner, conferenceProperties, autoAcceptInvitations } = calendar.shape
export const shownEntry = named(
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
type Parsed = Solid<z.output<typeof calendarListEntry>>
type Reminders = { method: string; minutes: number }[]
export type CalendarListEntry = Omit<Parsed, Written | 'defaultReminders'> &
  Required<Pick<Parsed, Written>> & { defaultReminders: Reminders }
