import { type Text, toText } from '../../http/texts.ts'
import { collectParams, parseObservedBody } from '../request.ts'
import { redactPart } from './redact.ts'

/** A hint on a request: what is odd, why, and what to write instead. */
export type Hint = {
  /** A stable code such as `FC101`, which is an anchor in docs/reference/hints.md. */
  readonly code: string
  /** The odd part of the request. */
  readonly what: string
  /** The reason, which does not depend on the request. */
  readonly why: string
  /** The correction: a value or a call to send instead. */
  readonly instead: string
  /** The allowed values, if there are few. */
  readonly allowed?: readonly string[]
}

const MAX_ALLOWED_SHOWN = 30

/** Formats a hint as a sentence or two, with its code and up to 30 of the allowed values. */
export function formatHint({ code, what, instead, allowed = [] }: Hint): string {
  const some = allowed.slice(0, MAX_ALLOWED_SHOWN).join(', ')
  const more = allowed.length > MAX_ALLOWED_SHOWN ? ` and ${allowed.length - MAX_ALLOWED_SHOWN} more` : ''
  return `${code} ${what}. ${instead}${some && ` (allowed: ${some}${more})`}`
}

/** A request as the journal keeps it: texts, without references to larger objects. */
export type JournalEntry = {
  readonly n: number
  /** The world's clock, in milliseconds, when it was answered. */
  readonly at: number
  /** The duration in real milliseconds. */
  readonly ms: number
  readonly method: string
  readonly verb: string
  /** The path without the prefix that names the world. */
  readonly path: string
  readonly pathParams: Readonly<Record<string, string>>
  /** The query without `?`. */
  readonly query: string
  /** The request body. */
  readonly text: string
  readonly account: string | undefined
  /** The client of the token. */
  readonly client: string | undefined
  /** True if the inspector made the request. */
  readonly inspector: boolean
  readonly batch: number | undefined
  readonly toolCall: number | undefined
  readonly status: number | undefined
  readonly reason: string | undefined
  /** The response body. */
  readonly answer: Text
  readonly fault: string | undefined
  readonly hints: readonly Hint[]
  /** True if only the beginning of the bodies is kept. */
  readonly cut: boolean
  /** The memory of the entry in bytes. */
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
  hints: Hint[]
  /** The number of the call of an MCP tool that made this request. */
  toolCall?: number
  /** The number of the batch, for a batch and its parts. */
  batch?: number
  /** True if the inspector made it. */
  inspector?: true
  /** True if body or response was too long: the beginning is kept, as text. */
  cut?: true
}

/** Converts an entry to a call with its secrets, for matching only. `world` is the name of the world. */
export function toFullCall(entry: JournalEntry, world: string): RecordedCall {
  const { n, at, ms, method, verb, path, pathParams, account, client, status, reason, fault, batch } = entry
  const response = parseResponse(entry)
  return {
    ...{ n, at: new Date(at).toISOString(), world, account, client, method, verb },
    ...{
      params: collectParams({ pathParams, query: new URLSearchParams(entry.query) }),
      path,
      body: parseObservedBody(entry),
    },
    ...{ status, reason, ms, hints: [...entry.hints] },
    ...(response !== undefined && { response }),
    ...(fault !== undefined && { fault }),
    ...(batch !== undefined && { batch }),
    ...(entry.toolCall !== undefined && { toolCall: entry.toolCall }),
    ...(entry.inspector && { inspector: true as const }),
    ...(entry.cut && { cut: true as const }),
  }
}

/** Returns a copy of a call without its secrets. */
export function toRedactedCall(call: RecordedCall): RecordedCall {
  const { method, params, body, response } = call
  return {
    ...call,
    params: redactPart(params, method, 'params') as RecordedCall['params'],
    body: redactPart(body, method, 'body'),
    ...(response !== undefined && { response: redactPart(response, method, 'response') }),
  }
}

/**
 * Returns the JSON response as data. Returns the text if it was cut, and undefined for anything else, such as a page.
 */
function parseResponse({ answer: text, cut }: JournalEntry): unknown {
  const answer = toText(text)
  if (!/^\s*[[{]/.test(answer)) return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return cut ? answer : undefined
  }
}

/**
 * Formats an entry as one line: time by the world's clock, world, account, method, verb, path, status (`-` without a response)
 * and duration; then reason, fault and hints, if any. Secrets are redacted.
 */
export function formatLogLine(entry: JournalEntry, world: string): string {
  const { at, account = '-', method, verb, path, query, status = '-', ms, reason, fault, batch, hints } = entry
  const target = query === '' ? path : `${path}?${redactPart(query, method, 'params')}`
  return [
    ...[new Date(at).toISOString(), world, account, method, verb, target, status, `${ms.toFixed(1)}ms`],
    ...(batch === undefined ? [] : [`batch=${batch}`]),
    ...(reason === undefined ? [] : [`reason=${reason}`]),
    ...(fault === undefined ? [] : [`fault=${fault}`]),
    ...hints.map((hint) => redactPart(formatHint(hint), method, 'body')),
  ]
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
