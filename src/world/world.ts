import { ChangeLog } from '../db/changeLog.ts'
import { Collection } from '../db/collection.ts'
import type { Life } from '../db/epoch.ts'
import { LazyTable } from '../db/lazyTable.ts'
import type { Kind } from '../db/resource.ts'
import type { Store } from '../db/store.ts'
import { byNumber, byText, byTuple, type Tuple } from '../db/tree.ts'
import type { DriveFile } from '../model/attachments.ts'
import { Conferences } from '../model/conferencePolicy.ts'
import type { Clock } from '../time/clock.ts'
import { Ids } from '../time/ids.ts'
import type { AclRule } from '../wire/aclRule.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { CalendarListEntry } from '../wire/calendarListEntry.ts'
import type { Event } from '../wire/event.ts'
import type { Mail } from '../wire/mail.ts'
import type { Setting } from '../wire/setting.ts'
import type { Channel, MessageCount } from './channel.ts'
import { Credentials, type Grant } from './credentials.ts'
import { EventCollection } from './eventCollection.ts'

export type Account = {
  email: string
  displayName?: string
  timeZone: string
  /** A consumer's, where nothing is said (behaviour 15.2). */
  kind?: 'consumer' | 'workspace'
  /** Whether events show the name beside the address. */
  showDisplayName?: boolean
}
/** What somebody is reminded of an event by. */
export type Reminders = NonNullable<Event['reminders']>
export type Group = { email: string; members: string[] }
/** Groups are looked up by their members. */
const GROUPS: Kind<Group> = { keysOf: ({ members }) => members.map((member) => [member]) }
/** A calendar as stored. A deleted one stays as a record. */
export type StoredCalendar = Calendar & { deleted?: true }
/** Who asks: an account, or with an API key alone nobody in particular. */
export type Caller = {
  email: string | undefined
  /** The client that a token was given to. */
  client?: string | undefined
  /** What its scopes let it see; without it all that the account sees (behaviour 1.5.1). */
  sight?: readonly Sight[] | undefined
  /** Whether what is not known to be allowed is refused. */
  strict?: boolean | undefined
}
/** A part of what an account sees: its own calendars, times alone, public calendars, those that the client made. */
export type Sight = 'owned' | 'times' | 'public' | 'made'

/** Collections by the calendar or the account that they belong to. */
class Shelf<C> {
  readonly #byOwner = new Map<string, C>()
  /** What they are called: a name that is put together anew is looked up anew, letter by letter. */
  readonly #names = new Map<string, string>()
  readonly #store: Store
  readonly #name: string
  readonly #open: (owner: string, name: string) => C

  constructor(store: Store, name: string, open: (owner: string, name: string) => C) {
    this.#store = store
    this.#name = name
    this.#open = open
  }

  of(owner: string): C {
    const known = this.#byOwner.get(owner)
    if (known) return known
    const opened = this.#open(owner, `${this.#name}/${owner}`)
    this.#byOwner.set(owner, opened)
    return opened
  }

  /** The collection of an owner, if anything was ever written to it. */
  get(owner: string): C | undefined {
    const name = this.#names.get(owner) ?? `${this.#name}/${owner}`
    if (!this.#store.read(name)) return undefined
    this.#names.set(owner, name)
    return this.of(owner)
  }
}

/**
 * Everything in one complete, isolated service, by name. The verbs that act on it are functions in the rooms above.
 *
 * Worlds are many, and few tests touch more than a part of theirs: each part is opened when it is first asked for.
 */
export class World {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly changes: ChangeLog
  #conferences: Conferences | undefined
  #accounts: Collection<Account> | undefined
  #groups: Collection<Group> | undefined
  #grants: Collection<Grant> | undefined
  #oauth: Credentials | undefined
  #apiKeys: LazyTable<string, true> | undefined
  #files: LazyTable<string, DriveFile> | undefined
  #calendars: Collection<StoredCalendar> | undefined
  #mail: LazyTable<number, Mail> | undefined
  #events: Shelf<EventCollection> | undefined
  #invited: LazyTable<Tuple, true> | undefined
  #acl: Shelf<Collection<AclRule>> | undefined
  #lists: Shelf<Collection<CalendarListEntry>> | undefined
  #settings: Shelf<Collection<Setting>> | undefined
  #reminders: LazyTable<Tuple, Reminders> | undefined
  #reminding: LazyTable<Tuple, number> | undefined
  #makers: LazyTable<string, string> | undefined
  #channels: Collection<Channel> | undefined
  #messageCounts: LazyTable<string, MessageCount> | undefined

  constructor(store: Store, clock: Clock) {
    this.store = store
    this.clock = clock
    this.ids = new Ids(store)
    this.changes = new ChangeLog(store, clock)
  }

  #open<T extends object>(name: string, kind?: Kind<T>): Collection<T> {
    return new Collection<T>(this.store, this.changes, name, kind)
  }

  #table<V>(name: string): LazyTable<string, V> {
    return new LazyTable(this.store, name, byText)
  }

  #shelf<T extends object>(name: string): Shelf<Collection<T>> {
    return new Shelf(this.store, name, (_, own) => this.#open<T>(own))
  }

  get conferences(): Conferences {
    this.#conferences ??= new Conferences(this.store)
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

  get oauth(): Credentials {
    this.#oauth ??= new Credentials(this.store, this.changes)
    return this.#oauth
  }

  /** The API keys that are good; where there are none, any is. */
  get apiKeys(): LazyTable<string, true> {
    this.#apiKeys ??= this.#table('apiKeys')
    return this.#apiKeys
  }

  /** What seeds say of files of Drive, by their ids. */
  get files(): LazyTable<string, DriveFile> {
    this.#files ??= this.#table('files')
    return this.#files
  }

  get calendars(): Collection<StoredCalendar> {
    this.#calendars ??= this.#open('calendars')
    return this.#calendars
  }

  /** The mails that were written, by their number: the latest last. */
  get mail(): LazyTable<number, Mail> {
    this.#mail ??= new LazyTable(this.store, 'mail', byNumber)
    return this.#mail
  }

  get events(): Shelf<EventCollection> {
    this.#events ??= new Shelf(this.store, 'events', (id, name) => this.#eventsOf(id, name))
    return this.#events
  }

  #eventsOf(calendarId: string, name: string): EventCollection {
    const written = () => this.calendars.revisionOf(calendarId)
    const invite = (address: string, id: string, eventId: string) => {
      const known = this.accounts.records.has(address) && !this.groups.records.has(address)
      if (!known) this.invited.set([address, id, eventId], true)
    }
    return new EventCollection(this.store, this.changes, name, calendarId, written, invite)
  }

  /** Who was invited while they had no account, and by which calendar to which event. */
  get invited(): LazyTable<Tuple, true> {
    this.#invited ??= new LazyTable(this.store, 'invited', byTuple)
    return this.#invited
  }

  get acl(): Shelf<Collection<AclRule>> {
    this.#acl ??= this.#shelf('acl')
    return this.#acl
  }

  get lists(): Shelf<Collection<CalendarListEntry>> {
    this.#lists ??= this.#shelf('calendarList')
    return this.#lists
  }

  get settings(): Shelf<Collection<Setting>> {
    this.#settings ??= this.#shelf('settings')
    return this.#settings
  }

  /** Each account's own reminders for events whose record keeps somebody else's (behaviour 7.12). */
  get reminders(): LazyTable<Tuple, Reminders> {
    this.#reminders ??= new LazyTable(this.store, 'reminders', byTuple)
    return this.#reminders
  }

  /** When an account is next reminded by mail of an event, or sent the agenda of a calendar. */
  get reminding(): LazyTable<Tuple, number> {
    this.#reminding ??= new LazyTable(this.store, 'reminding', byTuple)
    return this.#reminding
  }

  /** Which client made a calendar, where one of OAuth did. */
  get makers(): LazyTable<string, string> {
    this.#makers ??= this.#table('makers')
    return this.#makers
  }

  get channels(): Collection<Channel> {
    this.#channels ??= this.#open('channels')
    return this.#channels
  }

  /** Whether there ever was a channel: in most worlds there was none. */
  get hasChannels(): boolean {
    return this.store.read('channels') !== undefined
  }

  /** How many messages each channel has had: no records, for to be told of a write is not a write. */
  get messageCounts(): LazyTable<string, MessageCount> {
    this.#messageCounts ??= this.#table('messageCounts')
    return this.#messageCounts
  }

  /** Tokens are of the life that they were handed out in. */
  get life(): Life {
    return this.store.counters.life
  }
}

/** What an address was invited to while it was no account. */
export function* invitationsOf(
  { invited }: World,
  address: string,
): Generator<{ calendarId: string; eventId: string }> {
  for (const [, calendarId, eventId] of invited.range([address], ([to]) => to === address))
    yield { calendarId: String(calendarId), eventId: String(eventId) }
}
