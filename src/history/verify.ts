import { checkWanted } from '../matching/conditions.ts'
import { type Criterion, criteria, misses } from '../matching/criteria.ts'
import { report, shown, VerificationError } from '../matching/report.ts'
import type { Change, Found } from './change.ts'
import type { KindName } from './kinds.ts'
import { sentences } from './sentences.ts'

/** How often: so many times, or between two. */
export type Times = number | { min?: number | undefined; max?: number | undefined }

/** A change that is expected: what is not said may be anything. */
export type ExpectedChange = {
  change?: Change['change'] | undefined
  kind?: KindName | undefined
  account?: unknown
  calendarId?: unknown
  id?: unknown
  title?: unknown
  /** The resource as it is after the change, of what was deleted as it was before: partly, deeply, with matchers. */
  where?: unknown
  /** By path what a field is now, or `[was, is]`. */
  fields?: Record<string, unknown> | undefined
  /** Once, unless it is said. */
  times?: Times | undefined
}

type Bounds = { min: number; max: number }
const boundsOf = (times: Times = 1): Bounds =>
  typeof times === 'number'
    ? { min: times, max: times }
    : { min: times.min ?? 0, max: times.max ?? Number.POSITIVE_INFINITY }

/**
 * Throws unless these are the changes that there are, all of them and no other. The error says which of those expected
 * are missing, each with the nearest that there is, and which nobody expected.
 */
export function verifyChanges(found: readonly Found[], expected: readonly ExpectedChange[]): void {
  for (const [at, { where, fields }] of expected.entries()) {
    checkWanted(where, `[${at}].where`)
    checkWanted(fields, `[${at}].fields`)
  }
  const bounds = expected.map(({ times }) => boundsOf(times))
  const asked = expected.map((one) => found.map((change) => criteriaOf(one, change)))
  const fits = asked.map((row) => row.map((criteria) => misses(criteria) === 0))
  const { taken, unexpected } = assigned(fits, bounds, found.length)
  const said = sentences(found)
  const problems = [
    ...expected.flatMap((one, at) =>
      (taken[at] ?? 0) < (bounds[at]?.min ?? 0)
        ? [missing(one, bounds[at] as Bounds, taken[at] ?? 0, nearest(asked[at] ?? [], fits, said), found.length > 0)]
        : [],
    ),
    ...unexpected.map((at) => `✗ not expected: ${said[at]}`),
  ]
  if (problems.length > 0) throw new VerificationError(`The changes are not those expected.\n${problems.join('\n')}`)
}

/** All that is asked of a change, each part a criterion. */
function criteriaOf({ where, fields, times: _, ...named }: ExpectedChange, { change, resource }: Found): Criterion[] {
  const said = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return [
    ...(Object.keys(said).length > 0 ? criteria(said, change) : []),
    ...(where === undefined ? [] : criteria(where, resource, 'where')),
    ...Object.entries(fields ?? {}).flatMap(([path, wanted]) => ofField(path, wanted, change.fields)),
  ]
}

function ofField(path: string, wanted: unknown, fields: Change['fields']): Criterion[] {
  const at = `fields['${path}']`
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (!field) return [{ path: at, met: false, wanted, actual: 'as it was' }]
  if (!Array.isArray(wanted) || wanted.length !== 2) return criteria(wanted, field[1], at)
  return [...criteria(wanted[0], field[0], `${at} before`), ...criteria(wanted[1], field[1], `${at} after`)]
}

/**
 * Gives each change to one that expects it, so that each of those gets as many as it is to have, and as few changes as
 * may be are left. One that is not to be takes none.
 */
function assigned(fits: readonly (readonly boolean[])[], bounds: readonly Bounds[], count: number) {
  const by: (number | undefined)[] = new Array(count).fill(undefined)
  const taken: number[] = bounds.map(() => 0)
  const banned = by.map((_, change) => bounds.some(({ max }, at) => max === 0 && fits[at]?.[change]))

  const put = (change: number, at: number): true => {
    const from = by[change]
    if (from !== undefined) taken[from] = (taken[from] ?? 0) - 1
    taken[at] = (taken[at] ?? 0) + 1
    by[change] = at
    return true
  }
  /** Makes room where there is none by handing on changes that others expect too. */
  const give = (change: number, room: readonly number[], tried: Set<number>): boolean => {
    for (const [at, row] of fits.entries()) {
      if (!row[change] || tried.has(at) || room[at] === 0) continue
      tried.add(at)
      if ((taken[at] ?? 0) < (room[at] ?? 0)) return put(change, at)
      const held = by.flatMap((owner, other) => (owner === at ? [other] : []))
      if (held.some((other) => give(other, room, tried))) return put(change, at)
    }
    return false
  }
  for (const room of [bounds.map(({ min }) => min), bounds.map(({ max }) => max)])
    for (let change = 0; change < count; change++)
      if (by[change] === undefined && !banned[change]) give(change, room, new Set())
  return { taken, unexpected: by.flatMap((at, change) => (at === undefined ? [change] : [])) }
}

type Nearest = { said: string; criteria: Criterion[] } | undefined

/** Returns the change that misses the least, of the kind that is expected, if possible one that nothing else expects. */
function nearest(asked: readonly Criterion[][], fits: readonly (readonly boolean[])[], said: string[]): Nearest {
  const rank = (at: number): number =>
    (fits.some((row) => row[at]) ? 1000 : 0) + misses(asked[at] ?? []) - met(asked[at] ?? []) / 1000
  const isOfKind = (at: number): boolean => asked[at]?.every(({ path, met }) => met || path !== 'kind') ?? false
  const [best] = [...asked.keys()].filter(isOfKind).sort((a, b) => rank(a) - rank(b))
  return best === undefined ? undefined : { said: said[best] ?? '', criteria: asked[best] ?? [] }
}

const met = (all: readonly Criterion[]): number => all.length - misses(all)

function missing(
  wanted: ExpectedChange,
  { min, max }: Bounds,
  taken: number,
  near: Nearest,
  hasChanges: boolean,
): string {
  const { times: _, ...what } = wanted
  const often = min === max ? times(min) : `at least ${times(min)}`
  const head = `✗ expected ${often}, found ${taken === 0 ? 'none' : taken}: ${shown(what)}`
  if (taken > 0) return head
  if (!near) return `${head}\n  ${hasChanges ? `no ${what.kind}` : 'nothing'} has changed`
  return [head, `  the nearest is ${near.said}`, report(near.criteria).replace(/^/gm, '    ')].join('\n')
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
