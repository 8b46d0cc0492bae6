import { expect } from 'vitest'
import { isObject } from '../../src/schema/values/json.ts'

/** A response, read to its end. */
export type Answer = {
  /** The request, as messages name it: `GET /colors?alt=json`. */
  request: string
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies have many shapes, which the tests state
  body: any
}

/** A matcher of vitest, whose description appears in messages. */
const matcher = (description: string, asymmetricMatch: (actual: unknown) => boolean) => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch,
  toString: () => description,
  toAsymmetricMatcher: () => description,
})

/** Expects that the key is missing. */
export const absent = undefined
/** Expects a text that is not empty. */
export const text = /./

/** Expects an object with exactly these keys, in this order. */
export const exactKeys = (...names: string[]) =>
  matcher(`the keys ${names}`, (actual) => isObject(actual) && Object.keys(actual).join() === names.join())

/** Expects an object whose keys are all named here, and are in this order. Some may be missing. */
export const keysInOrder = (...names: string[]) =>
  matcher(`keys in the order ${names}`, (actual) => {
    if (!isObject(actual)) return false
    const places = Object.keys(actual).map((name) => names.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  })

/** Expects a list of at least one element, and this shape of every element. */
export const everyItem = (shape: unknown) =>
  matcher(
    `each of them ${JSON.stringify(shape)}`,
    (actual) => Array.isArray(actual) && actual.length > 0 && actual.every((one) => matches(one, shape)),
  )

/** Expects a list that contains an element of each of these shapes, in any order. */
export const contains = (...shapes: unknown[]) =>
  matcher(
    `a list with ${JSON.stringify(shapes)}`,
    (actual) => Array.isArray(actual) && shapes.every((shape) => actual.some((one) => matches(one, shape))),
  )

function matches(actual: unknown, shape: unknown): boolean {
  try {
    expectShape(actual, shape)
    return true
  } catch {
    return false
  }
}

/**
 * Expects a value of this shape: objects may have further keys, lists have these elements in this order, a pattern or a
 * matcher stands for a value that is not known before, and undefined for a missing key.
 */
export const expectShape = (actual: unknown, shape: unknown, message?: string): void =>
  expect(select(actual, shape), message).toEqual(toMatcher(shape))

const isPattern = (shape: unknown): boolean => shape instanceof RegExp || (isObject(shape) && '$$typeof' in shape)

/** Returns the part of a value that its shape names. */
function select(actual: unknown, shape: unknown): unknown {
  if (Array.isArray(shape) && Array.isArray(actual))
    return actual.map((one, at) => (at < shape.length ? select(one, shape[at]) : one))
  if (!isObject(shape) || !isObject(actual) || isPattern(shape)) return actual
  return Object.fromEntries(
    Object.keys(shape).map((name) => [
      name,
      select(Object.hasOwn(actual, name) ? actual[name] : undefined, shape[name]),
    ]),
  )
}

/** Returns a shape with matchers of vitest for its patterns. */
function toMatcher(shape: unknown): unknown {
  if (shape instanceof RegExp) return expect.stringMatching(shape)
  if (Array.isArray(shape)) return shape.map(toMatcher)
  if (!isObject(shape) || isPattern(shape)) return shape
  return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, toMatcher(one)]))
}

/** Expects a status, and a shape of the body if given. Returns the body. */
export async function expectStatus(answer: Answer | Promise<Answer>, status: number, shape?: unknown) {
  const { request, status: found, text, body } = await answer
  expect(found, `${request}: ${text}`).toBe(status)
  if (shape !== undefined) expectShape(body, shape, request)
  return body
}

/** Expects the status 200, and a shape of the body if given. Returns the body. */
export const expectOk = (answer: Answer | Promise<Answer>, shape?: unknown) => expectStatus(answer, 200, shape)

type ExpectedError = Partial<Record<'reason' | 'message' | 'domain' | 'locationType' | 'location', string | RegExp>>

/** Expects an error with this status and `code`, and with these fields in its first item. */
export async function expectError(answer: Answer | Promise<Answer>, status: number, item: ExpectedError = {}) {
  const { error } = await expectStatus(answer, status)
  expectShape(error, { code: status })
  expectShape(error.errors?.[0], item)
  expect(error.errors?.[0]).toBeDefined()
  return error
}
