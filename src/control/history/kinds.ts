import { isNewPrimaryCalendar, isNewPrimaryEntry } from '../../api/accounts.ts'
import type { Channel } from '../../model/channel.ts'
import type { Account, StoredCalendar } from '../../model/worldData.ts'
import type { AclRule } from '../../schema/aclRule.ts'
import type { CalendarListEntry } from '../../schema/calendarListEntry.ts'
import type { Event } from '../../schema/event.ts'
import type { Setting } from '../../schema/setting.ts'
import { calendarIn, eventIn, type MomentView, ownerOf, shownIn } from './view.ts'

export const KINDS = ['event', 'calendar', 'calendarList', 'acl', 'setting', 'channel'] as const
export type KindName = (typeof KINDS)[number]

/** The account, the calendar and the title of a record. */
export type RecordPlace = { account?: string | undefined; calendarId?: string | undefined; title: string }

/** Finds and describes the records of one kind. */
export type Kind = {
  readonly kind: KindName
  /**
   * Returns the record as responses contain it in a view, or undefined if it is deleted. `owner` is the owner of the
   * collection.
   */
  find(view: MomentView, owner: string, id: string, stored: object | undefined): object | undefined
  place(view: MomentView, owner: string, id: string, record: object): RecordPlace
  /** Adds the fields that responses take from other records. */
  withSharedFields?(view: MomentView, record: object): object
  /** Fields with secrets, whose values no change shows. */
  readonly secrets?: readonly string[]
  /**
   * Returns true for a record that was created with its account or calendar and never written. It is no change of its
   * own.
   */
  isImplicit?(record: object, owner: string, view: MomentView): boolean
}

/** Defines a kind whose responses contain the records as they are stored. */
const kind = <T extends object>(
  kind: KindName,
  isDeleted: (value: T) => boolean,
  place: (view: MomentView, record: T, owner: string, id: string) => RecordPlace,
): Kind => ({
  kind,
  find: (_, __, ___, stored) => (stored && !isDeleted(stored as T) ? stored : undefined),
  place: (view, owner, id, record) => place(view, record as T, owner, id),
})

const listed: Kind = {
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
  isImplicit: (entry, owner) => isNewPrimaryEntry(owner, entry as CalendarListEntry),
}

const event: Kind = {
  kind: 'event',
  find(view, owner, id, stored) {
    const event = (stored as Event | undefined) ?? eventIn(view, owner, id)
    return event && event.status !== 'cancelled' ? shownIn(view, owner, event) : undefined
  },
  place: (view, owner, _, event) => ({
    account: ownerOf(view, owner),
    calendarId: owner,
    title: (event as Event).summary ?? '',
  }),
}

/** The kinds by the names of their collections in the store. */
const BY_NAME: ReadonlyMap<string, Kind> = new Map([
  ['events', event],
  ['calendarList', listed],
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
        (view, { scope }, owner) => ({
          account: ownerOf(view, owner),
          calendarId: owner,
          title: scope.value ?? scope.type,
        }),
      ),
      isImplicit: (rule, owner) => (rule as AclRule).scope.value === owner,
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

/** Returns the kind and the owner of a collection, or undefined for collections whose changes are internal. */
export function kindOf(name: string): { kind: Kind; owner: string } | undefined {
  const [first = '', ...rest] = name.split('/')
  const kind = BY_NAME.get(first)
  return kind && { kind, owner: rest.join('/') }
}

/** Returns the fields of a kind whose values no change shows. */
export const secretsOf = (kind: KindName): readonly string[] =>
  [...BY_NAME.values()].find((one) => one.kind === kind)?.secrets ?? []
