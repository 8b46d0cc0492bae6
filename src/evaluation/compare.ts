import { isEqual } from '../schema/values/json.ts'
import type { ReadableRecord } from './records.ts'

export type FieldDifference = { readonly path: string; readonly expected: unknown; readonly actual: unknown }
export type ComparedPair = {
  readonly expected: ReadableRecord
  readonly actual: ReadableRecord
  readonly differences: readonly FieldDifference[]
}
export type Comparison = {
  readonly pairs: readonly ComparedPair[]
  readonly missing: readonly ReadableRecord[]
  readonly unexpected: readonly ReadableRecord[]
}

/** Returns true if a field of a record may differ from that of the reference. */
export type IsFree = (path: string, expected: ReadableRecord, actual: ReadableRecord) => boolean

/** The number of compared pairs of records, for tests that count work. */
export const comparisons = { made: 0 }

/** More records that were made are paired in their order. */
const MAX_PAIRED = 40

/**
 * Pairs the records of a reference with those of an attempt: by their ids, and those that were made in the attempt with the most
 * similar one.
 */
export function compareRecords(
  expected: readonly ReadableRecord[],
  actual: readonly ReadableRecord[],
  isFree: IsFree,
): Comparison {
  const pairs: ComparedPair[] = []
  const missing: ReadableRecord[] = []
  const rest = new Set(actual)
  const byKey = new Map(actual.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])))
  const made: ReadableRecord[] = []
  for (const one of expected) {
    const same = one.key === undefined ? undefined : byKey.get(one.key)
    if (one.key === undefined) made.push(one)
    else if (same && same.change === one.change) pairs.push(comparePair(one, same, isFree))
    else missing.push(one)
  }
  for (const { actual } of pairs) rest.delete(actual)
  const candidates = [...rest].filter(({ key }) => key === undefined)
  const found = pairMostSimilar(made, candidates, isFree)
  for (const pair of found) rest.delete(pair.actual)
  const paired = new Set(found.map((pair) => pair.expected))
  missing.push(...made.filter((one) => !paired.has(one)))
  return { pairs: [...pairs, ...found], missing, unexpected: [...rest] }
}

function pairMostSimilar(
  expected: readonly ReadableRecord[],
  actual: readonly ReadableRecord[],
  isFree: IsFree,
): ComparedPair[] {
  const isShort = expected.length <= MAX_PAIRED && actual.length <= MAX_PAIRED
  const all = expected.flatMap((one, at) =>
    (isShort ? actual : actual.slice(at, at + 1))
      .filter(({ kind }) => kind === one.kind)
      .map((other) => comparePair(one, other, isFree)),
  )
  const pairs: ComparedPair[] = []
  const used = new Set<ReadableRecord>()
  for (const pair of all.sort((a, b) => a.differences.length - b.differences.length)) {
    if (used.has(pair.expected) || used.has(pair.actual)) continue
    used.add(pair.expected).add(pair.actual)
    if (isSimilar(pair)) pairs.push(pair)
  }
  return pairs
}

/** Records that have no field in common are two: one is missing, and the other is unexpected. */
const isSimilar = ({ expected, actual, differences }: ComparedPair): boolean =>
  differences.length < new Set([...expected.fields.keys(), ...actual.fields.keys()]).size

function comparePair(expected: ReadableRecord, actual: ReadableRecord, isFree: IsFree): ComparedPair {
  comparisons.made += 1
  const differences: FieldDifference[] = []
  for (const path of new Set([...expected.fields.keys(), ...actual.fields.keys()])) {
    const [one, other] = [expected.fields.get(path) ?? null, actual.fields.get(path) ?? null]
    const isKnown = expected.fields.has(path) === actual.fields.has(path)
    if ((isKnown && isEqual(one, other)) || isFree(path, expected, actual)) continue
    differences.push({ path, expected: one, actual: other })
  }
  return { expected, actual, differences }
}
