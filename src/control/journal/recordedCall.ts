import { readAsText, type Text } from '../../http/reply.ts'
import { escapeControls, shorten, shortenLine } from '../../schema/values/shownText.ts'
import { collectParams, type ObservedRequest, parseObservedBody } from '../request.ts'
import { redactPart } from './redact.ts'

/** A hint on a request: what is odd, why, and what to write instead. */
export type Hint = {
  readonly code: string
  readonly what: string
  readonly why: string
  readonly instead: string
  readonly allowed?: readonly string[]
}

const MAX_ALLOWED_SHOWN = 30

export function formatHint({ code, what, instead, allowed = [] }: Hint): string {
  const some = allowed.slice(0, MAX_ALLOWED_SHOWN).join(', ')
  const more = allowed.length > MAX_ALLOWED_SHOWN ? ` and ${allowed.length - MAX_ALLOWED_SHOWN} more` : ''
  return `${code} ${what}. ${instead}${some && ` (allowed: ${some}${more})`}`
}

type ObservedPart = 'method' | 'verb' | 'path' | 'pathParams' | 'text' | 'account' | 'client' | 'batch' | 'toolCall'

export type JournalEntry = Readonly<Pick<ObservedRequest, ObservedPart>> & {
  readonly n: number
  /** The world's clock, in milliseconds, when it was answered. */
  readonly at: number
  /** The duration in real milliseconds. */
  readonly ms: number
  readonly query: string
  readonly inspector: boolean
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly answer: Text
  readonly fault: string | undefined
  readonly hints: readonly Hint[]
  readonly cut: boolean
  readonly size: number
}

export type RecordedCall = {
  /** Its number in its world, from 1; never reused. */
  n: number
  at: string
  world: string
  account: string | undefined
  client: string | undefined
  method: string
  verb: string
  params: Record<string, string | string[]>
  path: string
  body: unknown
  status: number | undefined
  reason: string | undefined
  response?: unknown
  /** The duration in real milliseconds. */
  ms: number
  fault?: string
  hints: Hint[]
  toolCall?: number
  batch?: number
  inspector?: true
  cut?: true
}

/** The call with its secrets, for matching only. `world` is the name of the world. */
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

export function toRedactedCall(call: RecordedCall): RecordedCall {
  const { method, params, body, response } = call
  return {
    ...call,
    params: redactPart(params, method, 'params') as RecordedCall['params'],
    body: redactPart(body, method, 'body'),
    ...(response !== undefined && { response: redactPart(response, method, 'response') }),
  }
}

/** Formats a redacted call: `events.insert of alice@example.com calendarId=primary sendUpdates=all`. */
export const formatTarget = ({ method, account = '-', params }: RecordedCall): string =>
  [method, 'of', shorten(account), ...formatParams(params)].join(' ')

/** Omits `alt=json`, the default, which some clients send with each request. */
export const formatParams = (params: RecordedCall['params']): string[] =>
  Object.entries(params)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${shorten(one)}`))
    .filter((pair) => pair !== 'alt=json')

/** Returns the text if it was cut, and undefined for anything else, such as a page. */
function parseResponse({ answer: text, cut }: JournalEntry): unknown {
  const answer = readAsText(text)
  if (!/^\s*[[{]/.test(answer)) return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return cut ? answer : undefined
  }
}

/** The status is `-` without a response. Secrets are redacted. */
export function formatLogLine(entry: JournalEntry, world: string): string {
  const { at, account = '-', method, verb, path, query, status = '-', ms, reason, fault, batch, hints } = entry
  const target = query === '' ? path : `${path}?${redactPart(query, method, 'params')}`
  const parts = [
    ...[
      new Date(at).toISOString(),
      world,
      shorten(account),
      method,
      verb,
      shortenLine(target),
      status,
      `${ms.toFixed(1)}ms`,
    ],
    ...(batch === undefined ? [] : [`batch=${batch}`]),
    ...(reason === undefined ? [] : [`reason=${reason}`]),
    ...(fault === undefined ? [] : [`fault=${fault}`]),
    ...hints.map((hint) => formatLogHint(hint, method)),
  ]
  return escapeControls(parts.join(' '))
}

export const formatLogHint = (hint: Hint, method: string): string =>
  String(redactPart(formatHint(hint), method, 'body'))
