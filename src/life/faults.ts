import { newLife } from '../db/epoch.ts'
import { Store } from '../db/store.ts'
import { seriesOf } from '../model/series.ts'
import { isRule } from '../recurrence/lines.ts'
import { isZone } from '../recurrence/zone.ts'
import { Clock } from '../time/clock.ts'
import type { Event } from '../wire/event.ts'
import { deepest, type Path } from '../wire/issues.ts'
import { Refusal } from '../wire/refusals.ts'
import { type Seed, seed as schema } from '../wire/seeds/seed.ts'
import { World } from '../world/world.ts'
import { begin } from './beginning.ts'
import { isDeep } from './checkedSeed.ts'
import { type Planting, plant, SeedError } from './seed.ts'

/** What is wrong with a seed, and where in it. */
export type SeedFault = {
  path: Path
  problem: string
  /** A world takes it all the same, but it will hardly be meant. */
  taken?: true
}

/** A moment for a world that nobody sees. */
const THEN = '2026-01-01T00:00:00Z'

/**
 * All that is wrong with a seed: what its schema refuses, and what refuses to be planted once that is left out. `before`
 * are the seeds that it is to be added to.
 */
export function faultsOf(data: unknown, before: readonly Seed[] = []): SeedFault[] {
  if (isDeep(data)) return [{ path: [], problem: 'nested too deep' }]
  const read = schema.safeParse(data)
  if (read.success) return inOrder(plantingFaults(read.data, before))
  const faults = schemaFaults(read.error.issues)
  const rest = readable(structuredClone(data), faults)
  const records = new Set(faults.map(({ path }) => recordOf(path)))
  const more = rest ? plantingFaults(rest.seed, before) : []
  const followed = more.filter(({ path, problem }) => {
    const record = recordOf(path)
    // What is wrong because of what was left out is no fault of its own.
    return !records.has(record) && !(rest?.lacking && /^Invalid value for: .*(no such|there is no)/.test(problem))
  })
  return inOrder([...faults, ...followed])
}

/** `calendars.0.events.3`, of anything in that event. */
const recordOf = (path: Path): string =>
  path.slice(0, path[2] === undefined || typeof path[3] !== 'number' ? 2 : 4).join('.')

const inOrder = (faults: readonly SeedFault[]): SeedFault[] => [
  ...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values(),
]

type Issues = Parameters<typeof deepest>[0]

/** One for each key that there should not be, and for each value that is none. */
function schemaFaults(issues: Issues): SeedFault[] {
  return issues.flatMap((one): SeedFault[] => {
    const issue = deepest([one]) ?? one
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, problem: issue.message }]
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      problem: `Unrecognized key: ${JSON.stringify(key)}`,
    }))
  })
}

/** A seed without what is wrong in it: values at first, and where that does not do, the records around them. */
function readable(data: unknown, faults: readonly SeedFault[]): { seed: Seed; lacking: boolean } | undefined {
  for (const { path } of faults) remove(data, path)
  const once = schema.safeParse(data)
  if (once.success) return { seed: once.data, lacking: false }
  for (const { path } of byDepth(schemaFaults(once.error.issues))) remove(data, recordPath(path))
  const twice = schema.safeParse(data)
  return twice.success ? { seed: twice.data, lacking: true } : undefined
}

const byDepth = (faults: readonly SeedFault[]): SeedFault[] => faults.toSorted((a, b) => compared(b.path, a.path))

/** Later items of a list before the ones ahead of them, so that removing one does not move another. */
function compared(a: Path, b: Path): number {
  for (const [at, key] of a.entries()) {
    const other = b[at]
    if (key === other) continue
    return typeof key === 'number' && typeof other === 'number' ? key - other : 0
  }
  return a.length - b.length
}

const recordPath = (path: Path): Path => path.slice(0, path.findLastIndex((key) => typeof key === 'number') + 1)

/** Takes a value out; an item of a list leaves no hole. */
function remove(data: unknown, path: Path): void {
  const key = path.at(-1)
  let at = data
  for (const step of path.slice(0, -1)) at = at instanceof Object ? Reflect.get(at, step) : undefined
  if (key === undefined || !(at instanceof Object)) return
  if (Array.isArray(at)) at.splice(Number(key), 1)
  else Reflect.deleteProperty(at, key)
}

function plantingFaults(seed: Seed, before: readonly Seed[]): SeedFault[] {
  const faults: SeedFault[] = []
  const store = new Store()
  const clock = new Clock(store)
  clock.freeze(THEN)
  const world = new World(store, clock)
  const told =
    (into: SeedFault[]): Planting =>
    (path, act) => {
      try {
        const made = store.transaction(act)
        const event = path[2] === 'events' ? (made as Event | undefined) : undefined
        if (event?.recurrence) into.push(...idle(event).map((fault) => ({ ...fault, path: [...path, ...fault.path] })))
        return made
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof SeedError)) throw error
        into.push({ path, problem: error.message })
        return undefined
      }
    }
  try {
    store.counters.life = newLife('check', 0)
    for (const one of before) if (!one.counters) plant(world, one, told([]))
    if (seed.counters) begin(world, seed, newLife('check', 0), undefined)
    else plant(world, withKnownZones(seed, faults), told(faults))
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    faults.push(placed(error.message))
  } finally {
    clock.close()
  }
  return faults
}

/** `calendars[0].events[3]: …`, as a refusal of a whole seed says it. */
function placed(message: string): SeedFault {
  const [, path, problem] = /^([a-zA-Z]\w*(?:\[\d+\]|\.\w+)*): (.*)$/s.exec(message) ?? []
  if (path === undefined || problem === undefined) return { path: [], problem: message }
  const keys = path.split(/[.[\]]+/).filter(Boolean)
  return { path: keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), problem }
}

/** An account in a zone that there is not would take its calendar and all that is in it along. */
function withKnownZones(seed: Seed, faults: SeedFault[]): Seed {
  const accounts = seed.accounts?.map((account, at) => {
    if (account.timeZone === undefined || isZone(account.timeZone)) return account
    faults.push({ path: ['accounts', at, 'timeZone'], problem: `there is no time zone ${account.timeZone}` })
    const { timeZone: _, ...rest } = account
    return rest
  })
  return accounts ? { ...seed, accounts } : seed
}

/** The rules of a series that never fire, and a series of which nothing is left. */
function idle(event: Pick<Event, 'start' | 'recurrence'>): SeedFault[] {
  const series = seriesOf(event)
  if (series.first === undefined)
    return [{ path: ['recurrence'], problem: 'no instance is left of the series', taken: true }]
  return (event.recurrence ?? []).flatMap((line, at) =>
    isRule(line) && !fires(event, line)
      ? [{ path: ['recurrence', at], problem: `the rule never fires: ${line}`, taken: true as const }]
      : [],
  )
}

/** A series has its start whatever its rule says, so the rule is asked what it takes away. */
function fires({ start }: Pick<Event, 'start'>, line: string): boolean {
  const rule = line.slice(line.indexOf(':') + 1)
  const alone = seriesOf({ start, recurrence: [`RRULE:${rule}`] })
  const without = seriesOf({ start, recurrence: [`EXRULE:${rule}`] })
  return alone.last !== alone.first || alone.endless || without.first === undefined
}
