import { isObject } from '../../schema/values/json.ts'
import { findDifferences, quoteValue } from './matchers.ts'

// A shape is the expected value, or part of it: an object may have further fields, a list has these elements in this order, and a
// RegExp or a Matcher stands for a value that is not known before.

/** Thrown if a server contradicts a scenario. */
export class DifferenceError extends Error {}

/** Thrown if a scenario could not decide whether its statement holds. */
export class InconclusiveError extends Error {}

/**
 * The fields of JSON bodies that scenarios use. The type does not prove that they exist: the shapes in the scenarios do.
 */
export type ReceivedBody = {
  readonly [name: string]: unknown
  readonly id: string
  readonly etag: string
  readonly created: string
  readonly updated: string
  readonly status: string
  readonly summary: string
  readonly iCalUID: string
  readonly htmlLink: string
  readonly sequence: number
  readonly items: readonly ReceivedBody[]
  readonly nextPageToken: string | undefined
  readonly nextSyncToken: string | undefined
}

/** A response of the tested server, read to its end. */
export type ReceivedResponse = {
  /** The request, as messages name it: `GET /colors?alt=json`. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
  /** The body as JSON; an empty object for any other body. */
  readonly body: ReceivedBody
}

/**
 * Checks the status of a response, and the shape of its body if given. Returns the body. Throws a DifferenceError.
 */
export function expectStatus(answer: ReceivedResponse, status: number, shape?: unknown): ReceivedBody {
  if (answer.status !== status) throwDifferences(answer, [`expected status ${status}, got ${describeResponse(answer)}`])
  if (shape !== undefined) expectShape(answer, answer.body, shape)
  return answer.body
}

/** Checks that the status is 200, and the shape of the body if given. Returns the body. Throws a DifferenceError. */
export const expectOk = (answer: ReceivedResponse, shape?: unknown): ReceivedBody => expectStatus(answer, 200, shape)

/** Checks the shape of a value from a response. Throws a DifferenceError that names the request. */
export const expectShape = (answer: ReceivedResponse, actual: unknown, shape: unknown): void =>
  throwDifferences(answer, findDifferences(actual, shape))

/** Throws a DifferenceError with `message` unless the condition is true. */
export function expectTrue(condition: boolean, message: string): void {
  if (!condition) throw new DifferenceError(message)
}

/**
 * Checks that `updated` of an event increased from `before` to `after`, and else throws a DifferenceError. Throws an
 * InconclusiveError if the etag, which is twice the microseconds, changed and did not increase by a millisecond, because the
 * clock of the server stands still.
 */
export function expectMoved(before: ReceivedBody, after: ReceivedBody): void {
  if (Date.parse(after.updated) > Date.parse(before.updated)) return
  /** Returns the microseconds since 1970 of an etag of digits; NaN for another etag. */
  const microseconds = ({ etag }: ReceivedBody) => Number(/^"(\d+)"$/.exec(etag)?.[1]) / 2
  if (after.etag !== before.etag && microseconds(after) - microseconds(before) < 1000)
    throw new InconclusiveError('the clock of the server stands still')
  throw new DifferenceError(`updated stays ${after.updated}`)
}

/** The expected status, and fields of the expected first item of an error. Missing fields may have any value. */
export type ExpectedError = {
  status: number
  reason?: string | RegExp
  message?: string | RegExp
  domain?: string
  location?: string
}

/** Checks the status of an error, its `code`, and its first item, which must exist. Throws a DifferenceError. */
export function expectError(answer: ReceivedResponse, { status, ...item }: ExpectedError): void {
  expectStatus(answer, status)
  expectShape(answer, answer.body, { error: { code: status } })
  const [first] = listErrorItems(answer)
  expectShape(answer, first, item)
}

/** Returns `error.errors` of a body; empty if it is not a list. */
export function listErrorItems({ body }: ReceivedResponse): readonly unknown[] {
  const { error } = body ?? {}
  return isObject(error) && Array.isArray(error.errors) ? error.errors : []
}

/** Throws a DifferenceError with the request and the differences, if there are any. */
function throwDifferences({ request }: ReceivedResponse, found: readonly string[]): void {
  if (found.length > 0) throw new DifferenceError(`${request}: ${found.join('; ')}`)
}

/** Describes a response: `200`, `404 notFound: Not Found`, or for other errors the status and the text. */
export function describeResponse(answer: ReceivedResponse): string {
  const [first] = listErrorItems(answer)
  if (!isObject(first))
    return answer.status < 400 ? String(answer.status) : `${answer.status} ${quoteValue(answer.text)}`
  return `${answer.status} ${first.reason}: ${first.message}`
}
