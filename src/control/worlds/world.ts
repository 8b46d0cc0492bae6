import { Store, type StoreSnapshot } from '../../db/store.ts'
import { registerConferenceTask } from '../../effects/conferences.ts'
import { Notifications } from '../../effects/push/notifications.ts'
import type { MessageTransport } from '../../effects/push/queue.ts'
import { registerReminderTasks } from '../../effects/reminders.ts'
import { type ClockState, type Fired, WorldClock } from '../../model/clock.ts'
import { WorldData } from '../../model/worldData.ts'
import type { ConferencePolicy } from '../../schema/conferencePolicy.ts'
import { applySeed, countRecords, type SeedCounts } from '../../seeds/applySeed.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import {
  addSeed,
  applyFirstSeed,
  captureStart,
  markAsSeeded,
  rejectState,
  type WorldStart,
} from '../../seeds/worldStart.ts'
import { exportState } from '../../seeds/worldState.ts'
import { deriveEpoch, type Epoch, nextEpoch } from '../../sync/tokens.ts'
import type { Log } from '../journal/journal.ts'
import { TestControls } from '../testControls.ts'
import { clearControls, LIFECYCLE_POLICY, type LifecycleOperation, statesWithOutcome } from './lifecyclePolicy.ts'
import { shiftBack } from './rewound.ts'
import { type Snapshot, Snapshots } from './snapshots.ts'

/** The states of the store that a restore keeps. */
const STATES_KEPT_BY_RESTORE = statesWithOutcome('restore', 'stays')
/** The notices to listeners of the journal. */
const JOURNAL_NOTICES = new Map<LifecycleOperation, 'reset' | 'restored'>([
  ['reset', 'reset'],
  ['restore', 'restored'],
])
/** The longest wait for pending messages while the clock moves, in real time. */
const MAX_SETTLE_WAIT_MS = 10_000

/** The options of one world. The policy applies to seeds without one. */
type WorldOptions = {
  name: string
  policy?: ConferencePolicy | undefined
  journal?: number | undefined
  log?: Log | undefined
}

/** One world. It keeps its initial state, to which a reset returns. An invalid seed changes nothing. */
export class World {
  readonly clock: WorldClock
  readonly notifications: Notifications
  readonly data: WorldData
  readonly controls: TestControls
  readonly snapshots = new Snapshots()
  readonly #store: Store
  readonly #policy: ConferencePolicy | undefined
  #start: WorldStart

  constructor(start: WorldStart, epoch: Epoch, transport: MessageTransport, own: WorldOptions = { name: 'default' }) {
    this.#store = new Store(start.snapshot)
    this.#store.counters.epoch = epoch
    this.clock = new WorldClock(this.#store, () => {
      registerConferenceTask(this.data)
      registerReminderTasks(this.data)
    })
    this.data = new WorldData(this.#store, this.clock)
    this.controls = new TestControls(this.#store, this.clock, own)
    if (start.clock.mode !== 'frozen') this.clock.setState(start.clock)
    this.#policy = own.policy
    this.#start = start
    this.notifications = new Notifications(this.data, transport, start.delivered)
    this.notifications.onAttempt = () => this.controls.journal.notify('changed')
  }

  /** Adds a seed. Its clock moves first, and runs what falls due, once a dry run has validated the rest. */
  seed(seed: Seed): SeedCounts {
    rejectState(seed)
    if (seed.clock) {
      this.#store.dryRun(() => this.clock.runAt(nowOf(seed, this.clock), () => applySeed(this.data, seed)))
      applyClock(this.clock, seed.clock)
    }
    return this.#store.transaction(() => addSeed(this.data, seed))
  }

  /** Replaces the world with a seed, which becomes the initial state. */
  replace(seed: Seed): SeedCounts {
    const epoch = nextEpoch(this.data.epoch)
    const counts = this.clock.runAt(nowOf(seed, this.clock), () =>
      this.#store.transaction(() => {
        this.#store.clear()
        return applyFirstSeed(this.data, seed, epoch, this.#policy)
      }),
    )
    if (seed.clock) this.clock.setState(seed.clock)
    const start = captureStart(this.data)
    this.#afterReplacement('replace')
    this.#start = start
    return counts
  }

  /** Returns to the initial state. Earlier sync tokens expire. */
  reset(): SeedCounts {
    const epoch = nextEpoch(this.data.epoch)
    const { snapshot, clock, delivered } = this.#start
    const running = clock.mode === 'real' ? this.clock.state() : clock
    this.#store.resetTo(snapshot)
    this.#store.counters.epoch = epoch
    if (clock.mode !== 'frozen') this.clock.setState(running)
    this.#rewind()
    this.#afterReplacement('reset', delivered)
    this.#start.counts ??= countRecords(this.data)
    return this.#start.counts
  }

  /** Takes a snapshot, with a name or for as long as its handle exists. Later tokens get a new revision, so that they differ. */
  snapshot(name?: string): Snapshot {
    const { counters } = this.#store
    const { epoch } = counters
    const delivered = this.notifications.delivered()
    const { revision } = counters
    const moment = { ...captureStart(this.data), from: { epoch, revision }, delivered }
    counters.revision += 1
    return this.snapshots.take(moment, name)
  }

  /** Restores a snapshot of this world. Sync tokens, ids and etags issued since are never reused. */
  restore(which: string | Snapshot): Snapshot {
    const target = this.snapshots.find(which)
    const { snapshot, clock, delivered, from } = this.snapshots.get(target)
    const epoch = deriveEpoch(from.epoch, from.revision, this.data.epoch)
    this.#store.restore(snapshot, { except: STATES_KEPT_BY_RESTORE })
    this.#store.counters.epoch = epoch
    if (clock.mode === 'set') this.clock.setState(clock)
    this.#afterReplacement('restore', delivered)
    return target
  }

  /** Updates notifications and controls after the store was replaced. */
  #afterReplacement(operation: LifecycleOperation, delivered?: ReadonlyMap<string, number>): void {
    this.notifications.attach(this.data, { delivered, keepsQueue: LIFECYCLE_POLICY.holds[operation] === 'stays' })
    clearControls(this.controls, operation)
    this.controls.worldReplaced(JOURNAL_NOTICES.get(operation))
  }

  /** Moves the timestamps of a world without client writes back with its clock. After a client write they continue (behaviour 14.52). */
  followClock(): void {
    if (this.#rewind()) this.notifications.attach(this.data)
  }

  #rewind(): boolean {
    const { lastClientRevision, seedRevision, seededAt, epoch } = this.#store.counters
    const ahead = seededAt - Math.floor(this.clock.now())
    if (ahead <= 0 || lastClientRevision !== seedRevision) return false
    const state = shiftBack(exportState(this.data), ahead * 1000, lastClientRevision)
    this.#store.clear()
    applyFirstSeed(this.data, state, epoch, this.#policy)
    markAsSeeded(this.data)
    return true
  }

  /** The time of the last write if the clock was set back before it. New timestamps continue from there. */
  get stampsFrom(): string | undefined {
    const latest = Math.floor(this.#store.counters.lastClientRevision / 1000)
    return latest > this.clock.now() ? new Date(latest).toISOString() : undefined
  }

  /** The data of the initial state. */
  get beginning(): StoreSnapshot {
    return this.#start.snapshot
  }

  /**
   * Advances the clock, and waits after each due task for its messages, so that their responses fall into its time. After ten
   * seconds it no longer waits.
   */
  async advanceTo(instant: number): Promise<Fired[]> {
    const limit = AbortSignal.timeout(MAX_SETTLE_WAIT_MS)
    const settled = () => limit.aborted || this.notifications.settled(MAX_SETTLE_WAIT_MS)
    const fired: Fired[] = []
    await settled()
    for (let due = this.clock.nextDue; due !== undefined && due <= instant; due = this.clock.nextDue) {
      fired.push(...this.clock.set(Math.max(due, this.clock.now())))
      await settled()
    }
    if (instant > this.clock.now()) fired.push(...this.clock.set(instant))
    await settled()
    return fired
  }

  /** Returns a seed that restores exactly this world. */
  state(): Seed {
    return exportState(this.data)
  }

  close(): void {
    this.controls.close()
    this.notifications.close()
    this.clock.close()
  }
}

const nowOf = ({ clock }: Seed, current: WorldClock): number => (clock ? Date.parse(clock.now) : current.now())

function applyClock(clock: WorldClock, { mode, now }: ClockState): void {
  if (mode === 'real') clock.real()
  else if (mode === 'set') clock.run(now)
  else clock.freeze(now)
}
