import { boundedCache } from '../db/memo.ts'
import { Records } from '../db/records.ts'
import type { Revision } from '../db/version.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import { nextEntryColor } from './events/colors.ts'

/** The reminders and mails of a new account's primary calendar (behaviour 15.3). */
const DEFAULT_REMINDERS = [{ method: 'popup', minutes: 10 }]
const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
  type,
  method: 'email',
}))

/** Returns the entry of a new account's primary calendar, with its fields in the order of a response. */
export const primaryEntry = (email: string): Omit<CalendarListEntry, 'kind' | 'etag'> => ({
  id: email,
  ...nextEntryColor(0),
  selected: true,
  defaultReminders: DEFAULT_REMINDERS,
  notificationSettings: { notifications: NOTIFICATIONS },
  primary: true,
})

/** The revisions of a seeded account: its own, that of its calendar, and that of its entry, which is not stored. */
export const ENTRY_REVISION_OFFSET = 2

const MAX_CACHED_ACCOUNTS = 1000
const cached = boundedCache<Records<CalendarListEntry>>(MAX_CACHED_ACCOUNTS)

/** Returns the list of a seeded account before the first write: its primary calendar. */
export function initialEntries(email: string, accountRevision: Revision): Records<CalendarListEntry> {
  return cached(`${accountRevision} ${email}`, () => {
    const revision = accountRevision + ENTRY_REVISION_OFFSET
    const records = new Records<CalendarListEntry>({})
    records.put(email, { kind: 'calendar#calendarListEntry', etag: `"${revision}"`, ...primaryEntry(email) }, revision)
    return records
  })
}
