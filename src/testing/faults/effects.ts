import type { FaultName } from '../../wire/refusals.ts'

/** How long an answer is put off before the request is carried out, in milliseconds or as text such as `5s`. */
type Delay = {
  delay: string | number
  /** `world` waits until the world's clock has moved on by it; otherwise time passes as it does. */
  clock?: 'real' | 'world' | undefined
}

/** What happens to a request, in one of these ways; a delay may come before any of them. */
type Ending =
  /** Refused in the service's words, with another status if one is given; `retryAfter` in seconds, or text such as `90s`. */
  | { fail: FaultName; status?: number | undefined; retryAfter?: number | string | undefined }
  /** Answered with what is given: a body that is no text is sent as JSON. */
  | { status: number; headers?: Record<string, string> | undefined; body?: unknown }
  /** No answer ever, and nothing is done. */
  | { hang: true }
  /** Carried out; of the answer so many bytes come at once, and the rest after a while. */
  | { stall: { after: number; for: string | number } }
  /** Carried out; of the answer's body so many bytes come, then the connection is cut. */
  | { truncate: number }
  /** Carried out, and answered without a body. */
  | { empty: true }
  /** The connection is reset before anything is done. */
  | { reset: true }
  /** Carried out, and then the connection is reset. */
  | { answerLost: true }
  /** A list answers with no items, and with a token of the page that was asked for. */
  | { emptyPage: true }
  /** A list, or free/busy, answers as of so long ago, by the world's clock. */
  | { stale: string | number }

export type FaultEffect = Delay | (Ending & Partial<Delay>)

/** Every name that an effect may have, for whoever looks at one without knowing which it is. */
export type AnyEffect = {
  readonly delay?: string | number | undefined
  readonly clock?: 'real' | 'world' | undefined
  readonly fail?: FaultName | undefined
  readonly status?: number | undefined
  readonly retryAfter?: number | string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly hang?: true | undefined
  readonly stall?: { readonly after: number; readonly for: string | number } | undefined
  readonly truncate?: number | undefined
  readonly empty?: true | undefined
  readonly reset?: true | undefined
  readonly answerLost?: true | undefined
  readonly emptyPage?: true | undefined
  readonly stale?: string | number | undefined
}

const ENDINGS = ['hang', 'stall', 'truncate', 'empty', 'reset', 'answerLost', 'emptyPage', 'stale'] as const

/** Which ways of ending a request an effect names: more than one is none. */
export const endingsOf = (effect: AnyEffect): string[] => [
  ...(effect.fail !== undefined ? ['fail'] : effect.status !== undefined ? ['status'] : []),
  ...ENDINGS.filter((name) => effect[name] !== undefined),
]

/** An effect in a word or two, for whoever reads of it. */
export const called = (effect: AnyEffect): string =>
  effect.fail ?? (effect.status === undefined ? (endingsOf(effect)[0] ?? 'delay') : String(effect.status))

const LIST = /\.(?:list|instances)$/

/** Pages are of lists alone, and of the past there are lists and free/busy. */
export function applies({ emptyPage, stale }: AnyEffect, method: string): boolean {
  if (emptyPage) return LIST.test(method)
  return stale === undefined || LIST.test(method) || method === 'freebusy.query'
}
