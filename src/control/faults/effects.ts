import type { FaultName } from '../../schema/errors/faultNames.ts'

// A duration is a number of milliseconds, or text such as `5s`. It is real time unless its comment names the world's
// clock.

/** A delay before the request is handled. */
type Delay = {
  delay: string | number
  /** The clock of the delay: `world` waits for the clock of the world; the default is `real`. */
  clock?: 'real' | 'world' | undefined
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

/** The effect of a fault: a delay, one effect, or both. */
export type FaultEffect = Delay | (SingleEffect & Partial<Delay>)

/** The fields that any member of a union has. */
type FieldOf<T> = T extends unknown ? keyof T : never
/** The type of a field in the members of a union that have it. */
type ValueOf<T, N> = T extends unknown ? (N extends keyof T ? T[N] : never) : never
/** All fields of all effects, for code that reads an effect of any kind. */
export type AnyEffect = { readonly [N in FieldOf<FaultEffect>]?: ValueOf<FaultEffect, N> | undefined }

/** A field that names its effect. `fail` and `status` are not among them, because an effect may have both. */
export type EffectField = Exclude<
  keyof AnyEffect,
  'delay' | 'clock' | 'fail' | 'status' | 'retryAfter' | 'headers' | 'body'
>
/** The effects whose field has other values than `true`. */
export type ValuedEffect = { [N in EffectField]: AnyEffect[N] extends true | undefined ? never : N }[EffectField]

const LIST = /\.(?:list|instances)$/

/** The methods to which an effect is limited: a test of their names, and the words of its error. */
type LimitedMethods = { includes(method: string): boolean; words: string }

/** A row of the table of effects: its methods, and its examples and choices for the fuzzer and the inspector. */
type EffectRow<N extends EffectField> = {
  /** The methods to which it can apply. */
  methods: LimitedMethods | 'all'
  /** Valid values. The inspector adds the first one, and the fuzzer any of them, so durations of real time are short. */
  examples: readonly [NonNullable<AnyEffect[N]>, ...NonNullable<AnyEffect[N]>[]]
  /** The choice in the inspector: the kind of effect that has it, and its label. Without it, only code adds the effect. */
  choice?: { kind: 'lost' | 'body'; label: string }
}

/** The effects by the field that names them. The inspector offers choices in this order. */
const EFFECTS: { readonly [N in EffectField]: EffectRow<N> } = {
  answerLost: {
    methods: 'all',
    examples: [true],
    choice: { kind: 'lost', label: 'Carried out, then the connection is reset' },
  },
  hang: { methods: 'all', examples: [true], choice: { kind: 'lost', label: 'No response ever' } },
  reset: {
    methods: 'all',
    examples: [true],
    choice: { kind: 'lost', label: 'Not carried out: the connection is reset before' },
  },
  stall: {
    methods: 'all',
    examples: [
      { after: 20, for: '1ms' },
      { after: 0, for: '0s' },
      { after: 1, for: 1 },
      { after: 100_000, for: '1ms' },
    ],
  },
  truncate: {
    methods: 'all',
    examples: [20, 0, 1, 30, 100_000],
    choice: { kind: 'body', label: 'Cut after 20 bytes' },
  },
  empty: { methods: 'all', examples: [true], choice: { kind: 'body', label: 'Empty' } },
  emptyPage: {
    methods: { includes: (method: string) => LIST.test(method), words: 'lists' },
    examples: [true],
    choice: { kind: 'body', label: 'A list: an empty page with a next page' },
  },
  stale: {
    methods: {
      includes: (method: string) => LIST.test(method) || method === 'freebusy.query',
      words: 'lists and free/busy',
    },
    examples: ['5s', '1ms', '1m', '30d', 0],
    choice: { kind: 'body', label: 'A list: as of 5 seconds ago' },
  },
  calendarListLag: {
    methods: { includes: (method: string) => method === 'calendars.delete', words: 'calendars.delete' },
    examples: [true],
    choice: { kind: 'body', label: 'A deleted calendar stays on its owner’s list' },
  },
}

/** The fields that name an effect. */
export const EFFECT_FIELDS = Object.keys(EFFECTS) as EffectField[]

/** Returns valid effects of one field, such as `{ truncate: 20 }`. The first one is what the inspector adds. */
export const exampleEffects = (name: EffectField): readonly AnyEffect[] =>
  EFFECTS[name].examples.map((value) => ({ [name]: value }))

/** Returns the choices of one kind of effect in the inspector: pairs of a field and its label. */
export const listChoices = (kind: 'lost' | 'body'): (readonly [EffectField, string])[] =>
  EFFECT_FIELDS.flatMap((name) => {
    const { choice } = EFFECTS[name]
    return choice?.kind === kind ? [[name, choice.label] as const] : []
  })

/**
 * Returns the fields that name an effect, without a delay. A valid effect has at most one: `fail`, `status`, `hang`, …
 */
export const listEffectNames = (effect: AnyEffect): string[] => [
  ...(effect.fail !== undefined ? ['fail'] : effect.status !== undefined ? ['status'] : []),
  ...EFFECT_FIELDS.filter((name) => effect[name] !== undefined),
]

/** Returns a short label of an effect: the name of its error, its status, its field, or `delay`. */
export const formatEffect = (effect: AnyEffect): string =>
  effect.fail ?? (effect.status === undefined ? (listEffectNames(effect)[0] ?? 'delay') : String(effect.status))

/** Returns the methods to which an effect is limited, or undefined for one that applies to all. */
export function effectMethods(effect: AnyEffect): LimitedMethods | undefined {
  const name = EFFECT_FIELDS.find((one) => effect[one] !== undefined)
  const methods = name && EFFECTS[name].methods
  return methods === 'all' ? undefined : methods
}

/** Returns true if an effect can apply to a method such as `events.list`. */
export const canApply = (effect: AnyEffect, method: string): boolean => effectMethods(effect)?.includes(method) ?? true
