import { differences, isObject, shown } from './same.ts'

/** A server does something else than a statement says. */
export class Difference extends Error {}

/** Whether a statement holds could not be seen. */
export class CouldNotTell extends Error {}

/** What a JSON body may hold that a scenario goes on with; that it does hold it, the scenario's shapes say. */
export type Body = {
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
  readonly items: readonly Body[]
  readonly nextPageToken: string | undefined
  readonly nextSyncToken: string | undefined
}

export type Answer = {
  /** The request that it answers, as a sentence names it. */
  readonly to: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** An answer with this status, and a body of this shape where one is given. */
export function expects(answer: Answer, status: number, shape?: unknown): Body {
  if (answer.status !== status) differs(answer, [`expected status ${status}, got ${told(answer)}`])
  if (shape !== undefined) same(answer, answer.body, shape)
  return answer.body
}

/** An answer of 200. */
export const good = (answer: Answer, shape?: unknown): Body => expects(answer, 200, shape)

/** Something that an answer led to, and the shape that it should have. */
export const same = (answer: Answer, actual: unknown, shape: unknown): void =>
  differs(answer, differences(actual, shape))

/** Something that holds, said as a sentence where it does not. */
export function holds(is: boolean, otherwise: string): void {
  if (!is) throw new Difference(otherwise)
}

/** What a refusal says: its first item and where it points. What is not named may be anything. */
export type Refused = {
  status: number
  reason?: string | RegExp
  message?: string | RegExp
  domain?: string
  location?: string
}

export function refused(answer: Answer, { status, ...item }: Refused): void {
  expects(answer, status)
  same(answer, answer.body, { error: { code: status } })
  const [first] = itemsOf(answer)
  same(answer, first, item)
}

export function itemsOf({ body }: Answer): readonly unknown[] {
  const { error } = body ?? {}
  return isObject(error) && Array.isArray(error.errors) ? error.errors : []
}

function differs({ to }: Answer, found: readonly string[]): void {
  if (found.length > 0) throw new Difference(`${to}: ${found.join('; ')}`)
}

/** A status and, of a refusal, its reason and message. */
export function told(answer: Answer): string {
  const [first] = itemsOf(answer)
  if (!isObject(first)) return answer.status < 400 ? String(answer.status) : `${answer.status} ${shown(answer.text)}`
  return `${answer.status} ${first.reason}: ${first.message}`
}
