import { differences, isObject, quote } from './matchers.ts'

/** Thrown if a server contradicts a scenario. */
export class DifferenceError extends Error {}

/** Thrown if a scenario could not decide whether its statement holds. */
export class InconclusiveError extends Error {}

/** The fields of JSON bodies that scenarios use. Shapes in the scenarios check that they exist. */
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

export type ReceivedResponse = {
  /** The request, as messages name it. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: ReceivedBody
}

/** Checks the status of a response, and the shape of its body if given. Throws a Difference. */
export function expectStatus(answer: ReceivedResponse, status: number, shape?: unknown): ReceivedBody {
  if (answer.status !== status) throwDifferences(answer, [`expected status ${status}, got ${describeResponse(answer)}`])
  if (shape !== undefined) expectShape(answer, answer.body, shape)
  return answer.body
}

/** Checks for status 200. */
export const expectOk = (answer: ReceivedResponse, shape?: unknown): ReceivedBody => expectStatus(answer, 200, shape)

/** Checks the shape of a value that results from a response. */
export const expectShape = (answer: ReceivedResponse, actual: unknown, shape: unknown): void =>
  throwDifferences(answer, differences(actual, shape))

/** Throws a Difference with a message unless a condition is true. */
export function expectTrue(is: boolean, otherwise: string): void {
  if (!is) throw new DifferenceError(otherwise)
}

/**
 * Checks that `updated` moved. Throws an Inconclusive if the etag, twice its microseconds, has not moved by a millisecond,
 * because the clock of the server stands still.
 */
export function expectMoved(before: ReceivedBody, after: ReceivedBody): void {
  if (Date.parse(after.updated) > Date.parse(before.updated)) return
  const microseconds = ({ etag }: ReceivedBody) => Number(/^"(\d+)"$/.exec(etag)?.[1]) / 2
  if (after.etag !== before.etag && microseconds(after) - microseconds(before) < 1000)
    throw new InconclusiveError('the clock of the server stands still')
  throw new DifferenceError(`updated stays ${after.updated}`)
}

/** The expected first item of an error. Missing fields may have any value. */
export type ExpectedError = {
  status: number
  reason?: string | RegExp
  message?: string | RegExp
  domain?: string
  location?: string
}

export function expectError(answer: ReceivedResponse, { status, ...item }: ExpectedError): void {
  expectStatus(answer, status)
  expectShape(answer, answer.body, { error: { code: status } })
  const [first] = errorItems(answer)
  expectShape(answer, first, item)
}

export function errorItems({ body }: ReceivedResponse): readonly unknown[] {
  const { error } = body ?? {}
  return isObject(error) && Array.isArray(error.errors) ? error.errors : []
}

function throwDifferences({ request }: ReceivedResponse, found: readonly string[]): void {
  if (found.length > 0) throw new DifferenceError(`${request}: ${found.join('; ')}`)
}

/** Describes a response by its status and, for an error, by its reason and message. */
export function describeResponse(answer: ReceivedResponse): string {
  const [first] = errorItems(answer)
  if (!isObject(first)) return answer.status < 400 ? String(answer.status) : `${answer.status} ${quote(answer.text)}`
  return `${answer.status} ${first.reason}: ${first.message}`
}
