/** An expectation other than equality: a predicate and its description. */
export class Matcher {
  readonly says: string
  readonly holds: (actual: unknown) => boolean

  constructor(says: string, holds: (actual: unknown) => boolean) {
    this.says = says
    this.holds = holds
  }
}

export const absent = new Matcher('no such key', (actual) => actual === undefined)
export const text = new Matcher('a text', (actual) => typeof actual === 'string' && actual !== '')
export const number = new Matcher('a number', (actual) => typeof actual === 'number')
export const empty = new Matcher('an empty list', (actual) => Array.isArray(actual) && actual.length === 0)

/** Expects exactly these keys, in this order. */
export const keys = (...names: string[]): Matcher =>
  new Matcher(
    `the keys ${names.join(', ')}`,
    (actual) => isObject(actual) && Object.keys(actual).join() === names.join(),
  )

/** Expects the present ones of these keys in this order. Other keys may be anywhere. */
export const inOrder = (...names: string[]): Matcher =>
  new Matcher(`keys in the order ${names.join(', ')}`, (actual) => {
    if (!isObject(actual)) return false
    const places = Object.keys(actual).map((name) => names.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  })

/** Expects at least one element, and a shape of every element. */
export const everyItem = (shape: unknown): Matcher =>
  new Matcher(
    `each of them ${quote(shape)}`,
    (actual) =>
      Array.isArray(actual) && actual.length > 0 && actual.every((one) => differences(one, shape).length === 0),
  )

/** Expects a list that contains these elements in any order. */
export const contains = (...shapes: unknown[]): Matcher =>
  new Matcher(
    `a list with ${shapes.map(quote).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) && shapes.every((shape) => actual.some((one) => differences(one, shape).length === 0)),
  )

/** Expects a list of exactly these elements in any order. */
export const inAnyOrder = (...shapes: unknown[]): Matcher =>
  new Matcher(
    `in any order ${shapes.map(quote).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) &&
      actual.length === shapes.length &&
      shapes.every((shape) => actual.some((one) => differences(one, shape).length === 0)),
  )

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a sentence for each difference of a value from a shape; none if it matches. Objects may have keys that the
 * shape does not name. Lists must have the same elements in the same order. A RegExp or a Matcher stands for
 * unpredictable values.
 */
export function differences(actual: unknown, shape: unknown, path = ''): string[] {
  const here = path || 'it'
  if (shape instanceof Matcher)
    return shape.holds(actual) ? [] : [`${here}: expected ${shape.says}, got ${quote(actual)}`]
  if (shape instanceof RegExp)
    return typeof actual === 'string' && shape.test(actual) ? [] : [`${here}: expected ${shape}, got ${quote(actual)}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(actual)) return [`${here}: expected a list, got ${quote(actual)}`]
    if (actual.length !== shape.length)
      return [`${here}: expected ${shape.length} elements, got ${actual.length}: ${quote(actual)}`]
    return shape.flatMap((one, at) => differences(actual[at], one, `${path}[${at}]`))
  }
  if (!isObject(shape))
    return Object.is(actual, shape) ? [] : [`${here}: expected ${quote(shape)}, got ${quote(actual)}`]
  if (!isObject(actual)) return [`${here}: expected an object, got ${quote(actual)}`]
  return Object.entries(shape).flatMap(([name, one]) =>
    differences(Object.hasOwn(actual, name) ? actual[name] : undefined, one, path ? `${path}.${name}` : name),
  )
}

const MAX_QUOTE_LENGTH = 200

/** Quotes a value in a message. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Matcher ? `<${part.says}>` : part instanceof RegExp ? String(part) : part,
  )
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text
}
