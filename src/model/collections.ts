import type { ChangeLog } from '../db/changeLog.ts'
import { Collection, type InitialRecords } from '../db/collection.ts'
import { type CollectionDefinition, type Interval, isDatedBucket, NO_INTERVAL } from '../db/indexes.ts'
import { boundedCache } from '../db/memo.ts'
import { Records } from '../db/records.ts'
import type { LazyTable, Store, Tuple } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { flatString, formatInstant } from '../recurrence/format.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import type { Event } from '../schema/event.ts'
import type { Setting } from '../schema/setting.ts'
import { addressOf } from '../schema/values/address.ts'
import { hasSameInstances } from './events/fields.ts'
import { nextEntryColor } from './events/fieldValues.ts'
import { idFromDefaultUid, instanceNamed, isMaster, nextSpan, spanOf } from './events/series.ts'
import { windowOf } from './events/times.ts'

/** The key of an event that may decline invitations at its time (behaviour 8.13). */
const AUTO_DECLINING = ['autoDecline'] as const

/**
 * A revision is the time of a write in microseconds since 1970; the stamp of an event is the etag and `updated` that show it. A
 * series and its changed instances share one stamp (behaviour 5.2).
 */
const EVENTS: CollectionDefinition<Event> = {
  isCancelled: ({ status }) => status === 'cancelled',
  intervalOf: (event) => (isMaster(event) ? undefined : spanOf(event)),
  nextIntervalOf: nextSpan,
  keysOf({ id, recurringEventId = id, iCalUID, status, focusTimeProperties, outOfOfficeProperties }) {
    const isDefaultUid = idFromDefaultUid(iCalUID) === recurringEventId
    const { autoDeclineMode } = focusTimeProperties ?? outOfOfficeProperties ?? {}
    const isAutoDeclining = status !== 'cancelled' && autoDeclineMode !== undefined
    return [...(isDefaultUid ? [] : [['uid', iCalUID]]), ...(isAutoDeclining ? [AUTO_DECLINING] : [])]
  },
  stampGroupOf: ({ recurringEventId }) => recurringEventId,
  withStamp: (event, revision, updatedRevision) => ({
    ...event,
    etag: etagOf(revision),
    updated: updatedAt(updatedRevision),
  }),
  isRedefinition: (before, after) => (isMaster(before) || isMaster(after)) && !hasSameInstances(before, after),
}

/** Only ids of events whose UID does not derive from their ids. */
export const idsWithUid = (records: Records<Event>, iCalUID: string): string[] => records.idsWithKey(['uid', iCalUID])

/** The parts of a world that its collections of events and list entries use. */
type EnclosingWorld = {
  readonly store: Store
  readonly changes: ChangeLog
  readonly accounts: { readonly records: Pick<Records<object>, 'has'> }
  readonly groups: { readonly records: Pick<Records<object>, 'has'> }
  readonly calendars: { readonly records: { ownRevision(id: string): Revision } }
  readonly invited: LazyTable<Tuple, true>
  readonly subscribers: SubscriberIndex
}

export class EventCollection extends Collection<Event> {
  readonly #calendarId: string
  readonly #world: EnclosingWorld

  constructor(world: EnclosingWorld, calendarId: string) {
    super(world.store, world.changes, `events/${calendarId}`, EVENTS)
    this.#world = world
    this.#calendarId = calendarId
  }

  /** Indexes the calendar's own events that invite a group, or an address without an account. */
  protected override afterWrite({ id, organizer, attendees = [] }: Event): void {
    if (organizer?.email !== this.#calendarId) return
    const { accounts, groups, invited } = this.#world
    for (const attendee of attendees) {
      const email = addressOf(attendee.email)
      if (!accounts.records.has(email) || groups.records.has(email)) invited.set([email, this.#calendarId, id], true)
    }
  }

  named(id: string): Event | undefined {
    return this.get(id) ?? instanceNamed(id, this.records, this.#calendarId)
  }

  /** Single events and changed instances have intervals, series none. Instants are milliseconds. */
  *inWindow(from: number, to: number, zone: string): Generator<{ event: Event; interval: Interval | undefined }> {
    for (const { value, bucket, start, end } of this.records.inWindow(windowOf(from, to, zone))) {
      const interval = bucket === NO_INTERVAL ? undefined : { dated: isDatedBucket(bucket), start, end }
      yield { event: value, interval }
    }
  }

  /** Events that may decline invitations at their time (behaviour 8.13), by id. */
  autoDeclining(): Event[] {
    return this.records.idsWithKey(AUTO_DECLINING).flatMap((id) => this.get(id) ?? [])
  }

  override get latest(): Revision {
    return super.latest || this.#world.calendars.records.ownRevision(this.#calendarId)
  }

  exceptionsOf(masterId: string): readonly string[] {
    return this.records.membersOf(masterId)
  }
}

/**
 * Twice the microsecond of the write (behaviour 3.2.6). The revision is that of `ChangeLog.next`; a series and its exceptions
 * share the latest one (`withStamp`).
 */
export const etagOf = (revision: Revision): string => flatString('"', 2 * revision, '"')

export const updatedAt = (revision: Revision): string => formatInstant(Math.floor(revision / 1000))

/**
 * `entry`: any entry that is not removed; `notifications`: asks for mail about changes; `reminders`: its default reminders
 * include mail.
 */
export type Subscription = 'entry' | 'notifications' | 'reminders'

export const IS_SUBSCRIBED: Readonly<Record<Subscription, (entry: CalendarListEntry) => boolean>> = {
  entry: () => true,
  notifications: ({ notificationSettings }) =>
    notificationSettings?.notifications?.some(({ type }) => type !== 'agenda') ?? false,
  reminders: ({ defaultReminders }) => defaultReminders.some(({ method }) => method === 'email'),
}
const SUBSCRIPTIONS = Object.keys(IS_SUBSCRIBED) as Subscription[]

/** Use, calendar id and account's email, for each entry that is not the account's own calendar. */
export type SubscriberIndex = LazyTable<Tuple, true>

export class CalendarListCollection extends Collection<CalendarListEntry> {
  readonly #account: string
  readonly #subscribers: SubscriberIndex

  constructor(
    { store, changes, subscribers }: EnclosingWorld,
    account: string,
    initial: InitialRecords<CalendarListEntry>,
  ) {
    super(store, changes, `calendarList/${account}`, undefined, initial)
    this.#account = account
    this.#subscribers = subscribers
  }

  protected override afterWrite(entry: CalendarListEntry): void {
    // An account's own calendar is not in the index, because its entry may be an initial record.
    if (entry.id === this.#account) return
    for (const subscription of SUBSCRIPTIONS) {
      const key = [subscription, entry.id, this.#account]
      if (!entry.deleted && IS_SUBSCRIBED[subscription](entry)) this.#subscribers.set(key, true)
      else this.#subscribers.delete(key)
    }
  }
}

const MAX_CACHED_OWNERS = 1000

/** A seed can change them; over the API they are read-only (behaviour 3.7). */
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

/** The settings of a Workspace account (behaviour 15.2). The initial value is not known. */
const WORKSPACE: Readonly<Record<string, string>> = { hideInvitationsSetting: 'false' }

const PUBLIC_CALENDAR = /(?:^|^(.+))#(holiday|contacts)@group\.v\.calendar\.google\.com$/

/**
 * Parses the id of a calendar of holidays or of contacts' birthdays (behaviour 15.15, 15.16): in
 * `en.german#holiday@group.v.calendar.google.com`, `of` is `en.german` and `type` is `holiday`.
 */
export function parsePublicCalendarId(id: string): { of: string; type: string } | undefined {
  const [match, of = '', type = ''] = PUBLIC_CALENDAR.exec(id) ?? []
  return match === undefined ? undefined : { of, type }
}

/** The etag of the owner's rule, which exists from the start (behaviour 15.6). */
const NEVER_WRITTEN = `"${'0'.repeat(20)}"`

/** The reminders of a new account's primary calendar (behaviour 15.3). */
const DEFAULT_REMINDERS = [{ method: 'popup', minutes: 10 }]
const NOTIFICATIONS = ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
  type,
  method: 'email',
}))

export const primaryEntry = (email: string): Omit<CalendarListEntry, 'kind' | 'etag'> => ({
  id: email,
  ...nextEntryColor(0),
  selected: true,
  defaultReminders: DEFAULT_REMINDERS,
  notificationSettings: { notifications: NOTIFICATIONS },
  primary: true,
})

/**
 * The distance from the revision of a seeded account to that of its calendar list entry, which is not stored. Between
 * them is that of its calendar.
 */
export const ENTRY_REVISION_OFFSET = 2

const settingsByKind = boundedCache<Records<Setting>>(MAX_CACHED_OWNERS)
const rulesByCalendar = boundedCache<Records<AclRule>>(MAX_CACHED_OWNERS)
const entriesByAccount = boundedCache<Records<CalendarListEntry>>(MAX_CACHED_OWNERS)

/** The records, at one moment, from which the initial ones of an owner derive. */
export type RecordSources = {
  readonly accounts: Pick<Records<SettingsOwner>, 'get' | 'version'>
  readonly calendars: Pick<Records<object>, 'has'>
}
type SettingsOwner = { readonly timeZone: string; readonly kind?: 'consumer' | 'workspace' }

/** The records of an owner before the first write. Shared: read only. */
export const INITIAL_RECORDS = {
  settings({ accounts }: RecordSources, email: string): Records<Setting> | undefined {
    const account = accounts.get(email)
    return account && initialSettings(account)
  },

  /** A calendar owns itself (behaviour 15.6.1). Nobody owns a public calendar. */
  acl({ calendars }: RecordSources, calendarId: string): Records<AclRule> | undefined {
    if (!calendars.has(calendarId) || parsePublicCalendarId(calendarId)) return undefined
    return rulesByCalendar(calendarId, () => {
      const id = `user:${calendarId}`
      const scope = { type: 'user' as const, value: calendarId }
      const records = new Records<AclRule>({})
      records.put(id, { kind: 'calendar#aclRule', etag: NEVER_WRITTEN, id, scope, role: 'owner' }, 0)
      return records
    })
  },

  /** The primary calendar. The accounts of a state have no revision, because their lists are part of the state. */
  calendarList({ accounts }: RecordSources, email: string): Records<CalendarListEntry> | undefined {
    const account = accounts.version(email)
    const created = account?.createdRevision ?? account?.revision
    if (!created) return undefined
    return entriesByAccount(`${created} ${email}`, () => {
      const revision = created + ENTRY_REVISION_OFFSET
      const records = new Records<CalendarListEntry>({})
      const entry = { kind: 'calendar#calendarListEntry' as const, etag: `"${revision}"`, ...primaryEntry(email) }
      records.put(email, entry, revision)
      return records
    })
  },
}

/** The settings of an account that has written none. Shared: read only. */
export function initialSettings({ timeZone, kind }: SettingsOwner): Records<Setting> {
  return settingsByKind(`${kind} ${timeZone}`, () => {
    const records = new Records<Setting>({})
    const settings = { ...SETTINGS, ...(kind === 'workspace' && WORKSPACE), timezone: timeZone }
    for (const [id, value] of Object.entries(settings))
      records.put(id, { kind: 'calendar#setting', etag: '"0"', id, value }, 0)
    return records
  })
}
