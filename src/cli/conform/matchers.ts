import { isObject } from '../../schema/values/json.ts'

/** An expectation other than equality. `description` follows "expected" in a message: "a number". */
export class Matcher {
  readonly description: string
  readonly matches: (actual: unknown) => boolean

  constructor(description: string, matches: (actual: unknown) => boolean) {
    this.description = description
    this.matches = matches
  }
}

/** Expects that the key is missing. */
export const absent = new Matcher('no such key', (actual) => actual === undefined)
/** Expects a text that is not empty. */
export const text = new Matcher('a text', (actual) => typeof actual === 'string' && actual !== '')
export const number = new Matcher('a number', (actual) => typeof actual === 'number')
export const empty = new Matcher('an empty list', (actual) => Array.isArray(actual) && actual.length === 0)

/** Expects an object with exactly these keys, in this order. */
export const exactKeys = (...names: string[]): Matcher =>
  new Matcher(
    `the keys ${names.join(', ')}`,
    (actual) => isObject(actual) && Object.keys(actual).join() === names.join(),
  )

/** Expects an object whose keys are all named here, and are in this order. Some may be missing. */
export const keysInOrder = (...names: string[]): Matcher =>
  new Matcher(`keys in the order ${names.join(', ')}`, (actual) => {
    if (!isObject(actual)) return false
    const places = Object.keys(actual).map((name) => names.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  })

/** Expects a list of at least one element, and this shape of every element. */
export const everyItem = (shape: unknown): Matcher =>
  new Matcher(
    `each of them ${quoteValue(shape)}`,
    (actual) =>
      Array.isArray(actual) && actual.length > 0 && actual.every((one) => findDifferences(one, shape).length === 0),
  )

/** Expects a list that contains an element of each of these shapes, in any order. */
export const contains = (...shapes: unknown[]): Matcher =>
  new Matcher(
    `a list with ${shapes.map(quoteValue).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) && shapes.every((shape) => actual.some((one) => findDifferences(one, shape).length === 0)),
  )

/** Expects a list of as many elements as there are shapes, with an element of each shape, in any order. */
export const inAnyOrder = (...shapes: unknown[]): Matcher =>
  new Matcher(
    `in any order ${shapes.map(quoteValue).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) &&
      actual.length === shapes.length &&
      shapes.every((shape) => actual.some((one) => findDifferences(one, shape).length === 0)),
  )

/**
 * Returns a sentence for each difference of a value from a shape, which is a value of the same form; empty if it matches. `path`
 * names the value in the sentences. Objects may have keys that the shape does not name. Lists must have the same elements in the
 * same order. A RegExp or a Matcher stands for unpredictable values.
 */
export function findDifferences(actual: unknown, shape: unknown, path = ''): string[] {
  const here = path || 'it'
  if (shape instanceof Matcher)
    return shape.matches(actual) ? [] : [`${here}: expected ${shape.description}, got ${quoteValue(actual)}`]
  if (shape instanceof RegExp)
    return typeof actual === 'string' && shape.test(actual)
      ? []
      : [`${here}: expected ${shape}, got ${quoteValue(actual)}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(actual)) return [`${here}: expected a list, got ${quoteValue(actual)}`]
    if (actual.length !== shape.length)
      return [`${here}: expected ${shape.length} elements, got ${actual.length}: ${quoteValue(actual)}`]
    return shape.flatMap((one, at) => findDifferences(actual[at], one, `${path}[${at}]`))
  }
  if (!isObject(shape))
    return Object.is(actual, shape) ? [] : [`${here}: expected ${quoteValue(shape)}, got ${quoteValue(actual)}`]
  if (!isObject(actual)) return [`${here}: expected an object, got ${quoteValue(actual)}`]
  return Object.entries(shape).flatMap(([name, one]) =>
    findDifferences(Object.hasOwn(actual, name) ? actual[name] : undefined, one, path ? `${path}.${name}` : name),
  )
}

const MAX_QUOTE_LENGTH = 200

/** Quotes a value in a message: as JSON of at most 200 characters, with matchers as `<a number>`, or `nothing`. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Matcher ? `<${part.description}>` : part instanceof RegExp ? String(part) : part,
  )
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text
}
