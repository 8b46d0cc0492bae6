import { differences, isObject, quote } from './matchers.ts'

/** A server does something else than a statement says. */
export class Difference extends Error {}

/** Whether a statement holds could not be seen. */
export class Inconclusive extends Error {}

/** What a JSON body may hold that a scenario goes on with; that it does hold it, the scenario's shapes say. */
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
  /** The request that it answers, as a sentence names it. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: ReceivedBody
}

/** An answer with this status, and a body of this shape where one is given. */
export function expectStatus(answer: ReceivedResponse, status: number, shape?: unknown): ReceivedBody {
  if (answer.status !== status) throwDifferences(answer, [`expected status ${status}, got ${describeResponse(answer)}`])
  if (shape !== undefined) expectShape(answer, answer.body, shape)
  return answer.body
}

/** An answer of 200. */
export const expectOk = (answer: ReceivedResponse, shape?: unknown): ReceivedBody => expectStatus(answer, 200, shape)

/** Something that an answer led to, and the shape that it should have. */
export const expectShape = (answer: ReceivedResponse, actual: unknown, shape: unknown): void =>
  throwDifferences(answer, differences(actual, shape))

/** Something that holds, said as a sentence where it does not. */
export function expectTrue(is: boolean, otherwise: string): void {
  if (!is) throw new Difference(otherwise)
}

/** What a refusal says: its first item and where it points. What is not named may be anything. */
export type ExpectedRefusal = {
  status: number
  reason?: string | RegExp
  message?: string | RegExp
  domain?: string
  location?: string
}

export function expectRefusal(answer: ReceivedResponse, { status, ...item }: ExpectedRefusal): void {
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
  if (found.length > 0) throw new Difference(`${request}: ${found.join('; ')}`)
}

/** A status and, of a refusal, its reason and message. */
export function describeResponse(answer: ReceivedResponse): string {
  const [first] = errorItems(answer)
  if (!isObject(first)) return answer.status < 400 ? String(answer.status) : `${answer.status} ${quote(answer.text)}`
  return `${answer.status} ${first.reason}: ${first.message}`
}
