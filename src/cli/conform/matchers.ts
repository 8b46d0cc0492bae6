/** What a value may be expected to be beside equal: what holds of it, and how that is said. */
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

/** The keys that an object has, in this order. */
export const keys = (...names: string[]): Matcher =>
  new Matcher(
    `the keys ${names.join(', ')}`,
    (actual) => isObject(actual) && Object.keys(actual).join() === names.join(),
  )

/** An order that the keys of an object keep to, whichever of them it has; others stand nowhere in it. */
export const inOrder = (...names: string[]): Matcher =>
  new Matcher(`keys in the order ${names.join(', ')}`, (actual) => {
    if (!isObject(actual)) return false
    const places = Object.keys(actual).map((name) => names.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  })

/** Every element of a list, of which there is one at least. */
export const everyItem = (shape: unknown): Matcher =>
  new Matcher(
    `each of them ${quote(shape)}`,
    (actual) =>
      Array.isArray(actual) && actual.length > 0 && actual.every((one) => differences(one, shape).length === 0),
  )

/** A list with these elements among others, in any order. */
export const contains = (...shapes: unknown[]): Matcher =>
  new Matcher(
    `a list with ${shapes.map(quote).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) && shapes.every((shape) => actual.some((one) => differences(one, shape).length === 0)),
  )

/** A list of so many elements, in any order, one for each shape. */
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
 * How a value differs from a shape, a sentence for each place; none where it does not. Of an object a shape names what it is
 * about, and the rest may be anything; a list has the same elements in the same order. A RegExp and a Check stand for
 * what is not known beforehand.
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

const LONGEST = 200

/** A value as a sentence quotes it. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing'
  const said = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Matcher ? `<${part.says}>` : part instanceof RegExp ? String(part) : part,
  )
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said
}
