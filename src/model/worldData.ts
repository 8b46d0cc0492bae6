import { ChangeLog } from '../db/changeLog.ts'
import { Collection, type InitialRecords } from '../db/collection.ts'
import type { CollectionDefinition } from '../db/indexes.ts'
import { LazyTable } from '../db/lazyTable.ts'
import { Records } from '../db/records.ts'
import type { Store, StoreSnapshot } from '../db/store.ts'
import { byNumber, byText, byTuple, type Tuple } from '../db/store.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { Calendar } from '../schema/calendar.ts'
import type { CalendarListEntry } from '../schema/calendarListEntry.ts'
import type { Event } from '../schema/event.ts'
import type { Mail } from '../schema/mail.ts'
import type { ScopeView } from '../schema/scopes.ts'
import type { Setting } from '../schema/setting.ts'
import type { Channel, MessageCount } from './channel.ts'
import type { WorldClock } from './clock.ts'
import {
  CalendarListCollection,
  EventCollection,
  initialEntries,
  initialRules,
  initialSettings,
} from './collections.ts'
import { ConferenceRequests } from './conferencePolicy.ts'
import { type Grant, OAuthRecords } from './credentials.ts'
import type { DriveFile } from './events/fieldValues.ts'
import { Ids } from './ids.ts'

/** The email is also the record id and the id of the primary calendar, always in lower case. */
export type Account = {
  email: string
  displayName?: string
  timeZone: string
  /** The default is `consumer` (behaviour 15.2). */
  kind?: 'consumer' | 'workspace'
  showDisplayName?: boolean
  /** An administrator may manage all calendars of the Workspace. */
  admin?: boolean
}
export type Reminders = NonNullable<Event['reminders']>
export type Group = { email: string; members: string[] }
const GROUPS: CollectionDefinition<Group> = { keysOf: ({ members }) => members.map((member) => [member]) }
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
  readonly #byOwner = new Map<string, C>()
  readonly #store: Store
  readonly #name: string
  readonly #open: (owner: string, name: string) => C
  readonly #hasInitial: (owner: string) => boolean

  constructor(
    store: Store,
    name: string,
    open: (owner: string, name: string) => C,
    hasInitial: (owner: string) => boolean = () => false,
  ) {
    this.#store = store
    this.#name = name
    this.#open = open
    this.#hasInitial = hasInitial
  }

  of(owner: string): C {
    const known = this.#byOwner.get(owner)
    if (known) return known
    const opened = this.#open(owner, `${this.#name}/${owner}`)
    this.#byOwner.set(owner, opened)
    return opened
  }

  get(owner: string): C | undefined {
    const known = this.#byOwner.get(owner)
    if (known) return known.exists ? known : undefined
    return this.#store.read(`${this.#name}/${owner}`) || this.#hasInitial(owner) ? this.of(owner) : undefined
  }
}

/** Collections are created on first use, because most tests use few of them. */
export class WorldData {
  readonly store: Store
  readonly clock: WorldClock
  readonly ids: Ids
  readonly changes: ChangeLog
  #conferences: ConferenceRequests | undefined
  #accounts: Collection<Account> | undefined
  #groups: Collection<Group> | undefined
  #grants: Collection<Grant> | undefined
  #oauth: OAuthRecords | undefined
  #apiKeys: LazyTable<string, true> | undefined
  #files: LazyTable<string, DriveFile> | undefined
  #calendars: Collection<StoredCalendar> | undefined
  #mail: LazyTable<number, Mail> | undefined
  #events: CollectionsByOwner<EventCollection> | undefined
  #invited: LazyTable<Tuple, true> | undefined
  #acl: CollectionsByOwner<Collection<AclRule>> | undefined
  #lists: CollectionsByOwner<CalendarListCollection> | undefined
  #subscribers: LazyTable<Tuple, true> | undefined
  #settings: CollectionsByOwner<Collection<Setting>> | undefined
  #reminders: LazyTable<Tuple, Reminders> | undefined
  #scheduledMail: LazyTable<Tuple, number> | undefined
  #creatorClients: LazyTable<string, string> | undefined
  #channels: Collection<Channel> | undefined
  #messageCounts: LazyTable<string, MessageCount> | undefined

  constructor(store: Store, clock: WorldClock) {
    this.store = store
    this.clock = clock
    this.ids = new Ids(store)
    this.changes = new ChangeLog(store, clock)
  }

  #open<T extends object>(name: string, kind?: CollectionDefinition<T>): Collection<T> {
    return new Collection<T>(this.store, this.changes, name, kind)
  }

  #table<V>(name: string): LazyTable<string, V> {
    return new LazyTable(this.store, name, byText)
  }

  #byOwner<T extends object>(kind: InitialKind): CollectionsByOwner<Collection<T>> {
    return new CollectionsByOwner(
      this.store,
      kind,
      (owner, name) => new Collection<T>(this.store, this.changes, name, undefined, this.#initial(kind, owner)),
      (owner) => this.#initial<T>(kind, owner)() !== undefined,
    )
  }

  #initial<T extends object>(kind: InitialKind, owner: string): InitialRecords<T> {
    const read = INITIAL_RECORDS[kind] as (moment: Moment, owner: string) => Records<T> | undefined
    return (snapshot) =>
      read(
        {
          accounts: snapshot ? this.accounts.in(snapshot) : this.accounts.records,
          calendars: snapshot ? this.calendars.in(snapshot) : this.calendars.records,
        },
        owner,
      )
  }

  get conferences(): ConferenceRequests {
    this.#conferences ??= new ConferenceRequests(this.store)
    return this.#conferences
  }

  get accounts(): Collection<Account> {
    this.#accounts ??= this.#open('accounts')
    return this.#accounts
  }

  get groups(): Collection<Group> {
    this.#groups ??= this.#open('groups', GROUPS)
    return this.#groups
  }

  get grants(): Collection<Grant> {
    this.#grants ??= this.#open('grants')
    return this.#grants
  }

  get oauth(): OAuthRecords {
    this.#oauth ??= new OAuthRecords(this.store, this.changes)
    return this.#oauth
  }

  get apiKeys(): LazyTable<string, true> {
    this.#apiKeys ??= this.#table('apiKeys')
    return this.#apiKeys
  }

  get files(): LazyTable<string, DriveFile> {
    this.#files ??= this.#table('files')
    return this.#files
  }

  get calendars(): Collection<StoredCalendar> {
    this.#calendars ??= this.#open('calendars')
    return this.#calendars
  }

  get mail(): LazyTable<number, Mail> {
    this.#mail ??= new LazyTable(this.store, 'mail', byNumber)
    return this.#mail
  }

  get events(): CollectionsByOwner<EventCollection> {
    this.#events ??= new CollectionsByOwner(this.store, 'events', (id, name) => this.#eventsOf(id, name))
    return this.#events
  }

  #eventsOf(calendarId: string, name: string): EventCollection {
    const written = () => this.calendars.records.ownRevision(calendarId)
    const invite = (address: string, id: string, eventId: string) => {
      const known = this.accounts.records.has(address) && !this.groups.records.has(address)
      if (!known) this.invited.set([address, id, eventId], true)
    }
    return new EventCollection(this.store, this.changes, name, calendarId, written, invite)
  }

  get invited(): LazyTable<Tuple, true> {
    this.#invited ??= new LazyTable(this.store, 'invited', byTuple)
    return this.#invited
  }

  get acl(): CollectionsByOwner<Collection<AclRule>> {
    this.#acl ??= this.#byOwner('acl')
    return this.#acl
  }

  get lists(): CollectionsByOwner<CalendarListCollection> {
    this.#lists ??= new CollectionsByOwner(
      this.store,
      'calendarList',
      (account, name) =>
        new CalendarListCollection(
          ...([this.store, this.changes, name, account, this.subscribers] as const),
          this.#initial('calendarList', account),
        ),
      (account) => this.#initial('calendarList', account)() !== undefined,
    )
    return this.#lists
  }

  get subscribers(): LazyTable<Tuple, true> {
    this.#subscribers ??= new LazyTable(this.store, 'subscribers', byTuple)
    return this.#subscribers
  }

  get settings(): CollectionsByOwner<Collection<Setting>> {
    this.#settings ??= this.#byOwner('settings')
    return this.#settings
  }

  /** For events whose record holds those of another account (behaviour 7.12), by calendar id, event id and email. */
  get reminders(): LazyTable<Tuple, Reminders> {
    this.#reminders ??= new LazyTable(this.store, 'reminders', byTuple)
    return this.#reminders
  }

  get scheduledMail(): LazyTable<Tuple, number> {
    this.#scheduledMail ??= new LazyTable(this.store, 'scheduledMail', byTuple)
    return this.#scheduledMail
  }

  get creatorClients(): LazyTable<string, string> {
    this.#creatorClients ??= this.#table('creatorClients')
    return this.#creatorClients
  }

  get channels(): Collection<Channel> {
    this.#channels ??= this.#open('channels')
    return this.#channels
  }

  get hasChannels(): boolean {
    return this.store.read('channels') !== undefined
  }

  /** By the id of the channel. They are not records, because a message must not count as a write. */
  get messageCounts(): LazyTable<string, MessageCount> {
    this.#messageCounts ??= this.#table('messageCounts')
    return this.#messageCounts
  }
}

/** The address had no account when it was invited. Events that it is not invited to any more are included. */
export function* invitationsOf(
  { invited }: WorldData,
  address: string,
): Generator<{ calendarId: string; eventId: string }> {
  for (const [, calendarId, eventId] of invited.range([address], ([to]) => to === address))
    yield { calendarId: String(calendarId), eventId: String(eventId) }
}

type Moment = { readonly accounts: Records<Account>; readonly calendars: Records<StoredCalendar> }
type InitialKind = 'settings' | 'acl' | 'calendarList'

const INITIAL_RECORDS: {
  settings: (moment: Moment, email: string) => Records<Setting> | undefined
  acl: (moment: Moment, calendarId: string) => Records<AclRule> | undefined
  calendarList: (moment: Moment, email: string) => Records<CalendarListEntry> | undefined
} = {
  settings({ accounts }, email) {
    const account = accounts.get(email)
    return account && initialSettings(account)
  },
  acl: ({ calendars }, calendarId) => (calendars.has(calendarId) ? initialRules(calendarId) : undefined),
  calendarList({ accounts }, email) {
    const revision = accounts.version(email)?.createdRevision
    // The accounts of a state have no revision, because their lists are part of the state.
    return revision ? initialEntries(email, revision) : undefined
  },
}

/** `name` is that in the store, such as `acl/a@example.com`. Undefined for a kind or an owner without any. */
export function initialRecordsIn({ parts }: StoreSnapshot, name: string): Records<object> | undefined {
  const [, kind, owner = ''] = /^(settings|acl|calendarList)\/(.*)$/s.exec(name) ?? []
  const read = INITIAL_RECORDS[kind as InitialKind] as
    | ((moment: Moment, owner: string) => Records<object> | undefined)
    | undefined
  const recordsOf = <T extends object>(collection: string) =>
    (parts.get(collection) as Records<T> | undefined) ?? new Records<T>({})
  return read?.({ accounts: recordsOf('accounts'), calendars: recordsOf('calendars') }, owner)
}
