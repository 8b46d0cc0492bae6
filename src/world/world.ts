import { Conferences } from '../conferences/policy.ts'
import type { DriveFile } from '../events/attachments.ts'
import { ChangeLog, Collection } from '../store/changes.ts'
import type { Clock } from '../store/clock.ts'
import { Ids } from '../store/ids.ts'
import type { Life } from '../store/life.ts'
import type { Kind } from '../store/records/kind.ts'
import type { Store } from '../store/store.ts'
import { Table } from '../store/table.ts'
import { byNumber, byText } from '../store/tree.ts'
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
const GROUPS: Kind<Group> = { keysOf: ({ members }) => members }
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
    const found = this.#byOwner.get(owner) ?? this.#open(owner, `${this.#name}/${owner}`)
    this.#byOwner.set(owner, found)
    return found
  }

  /** The collection of an owner, if anything was ever written to it. */
  get(owner: string): C | undefined {
    const name = this.#names.get(owner) ?? `${this.#name}/${owner}`
    if (!this.#store.read(name)) return undefined
    this.#names.set(owner, name)
    return this.of(owner)
  }
}

/** Everything in one complete, isolated service, by name. The verbs that act on it are functions in the rooms above. */
export class World {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly conferences: Conferences
  readonly changes: ChangeLog
  readonly accounts: Collection<Account>
  readonly groups: Collection<Group>
  readonly grants: Collection<Grant>
  #oauth: Credentials | undefined
  /** The API keys that are good; where there are none, any is. */
  readonly apiKeys: Table<string, true>
  /** What seeds say of files of Drive, by their ids. */
  readonly files: Table<string, DriveFile>
  readonly calendars: Collection<StoredCalendar>
  /** The mails that were written, by their number: the latest last. */
  readonly mail: Table<number, Mail>
  readonly events: Shelf<EventCollection>
  /** Who was invited while they had no account, and by which calendar to which event, apart by line breaks. */
  readonly invited: Table<string, true>
  readonly acl: Shelf<Collection<AclRule>>
  readonly lists: Shelf<Collection<CalendarListEntry>>
  readonly settings: Shelf<Collection<Setting>>
  /** Each account's own reminders for events whose record keeps somebody else's (behaviour 7.12). */
  readonly reminders: Table<string, Reminders>
  /** When an account is next reminded by mail of an event, or sent the agenda of a calendar. */
  readonly reminding: Table<string, number>
  /** Which client made a calendar, where one of OAuth did. */
  readonly makers: Table<string, string>
  readonly channels: Collection<Channel>
  /** How many messages each channel has had: no records, for to be told of a write is not a write. */
  readonly messageCounts: Table<string, MessageCount>

  constructor(store: Store, clock: Clock) {
    this.store = store
    this.clock = clock
    this.ids = new Ids(store)
    this.changes = new ChangeLog(store, () => clock.now())
    const open = <T extends object>(name: string, kind?: Kind<T>) => new Collection<T>(store, this.changes, name, kind)
    this.conferences = new Conferences(store)
    this.accounts = open('accounts')
    this.groups = open('groups', GROUPS)
    this.grants = open('grants')
    this.apiKeys = new Table(store, 'apiKeys', byText)
    this.files = new Table(store, 'files', byText)
    this.calendars = open('calendars')
    this.mail = new Table(store, 'mail', byNumber)
    const written = (id: string) => () => this.calendars.revisionOf(id)
    this.invited = new Table(store, 'invited', byText)
    const invite = (address: string, id: string, eventId: string) => {
      const known = this.accounts.records.has(address) && !this.groups.records.has(address)
      if (!known) this.invited.set([address, id, eventId].join('\n'), true)
    }
    const events = (id: string, name: string) => new EventCollection(store, this.changes, name, id, written(id), invite)
    this.events = new Shelf(store, 'events', events)
    this.acl = new Shelf(store, 'acl', (_, name) => open<AclRule>(name))
    this.lists = new Shelf(store, 'calendarList', (_, name) => open<CalendarListEntry>(name))
    this.settings = new Shelf(store, 'settings', (_, name) => open<Setting>(name))
    this.reminders = new Table(store, 'reminders', byText)
    this.reminding = new Table(store, 'reminding', byText)
    this.makers = new Table(store, 'makers', byText)
    this.channels = open('channels')
    this.messageCounts = new Table(store, 'messageCounts', byText)
  }

  /** What is known of OAuth; many worlds are never asked. */
  get oauth(): Credentials {
    this.#oauth ??= new Credentials(this.store, this.changes)
    return this.#oauth
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
  for (const key of invited.keysFrom(`${address}\n`)) {
    const [to, calendarId = '', eventId = ''] = key.split('\n')
    if (to !== address) return
    yield { calendarId, eventId }
  }
}
