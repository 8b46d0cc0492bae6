import { LazyValue, Store, type StoreSnapshot } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { setConferencePolicy } from '../effects/conferences.ts'
import { type ClockState, machineTime, parseInstant, WorldClock } from '../model/clock.ts'
import { WorldData } from '../model/worldData.ts'
import { DAY_MS } from '../recurrence/days.ts'
import type { ConferencePolicy } from '../schema/conferencePolicy.ts'
import { continueEpoch, type Epoch, epochOf, firstEpoch, setEpoch } from '../sync/epochs.ts'
import { applySeed, countRecords, isLargeSeed, type SeedCounts } from './applySeed.ts'
import type { Seed } from './schema/seed.ts'
import { SeedError } from './seedError.ts'

/** The state in which a world starts and to which it resets. */
export type WorldStart = {
  readonly snapshot: StoreSnapshot
  readonly clock: ClockState
  readonly from?: { readonly epoch: Epoch; readonly revision: Revision }
  readonly delivered?: ReadonlyMap<string, number>
  counts?: SeedCounts
}

type StartOptions = {
  readonly seeds: readonly Seed[]
  readonly now: Date | string | number | undefined
  readonly policy: ConferencePolicy | undefined
}

/** Later writes do not change it. */
export function captureStart({ store, clock }: WorldData): WorldStart {
  return { snapshot: store.snapshot(), clock: clock.state() }
}

/** Continues the epoch of a state or a snapshot, whose tokens stay valid. `resetCount` is 0 before the first reset. */
export function createStartEpoch({ from }: WorldStart, worldId: string, resetCount: number): Epoch {
  const own = firstEpoch(worldId, resetCount)
  return from ? continueEpoch(own, from.epoch, from.revision) : own
}

const MAX_CACHED_STARTS = 8

type CachedStart = StartOptions & { readonly start: WorldStart; readonly at: number; readonly isTimeDependent: boolean }
/** The starts of all servers in the process, because tests often start equal worlds. */
const startCache: CachedStart[] = []

/** Equal seeds are applied once, and the result is shared, so it must not be changed. */
export function createStartFromSeeds(options: StartOptions): WorldStart {
  const cached = startCache.find((one) => hasSameOptions(one, options) && isReusable(one))
  if (cached) return cached.start
  const created = createStart(options)
  const stale = startCache.findIndex((one) => hasSameOptions(one, options))
  if (stale >= 0) startCache.splice(stale, 1)
  if (!options.seeds.some(isLargeSeed)) startCache.push(created)
  if (startCache.length > MAX_CACHED_STARTS) startCache.shift()
  return created.start
}

const parseOptionalInstant = (now: StartOptions['now']): number | undefined =>
  now === undefined ? undefined : parseInstant(now)

const hasSameOptions = (a: StartOptions, b: StartOptions): boolean =>
  a.seeds.length === b.seeds.length &&
  a.seeds.every((seed, at) => seed === b.seeds[at]) &&
  parseOptionalInstant(a.now) === parseOptionalInstant(b.now) &&
  JSON.stringify(a.policy) === JSON.stringify(b.policy)

/** Records of a real clock that contain the time of creation must not be reused. */
const isReusable = ({ start, at, isTimeDependent }: CachedStart): boolean =>
  start.clock.mode !== 'real' || (!isTimeDependent && at <= machineTime())

/** Throws a SeedError for a state that is not the first seed. */
function createStart({ seeds, now, policy }: StartOptions): CachedStart {
  const at = machineTime()
  const store = new Store()
  const clock = new WorldClock(store)
  const world = new WorldData(store, clock)
  if (now !== undefined) clock.freeze(now)
  for (const [nth, seed] of seeds.entries()) {
    if (nth > 0) rejectState(seed)
    if (seed.clock && now === undefined) clock.setState(seed.clock)
    if (nth === 0) applyFirstSeed(world, seed, epochOf(store), policy)
    else writeSeed(world, seed)
  }
  const counts = countRecords(world)
  const isDated = clock.nextDue !== undefined || counts.events > 0 || world.mail.size > 0
  const isTimeDependent = isDated || seeds.some(({ anchor }) => anchor)
  clock.close()
  const [first] = seeds
  const from = first?.counters && { epoch: first.counters.epoch, revision: first.counters.revision }
  const start = { ...captureStart(world), counts, ...(from && { from }) }
  return { seeds, now, policy, start, at, isTimeDependent }
}

/**
 * A state also restores its counters, so that its sync and page tokens stay valid; other worlds get `epoch`. `policy`
 * applies if the seed has none.
 */
export function applyFirstSeed(
  world: WorldData,
  { counters, ...seed }: Seed,
  epoch: Epoch,
  policy: ConferencePolicy | undefined,
): SeedCounts {
  const { revision, expiredUpTo, ids } = counters ?? { revision: 0, expiredUpTo: 0, ids: 0 }
  Object.assign(world.store.counters, {
    revision,
    lastWrite: revision,
    prunedUpTo: expiredUpTo,
    ids,
  })
  markAsWritten(world.store)
  setEpoch(world.store, counters ? continueEpoch(epoch, counters.epoch, revision) : epoch)
  if (policy) setConferencePolicy(world, policy)
  const complete = counters ? { ...seed, counters } : seed
  const counts = writeSeed(world, complete)
  if (!counters) markAsSeeded(world)
  return counts
}

const SEED_LEAD_MS = 7 * DAY_MS

/** The records were written a week before the world begins, so that none is new to a client (behaviour 14.58). */
const writeSeed = (world: WorldData, seed: Seed): SeedCounts =>
  world.changes.writes.withoutLogging(() => world.changes.runEarlier(SEED_LEAD_MS, () => addSeed(world, seed)))

/** The seed is not a write of a client. */
export function addSeed(world: WorldData, seed: Seed): SeedCounts {
  const { hasClientWrites } = seedingOf(world.store)
  const counts = applySeed(world, seed)
  if (!hasClientWrites) markAsSeeded(world)
  return counts
}

/** The revision of the last write of a seed, and the time of the clock at it in milliseconds. */
const seedings = (store: Store) => new LazyValue(store, 'seeds/seeding', { revision: 0, at: 0 })

export function seedingOf(store: Store): { hasClientWrites: boolean; at: number } {
  const { revision, at } = seedings(store).value
  return { hasClientWrites: revision !== store.counters.lastWrite, at }
}

/** The records do not count as writes of clients. Ends the time of the seed, so that reads do not change the next etag. */
export function markAsSeeded({ store, clock, changes }: WorldData): void {
  changes.markPresent()
  seedings(store).value = { revision: store.counters.lastWrite, at: clock.now() }
}

/** All records count as writes of clients, so that their stamps do not follow the clock back. */
export function markAsWritten(store: Store): void {
  seedings(store).value = { revision: -1, at: 0 }
}

/** A state replaces a complete world. */
export function rejectState({ counters }: Seed): void {
  if (counters) throw new SeedError('counters: a state replaces a world and cannot be added to one')
}
