import { type Life, lifeFrom, newLife } from '../db/epoch.ts'
import { Store, type StoreSnapshot } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { setConferencePolicy } from '../effects/conferences.ts'
import { Clock, type ClockState, machineTime, momentOf } from '../time/clock.ts'
import type { ConferencePolicy } from '../wire/conferencePolicy.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { World } from '../world/world.ts'
import { countOf, isLarge, type Planted, plant, SeedError } from './seed.ts'

/** What a world starts from and goes back to: planted from seeds, or a moment of another world. */
export type Beginning = {
  readonly picture: StoreSnapshot
  readonly clock: ClockState
  /** The life that it goes on from, and up to where: that of a state or of a snapshot. */
  readonly from?: { readonly life: Life; readonly revision: Revision }
  /** How many messages had reached the receiver of each channel. */
  readonly delivered?: ReadonlyMap<string, number>
  /** How many of each there are in it, counted when it is first asked for. */
  planted?: Planted
}

type Planting = {
  readonly seeds: readonly Seed[]
  /** An instant goes before the clocks of seeds. */
  readonly now: Date | string | number | undefined
  /** For seeds that say none. */
  readonly policy: ConferencePolicy | undefined
}

/** A world as it is now, to begin others with. */
export function beginningOf({ store, clock }: World): Beginning {
  return { picture: store.snapshot(), clock: clock.state() }
}

/** The life in which a world of a name begins. */
export function firstLife({ from }: Beginning, name: string, number: number): Life {
  const own = newLife(name, number)
  return from ? lifeFrom(from.life, from.revision, own) : own
}

/** How many plantings are kept for worlds that begin alike. */
const MOST = 8

type Kept = Planting & { readonly beginning: Beginning; readonly at: number; readonly tellsTime: boolean }
/** The latest plantings, of any server: tests begin the same world time and again. */
const latest: Kept[] = []

/** What seeds make, planted once for worlds that begin with the same. */
export function planted(planting: Planting): Beginning {
  const known = latest.find((one) => alike(one, planting) && isGood(one))
  if (known) return known.beginning
  const kept = freshlyPlanted(planting)
  const old = latest.findIndex((one) => alike(one, planting))
  if (old >= 0) latest.splice(old, 1)
  if (!planting.seeds.some(isLarge)) latest.push(kept)
  if (latest.length > MOST) latest.shift()
  return kept.beginning
}

const instantOf = (now: Planting['now']): number | undefined => (now === undefined ? undefined : momentOf(now))

const alike = (a: Planting, b: Planting): boolean =>
  a.seeds.length === b.seeds.length &&
  a.seeds.every((seed, at) => seed === b.seeds[at]) &&
  instantOf(a.now) === instantOf(b.now) &&
  JSON.stringify(a.policy) === JSON.stringify(b.policy)

/** Where the clock is real, a world's stamps are of its own beginning, unless there is nothing in it that tells. */
const isGood = ({ beginning, at, tellsTime }: Kept): boolean =>
  beginning.clock.mode !== 'real' || (!tellsTime && at <= machineTime())

function freshlyPlanted({ seeds, now, policy }: Planting): Kept {
  const at = machineTime()
  const store = new Store()
  const clock = new Clock(store)
  const world = new World(store, clock)
  if (now !== undefined) clock.freeze(now)
  for (const [nth, seed] of seeds.entries()) {
    if (nth > 0) refuseState(seed)
    if (seed.clock && now === undefined) clock.become(seed.clock)
    if (nth === 0) begin(world, seed, world.life, policy)
    else world.changes.writes.untold(() => add(world, seed))
  }
  const isDated = clock.nextDue !== undefined || countOf(world).events > 0 || world.mail.size > 0
  const tellsTime = isDated || seeds.some(({ anchor }) => anchor)
  clock.close()
  const [first] = seeds
  const from = first?.counters && { life: first.counters.life, revision: first.counters.revision }
  const beginning = { ...beginningOf(world), planted: countOf(world), ...(from && { from }) }
  return { seeds, now, policy, beginning, at, tellsTime }
}

/** Plants a first seed: a state brings its counters with it, and tokens that were handed out before it was taken. */
export function begin(
  world: World,
  { counters, ...seed }: Seed,
  life: Life,
  policy: ConferencePolicy | undefined,
): Planted {
  const { revision, forgotten, ids } = counters ?? { revision: 0, forgotten: 0, ids: 0 }
  Object.assign(world.store.counters, {
    ...{ revision, written: revision, planted: 0, plantedAt: world.clock.now(), forgotten, ids },
    life: counters ? lifeFrom(counters.life, revision, life) : life,
  })
  if (policy) setConferencePolicy(world, policy)
  const whole = counters ? { ...seed, counters } : seed
  const planted = world.changes.writes.untold(() => plant(world, whole))
  // A state brings the writes of clients along.
  if (!counters) isPlanted(world)
  return planted
}

/** Plants one more seed, which is no write of a client. */
export function add(world: World, seed: Seed): Planted {
  const { written, planted: before } = world.store.counters
  const planted = plant(world, seed)
  if (written === before) isPlanted(world)
  return planted
}

/** Says that all there is was planted now. */
export function isPlanted({ store: { counters }, clock }: World): void {
  counters.planted = counters.written
  counters.plantedAt = clock.now()
}

/** A state is a whole world: it can be begun with and gone over to, but not be added to another. */
export function refuseState({ counters }: Seed): void {
  if (counters) throw new SeedError('counters: a state replaces a world and cannot be added to one')
}
