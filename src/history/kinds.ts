import type { AclRule } from '../wire/aclRule.ts'
import type { CalendarListEntry } from '../wire/calendarListEntry.ts'
import type { Event } from '../wire/event.ts'
import type { Setting } from '../wire/setting.ts'
import type { Channel } from '../world/channel.ts'
import type { StoredCalendar } from '../world/world.ts'
import { calendarIn, eventIn, ownerOf, shownIn, type View } from './view.ts'

export const KINDS = ['event', 'calendar', 'calendarList', 'acl', 'setting', 'channel'] as const
export type KindName = (typeof KINDS)[number]

/** Whose a record is, and what it is called. */
export type Place = { account?: string | undefined; calendarId?: string | undefined; title: string }

/** What has to be known of a kind of record to tell of its changes. */
export type Kind = {
  readonly kind: KindName
  /** A record as it was at a moment, and as replies show it; nothing of what is gone. `owner` is the collection's. */
  find(view: View, owner: string, id: string, stored: object | undefined): object | undefined
  place(view: View, owner: string, id: string, record: object): Place
  /** A record with what replies show beside it, which is not its own. */
  shown?(view: View, record: object): object
  /** Whether nobody has written a record: it came with its account or its calendar, and is not told of beside it. */
  isGiven?(record: object, owner: string): boolean
}

/** A kind whose records are shown as they are stored. */
const kind = <T extends object>(
  kind: KindName,
  isGone: (value: T) => boolean,
  place: (view: View, record: T, owner: string, id: string) => Place,
): Kind => ({
  kind,
  find: (_, __, ___, stored) => (stored && !isGone(stored as T) ? stored : undefined),
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
  shown(view, entry) {
    const { summary } = calendarIn(view, (entry as CalendarListEntry).id) ?? {}
    return summary === undefined ? entry : { ...entry, summary }
  },
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

/** By the collections' names in the store. */
const BY_NAME: ReadonlyMap<string, Kind> = new Map([
  ['events', event],
  ['calendarList', listed],
  [
    'calendars',
    kind<StoredCalendar>(
      'calendar',
      ({ deleted }) => deleted === true,
      (view, { summary }, _, id) => ({ account: ownerOf(view, id), calendarId: id, title: summary }),
    ),
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
      isGiven: (rule, owner) => (rule as AclRule).scope.value === owner,
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
      isGiven: (setting) => (setting as Setting).etag === '"0"',
    },
  ],
  [
    'channels',
    kind<Channel>(
      'channel',
      ({ stopped }) => stopped === true,
      (_, { account, calendarId }, __, id) => ({ account, calendarId, title: id }),
    ),
  ],
])

/** The kind of a collection's records and whose it is; none where nobody is told of its changes. */
export function kindOf(name: string): { kind: Kind; owner: string } | undefined {
  const [first = '', ...rest] = name.split('/')
  const kind = BY_NAME.get(first)
  return kind && { kind, owner: rest.join('/') }
}
