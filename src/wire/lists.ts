import { z } from 'zod'
import { aclRule } from './aclRule.ts'
import { shownEntry } from './calendarListEntry.ts'
import { event, eventReminder } from './event.ts'
import { instant, kind, list, named, text } from './json.ts'
import { setting } from './setting.ts'

/** A page of what can be listed, and what leads to the next page and to what has changed since. */
const pageOf = <S extends z.ZodType>(name: string, item: S) => ({
  kind: kind(name),
  etag: text(),
  items: list(item),
  nextPageToken: text(),
  nextSyncToken: text(),
})

export const acl = named('Acl', z.object(pageOf('calendar#acl', aclRule)))
export const calendarList = named('CalendarList', z.object(pageOf('calendar#calendarList', shownEntry)))
export const settings = named('Settings', z.object(pageOf('calendar#settings', setting)))

/** A calendar's events, with what the calendar says of itself. */
export const events = named(
  'Events',
  z.object({
    ...pageOf('calendar#events', event),
    summary: text(),
    description: text(),
    updated: instant(),
    timeZone: text(),
    accessRole: text(),
    defaultReminders: list(eventReminder),
  }),
)
