import { type Life, lifeFrom, nextLife } from '../db/epoch.ts'
import { Store, type StoreSnapshot } from '../db/store.ts'
import { registerConferenceTask } from '../effects/conferences.ts'
import { registerReminderTasks } from '../effects/reminders.ts'
import { Notifications } from '../push/notifications.ts'
import type { Postal } from '../push/queue.ts'
import type { Log } from '../rig/journal.ts'
import { Rig } from '../rig/rig.ts'
import { Clock, type ClockState, type Fired } from '../time/clock.ts'
import type { ConferencePolicy } from '../wire/conferencePolicy.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { World } from '../world/world.ts'
import { add, type Beginning, begin, beginningOf, isPlanted, refuseState } from './beginning.ts'
import { clearBeside, PARTS, statesOf, type Turn } from './parts.ts'
import { rewound } from './rewound.ts'
import { countOf, type Planted, plant } from './seed.ts'
import { type Snapshot, Snapshots } from './snapshots.ts'
import { stateOf } from './state.ts'

/** What a restore leaves as it is. */
const LEFT = statesOf('restore', 'stays')
/** What those who read the journal along are told of. */
const TOLD = new Map<Turn, 'reset' | 'restored'>([
  ['reset', 'reset'],
  ['restore', 'restored'],
])
/** How long, in real milliseconds, moving the clock waits for messages on their way. */
const PATIENCE = 10_000

/** What of its server's options is a world's own. The policy is for seeds that say none, of those that it is replaced by. */
type Own = { name: string; policy?: ConferencePolicy | undefined; journal?: number | undefined; log?: Log | undefined }

/**
 * One world through its lives. What it began with is kept, so that a reset brings it back: accounts, data, clock, ids
 * and tokens. A seed that is refused leaves everything as it was.
 */
export class Realm {
  readonly clock: Clock
  readonly notifications: Notifications
  readonly world: World
  readonly rig: Rig
  readonly snapshots = new Snapshots()
  readonly #store: Store
  readonly #policy: ConferencePolicy | undefined
  #start: Beginning

  constructor(start: Beginning, life: Life, postal: Postal, own: Own = { name: 'default' }) {
    this.#store = new Store(start.picture)
    this.#store.counters.life = life
    this.clock = new Clock(this.#store, () => {
      registerConferenceTask(this.world)
      registerReminderTasks(this.world)
    })
    this.world = new World(this.#store, this.clock)
    this.rig = new Rig(this.#store, this.clock, own)
    if (start.clock.mode !== 'frozen') this.clock.become(start.clock)
    this.#policy = own.policy
    this.#start = start
    this.notifications = new Notifications(this.world, postal, start.delivered)
  }

  /** Adds what a seed holds to what there is. A clock that it sets runs what falls due first, once the rest is known to be good. */
  seed(seed: Seed): Planted {
    refuseState(seed)
    if (seed.clock) {
      this.#store.dryRun(() => this.clock.showing(nowOf(seed, this.clock), () => plant(this.world, seed)))
      turn(this.clock, seed.clock)
    }
    return this.#store.transaction(() => add(this.world, seed))
  }

  /** Makes the world what a seed says, and that what a reset goes back to. */
  replace(seed: Seed): Planted {
    const life = nextLife(this.world.life)
    const planted = this.clock.showing(nowOf(seed, this.clock), () =>
      this.#store.transaction(() => {
        this.#store.clear()
        return begin(this.world, seed, life, this.#policy)
      }),
    )
    if (seed.clock) this.clock.become(seed.clock)
    const start = beginningOf(this.world)
    this.#turned('replace')
    this.#start = start
    return planted
  }

  /** Back to what the world started from; sync tokens of before are of a former life. */
  reset(): Planted {
    const life = nextLife(this.world.life)
    const { picture, clock, delivered } = this.#start
    const running = clock.mode === 'real' ? this.clock.state() : clock
    this.#store.resetTo(picture)
    this.#store.counters.life = life
    if (clock.mode !== 'frozen') this.clock.become(running)
    this.#rewind()
    this.#turned('reset', delivered)
    this.#start.planted ??= countOf(this.world)
    return this.#start.planted
  }

  /** Keeps this moment, under a name or for as long as its handle lives. Tokens that are handed out after it are told apart. */
  snapshot(name?: string): Snapshot {
    const { counters } = this.#store
    const { life } = counters
    const delivered = this.notifications.delivered()
    const { revision } = counters
    const moment = { ...beginningOf(this.world), from: { life, revision }, delivered }
    counters.revision += 1
    return this.snapshots.take(moment, name)
  }

  /** Back to a snapshot of this world. What was given out since, sync tokens, ids and etags, is never met again. */
  restore(which: string | Snapshot): Snapshot {
    const snapshot = this.snapshots.find(which)
    const { picture, clock, delivered, from } = this.snapshots.get(snapshot)
    const life = lifeFrom(from.life, from.revision, this.world.life)
    this.#store.restore(picture, { keep: LEFT })
    this.#store.counters.life = life
    if (clock.mode === 'set') this.clock.become(clock)
    this.#turned('restore', delivered)
    return snapshot
  }

  /** What is beside the store follows what became of the world, once nothing is left that could be taken back. */
  #turned(turn: Turn, delivered?: ReadonlyMap<string, number>): void {
    this.notifications.attach(this.world, { delivered, goesOn: PARTS.holds[turn] === 'stays' })
    clearBeside(this.rig, turn)
    this.rig.turned(TOLD.get(turn))
  }

  /**
   * Lets the stamps of a world that no client has written to follow its clock to an earlier moment. Where clients have
   * written they go on from the last (behaviour 14.52).
   */
  followClock(): void {
    if (this.#rewind()) this.notifications.attach(this.world)
  }

  #rewind(): boolean {
    const { written, planted, plantedAt, life } = this.#store.counters
    const ahead = plantedAt - Math.floor(this.clock.now())
    if (ahead <= 0 || written !== planted) return false
    const state = rewound(stateOf(this.world), ahead * 1000, written)
    this.#store.clear()
    begin(this.world, state, life, this.#policy)
    isPlanted(this.world)
    return true
  }

  /** The moment of the last write, where the clock was set back from it: stamps go on from there. */
  get stampsFrom(): string | undefined {
    const latest = Math.floor(this.#store.counters.written / 1000)
    return latest > this.clock.now() ? new Date(latest).toISOString() : undefined
  }

  /** All data as it was when the world began, or was last begun anew. */
  get beginning(): StoreSnapshot {
    return this.#start.picture
  }

  /**
   * Moves the clock on as `clock.advance` does, and waits at each thing that falls due for the messages that it sends,
   * so that what they are answered with falls into its time. After ten seconds of waiting it only moves.
   */
  async advanceTo(instant: number): Promise<Fired[]> {
    const limit = AbortSignal.timeout(PATIENCE)
    const settled = () => limit.aborted || this.notifications.settled(PATIENCE)
    const fired: Fired[] = []
    await settled()
    for (let due = this.clock.nextDue; due !== undefined && due <= instant; due = this.clock.nextDue) {
      fired.push(...this.clock.advanceTo(Math.max(due, this.clock.now())))
      await settled()
    }
    if (instant > this.clock.now()) fired.push(...this.clock.advanceTo(instant))
    await settled()
    return fired
  }

  /** A seed that restores exactly this world. */
  state(): Seed {
    return stateOf(this.world)
  }

  close(): void {
    this.rig.close()
    this.notifications.close()
    this.clock.close()
  }
}

const nowOf = ({ clock }: Seed, current: Clock): number => (clock ? Date.parse(clock.now) : current.now())

function turn(clock: Clock, { mode, now }: ClockState): void {
  if (mode === 'real') clock.real()
  else if (mode === 'set') clock.run(now)
  else clock.freeze(now)
}
