import { z } from 'zod'
import { eventReminder } from './event.ts'
import { flag, list, part, type Solid, text } from './json.ts'

/** A calendar on one account's list: that account's own colour, name and reminders for it. */
export const calendarListEntryBody = z.object({
  id: text(),
  summaryOverride: text(),
  colorId: text(),
  backgroundColor: text(),
  foregroundColor: text(),
  hidden: flag(),
  selected: flag(),
  defaultReminders: list(eventReminder),
  notificationSettings: part({ notifications: list(z.object({ type: text(), method: text() })) }),
})

export const calendarListEntry = calendarListEntryBody.extend({
  kind: text(),
  etag: text(),
  primary: flag(),
  deleted: flag(),
})

export type CalendarListEntryBody = z.output<typeof calendarListEntryBody>
type Written = 'kind' | 'etag' | 'id'
type Parsed = Solid<z.output<typeof calendarListEntry>>
type Reminders = { method: string; minutes: number }[]
/** The stored part of an entry; what it says of the calendar itself is read from the calendar when it is shown. */
export type CalendarListEntry = Omit<Parsed, Written | 'defaultReminders'> &
  Required<Pick<Parsed, Written>> & { defaultReminders: Reminders }
