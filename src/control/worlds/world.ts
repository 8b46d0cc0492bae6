import { Store, type StoreSnapshot } from '../../db/store.ts'
import { registerConferenceTask } from '../../effects/conferences.ts'
import { Notifications } from '../../effects/push/notifications.ts'
import type { MessageTransport } from '../../effects/push/queue.ts'
import { registerReminderTasks } from '../../effects/reminders.ts'
import { type ClockState, type Fired, WorldClock } from '../../model/clock.ts'
import { etagOf, updatedAt } from '../../model/collections.ts'
import { WorldData } from '../../model/worldData.ts'
import type { ConferencePolicy } from '../../schema/conferencePolicy.ts'
import { applySeed, countRecords, type SeedCounts } from '../../seeds/applySeed.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import {
  addSeed,
  applyFirstSeed,
  captureStart,
  markAsSeeded,
  markAsWritten,
  rejectState,
  seedingOf,
  type WorldStart,
} from '../../seeds/worldStart.ts'
import { exportWorldState, type WorldState } from '../../seeds/worldState.ts'
import { continueEpoch, type Epoch, epochOf, firstEpoch, nextEpoch, restoreEpoch, setEpoch } from '../../sync/epochs.ts'
import type { Log } from '../journal/journal.ts'
import { TestControls } from '../testControls.ts'
import { type Snapshot, Snapshots } from './snapshots.ts'

/** The parts of the store that a restore keeps, because they script what comes next, as faults do. */
const PARTS_KEPT_BY_RESTORE = ['oauth/failures', 'conferences/policy', 'conferences/rules']
const MAX_SETTLE_WAIT_MS = 10_000

type WorldOptions = {
  name: string
  policy?: ConferencePolicy | undefined
  journal?: number | undefined
  log?: Log | undefined
}

export class World {
  readonly clock: WorldClock
  readonly notifications: Notifications
  readonly data: WorldData
  readonly controls: TestControls
  readonly snapshots = new Snapshots()
  readonly #store: Store
  readonly #policy: ConferencePolicy | undefined
  #start: WorldStart

  constructor(
    start: WorldStart,
    epoch: Epoch,
    transport: MessageTransport,
    options: WorldOptions = { name: 'default' },
  ) {
    this.#store = new Store(start.snapshot)
    setEpoch(this.#store, epoch)
    this.clock = new WorldClock(this.#store, () => {
      registerConferenceTask(this.data)
      registerReminderTasks(this.data)
    })
    this.data = new WorldData(this.#store, this.clock)
    this.controls = new TestControls(this.#store, this.clock, options)
    if (start.clock.mode !== 'frozen') this.clock.setState(start.clock)
    this.#policy = options.policy
    this.#start = start
    this.notifications = new Notifications(this.data, transport, start.delivered)
    this.notifications.onAttempt = () => this.controls.journal.notify('changed')
  }

  /** If the seed has a clock, the clock moves first, and due tasks run, after a dry run has validated the rest. */
  seed(seed: Seed): SeedCounts {
    rejectState(seed)
    if (seed.clock) {
      this.#store.dryRun(() => this.clock.runAt(resolveSeedTime(seed, this.clock), () => applySeed(this.data, seed)))
      setClock(this.clock, seed.clock)
    }
    return this.#store.transaction(() => addSeed(this.data, seed))
  }

  replace(seed: Seed): SeedCounts {
    const epoch = nextEpoch(epochOf(this.#store))
    const counts = this.clock.runAt(resolveSeedTime(seed, this.clock), () =>
      this.#store.transaction(() => {
        this.#store.clear()
        return applyFirstSeed(this.data, seed, epoch, this.#policy)
      }),
    )
    if (seed.clock) this.clock.setState(seed.clock)
    const start = captureStart(this.data)
    this.#afterReplacement('replaced')
    this.#start = start
    return counts
  }

  reset(): SeedCounts {
    const epoch = nextEpoch(epochOf(this.#store))
    const { snapshot, clock, delivered } = this.#start
    const running = clock.mode === 'real' ? this.clock.state() : clock
    this.#store.resetTo(snapshot)
    setEpoch(this.#store, epoch)
    if (clock.mode !== 'frozen') this.clock.setState(running)
    this.#rewind()
    this.#afterReplacement('reset', delivered)
    this.#start.counts ??= countRecords(this.data)
    return this.#start.counts
  }

  /** The revision advances, so that later tokens differ from those in the snapshot. */
  snapshot(name?: string): Snapshot {
    const { counters } = this.#store
    const delivered = this.notifications.delivered()
    const from = { epoch: epochOf(this.#store), revision: counters.revision }
    const moment = { ...captureStart(this.data), from, delivered }
    counters.revision += 1
    return this.snapshots.add(moment, name)
  }

  /** Sync tokens stay valid. New tokens and the channels name the world by its new name. */
  rename(name: string, resetCount: number): void {
    const { counters } = this.#store
    this.#store.transaction(() => {
      setEpoch(this.#store, continueEpoch(firstEpoch(name, resetCount), epochOf(this.#store), counters.revision))
      counters.revision += 1
    })
    this.controls.rename(name)
  }

  restore(which: string | Snapshot): Snapshot {
    const target = this.snapshots.require(which)
    const { snapshot, clock, delivered, from } = this.snapshots.requireData(target)
    const epoch = restoreEpoch(epochOf(this.#store), from.epoch, from.revision)
    this.#store.restore(snapshot, { except: PARTS_KEPT_BY_RESTORE })
    markAsWritten(this.#store)
    setEpoch(this.#store, epoch)
    if (clock.mode === 'set') this.clock.setState(clock)
    this.#afterReplacement('restored', delivered)
    return target
  }

  /** `delivered` is the number of messages that each channel's receiver had got. */
  #afterReplacement(change: 'reset' | 'replaced' | 'restored', delivered?: ReadonlyMap<string, number>): void {
    const isRestored = change === 'restored'
    this.notifications.attach(this.data, { delivered, keepsQueue: isRestored })
    if (!isRestored) this.controls.clear()
    this.controls.onWorldReplaced(change === 'replaced' ? undefined : change)
  }

  /**
   * Call it after the clock was set. Moves the timestamps of a world without client writes back with its clock. After a
   * client write they continue (behaviour 14.52).
   */
  followClock(): void {
    if (this.#rewind()) this.notifications.attach(this.data)
  }

  #rewind(): boolean {
    const { hasClientWrites, at } = seedingOf(this.#store)
    const ahead = at - Math.floor(this.clock.now())
    if (ahead <= 0 || hasClientWrites) return false
    const state = shiftStateBack(exportWorldState(this.data), ahead * 1000, this.#store.counters.lastWrite)
    const epoch = epochOf(this.#store)
    this.#store.clear()
    applyFirstSeed(this.data, state, epoch, this.#policy)
    markAsSeeded(this.data)
    return true
  }

  /**
   * The time of the last write (an RFC 3339 instant) if the clock was set back before it; new timestamps continue from
   * there. Otherwise undefined.
   */
  get stampsFrom(): string | undefined {
    const latest = Math.floor(this.#store.counters.lastWrite / 1000)
    return latest > this.clock.now() ? new Date(latest).toISOString() : undefined
  }

  get initialSnapshot(): StoreSnapshot {
    return this.#start.snapshot
  }

  /**
   * Advances the clock to an instant (epoch milliseconds), and waits after each due task for its messages, so that
   * their responses fall into its time. After ten seconds it no longer waits. Resolves to the tasks.
   */
  async advanceTo(instant: number): Promise<Fired[]> {
    const limit = AbortSignal.timeout(MAX_SETTLE_WAIT_MS)
    const waitUntilSettled = () => limit.aborted || this.notifications.settled(MAX_SETTLE_WAIT_MS)
    const fired: Fired[] = []
    await waitUntilSettled()
    for (let due = this.clock.nextDue; due !== undefined && due <= instant; due = this.clock.nextDue) {
      fired.push(...this.clock.set(Math.max(due, this.clock.now())))
      await waitUntilSettled()
    }
    if (instant > this.clock.now()) fired.push(...this.clock.set(instant))
    await waitUntilSettled()
    return fired
  }

  state(): Seed {
    return exportWorldState(this.data)
  }

  close(): void {
    this.controls.close()
    this.notifications.close()
    this.clock.close()
  }
}

const resolveSeedTime = ({ clock }: Seed, current: WorldClock): number =>
  clock ? Date.parse(clock.now) : current.now()

function setClock(clock: WorldClock, { mode, now }: ClockState): void {
  if (mode === 'real') clock.real()
  else if (mode === 'set') clock.run(now)
  else clock.freeze(now)
}

/** The etag `"0"` of a record that was never written stays. */
const shiftEtag = (etag: string, by: number): string => {
  const digits = etag.replaceAll('"', '')
  return Number(digits) === 0 ? etag : `"${String(Number(digits) - by).padStart(digits.length, '0')}"`
}

/**
 * Returns a state as if all its writes had been `by` microseconds (whole milliseconds) earlier. `latest` is its latest
 * revision. The times of an event that a seed has set earlier stay.
 */
export function shiftStateBack(
  { counters, accounts = [], calendars = [], ...state }: WorldState,
  by: number,
  latest: number,
): WorldState {
  const shiftRecord = <R extends { etag: string }>(one: R): R => ({ ...one, etag: shiftEtag(one.etag, by) })
  const shiftTimestamp = (text: string) => updatedAt(Date.parse(text) * 1000 - by)
  const revision = latest - by
  const isLater = (text: string) => Date.parse(text) * 1000 > revision
  return {
    ...state,
    counters: { ...counters, revision, expiredUpTo: Math.min(counters.expiredUpTo, revision) },
    accounts: accounts.map(({ settings = [], calendarList = [], ...account }) => ({
      ...account,
      calendarList: calendarList.map(shiftRecord),
      settings: Array.isArray(settings) ? settings.map(shiftRecord) : settings,
    })),
    calendars: calendars.map(({ acl = [], events = [], ...calendar }) => ({
      ...shiftRecord(calendar),
      acl: acl.map(shiftRecord),
      events: events.map((event) => ({
        ...event,
        etag: etagOf(Number(event.etag.replaceAll('"', '')) / 2 - by),
        ...(isLater(event.updated) && { updated: shiftTimestamp(event.updated) }),
        ...(event.created &&
          isLater(event.created) && { created: `${shiftTimestamp(event.created).slice(0, 19)}.000Z` }),
      })),
    })),
  }
}

const WORLD = Symbol('world')

export const attachWorld = <T extends object>(handle: T, world: () => World): T =>
  Object.defineProperty(handle, WORLD, { value: world })

export const findAttachedWorld = (handle: object): World | undefined => (handle as { [WORLD]?: () => World })[WORLD]?.()
