import type { Revision } from '../../db/version.ts'
import { atLeast, roleOf } from '../../model/access.ts'
import type { Channel } from '../../model/channel.ts'
import { reportFault } from '../../model/clock.ts'
import type { EventCollection } from '../../model/collections.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { ResourceState } from './messages.ts'
import type { Queue } from './queue.ts'

type Watched = { readonly latest: Revision }

type Watcher = {
  readonly channel: Channel
  readonly collection: Watched
  readonly opened: Revision
  isAdmitted: boolean
  asOf: Revision
}

/**
 * Schedules the expirations of all channels. It removes the tasks that a snapshot contains, because its pending
 * messages are in no queue any more.
 */
export function scheduleExpirations(world: WorldData): void {
  world.clock.unscheduleAll('message')
  world.clock.unscheduleAll('channel')
  for (const channel of world.channels.values()) if (willExpire(world, channel)) scheduleExpiration(world, channel)
}

const willExpire = (world: WorldData, channel: Channel): boolean =>
  !channel.stopped && channel.expiration > world.clock.now() && collectionOf(world, channel) !== undefined

const scheduleExpiration = ({ clock }: WorldData, { id, expiration }: Channel): void =>
  clock.schedule(expiration, { kind: 'channel', ref: [id], what: `channel ${id} expires` })

/**
 * Sends one message to each channel whose resource changed during a request. Handlers are synchronous, so the microtask
 * runs after all writes of the request.
 */
export class Watching {
  readonly #world: WorldData
  readonly #queue: Queue
  readonly #byId = new Map<string, Watcher>()
  readonly #byCollection = new Map<object, Set<Watcher>>()
  readonly #touched = new Set<object>()
  #seen: Revision

  /** It reports writes after `since`. The expirations of the present channels must be scheduled already. */
  constructor(world: WorldData, queue: Queue, since: Revision) {
    this.#world = world
    this.#queue = queue
    this.#seen = since
    world.clock.on('channel', ([id = '']) => {
      const watcher = this.#byId.get(id)
      if (!watcher || watcher.channel.expiration > world.clock.now()) return false
      this.#endWatcher(watcher)
      return true
    })
    for (const channel of world.channels.values()) this.#startWatcher(channel, this.#seen)
    world.changes.listener = this
  }

  onWrite(collection: object): void {
    if (this.#touched.size === 0) queueMicrotask(() => this.#attempt('notifying channels', () => this.#notify()))
    this.#touched.add(collection)
  }

  close(): void {
    this.#world.changes.listener = undefined
    this.#touched.clear()
    for (const watcher of this.#byId.values()) this.#endWatcher(watcher)
  }

  /** Reports errors on stderr, because no caller waits for this. */
  #attempt(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      reportFault(`${what} of a change`, error)
    }
  }

  #notify(): void {
    const touched = [...this.#touched]
    const since = this.#seen
    this.#touched.clear()
    this.#seen = this.#world.changes.latest
    if (touched.includes(this.#world.channels)) this.#readChannels(since)
    if (touched.includes(this.#world.calendars)) this.#notifyOfDeletedCalendars(since)
    for (const collection of touched) this.#notifyChannels(collection, since)
  }

  #readChannels(since: Revision): void {
    for (const { value: channel, revision } of [...this.#world.channels.records.since(since)]) {
      const former = this.#byId.get(channel.id)
      if (former) this.#endWatcher(former)
      if (former) this.#world.clock.unschedule(former.channel.expiration, { kind: 'channel', ref: [channel.id] })
      if (!this.#startWatcher(channel, revision)) continue
      scheduleExpiration(this.#world, channel)
      this.#world.messageCounts.delete(channel.id)
      this.#send(channel, 'sync')
    }
  }

  #startWatcher(channel: Channel, opened: Revision): boolean {
    const collection = collectionOf(this.#world, channel)
    if (!collection || !willExpire(this.#world, channel)) return false
    const watcher: Watcher = { channel, collection, opened, isAdmitted: false, asOf: -1 }
    this.#byId.set(channel.id, watcher)
    this.#byCollection.set(collection, (this.#byCollection.get(collection) ?? new Set()).add(watcher))
    return true
  }

  #endWatcher(watcher: Watcher): void {
    const beside = this.#byCollection.get(watcher.collection)
    beside?.delete(watcher)
    if (beside?.size === 0) this.#byCollection.delete(watcher.collection)
    this.#byId.delete(watcher.channel.id)
    this.#queue.end(watcher.channel)
  }

  /** Sends `not_exists` to the channels of deleted calendars (behaviour 6.2.3). */
  #notifyOfDeletedCalendars(since: Revision): void {
    for (const { value: calendar } of this.#world.calendars.records.since(since)) {
      if (!calendar.deleted) continue
      for (const collection of [this.#world.events.of(calendar.id), this.#world.acl.of(calendar.id)]) {
        for (const { channel } of this.#byCollection.get(collection) ?? []) {
          if (mayRead(this.#world, channel)) this.#send(channel, 'not_exists')
        }
      }
    }
  }

  /** Sends `exists` to the channels of a written collection whose accounts may read it (behaviour 6.2). */
  #notifyChannels(collection: object, since: Revision): void {
    const watchers = this.#byCollection.get(collection) ?? []
    const [first] = watchers
    if (!first) return
    const { latest } = first.collection
    if (latest <= since) return
    const hasWritten = createTypeFilter(this.#world.events.get(first.channel.calendarId ?? ''), since)
    const decided = lastAccessChange(this.#world, first.channel)
    for (const watcher of watchers) {
      const { channel, opened } = watcher
      if (latest <= Math.max(opened, since)) continue
      if (watcher.asOf !== decided) {
        watcher.isAdmitted = exists(this.#world, channel) && mayRead(this.#world, channel)
        watcher.asOf = decided
      }
      if (watcher.isAdmitted && hasWritten(channel.eventTypes)) this.#send(channel, 'exists')
    }
  }

  #send(channel: Channel, state: ResourceState): void {
    this.#attempt(`notifying channel ${channel.id}`, () => this.#queue.notify(channel, state))
  }
}

function lastAccessChange({ acl, calendars, groups }: WorldData, { calendarId = '' }: Channel): Revision {
  const rules = acl.get(calendarId)
  return Math.max(calendars.latest, groups.latest, rules?.latest ?? 0)
}

/** Reads the written events only when a channel has a filter. */
function createTypeFilter(events: EventCollection | undefined, since: Revision) {
  let written: Set<string> | undefined
  return (types: readonly string[] | undefined): boolean => {
    if (!types) return true
    written ??= new Set([...(events?.records.since(since) ?? [])].map(({ value }) => value.eventType ?? 'default'))
    return types.some((type) => written?.has(type))
  }
}

function collectionOf(world: WorldData, { resource, account, calendarId = '' }: Channel): Watched | undefined {
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

const exists = (world: WorldData, { calendarId }: Channel): boolean =>
  calendarId === undefined || world.calendars.get(calendarId)?.deleted !== true

function mayRead(world: WorldData, { account, calendarId, resource }: Channel): boolean {
  if (calendarId === undefined) return true
  const role = roleOf(world, calendarId, { email: account })
  return atLeast(role, resource === 'acl' ? 'writerWithoutPrivateAccess' : 'freeBusyReader')
}
