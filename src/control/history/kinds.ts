import { isNewPrimaryCalendar, isNewPrimaryEntry } from '../../api/accounts.ts'
import type { Channel } from '../../model/channel.ts'
import type { Account, StoredCalendar } from '../../model/worldData.ts'
import type { AclRule } from '../../schema/aclRule.ts'
import type { CalendarListEntry } from '../../schema/calendarListEntry.ts'
import type { Event } from '../../schema/event.ts'
import type { Setting } from '../../schema/setting.ts'
import { calendarIn, eventIn, type MomentView, ownerOf, shownIn } from './view.ts'

/** The kinds of records whose changes are listed, in the order of a diff. */
export const KINDS = ['event', 'calendar', 'calendarList', 'acl', 'setting', 'channel'] as const
export type KindName = (typeof KINDS)[number]

/** The account (an address), the calendar (an id) and the title of a record. */
export type RecordPlace = { account?: string | undefined; calendarId?: string | undefined; title: string }

/**
 * Finds and describes the records of one kind. `parent` is what the collection belongs to: the calendar id of events
 * and rules, the address of the account of entries and settings, and empty for calendars and channels.
 */
export type Kind = {
  readonly kind: KindName
  /**
   * Returns the record as responses contain it in a view, or undefined if it is deleted. `stored` is the record in the
   * store, or undefined if there is none.
   */
  find(view: MomentView, parent: string, id: string, stored: object | undefined): object | undefined
  place(view: MomentView, parent: string, id: string, record: object): RecordPlace
  /** Returns a copy of a record with the fields that responses take from other records. */
  withSharedFields?(view: MomentView, record: object): object
  /** The names of fields with secrets, whose values no change shows. */
  readonly secrets?: readonly string[]
  /**
   * Returns true for a record as its new account or calendar has it. Its addition or removal is no change of its own,
   * because it follows from that of the account or calendar.
   */
  isImplicit?(record: object, parent: string, view: MomentView): boolean
}

/**
 * Defines a kind whose responses contain the records as they are stored. `isDeleted` is true for a stored tombstone.
 */
const kind = <T extends object>(
  kind: KindName,
  isDeleted: (value: T) => boolean,
  place: (view: MomentView, record: T, parent: string, id: string) => RecordPlace,
): Kind => ({
  kind,
  find: (_, __, ___, stored) => (stored && !isDeleted(stored as T) ? stored : undefined),
  place: (view, parent, id, record) => place(view, record as T, parent, id),
})

/** The entries of calendar lists. Their id is the id of the calendar. */
const calendarListEntry: Kind = {
  ...kind<CalendarListEntry>(
    'calendarList',
    ({ deleted }) => deleted === true,
    (view, { summaryOverride }, account, id) => ({
      account,
      calendarId: id,
      title: summaryOverride ?? calendarIn(view, id)?.summary ?? id,
    }),
  ),
  withSharedFields(view, entry) {
    const { summary } = calendarIn(view, (entry as CalendarListEntry).id) ?? {}
    return summary === undefined ? entry : { ...entry, summary }
  },
  isImplicit: (entry, parent) => isNewPrimaryEntry(parent, entry as CalendarListEntry),
}

/** Events. An instance of a series that was never written is found in its master. A cancelled event is deleted. */
const event: Kind = {
  kind: 'event',
  find(view, parent, id, stored) {
    const event = (stored as Event | undefined) ?? eventIn(view, parent, id)
    return event && event.status !== 'cancelled' ? shownIn(view, parent, event) : undefined
  },
  place: (view, parent, _, event) => ({
    account: ownerOf(view, parent),
    calendarId: parent,
    title: (event as Event).summary ?? '',
  }),
}

/** The kinds by the first part of the names of their collections in the store. */
const BY_NAME: ReadonlyMap<string, Kind> = new Map([
  ['events', event],
  ['calendarList', calendarListEntry],
  [
    'calendars',
    {
      ...kind<StoredCalendar>(
        'calendar',
        ({ deleted }) => deleted === true,
        (view, { summary }, _, id) => ({ account: ownerOf(view, id), calendarId: id, title: summary }),
      ),
      isImplicit(calendar, _, view) {
        const account = view.get('accounts', (calendar as StoredCalendar).id) as Account | undefined
        return account !== undefined && isNewPrimaryCalendar(account, calendar as StoredCalendar)
      },
    },
  ],
  [
    'acl',
    {
      ...kind<AclRule>(
        'acl',
        ({ role }) => role === 'none',
        (view, { scope }, parent) => ({
          account: ownerOf(view, parent),
          calendarId: parent,
          title: scope.value ?? scope.type,
        }),
      ),
      isImplicit: (rule, parent) => (rule as AclRule).scope.value === parent,
    },
  ],
  [
    'settings',
    {
      ...kind<Setting>(
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
      ...kind<Channel>(
        'channel',
        ({ stopped }) => stopped === true,
        (_, { account, calendarId }, __, id) => ({ account, calendarId, title: id }),
      ),
      secrets: ['token'],
    },
  ],
])

/**
 * Returns the kind and the parent of a collection by its name in the store (`events/alice@example.com`, `calendars`).
 * Returns undefined for collections whose changes are internal.
 */
export function kindOf(name: string): { kind: Kind; parent: string } | undefined {
  const [first = '', ...rest] = name.split('/')
  const kind = BY_NAME.get(first)
  return kind && { kind, parent: rest.join('/') }
}

/** Returns the names of the fields of a kind whose values no change shows. */
export const secretsOf = (kind: KindName): readonly string[] =>
  [...BY_NAME.values()].find((one) => one.kind === kind)?.secrets ?? []
