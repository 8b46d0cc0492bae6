import { isObject } from '../schema/values/json.ts'

export const isText = (value: unknown): value is string => typeof value === 'string'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
export const isInstant = (value: unknown): value is string => isText(value) && INSTANT.test(value)

/** Addresses are compared without regard to case. */
export const toComparedKey = (key: unknown): unknown => (isText(key) && key.includes('@') ? key.toLowerCase() : key)

type Decide = (actual: unknown) => boolean
/** An expected element: what is decided about one with the same key, or about any without a key. */
export type Element = { readonly decide: Decide; readonly key: 'email' | 'id' | undefined; readonly value: unknown }

/**
 * Assigns each expected element one of a list that has its parts, by augmenting paths. Returns the assigned indexes; undefined if
 * one has none, unless it may be partial.
 */
export function assignElements(
  elements: readonly Element[],
  list: readonly unknown[],
  { isPartial }: { isPartial: boolean },
): (number | undefined)[] | undefined {
  const indexes = new Map<string, Map<unknown, number[]>>()
  const candidates: number[][] = []
  const assigned: (number | undefined)[] = []
  const owners = new Map<number, number>()
  for (const [element, { decide, key, value }] of elements.entries()) {
    const near = findNear(list, key, value, indexes)
    candidates[element] = near.filter((at) => decide(list[at]))
    if (!assignElement(element, candidates, assigned, owners) && !isPartial) return undefined
  }
  return assigned
}

/** Returns the indexes of elements with a key, or of those that equal a plain value; else all. */
function findNear(
  list: readonly unknown[],
  key: Element['key'],
  value: unknown,
  indexes: Map<string, Map<unknown, number[]>>,
): readonly number[] {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !isInstant(value)
  const by = key ?? (isPlain ? 'value' : 'all')
  const toKey = (one: unknown) => {
    if (by === 'all') return undefined
    return key === undefined ? one : isObject(one) ? toComparedKey(one[key]) : undefined
  }
  let index = indexes.get(by)
  if (!index) {
    index = new Map()
    for (const [at, one] of list.entries()) {
      const same = index.get(toKey(one))
      if (same) same.push(at)
      else index.set(toKey(one), [at])
    }
    indexes.set(by, index)
  }
  return index.get(by === 'all' ? undefined : value) ?? []
}

function assignElement(
  element: number,
  candidates: readonly (readonly number[])[],
  assigned: (number | undefined)[],
  owners: Map<number, number>,
): boolean {
  const tried = new Map<number, number>()
  const queue = [element]
  for (const one of queue)
    for (const at of candidates[one] ?? []) {
      if (tried.has(at)) continue
      tried.set(at, one)
      const owner = owners.get(at)
      if (owner !== undefined) {
        queue.push(owner)
        continue
      }
      for (let free: number | undefined = at; free !== undefined; ) {
        const taker = tried.get(free) as number
        const former: number | undefined = taker === element ? undefined : assigned[taker]
        owners.set(free, taker)
        assigned[taker] = free
        free = former
      }
      return true
    }
  return false
}
