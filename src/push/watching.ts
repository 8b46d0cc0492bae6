import type { Collection } from '../db/collection.ts'
import type { Revision } from '../db/version.ts'
import { reportFault } from '../time/reportFault.ts'
import type { Event } from '../wire/event.ts'
import { atLeast, roleOf } from '../world/access.ts'
import type { Channel } from '../world/channel.ts'
import type { World } from '../world/world.ts'
import type { ResourceState } from './messages.ts'

/** Told what to send: `tell` a message of a channel, `end` nothing more of it. */
export interface Listener {
  tell(channel: Channel, state: ResourceState): void
  end(channel: Channel): void
}

/** A list that channels watch. */
type Watched = { readonly latest: Revision }

type Watcher = {
  readonly channel: Channel
  readonly collection: Watched
  /** The write that opened the channel: it tells of later ones. */
  readonly opened: Revision
  /** Whether the account may read the resource, as of the last write to what decides that. */
  admitted: boolean
  asOf: Revision
}

/**
 * Puts the ends of channels on the agenda, in place of what a moment of another life had there: messages that it had on
 * their way are in no queue any more.
 */
export function putOnAgenda(world: World): void {
  world.clock.callOff('message')
  world.clock.callOff('channel')
  for (const channel of world.channels.values()) if (isToCome(world, channel)) putEnd(world, channel)
}

const isToCome = (world: World, channel: Channel): boolean =>
  !channel.stopped && channel.expiration > world.clock.now() && collectionOf(world, channel) !== undefined

const putEnd = ({ clock }: World, { id, expiration }: Channel): void =>
  clock.schedule(expiration, { kind: 'channel', ref: [id], what: `channel ${id} expires` })

/**
 * Tells each channel whose resource changed during a request, once however many records it wrote. Handlers are
 * synchronous, so that the microtask runs when the request has made all its changes.
 */
export class Watching {
  readonly #world: World
  readonly #listener: Listener
  readonly #byId = new Map<string, Watcher>()
  readonly #byCollection = new Map<object, Set<Watcher>>()
  readonly #touched = new Set<object>()
  #seen: Revision

  /** It tells of what is written after a revision. That the channels there are end is on the agenda. */
  constructor(world: World, listener: Listener, since: Revision) {
    this.#world = world
    this.#listener = listener
    this.#seen = since
    world.clock.on('channel', ([id = '']) => {
      const watcher = this.#byId.get(id)
      if (!watcher || watcher.channel.expiration > world.clock.now()) return false
      this.#end(watcher)
      return true
    })
    for (const channel of world.channels.values()) this.#begin(channel, this.#seen)
    world.changes.listener = this
  }

  wrote(collection: object): void {
    if (this.#touched.size === 0) queueMicrotask(() => this.#tell())
    this.#touched.add(collection)
  }

  close(): void {
    this.#world.changes.listener = undefined
    this.#touched.clear()
    for (const watcher of this.#byId.values()) this.#end(watcher)
  }

  /** Nobody waits for this, so that a fault in it has nobody else to go to. */
  #tell(): void {
    try {
      this.#flush()
    } catch (error) {
      reportFault('telling channels of a change', error)
    }
  }

  #flush(): void {
    const touched = [...this.#touched]
    const since = this.#seen
    this.#touched.clear()
    this.#seen = this.#world.changes.latest
    if (touched.includes(this.#world.channels)) this.#readChannels(since)
    if (touched.includes(this.#world.calendars)) this.#tellOfDeletedCalendars(since)
    for (const collection of touched) this.#tellOf(collection, since)
  }

  /** Watch and stop write a channel's record and nothing else; from it the watcher, and the `sync` message, follow. */
  #readChannels(since: Revision): void {
    for (const { value: channel, revision } of [...this.#world.channels.since(since)]) {
      const former = this.#byId.get(channel.id)
      if (former) this.#end(former)
      if (former) this.#world.clock.unschedule(former.channel.expiration, { kind: 'channel', ref: [channel.id] })
      if (!this.#begin(channel, revision)) continue
      putEnd(this.#world, channel)
      this.#world.messageCounts.delete(channel.id)
      this.#say(channel, 'sync')
    }
  }

  #begin(channel: Channel, opened: Revision): boolean {
    const collection = collectionOf(this.#world, channel)
    if (!collection || !isToCome(this.#world, channel)) return false
    const watcher: Watcher = { channel, collection, opened, admitted: false, asOf: -1 }
    this.#byId.set(channel.id, watcher)
    this.#byCollection.set(collection, (this.#byCollection.get(collection) ?? new Set()).add(watcher))
    return true
  }

  #end(watcher: Watcher): void {
    const beside = this.#byCollection.get(watcher.collection)
    beside?.delete(watcher)
    if (beside?.size === 0) this.#byCollection.delete(watcher.collection)
    this.#byId.delete(watcher.channel.id)
    this.#listener.end(watcher.channel)
  }

  /** Channels on a deleted calendar's events and rules are told that these are gone (behaviour 6.2.3). */
  #tellOfDeletedCalendars(since: Revision): void {
    for (const { value: calendar } of this.#world.calendars.since(since)) {
      if (!calendar.deleted) continue
      for (const collection of [this.#world.events.of(calendar.id), this.#world.acl.of(calendar.id)]) {
        for (const { channel } of this.#watchersOf(collection)) {
          if (mayRead(this.#world, channel)) this.#say(channel, 'not_exists')
        }
      }
    }
  }

  #tellOf(collection: object, since: Revision): void {
    const watchers = this.#watchersOf(collection)
    const [first] = watchers
    if (!first) return
    const { latest } = first.collection
    // Every write of a request that came to nothing was taken back.
    if (latest <= since) return
    const types = new TypesWritten(this.#world.events.get(first.channel.calendarId ?? ''), since)
    const decided = decidedAt(this.#world, first.channel)
    for (const watcher of watchers) {
      const { channel, opened } = watcher
      // What was touched and taken back again is no change.
      if (latest <= Math.max(opened, since)) continue
      if (watcher.asOf !== decided) {
        watcher.admitted = exists(this.#world, channel) && mayRead(this.#world, channel)
        watcher.asOf = decided
      }
      if (watcher.admitted && types.include(channel.eventTypes)) this.#say(channel, 'exists')
    }
  }

  /** What fails for one channel is told on stderr, and keeps no other from being told. */
  #say(channel: Channel, state: ResourceState): void {
    try {
      this.#listener.tell(channel, state)
    } catch (error) {
      reportFault(`telling channel ${channel.id} of a change`, error)
    }
  }

  #watchersOf = (collection: object | undefined): ReadonlySet<Watcher> =>
    (collection && this.#byCollection.get(collection)) ?? NOBODY
}

const NOBODY: ReadonlySet<Watcher> = new Set()

/** The last write to what decides who may read a collection. All that watch it watch the same calendar, if any. */
function decidedAt({ acl, calendars, groups }: World, { calendarId = '' }: Channel): Revision {
  const rules = acl.get(calendarId)
  return Math.max(calendars.latest, groups.latest, rules?.latest ?? 0)
}

/** The types of the events that were written, found out when the first channel asks. */
class TypesWritten {
  readonly #events: Collection<Event> | undefined
  readonly #since: Revision
  #types: Set<string> | undefined

  constructor(events: Collection<Event> | undefined, since: Revision) {
    this.#events = events
    this.#since = since
  }

  include(wanted: readonly string[] | undefined): boolean {
    if (!wanted) return true
    this.#types ??= new Set(
      [...(this.#events?.since(this.#since) ?? [])].map(({ value }) => value.eventType ?? 'default'),
    )
    return wanted.some((type) => this.#types?.has(type))
  }
}

/** The list that a channel watches. */
function collectionOf(world: World, { resource, account, calendarId = '' }: Channel): Watched | undefined {
  switch (resource) {
    case 'acl':
      return world.calendars.get(calendarId) && world.acl.of(calendarId)
    case 'calendarList':
      return world.lists.of(account)
    case 'events':
      return world.calendars.get(calendarId) && world.events.of(calendarId)
    case 'settings':
      return world.settings.of(account)
  }
}

const exists = (world: World, { calendarId }: Channel): boolean =>
  calendarId === undefined || world.calendars.get(calendarId)?.deleted !== true

/** Whether the channel's account may read what it watches: rules take a writer, events any role. Else nothing is sent. */
function mayRead(world: World, { account, calendarId, resource }: Channel): boolean {
  if (calendarId === undefined) return true
  const role = roleOf(world, calendarId, { email: account })
  return atLeast(role, resource === 'acl' ? 'writerWithoutPrivateAccess' : 'freeBusyReader')
}
