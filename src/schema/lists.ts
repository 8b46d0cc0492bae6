import { z } from 'zod'
import { aclRule } from './aclRule.ts'
import { shownEntry } from './calendarListEntry.ts'
import { event, eventReminder } from './event.ts'
import { instant, kind, list, namedSchema, text } from './jsonSchema.ts'
import { setting } from './setting.ts'

const pageOf = <S extends z.ZodType>(name: string, item: S) => ({
  kind: kind(name),
  etag: text,
  items: list(item),
  nextPageToken: text,
  nextSyncToken: text,
})

export const acl = namedSchema('Acl', z.object(pageOf('calendar#acl', aclRule)))
export const calendarList = namedSchema('CalendarList', z.object(pageOf('calendar#calendarList', shownEntry)))
export const settings = namedSchema('Settings', z.object(pageOf('calendar#settings', setting)))

/** `accessRole` is the caller's. */
export const events = namedSchema(
  'Events',
  z.object({
    ...pageOf('calendar#events', event),
    summary: text,
    description: text,
    updated: instant,
    timeZone: text,
    accessRole: text,
    defaultReminders: list(eventReminder),
  }),
)
