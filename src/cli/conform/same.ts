/** What a value may be expected to be beside equal: what holds of it, and how that is said. */
export class Check {
  readonly says: string
  readonly holds: (actual: unknown) => boolean

  constructor(says: string, holds: (actual: unknown) => boolean) {
    this.says = says
    this.holds = holds
  }
}

export const absent = new Check('no such key', (actual) => actual === undefined)
export const text = new Check('a text', (actual) => typeof actual === 'string' && actual !== '')
export const number = new Check('a number', (actual) => typeof actual === 'number')
export const empty = new Check('an empty list', (actual) => Array.isArray(actual) && actual.length === 0)

/** The keys that an object has, in this order. */
export const keys = (...names: string[]): Check =>
  new Check(`the keys ${names.join(', ')}`, (actual) => isObject(actual) && Object.keys(actual).join() === names.join())

/** An order that the keys of an object keep to, whichever of them it has; others stand nowhere in it. */
export const inOrder = (...names: string[]): Check =>
  new Check(`keys in the order ${names.join(', ')}`, (actual) => {
    if (!isObject(actual)) return false
    const places = Object.keys(actual).map((name) => names.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  })

/** Every element of a list, of which there is one at least. */
export const each = (shape: unknown): Check =>
  new Check(
    `each of them ${shown(shape)}`,
    (actual) =>
      Array.isArray(actual) && actual.length > 0 && actual.every((one) => differences(one, shape).length === 0),
  )

/** A list with these elements among others, in any order. */
export const having = (...shapes: unknown[]): Check =>
  new Check(
    `a list with ${shapes.map(shown).join(' and ')}`,
    (actual) =>
      Array.isArray(actual) && shapes.every((shape) => actual.some((one) => differences(one, shape).length === 0)),
  )

/** A list of so many elements, in any order, one for each shape. */
export const inAnyOrder = (...shapes: unknown[]): Check =>
  new Check(
    `in any order ${shapes.map(shown).join(' and ')}`,
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
  if (shape instanceof Check)
    return shape.holds(actual) ? [] : [`${here}: expected ${shape.says}, got ${shown(actual)}`]
  if (shape instanceof RegExp)
    return typeof actual === 'string' && shape.test(actual) ? [] : [`${here}: expected ${shape}, got ${shown(actual)}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(actual)) return [`${here}: expected a list, got ${shown(actual)}`]
    if (actual.length !== shape.length)
      return [`${here}: expected ${shape.length} elements, got ${actual.length}: ${shown(actual)}`]
    return shape.flatMap((one, at) => differences(actual[at], one, `${path}[${at}]`))
  }
  if (!isObject(shape))
    return Object.is(actual, shape) ? [] : [`${here}: expected ${shown(shape)}, got ${shown(actual)}`]
  if (!isObject(actual)) return [`${here}: expected an object, got ${shown(actual)}`]
  return Object.entries(shape).flatMap(([name, one]) =>
    differences(Object.hasOwn(actual, name) ? actual[name] : undefined, one, path ? `${path}.${name}` : name),
  )
}

const LONGEST = 200

/** A value as a sentence quotes it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const said = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Check ? `<${part.says}>` : part instanceof RegExp ? String(part) : part,
  )
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said
}
