import { Conferences } from '../conferences/policy.ts'
import { spanOf } from '../events/series.ts'
import { windowOf } from '../events/times.ts'
import type { Channel } from '../push/channels.ts'
import { ChangeLog, Collection, type Revision } from '../store/changes.ts'
import type { Clock } from '../store/clock.ts'
import { Ids } from '../store/ids.ts'
import { Timeline } from '../store/timeline.ts'
import type { AclRule } from '../wire/aclRule.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { CalendarListEntry } from '../wire/calendarListEntry.ts'
import type { Event } from '../wire/event.ts'
import type { Mail } from '../wire/mail.ts'
import { Credentials, type Grant } from './credentials.ts'

export type Account = { email: string; displayName?: string; timeZone: string }
export type Group = { email: string; members: string[] }
export type Setting = { kind: 'calendar#setting'; etag: string; id: string; value: string }
/** A calendar as stored. A deleted one stays, as everything does. */
export type StoredCalendar = Calendar & { deleted?: true }
/** How many messages a channel has had, which is the number of the last. */
export type MessageCount = { made: number }
/** Who asks: an account, or with an API key alone nobody in particular. */
export type Caller = { email: string | undefined }

/** The events of one calendar, where they lie in time, and which of them are changed instances of a series. */
export class EventCollection extends Collection<Event> {
  readonly timeline: Timeline<Event>
  readonly #calendarWritten: () => Revision
  readonly #exceptions: Map<string, Set<string>>

  constructor(changes: ChangeLog, calendarWritten: () => Revision) {
    const timeline = new Timeline<Event>(spanOf)
    const exceptions = new Map<string, Set<string>>()
    super(changes, {
      change(before, after) {
        timeline.change(before, after)
        const { id, recurringEventId } = after.value
        if (recurringEventId === undefined) return
        const ids = exceptions.get(recurringEventId) ?? new Set()
        exceptions.set(recurringEventId, ids.add(id))
      },
    })
    this.timeline = timeline
    this.#calendarWritten = calendarWritten
    this.#exceptions = exceptions
  }

  /** The events that lie in a stretch of time, changed instances beside their series. */
  *inWindow(from: number, to: number, zone: string): Generator<Event> {
    const seen = new Set<string>()
    for (const { value } of this.timeline.overlapping(windowOf(from, to, zone))) {
      for (const id of [value.id, ...this.exceptionsOf(value.id)]) {
        const event = this.get(id)
        if (event && !seen.has(id)) yield event
        seen.add(id)
      }
    }
  }

  /** The revision of the last write of an event; while there was none, of the calendar. */
  override get latest(): Revision {
    return super.latest || this.#calendarWritten()
  }

  /** The ids of the changed instances of a series. */
  exceptionsOf(masterId: string): Iterable<string> {
    return this.#exceptions.get(masterId) ?? []
  }
}

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
    this.events = new Shelf((id) => new EventCollection(this.changes, () => this.calendars.revisionOf(id)))
    this.acl = new Shelf(() => open<AclRule>())
    this.lists = new Shelf(() => open<CalendarListEntry>())
    this.settings = new Shelf(() => open<Setting>())
    this.channels = open()
    this.messageCounts = new Map()
  }
}

/**
 * E-mail addresses and calendar ids are matched without regard to case, and googlemail.com is gmail.com (behaviour 1.6,
 * 3.6.3).
 */
export const addressOf = (address: string): string => address.toLowerCase().replace(/@googlemail\.com$/, '@gmail.com')

export const updatedAt = (revision: Revision): string => new Date(Math.floor(revision / 1000)).toISOString()
