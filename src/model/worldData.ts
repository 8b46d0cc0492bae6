import { ChangeLog } from '../db/changeLog.ts'
import { Collection, type InitialRecords, StoreParts } from '../db/collection.ts'
import { Records } from '../db/records.ts'
import { byNumber, byText, byTuple, type Store, type StoreSnapshot, type Tuple } from '../db/store.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { Calendar } from '../schema/calendar.ts'
import type { Event } from '../schema/event.ts'
import type { Mail } from '../schema/mail.ts'
import type { ScopeView } from '../schema/scopes.ts'
import type { Setting } from '../schema/setting.ts'
import type { Channel, MessageCount } from './channel.ts'
import type { WorldClock } from './clock.ts'
import {
  CalendarListCollection,
  EventCollection,
  INITIAL_RECORDS,
  type RecordSources,
  type SubscriberIndex,
} from './collections.ts'
import { ConferenceRequests } from './conferencePolicy.ts'
import { type Grant, OAuthRecords } from './credentials.ts'
import type { Composed } from './events/fields.ts'
import type { DriveFile } from './events/fieldValues.ts'
import { Ids } from './ids.ts'

/** The email is also the record id and the id of the primary calendar, always in lower case. */
export type Account = {
  email: string
  displayName?: string
  /** The address of the picture. */
  picture?: string
  timeZone: string
  /** The default is `consumer` (behaviour 15.2). */
  kind?: 'consumer' | 'workspace'
  showDisplayName?: boolean
  /** An administrator may manage all calendars of the Workspace. */
  admin?: boolean
}
export type Reminders = NonNullable<Event['reminders']>
export type Group = { email: string; members: string[] }
/** A mail in the outbox. `event` is the whole event when it was sent: a record that no write changes, not a copy. */
export type StoredMail = Omit<Mail, 'id'> & { event?: Composed }
export type StoredCalendar = Calendar & { deleted?: true }
export type Caller = {
  email: string | undefined
  client?: string | undefined
  /** Calendars that the scopes of the token let the caller see; without it all (behaviour 1.5.1). */
  scopeView?: readonly ScopeView[] | undefined
  /** Strict mode rejects requests that the service is not known to accept. */
  strict?: boolean | undefined
}

class CollectionsByOwner<C extends { readonly exists: boolean }> {
  /** Undefined until its first use, because a world has several of these. */
  #byOwner: Map<string, C> | undefined
  readonly #open: (owner: string) => C

  constructor(open: (owner: string) => C) {
    this.#open = open
  }

  of(owner: string): C {
    const known = this.#byOwner?.get(owner)
    return known ?? this.#keep(owner, this.#open(owner))
  }

  /** Keeps only a collection that exists, so that requests for unknown owners take no memory. */
  get(owner: string): C | undefined {
    const found = this.#byOwner?.get(owner) ?? this.#open(owner)
    return found.exists ? this.#keep(owner, found) : undefined
  }

  #keep(owner: string, collection: C): C {
    this.#byOwner ??= new Map()
    this.#byOwner.set(owner, collection)
    return collection
  }
}

export class WorldData extends StoreParts {
  readonly clock: WorldClock
  readonly ids: Ids
  readonly accounts = this.open<Account>('accounts')
  readonly groups = this.open<Group>('groups', { keysOf: ({ members }) => members.map((member) => [member]) })
  readonly calendars = this.open<StoredCalendar>('calendars')
  readonly grants = this.open<Grant>('grants')
  readonly channels = this.open<Channel>('channels')
  readonly subscribers: SubscriberIndex = this.table('subscribers', byTuple)
  readonly invited = this.table<Tuple, true>('invited', byTuple)
  /** Called after each mail. Made by the first that waits, because most worlds have none. */
  mailListeners: Set<() => void> | undefined
  /** Waits for the first channel. Writes have no listener before it. */
  channelListener: { onFirstChannel(): void } | undefined
  readonly mail = this.table<number, StoredMail>('mail', byNumber)
  readonly scheduledMail = this.table<Tuple, number>('scheduledMail', byTuple)
  /** Reminders for events whose record holds those of another account (behaviour 7.12), by calendar id, event id and email. */
  readonly reminders = this.table<Tuple, Reminders>('reminders', byTuple)
  readonly apiKeys = this.table<string, true>('apiKeys', byText)
  readonly files = this.table<string, DriveFile>('files', byText)
  readonly creatorClients = this.table<string, string>('creatorClients', byText)
  /** Counts by the id of the channel. They are not records, because a message must not count as a write. */
  readonly messageCounts = this.table<string, MessageCount>('messageCounts', byText)
  readonly conferences = new ConferenceRequests(this.store)
  readonly oauth = new OAuthRecords(this.store, this.changes)
  readonly events = new CollectionsByOwner((calendarId) => new EventCollection(this, calendarId))
  readonly acl = this.#byOwner<AclRule>('acl')
  readonly settings = this.#byOwner<Setting>('settings')
  readonly lists = new CollectionsByOwner(
    (email) => new CalendarListCollection(this, email, this.#initial('calendarList', email)),
  )

  constructor(store: Store, clock: WorldClock) {
    super(store, new ChangeLog(store, clock))
    this.clock = clock
    this.ids = new Ids(store)
  }

  #byOwner<T extends object>(kind: 'acl' | 'settings'): CollectionsByOwner<Collection<T>> {
    const open = (owner: string) =>
      new Collection<T>(this.store, this.changes, `${kind}/${owner}`, undefined, this.#initial(kind, owner))
    return new CollectionsByOwner(open)
  }

  #initial<T extends object>(kind: InitialKind, owner: string): InitialRecords<T> {
    const read = INITIAL_RECORDS[kind] as (sources: RecordSources, owner: string) => Records<T> | undefined
    const { accounts, calendars } = this
    return (snapshot) =>
      snapshot
        ? read({ accounts: accounts.in(snapshot), calendars: calendars.in(snapshot) }, owner)
        : read({ accounts: accounts.records, calendars: calendars.records }, owner)
  }
}

export const accountZone = (world: WorldData, email: string): string => world.accounts.get(email)?.timeZone ?? 'UTC'

/** The address had no account when it was invited. Events that it is not invited to any more are included. */
export function* invitationsOf(
  { invited }: WorldData,
  address: string,
): Generator<{ calendarId: string; eventId: string }> {
  for (const [, calendarId, eventId] of invited.range([address], ([to]) => to === address))
    yield { calendarId: String(calendarId), eventId: String(eventId) }
}

type InitialKind = keyof typeof INITIAL_RECORDS

/** `name` is that in the store, such as `acl/a@example.com`. Undefined for a kind or an owner without any. */
export function initialRecordsIn({ parts }: StoreSnapshot, name: string): Records<object> | undefined {
  const [, kind, owner = ''] = /^(settings|acl|calendarList)\/(.*)$/s.exec(name) ?? []
  const read = INITIAL_RECORDS[kind as InitialKind] as
    | undefined
    | ((sources: RecordSources, owner: string) => Records<object> | undefined)
  const recordsOf = <T extends object>(collection: string) =>
    (parts.get(collection) as Records<T> | undefined) ?? new Records<T>({})
  return read?.({ accounts: recordsOf('accounts'), calendars: recordsOf('calendars') }, owner)
}
