import { Notifications } from '../push/notifications.ts'
import type { Postal } from '../push/queue.ts'
import { Clock, type ClockState, type Fired } from '../store/clock.ts'
import type { Seed } from '../wire/seed.ts'
import { World } from '../world/world.ts'
import { type Planted, plant, SeedError } from './seed.ts'
import { stateOf } from './state.ts'

/** How long, in real milliseconds, moving the clock waits for messages on their way. */
const PATIENCE = 10_000

/**
 * One world through its lives. What it started from is kept, so that a reset brings it back: accounts, data, clock, ids
 * and tokens. A seed that is refused leaves everything as it was.
 */
export class Realm {
  readonly clock = new Clock()
  readonly notifications: Notifications
  #world: World
  #start: Seed

  constructor(seeds: readonly Seed[], now: Date | string | number | undefined, postal: Postal) {
    if (now !== undefined) this.clock.freeze(now)
    this.#world = new World(this.clock)
    for (const [at, seed] of seeds.entries()) {
      if (at > 0) refuseState(seed)
      if (seed.clock && now === undefined) turn(this.clock, seed.clock)
      if (seed.counters) this.#world = begin(this.clock, seed, seed.counters.life)
      plant(this.#world, seed)
    }
    this.#start = this.state()
    this.notifications = new Notifications(this.#world, postal)
  }

  get world(): World {
    return this.#world
  }

  /** Adds what a seed holds to what there is. */
  seed(seed: Seed): Planted {
    refuseState(seed)
    const trial = begin(new Clock().stopped(nowOf(seed, this.clock)), this.state(), this.#world.life)
    plant(trial, this.state())
    plant(trial, seed)
    if (seed.clock) turn(this.clock, seed.clock)
    return plant(this.#world, seed)
  }

  /** Makes the world what a seed says, and that what a reset goes back to. */
  replace(seed: Seed): Planted {
    const life = this.#world.life + 1
    plant(begin(new Clock().stopped(nowOf(seed, this.clock)), seed, life), seed)
    this.clock.close()
    if (seed.clock) turn(this.clock, seed.clock)
    this.#world = begin(this.clock, seed, life)
    const planted = plant(this.#world, seed)
    this.#start = this.state()
    this.notifications.attach(this.#world)
    return planted
  }

  /** Back to what the world started from; sync tokens of before are of a former life. */
  reset(): Planted {
    const life = this.#world.life + 1
    this.clock.close()
    if (this.#start.clock) turn(this.clock, this.#start.clock)
    this.#world = begin(this.clock, this.#start, life)
    const planted = plant(this.#world, this.#start)
    this.notifications.attach(this.#world)
    return planted
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
    return stateOf(this.#world)
  }

  close(): void {
    this.notifications.close()
    this.clock.close()
  }
}

const nowOf = ({ clock }: Seed, current: Clock): number => (clock ? Date.parse(clock.now) : current.now())

/** A state is a whole world: it can be begun with and gone over to, but not be added to another. */
function refuseState({ counters }: Seed): void {
  if (counters) throw new SeedError('counters: a state replaces a world and cannot be added to one')
}

const begin = (clock: Clock, { counters }: Seed, life: number): World =>
  new World(clock, { ids: counters?.ids, latest: counters?.revision, forgotten: counters?.forgotten, life })

function turn(clock: Clock, { mode, now }: ClockState): void {
  if (mode === 'real') clock.real()
  else if (mode === 'set') clock.run(now)
  else clock.freeze(now)
}
