import { conditionsOf, isMet, says } from './conditions.ts'

/** One thing that was asked of a value, where in it (`attendees[bob@example.com].responseStatus`), and whether it is so. */
export type Criterion = {
  readonly path: string
  readonly met: boolean
  readonly wanted: unknown
  readonly actual: unknown
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What a wanted value asks of an actual one, in parts. Of objects it names what it is about, and the rest may be anything.
 * Each element of a wanted array has to be there, in any order and among others; one that has an `email` or an `id` is
 * held against the one that has the same. An empty array wants an empty one, `null` that there is none.
 */
export function criteria(wanted: unknown, actual: unknown, path = ''): Criterion[] {
  const conditions = conditionsOf(wanted)
  if (conditions) return [{ path, met: isMet(conditions, actual, matches), wanted, actual }]
  if (Array.isArray(wanted)) return ofList(wanted, actual, path)
  if (!isObject(wanted)) return [{ path, met: equal(wanted, actual), wanted, actual }]
  const names = Object.keys(wanted)
  if (!isObject(actual) || names.length === 0) return [{ path, met: isObject(actual), wanted, actual }]
  return names.flatMap((name) =>
    criteria(wanted[name], Object.hasOwn(actual, name) ? actual[name] : undefined, joined(path, name)),
  )
}

/** Whether all that a wanted value asks is so. */
export const matches = (wanted: unknown, actual: unknown): boolean => criteria(wanted, actual).every(({ met }) => met)

/** How much of it is not so. */
export const misses = (all: readonly Criterion[]): number => all.filter(({ met }) => !met).length

/** What is absent, what is undefined and what is null are one, as they are to the service. */
const equal = (wanted: unknown, actual: unknown): boolean => Object.is(wanted ?? null, actual ?? null)

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function ofList(wanted: readonly unknown[], actual: unknown, path: string): Criterion[] {
  const there = actual === undefined || actual === null ? [] : actual
  if (!Array.isArray(there)) return [{ path, met: false, wanted, actual }]
  if (wanted.length === 0) return [{ path, met: there.length === 0, wanted, actual }]
  return wanted.flatMap((one) => ofElement(one, there, path))
}

/** Held against the element of the same key; without a key against each, and the nearest tells. */
function ofElement(wanted: unknown, there: readonly unknown[], path: string): Criterion[] {
  const key = keyOf(wanted)
  if (key) {
    const { name, value, others } = key
    const same = there.find((one) => isObject(one) && folded(one[name]) === folded(value))
    const at = `${path}[${value}]`
    if (same === undefined || Object.keys(others).length === 0)
      return [{ path: at, met: same !== undefined, wanted, actual: same }]
    return criteria(others, same, at)
  }
  if (!isObject(wanted) || conditionsOf(wanted)) {
    const met = there.some((one) => matches(wanted, one))
    return [{ path: `${path}[]`, met, wanted, actual: there }]
  }
  const tried = there.map((one, at) => criteria(wanted, one, `${path}[${at}]`))
  const [first, ...others] = tried
  if (!first) return [{ path: `${path}[]`, met: false, wanted, actual: there }]
  return others.reduce((nearest, one) => (misses(one) < misses(nearest) ? one : nearest), first)
}

/** What an element of an array is known by: a person by the address, else what has an id by that. */
function keyOf(element: unknown): { name: string; value: string; others: Json } | undefined {
  if (!isObject(element) || says(element)) return undefined
  const { email, ...notEmail } = element
  if (typeof email === 'string') return { name: 'email', value: email, others: notEmail }
  const { id, ...notId } = element
  return typeof id === 'string' ? { name: 'id', value: id, others: notId } : undefined
}

/** Addresses are one in whatever case. */
const folded = (key: unknown): unknown => (typeof key === 'string' && key.includes('@') ? key.toLowerCase() : key)
