import { inLetters, type Text } from '../wire/texts.ts'
import { bodyOf, paramsOf } from './asked.ts'
import { redacted } from './redacted.ts'

/** What would have helped whoever wrote a request. */
export type CallHint = {
  readonly code: string
  readonly what: string
  readonly why: string
  readonly instead: string
  readonly allowed?: readonly string[]
}

const MOST_ALLOWED = 30

/** A hint in a sentence or two, with the values that would do as far as they are few. */
export function saidBy({ code, what, instead, allowed = [] }: CallHint): string {
  const some = allowed.slice(0, MOST_ALLOWED).join(', ')
  const more = allowed.length > MOST_ALLOWED ? ` and ${allowed.length - MOST_ALLOWED} more` : ''
  return `${code} ${what}. ${instead}${some && ` (allowed: ${some}${more})`}`
}

/** A request as it is kept: what it takes to tell of it, and nothing that holds on to more. */
export type Note = {
  readonly n: number
  /** The world's clock, in milliseconds, when it was answered. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly verb: string
  readonly path: string
  readonly named: Readonly<Record<string, string>>
  readonly query: string
  readonly text: string
  readonly account: string | undefined
  readonly client: string | undefined
  readonly batch: number | undefined
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly answer: Text
  readonly fault: string | undefined
  readonly hints: readonly CallHint[]
  readonly cut: boolean
  readonly inspector: boolean
  readonly size: number
}

/** One request, as the journal tells of it. What proves who somebody is reads `[redacted]`. */
export type RecordedCall = {
  /** Its number among those of its world, from 1 and never used twice. */
  n: number
  /** The world's time when it was answered. */
  at: string
  world: string
  /** Whose token it bore. */
  account: string | undefined
  /** The client that the token was made for. */
  client: string | undefined
  /** `events.insert`, `oauth.token`, `batch`, `discovery`; `unknown` where there is nothing at its address. */
  method: string
  verb: string
  /** What the path and the query name, as text; what is said several times is a list. */
  params: Record<string, string | string[]>
  path: string
  /** As data where it is JSON or a form, else as text. */
  body: unknown
  /** None where there was no answer. */
  status: number | undefined
  /** Why it was refused, in the service's word. */
  reason: string | undefined
  /** As data; a page and an empty answer are none. */
  response?: unknown
  /** How long it took, in real milliseconds. */
  ms: number
  /** The fault that it met. */
  fault?: string
  hints: CallHint[]
  /** Of a part of a batch and of the batch itself, the batch's number among those of its world. */
  batch?: number
  /** Its body or its answer was too long to be kept whole: the beginning is there, as text. */
  cut?: true
  /** The inspector made it. */
  inspector?: true
}

/** A call with all that was said in it: what is wanted of it is held against this. */
export function whole(note: Note, world: string): RecordedCall {
  const { n, at, ms, method, verb, path, named, account, client, status, reason, fault, batch } = note
  const response = answerOf(note)
  return {
    ...{ n, at: new Date(at).toISOString(), world, account, client, method, verb },
    ...{ params: paramsOf({ named, query: new URLSearchParams(note.query) }), path, body: bodyOf(note) },
    ...{ status, reason, ms, hints: [...note.hints] },
    ...(response !== undefined && { response }),
    ...(fault !== undefined && { fault }),
    ...(batch !== undefined && { batch }),
    ...(note.cut && { cut: true as const }),
    ...(note.inspector && { inspector: true as const }),
  }
}

/** The same as it is told of. */
export function told(call: RecordedCall): RecordedCall {
  const { method, params, body, response } = call
  return {
    ...call,
    params: redacted(params, method, 'params') as RecordedCall['params'],
    body: redacted(body, method, 'body'),
    ...(response !== undefined && { response: redacted(response, method, 'response') }),
  }
}

function answerOf({ answer: text, cut }: Note): unknown {
  const answer = inLetters(text)
  if (!/^\s*[[{]/.test(answer)) return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return cut ? answer : undefined
  }
}
