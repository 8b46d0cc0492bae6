import { answerWhenDue, setConferencePolicy } from '../meetings/conferenceRequests.ts'
import { remindWhenDue } from '../meetings/reminders.ts'
import { Notifications } from '../push/notifications.ts'
import type { Postal } from '../push/queue.ts'
import { Rig } from '../rig/rig.ts'
import { Clock, type ClockState, type Fired } from '../store/clock.ts'
import { type Life, lifeFrom, newLife, nextLife } from '../store/life.ts'
import { type Picture, Store } from '../store/store.ts'
import type { ConferencePolicy } from '../wire/conferencePolicy.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { World } from '../world/world.ts'
import { rewound } from './rewound.ts'
import { countOf, type Planted, plant, SeedError } from './seed.ts'
import { stateOf } from './state.ts'

/** How long, in real milliseconds, moving the clock waits for messages on their way. */
const PATIENCE = 10_000

/** What a world goes back to. */
type Beginning = { picture: Picture; clock: ClockState; planted: Planted }

/**
 * One world through its lives. What it started from is kept, so that a reset brings it back: accounts, data, clock, ids
 * and tokens. A seed that is refused leaves everything as it was.
 */
export class Realm {
  readonly clock: Clock
  readonly notifications: Notifications
  readonly world: World
  readonly rig: Rig
  readonly #store = new Store()
  readonly #policy: ConferencePolicy | undefined
  #start: Beginning

  /** The policy is for seeds that say none; an instant goes before the clocks of seeds. */
  constructor(
    seeds: readonly Seed[],
    now: Date | string | number | undefined,
    postal: Postal,
    { name, number }: { name: string; number: number } = { name: 'default', number: 0 },
    conferences?: ConferencePolicy,
  ) {
    this.#store.counters.life = newLife(name, number)
    this.clock = new Clock(this.#store)
    this.world = new World(this.#store, this.clock)
    if (now !== undefined) this.clock.freeze(now)
    answerWhenDue(this.world)
    remindWhenDue(this.world)
    this.#policy = conferences
    this.rig = new Rig(this.#store, this.clock)
    for (const [at, seed] of seeds.entries()) {
      if (at > 0) refuseState(seed)
      if (seed.clock && now === undefined) this.clock.become(seed.clock)
      if (at === 0) this.#begin(seed, this.world.life)
      else this.#plant(seed)
    }
    this.#start = this.#beginning()
    this.rig.begin(this.#store)
    this.notifications = new Notifications(this.world, postal)
  }

  /** Adds what a seed holds to what there is. A clock that it sets runs what falls due first, once the rest is known to be good. */
  seed(seed: Seed): Planted {
    refuseState(seed)
    if (seed.clock) {
      this.#store.rehearse(() => this.clock.showing(nowOf(seed, this.clock), () => plant(this.world, seed)))
      turn(this.clock, seed.clock)
    }
    return this.#store.transaction(() => this.#plant(seed))
  }

  /** Makes the world what a seed says, and that what a reset goes back to. */
  replace(seed: Seed): Planted {
    const life = nextLife(this.world.life)
    const planted = this.clock.showing(nowOf(seed, this.clock), () =>
      this.#store.transaction(() => {
        this.#store.clear()
        return this.#begin(seed, life)
      }),
    )
    if (seed.clock) this.clock.become(seed.clock)
    this.#start = this.#beginning()
    this.rig.begin(this.#store)
    this.notifications.attach(this.world)
    return planted
  }

  /** Back to what the world started from; sync tokens of before are of a former life. */
  reset(): Planted {
    const life = nextLife(this.world.life)
    const { clock: running } = this.#store.counters
    const { picture, clock, planted } = this.#start
    this.#store.goBack(picture)
    this.#store.counters.life = life
    this.#store.counters.clock = running
    if (clock.mode !== 'real') this.clock.become(clock)
    this.rig.begin(this.#store)
    this.notifications.attach(this.world)
    this.followClock()
    return planted
  }

  /**
   * Lets the stamps of a world that no client has written to follow its clock to an earlier moment. Where clients have
   * written they go on from the last (behaviour 14.52).
   */
  followClock(): void {
    const { written, planted, life } = this.#store.counters
    const ahead = Math.floor(written / 1000) - Math.floor(this.clock.now())
    if (ahead <= 0 || written !== planted) return
    const state = rewound(stateOf(this.world), ahead * 1000, written)
    this.#store.clear()
    this.#begin(state, life)
    this.#store.counters.planted = this.#store.counters.written
    this.notifications.attach(this.world)
  }

  /** The moment of the last write, where the clock was set back from it: stamps go on from there. */
  get stampsFrom(): string | undefined {
    const latest = Math.floor(this.#store.counters.written / 1000)
    return latest > this.clock.now() ? new Date(latest).toISOString() : undefined
  }

  /** Plants a first seed: a state brings its counters with it, and tokens that were handed out before it was taken. */
  #begin({ counters, ...seed }: Seed, life: Life): Planted {
    const { revision, forgotten, ids } = counters ?? { revision: 0, forgotten: 0, ids: 1 }
    Object.assign(this.#store.counters, {
      ...{ revision, written: revision, planted: 0, forgotten, ids },
      life: counters ? lifeFrom(counters.life, revision, life) : life,
    })
    if (this.#policy) setConferencePolicy(this.world, this.#policy)
    const planted = plant(this.world, counters ? { ...seed, counters } : seed)
    // A state brings the writes of clients along.
    if (!counters) this.#store.counters.planted = this.#store.counters.written
    return planted
  }

  /** Plants one more seed, which is no write of a client. */
  #plant(seed: Seed): Planted {
    const { counters } = this.#store
    const untouched = counters.written === counters.planted
    const planted = plant(this.world, seed)
    if (untouched) counters.planted = counters.written
    return planted
  }

  #beginning(): Beginning {
    return { picture: this.#store.picture(), clock: this.clock.state(), planted: countOf(this.world) }
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

/** A state is a whole world: it can be begun with and gone over to, but not be added to another. */
function refuseState({ counters }: Seed): void {
  if (counters) throw new SeedError('counters: a state replaces a world and cannot be added to one')
}

function turn(clock: Clock, { mode, now }: ClockState): void {
  if (mode === 'real') clock.real()
  else if (mode === 'set') clock.run(now)
  else clock.freeze(now)
}
