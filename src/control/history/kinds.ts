import { isNewPrimaryCalendar, isNewPrimaryEntry } from '../../api/accounts.ts'
import { isNewPublicCalendar, isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import type { Write } from '../../db/changeLog.ts'
import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import type { Channel } from '../../model/channel.ts'
import { instanceNamed } from '../../model/events/series.ts'
import { toShownTime } from '../../model/events/times.ts'
import type { Account, StoredCalendar } from '../../model/worldData.ts'
import type { AclRule } from '../../schema/aclRule.ts'
import type { CalendarListEntry } from '../../schema/calendarListEntry.ts'
import type { Event } from '../../schema/event.ts'
import type { Setting } from '../../schema/setting.ts'

export interface MomentView {
  /** `name` is the name of the collection: `events/alice@example.com`. */
  get(name: string, id: string): object | undefined
  /** The ids of the collection that begin with a text. */
  idsWithPrefix(name: string, prefix: string): string[]
}

/** A name has no line break, so keys are unique for any id. */
export const toRecordKey = (name: string, id: string): string => `${name}\n${id}`

/** `undo` applies the inverse of a write. Undo the latest write first. */
export function createRewindableView(now: MomentView): MomentView & { undo(write: Write): void } {
  const former = new Map<string, object | undefined>()
  return {
    get(name, id) {
      const key = toRecordKey(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
    idsWithPrefix(name, prefix) {
      const ids = new Set(now.idsWithPrefix(name, prefix))
      for (const key of former.keys()) {
        const [collection, id = ''] = key.split('\n')
        if (collection === name && id.startsWith(prefix)) ids.add(id)
      }
      return [...ids]
    },
    undo: ({ name, id, was }) => void former.set(toRecordKey(name, id), was),
  }
}

export function createSnapshotView({ parts }: StoreSnapshot): MomentView {
  const recordsOf = (name: string) => parts.get(name) as Records<object> | undefined
  return {
    get: (name, id) => recordsOf(name)?.get(id),
    idsWithPrefix: (name, prefix) => recordsOf(name)?.idsWithPrefix(prefix) ?? [],
  }
}

export const findStoredCalendar = (view: MomentView, id: string): StoredCalendar | undefined =>
  view.get('calendars', id) as StoredCalendar | undefined

/** Finds also the instance of a series that was never written. */
export const findEventOrInstance = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  findStoredEvent(view, calendarId, id) ??
  instanceNamed(
    id,
    {
      get: (seriesId) => findStoredEvent(view, calendarId, seriesId),
      idsWithPrefix: (prefix) => view.idsWithPrefix(`events/${calendarId}`, prefix),
    },
    calendarId,
  )

export const findStoredEvent = (view: MomentView, calendarId: string, id: string): Event | undefined =>
  view.get(`events/${calendarId}`, id) as Event | undefined

/** The id of a primary calendar is the address of its owner. */
export const findCalendarOwner = (view: MomentView, calendarId: string): string | undefined =>
  view.get('accounts', calendarId) ? calendarId : findStoredCalendar(view, calendarId)?.dataOwner

/** The times are in the zone of the calendar (UTC without one). */
export function toShownEvent(view: MomentView, calendarId: string, event: Event): Event {
  const zone = findStoredCalendar(view, calendarId)?.timeZone ?? 'UTC'
  const { originalStartTime } = event
  return {
    ...event,
    start: toShownTime(event.start, zone),
    end: toShownTime(event.end, zone),
    ...(originalStartTime && { originalStartTime: toShownTime(originalStartTime, zone) }),
  }
}

/** The kinds in the order of a diff. */
export const KINDS = ['event', 'calendar', 'calendarList', 'acl', 'setting', 'channel'] as const
export type KindName = (typeof KINDS)[number]

export type RecordLocation = { account?: string | undefined; calendarId?: string | undefined; title: string }

/** `parent` is the calendar of events and rules, the account of entries and settings, else empty. */
export type Kind = {
  readonly kind: KindName
  /** Returns the record as responses contain it in a view. `stored` is the record in the store. */
  find(view: MomentView, parent: string, id: string, stored: object | undefined): object | undefined
  locate(view: MomentView, parent: string, id: string, record: object): RecordLocation
  /** Returns a copy of a record with the fields that responses take from other records. */
  withSharedFields?(view: MomentView, record: object): object
  readonly secrets?: readonly string[]
  /** True for a record that came with its account or calendar: its addition or removal follows from theirs. */
  isImplicit?(record: object, parent: string, view: MomentView): boolean
}

const defineKind = <T extends object>(
  kind: KindName,
  isDeleted: (value: T) => boolean,
  locate: (view: MomentView, record: T, parent: string, id: string) => RecordLocation,
): Kind => ({
  kind,
  find: (_, __, ___, stored) => (stored && !isDeleted(stored as T) ? stored : undefined),
  locate: (view, parent, id, record) => locate(view, record as T, parent, id),
})

const calendarListEntry: Kind = {
  ...defineKind<CalendarListEntry>(
    'calendarList',
    ({ deleted }) => deleted === true,
    (view, { summaryOverride }, account, id) => ({
      account,
      calendarId: id,
      title: summaryOverride ?? findStoredCalendar(view, id)?.summary ?? id,
    }),
  ),
  withSharedFields(view, entry) {
    const { summary } = findStoredCalendar(view, (entry as CalendarListEntry).id) ?? {}
    return summary === undefined ? entry : { ...entry, summary }
  },
  isImplicit: (entry, parent) => isNewPrimaryEntry(parent, entry as CalendarListEntry),
}

const event: Kind = {
  kind: 'event',
  find(view, parent, id, stored) {
    const event = (stored as Event | undefined) ?? findEventOrInstance(view, parent, id)
    return event && event.status !== 'cancelled' ? toShownEvent(view, parent, event) : undefined
  },
  locate: (view, parent, _, event) => ({
    account: findCalendarOwner(view, parent),
    calendarId: parent,
    title: (event as Event).summary ?? '',
  }),
  isImplicit: (_, parent) => isPublicCalendar(parent),
}

const BY_NAME: ReadonlyMap<string, Kind> = new Map([
  ['events', event],
  ['calendarList', calendarListEntry],
  [
    'calendars',
    {
      ...defineKind<StoredCalendar>(
        'calendar',
        ({ deleted }) => deleted === true,
        (view, { summary }, _, id) => ({ account: findCalendarOwner(view, id), calendarId: id, title: summary }),
      ),
      isImplicit(calendar, _, view) {
        if (isNewPublicCalendar(calendar as StoredCalendar)) return true
        const account = view.get('accounts', (calendar as StoredCalendar).id) as Account | undefined
        return account !== undefined && isNewPrimaryCalendar(account, calendar as StoredCalendar)
      },
    },
  ],
  [
    'acl',
    {
      ...defineKind<AclRule>(
        'acl',
        ({ role }) => role === 'none',
        (view, { scope }, parent) => ({
          account: findCalendarOwner(view, parent),
          calendarId: parent,
          title: scope.value ?? scope.type,
        }),
      ),
      isImplicit: (rule, parent) => (rule as AclRule).scope.value === parent || isPublicCalendar(parent),
    },
  ],
  [
    'settings',
    {
      ...defineKind<Setting>(
        'setting',
        () => false,
        (_, __, account, id) => ({ account, title: id }),
      ),
      isImplicit: (setting) => (setting as Setting).etag === '"0"',
    },
  ],
  [
    'channels',
    {
      ...defineKind<Channel>(
        'channel',
        ({ stopped }) => stopped === true,
        (_, { account, calendarId }, __, id) => ({ account, calendarId, title: id }),
      ),
      secrets: ['token'],
    },
  ],
])

/** Returns undefined for a collection whose changes are internal. */
export function findKind(name: string): { kind: Kind; parent: string } | undefined {
  const [first = '', ...rest] = name.split('/')
  const kind = BY_NAME.get(first)
  return kind && { kind, parent: rest.join('/') }
}
