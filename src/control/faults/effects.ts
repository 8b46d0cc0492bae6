import type { FaultName } from '../../schema/errors/faultNames.ts'

/** A delay before the request is handled, in milliseconds or as text such as `5s`. */
type Delay = {
  delay: string | number
  /** `world` waits for the clock of the world; the default is real time. */
  clock?: 'real' | 'world' | undefined
}

/** One effect on a request. A delay may precede it. */
type Ending =
  /** An error of the service, optionally with another status; `retryAfter` in seconds, or text such as `90s`. */
  | { fail: FaultName; status?: number | undefined; retryAfter?: number | string | undefined }
  /** A fixed response. A body that is not text is sent as JSON. */
  | { status: number; headers?: Record<string, string> | undefined; body?: unknown }
  /** The request is not handled and never answered. */
  | { hang: true }
  /** The request is handled. `after` bytes of the response come at once, the rest after a pause of `for`. */
  | { stall: { after: number; for: string | number } }
  /** The request is handled. The connection closes after so many bytes of the body. */
  | { truncate: number }
  /** The request is handled and answered without a body. */
  | { empty: true }
  /** The connection is reset before the request is handled. */
  | { reset: true }
  /** The request is handled, then the connection is reset. */
  | { answerLost: true }
  /** A list returns no items and a token for the requested page. */
  | { emptyPage: true }
  /** A list or free/busy returns the state of so long ago, by the world's clock. */
  | { stale: string | number }
  /** A deleted calendar stays on its owner's list. Unsubscribing it is `cannotUnsubscribeFromOwnedCalendar`. */
  | { calendarListLag: true }

export type FaultEffect = Delay | (Ending & Partial<Delay>)

/** All fields of all effects, for code that reads an effect of any kind. */
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
  readonly calendarListLag?: true | undefined
}

const ENDINGS = [
  'hang',
  'stall',
  'truncate',
  'empty',
  'reset',
  'answerLost',
  'emptyPage',
  'stale',
  'calendarListLag',
] as const

/** Returns the names of the effects in an object. Valid objects have at most one. */
export const endingsOf = (effect: AnyEffect): string[] => [
  ...(effect.fail !== undefined ? ['fail'] : effect.status !== undefined ? ['status'] : []),
  ...ENDINGS.filter((name) => effect[name] !== undefined),
]

/** Returns a short label of an effect. */
export const effectLabel = (effect: AnyEffect): string =>
  effect.fail ?? (effect.status === undefined ? (endingsOf(effect)[0] ?? 'delay') : String(effect.status))

const DELETION = 'calendars.delete'
const LIST = /\.(?:list|instances)$/

/** `emptyPage` applies to lists only; `stale` to lists and free/busy; `calendarListLag` to the deletion of calendars. */
export function applies({ emptyPage, stale, calendarListLag }: AnyEffect, method: string): boolean {
  if (calendarListLag) return method === DELETION
  if (emptyPage) return LIST.test(method)
  return stale === undefined || LIST.test(method) || method === 'freebusy.query'
}
