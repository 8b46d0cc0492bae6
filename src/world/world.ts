import { Conferences } from '../conferences/policy.ts'
import { ChangeLog, Collection, type Revision } from '../store/changes.ts'
import type { Clock } from '../store/clock.ts'
import { Ids } from '../store/ids.ts'
import type { AclRule } from '../wire/aclRule.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { CalendarListEntry } from '../wire/calendarListEntry.ts'
import type { Mail } from '../wire/mail.ts'
import type { Setting } from '../wire/setting.ts'
import type { Channel, MessageCount } from './channel.ts'
import { Credentials, type Grant } from './credentials.ts'
import { EventCollection } from './eventCollection.ts'

export type Account = { email: string; displayName?: string; timeZone: string }
export type Group = { email: string; members: string[] }
/** A calendar as stored. A deleted one stays, as everything does. */
export type StoredCalendar = Calendar & { deleted?: true }
/** Who asks: an account, or with an API key alone nobody in particular. */
export type Caller = { email: string | undefined }

/** Collections by the calendar or the account that they belong to. */
class Shelf<C> {
  readonly #byOwner = new Map<string, C>()
  readonly #open: (owner: string) => C

  constructor(open: (owner: string) => C) {
    this.#open = open
  }

  of(owner: string): C {
    const found = this.#byOwner.get(owner) ?? this.#open(owner)
    this.#byOwner.set(owner, found)
    return found
  }

  get(owner: string): C | undefined {
    return this.#byOwner.get(owner)
  }
}

export type Beginning = {
  ids?: number | undefined
  life?: number | undefined
  latest?: Revision | undefined
  forgotten?: Revision | undefined
}

/**
 * One complete, isolated service. Plain data: the verbs that act on it are functions in the files beside this one.
 * `life` counts how often it was reset, so that tokens of a former life are known.
 */
export class World {
  readonly clock: Clock
  readonly life: number
  readonly ids: Ids
  readonly conferences = new Conferences()
  readonly changes: ChangeLog
  readonly accounts: Collection<Account>
  readonly groups: Collection<Group>
  readonly grants: Collection<Grant>
  readonly oauth: Credentials
  /** The API keys that are good; where there are none, any is. */
  readonly apiKeys = new Set<string>()
  readonly calendars: Collection<StoredCalendar>
  /** The mails that were written, the latest last. */
  readonly mail: Mail[] = []
  readonly events: Shelf<EventCollection>
  readonly acl: Shelf<Collection<AclRule>>
  readonly lists: Shelf<Collection<CalendarListEntry>>
  readonly settings: Shelf<Collection<Setting>>
  readonly channels: Collection<Channel>
  /** How many messages each channel has had: no records, for to be told of a write is not a write. */
  readonly messageCounts: Map<string, MessageCount>

  constructor(clock: Clock, { ids, life = 0, latest, forgotten }: Beginning = {}) {
    this.clock = clock
    this.life = life
    this.ids = new Ids(ids)
    this.changes = new ChangeLog(() => clock.now(), latest, forgotten)
    const open = <T extends object>() => new Collection<T>(this.changes)
    this.accounts = open()
    this.groups = open()
    this.grants = open()
    this.oauth = new Credentials(this.changes)
    this.calendars = open()
    this.events = new Shelf((id) => new EventCollection(this.changes, id, () => this.calendars.revisionOf(id)))
    this.acl = new Shelf(() => open<AclRule>())
    this.lists = new Shelf(() => open<CalendarListEntry>())
    this.settings = new Shelf(() => open<Setting>())
    this.channels = open()
    this.messageCounts = new Map()
  }
}
