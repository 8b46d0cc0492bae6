import { boundedCache } from '../db/memo.ts'
import { Records } from '../db/records.ts'
import type { Revision } from '../db/version.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import type { Setting } from '../schema/setting.ts'
import { nextEntryColor } from './events/fieldValues.ts'

/** The limit of each cache of initial records. */
const MAX_CACHED_OWNERS = 1000

/** The settings of every account, by id. A seed can change them; over the API they are read-only (behaviour 3.7). */
export const SETTINGS: Readonly<Record<string, string>> = {
  autoAddHangouts: 'false',
  dateFieldOrder: 'MDY',
  defaultEventLength: '60',
  format24HourTime: 'false',
  hideInvitations: 'false',
  hideWeekends: 'false',
  locale: 'en',
  remindOnRespondedEventsOnly: 'false',
  showDeclinedEvents: 'true',
  timezone: 'Etc/GMT',
  useKeyboardShortcuts: 'true',
  weekStart: '0',
}

/** The further settings of a Workspace account (behaviour 15.2). The initial value is not known. */
const WORKSPACE: Readonly<Record<string, string>> = { hideInvitationsSetting: 'false' }

const settingsByKind = boundedCache<Records<Setting>>(MAX_CACHED_OWNERS)

/**
 * Returns the settings of an account to which none was written: those of its kind, and its time zone. Shared: read
 * only.
 */
export function initialSettings({
  timeZone,
  kind,
}: {
  timeZone: string
  kind?: 'consumer' | 'workspace'
}): Records<Setting> {
  return settingsByKind(`${kind} ${timeZone}`, () => {
    const records = new Records<Setting>({})
    const settings = { ...SETTINGS, ...(kind === 'workspace' && WORKSPACE), timezone: timeZone }
    for (const [id, value] of Object.entries(settings))
      records.put(id, { kind: 'calendar#setting', etag: '"0"', id, value }, 0)
    return records
  })
}

const PUBLIC_CALENDAR = /(?:^|^(.+))#(holiday|contacts)@group\.v\.calendar\.google\.com$/

/**
 * Returns the parts of the id of a calendar of holidays or of contacts' birthdays (behaviour 15.15, 15.16), or
 * undefined for any other id. In `en.german#holiday@group.v.calendar.google.com`, `of` is `en.german` and `type` is
 * `holiday`.
 */
export function parsePublicCalendarId(id: string): { of: string; type: string } | undefined {
  const [match, of = '', type = ''] = PUBLIC_CALENDAR.exec(id) ?? []
  return match === undefined ? undefined : { of, type }
}

/** The etag of the owner's rule, which exists from the start and was never written (behaviour 15.6). */
const NEVER_WRITTEN = `"${'0'.repeat(20)}"`

const rulesByCalendar = boundedCache<Records<AclRule>>(MAX_CACHED_OWNERS)

/**
 * Returns the rules of a calendar before the first write: it owns itself (behaviour 15.6.1). Returns undefined for a
 * public calendar, which nobody owns. Shared: read only.
 */
export function initialRules(calendarId: string): Records<AclRule> | undefined {
  if (parsePublicCalendarId(calendarId)) return undefined
  return rulesByCalendar(calendarId, () => {
    const id = `user:${calendarId}`
    const scope = { type: 'user' as const, value: calendarId }
    const records = new Records<AclRule>({})
    records.put(id, { kind: 'calendar#aclRule', etag: NEVER_WRITTEN, id, scope, role: 'owner' }, 0)
    return records
  })
}

/** The default reminders and the notifications of a new account's primary calendar (behaviour 15.3). */
const DEFAULT_REMINDERS = [{ method: 'popup', minutes: 10 }]
const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
  type,
  method: 'email',
}))

/** Returns the list entry of a new account's primary calendar, with its fields in the order of a response. */
export const primaryEntry = (email: string): Omit<CalendarListEntry, 'kind' | 'etag'> => ({
  id: email,
  ...nextEntryColor(0),
  selected: true,
  defaultReminders: DEFAULT_REMINDERS,
  notificationSettings: { notifications: NOTIFICATIONS },
  primary: true,
})

/**
 * The revisions from that of a seeded account to that of its calendar list entry, which is not stored. Between them is
 * that of its calendar.
 */
export const ENTRY_REVISION_OFFSET = 2

const entriesByAccount = boundedCache<Records<CalendarListEntry>>(MAX_CACHED_OWNERS)

/** Returns the calendar list of a seeded account before the first write: its primary calendar. Shared: read only. */
export function initialEntries(email: string, accountRevision: Revision): Records<CalendarListEntry> {
  return entriesByAccount(`${accountRevision} ${email}`, () => {
    const revision = accountRevision + ENTRY_REVISION_OFFSET
    const records = new Records<CalendarListEntry>({})
    records.put(email, { kind: 'calendar#calendarListEntry', etag: `"${revision}"`, ...primaryEntry(email) }, revision)
    return records
  })
}
