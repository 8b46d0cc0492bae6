import type { FaultName } from '../../schema/faultNames.ts'

// A duration is a number of milliseconds, or text such as `5s`. It is real time unless its comment names the world's
// clock.

type Delay = {
  delay: string | number
  /** The clock of the delay: `world` waits for the clock of the world; the default is `real`. */
  clock?: 'real' | 'world' | undefined
  /** A write is carried out at the end of the delay, also if its client has left by then, as a request on a slow network is. */
  detached?: true | undefined
}

/** One effect on a request. A delay may precede it. */
type SingleEffect =
  /**
   * An error of the service, optionally with another status. `retryAfter` is a number of seconds, or text such as
   * `90s`.
   */
  | { fail: FaultName; status?: number | undefined; retryAfter?: number | string | undefined }
  /** A fixed response. A body that is not text is sent as JSON. */
  | { status: number; headers?: Record<string, string> | undefined; body?: unknown }
  /** The request is not handled and never answered. */
  | { hang: true }
  /**
   * The request is handled. The first `after` bytes of the body are sent at once, the rest after the duration `for`.
   */
  | { stall: { after: number; for: string | number } }
  /** The request is handled. The connection closes after this many bytes of the body. */
  | { truncate: number }
  /** The request is handled and answered without a body. */
  | { empty: true }
  /** The connection is reset before the request is handled. */
  | { reset: true }
  /** The request is handled, then the connection is reset. */
  | { answerLost: true }
  /** A list returns no items, and a `nextPageToken` for the requested page. */
  | { emptyPage: true }
  /** A list or free/busy query returns the state before this duration by the world's clock. */
  | { stale: string | number }
  /**
   * `calendars.delete` leaves the calendar on its owner's list. Removing it from there then fails with
   * `cannotUnsubscribeFromOwnedCalendar`.
   */
  | { calendarListLag: true }
  /** A plain `events.list` also shows the cancelled series, with their exceptions, whose copy a guest deleted (behaviour 4.3.1). */
  | { deletedCopies: true }
  /** A plain `events.list` also shows the trimmed series that ended before `timeMin` (behaviour 4.3.1). */
  | { trimmedSeries: true }

/** The effect of a fault: a delay, one effect, or both. */
export type FaultEffect = Delay | (SingleEffect & Partial<Delay>)

type FieldOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, N> = T extends unknown ? (N extends keyof T ? T[N] : never) : never
export type AnyEffect = { readonly [N in FieldOf<FaultEffect>]?: ValueOf<FaultEffect, N> | undefined }

const MODIFIERS = ['delay', 'clock', 'detached', 'retryAfter', 'headers', 'body'] as const
export type EffectName = Exclude<keyof AnyEffect, (typeof MODIFIERS)[number]>

/** A valid effect has at most one name, because a `status` beside `fail` is that of the error. */
export const listEffectNames = (effect: AnyEffect): EffectName[] =>
  (Object.keys(effect) as (keyof AnyEffect)[]).filter(
    (name): name is EffectName =>
      effect[name] !== undefined &&
      !MODIFIERS.some((modifier) => modifier === name) &&
      !(name === 'status' && effect.fail !== undefined),
  )

export const formatEffect = (effect: AnyEffect): string =>
  effect.fail ?? (effect.status === undefined ? (listEffectNames(effect)[0] ?? 'delay') : String(effect.status))
