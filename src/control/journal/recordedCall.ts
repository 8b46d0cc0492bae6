import { type Text, toText } from '../../schema/texts.ts'
import { bodyOf, paramsOf } from '../request.ts'
import { redact } from './redact.ts'

/** A hint that explains how to fix a request. */
export type CallHint = {
  readonly code: string
  readonly what: string
  readonly why: string
  readonly instead: string
  readonly allowed?: readonly string[]
}

const MAX_ALLOWED_SHOWN = 30

/** Formats a hint as a sentence or two, with up to 30 of the allowed values. */
export function formatHint({ code, what, instead, allowed = [] }: CallHint): string {
  const some = allowed.slice(0, MAX_ALLOWED_SHOWN).join(', ')
  const more = allowed.length > MAX_ALLOWED_SHOWN ? ` and ${allowed.length - MAX_ALLOWED_SHOWN} more` : ''
  return `${code} ${what}. ${instead}${some && ` (allowed: ${some}${more})`}`
}

/** A request as the journal keeps it: texts, without references to larger objects. */
export type JournalEntry = {
  readonly n: number
  /** The world's clock, in milliseconds, when it was answered. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly verb: string
  readonly path: string
  readonly pathParams: Readonly<Record<string, string>>
  readonly query: string
  readonly text: string
  readonly account: string | undefined
  readonly client: string | undefined
  readonly inspector: boolean
  readonly batch: number | undefined
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly answer: Text
  readonly fault: string | undefined
  readonly hints: readonly CallHint[]
  readonly cut: boolean
  readonly size: number
}

/** A request as the journal returns it. Credentials read `[redacted]`. */
export type RecordedCall = {
  /** Its number in its world, from 1; never reused. */
  n: number
  /** The time of the response by the world's clock. */
  at: string
  world: string
  /** The account of its token. */
  account: string | undefined
  /** The client of its token. */
  client: string | undefined
  /** `events.insert`, `oauth.token`, `batch`, `discovery`; `unknown` for a path without a route. */
  method: string
  verb: string
  /** The parameters in path and query, as text; a repeated one is a list. */
  params: Record<string, string | string[]>
  path: string
  /** Data if it is JSON or a form, else text. */
  body: unknown
  /** Undefined without a response. */
  status: number | undefined
  /** The reason of the error, such as `notFound`. */
  reason: string | undefined
  /** The JSON response as data. Undefined for pages and empty responses. */
  response?: unknown
  /** The duration in real milliseconds. */
  ms: number
  /** The id of the fault that fired on it. */
  fault?: string
  hints: CallHint[]
  /** The number of the batch, for a batch and its parts. */
  batch?: number
  /** True if the inspector made it. */
  inspector?: true
  /** True if body or response was too long: the beginning is kept, as text. */
  cut?: true
}

/** Returns an entry with its secrets, for matching. */
export function toFullCall(entry: JournalEntry, world: string): RecordedCall {
  const { n, at, ms, method, verb, path, pathParams, account, client, status, reason, fault, batch } = entry
  const response = responseOf(entry)
  return {
    ...{ n, at: new Date(at).toISOString(), world, account, client, method, verb },
    ...{ params: paramsOf({ pathParams, query: new URLSearchParams(entry.query) }), path, body: bodyOf(entry) },
    ...{ status, reason, ms, hints: [...entry.hints] },
    ...(response !== undefined && { response }),
    ...(fault !== undefined && { fault }),
    ...(batch !== undefined && { batch }),
    ...(entry.inspector && { inspector: true as const }),
    ...(entry.cut && { cut: true as const }),
  }
}

/** Returns a call without its secrets. */
export function toRedactedCall(call: RecordedCall): RecordedCall {
  const { method, params, body, response } = call
  return {
    ...call,
    params: redact(params, method, 'params') as RecordedCall['params'],
    body: redact(body, method, 'body'),
    ...(response !== undefined && { response: redact(response, method, 'response') }),
  }
}

function responseOf({ answer: text, cut }: JournalEntry): unknown {
  const answer = toText(text)
  if (!/^\s*[[{]/.test(answer)) return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return cut ? answer : undefined
  }
}
