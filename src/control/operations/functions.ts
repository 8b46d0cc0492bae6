import type { Verb } from '../../api/endpoint.ts'
import type { Control, DiffOptions, Instant, Moment } from '../types/world.ts'

type Callable = (...given: never[]) => unknown
type NamesOfFunctions<T> = { [N in keyof T]: T[N] extends Callable ? N : never }[keyof T] & string
export type FunctionName =
  | NamesOfFunctions<Control>
  | { [M in keyof Control]: `${M}.${NamesOfFunctions<Control[M]>}` }[keyof Control]
type FunctionOf<N> = N extends `${infer M extends keyof Control}.${infer F}`
  ? F extends keyof Control[M]
    ? Control[M][F]
    : never
  : N extends keyof Control
    ? Control[N]
    : never
export type ResultOf<N> = FunctionOf<N> extends (...given: never[]) => infer R ? R : unknown
type ArgumentsOf<N> = FunctionOf<N> extends (...given: infer A) => unknown ? A : never

type ToInput<N> = { toInput?: (...given: ArgumentsOf<N>) => unknown }
/** A route, and the field of its response that functions return: all of it without `field`, nothing for null. */
export type ControlRoute = { verb: Verb; path: `/${string}`; field?: string | null }
type FunctionRow<N> = ToInput<N> & (ControlRoute | { operation: string })

/** Formats an instant as RFC 3339. A text is returned unchanged, and an invalid Date as text that is no instant. */
const formatInstant = (instant: Instant): string => {
  if (typeof instant === 'string') return instant
  const date = new Date(instant as Date | number)
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString()
}
const formatOptional = (instant?: Instant) => (instant === undefined ? {} : { now: formatInstant(instant) })

const isDiffOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  Object.keys(value).every((name) => name === 'copies' || name === 'all')

const toMoment = (moment: Moment | undefined) => (moment instanceof Date ? formatInstant(moment) : moment)

function toDiffInput(since?: Moment | DiffOptions, until?: Moment | DiffOptions, options?: DiffOptions) {
  if (until === undefined && options === undefined && isDiffOptions(since)) return { ...since }
  const rest = isDiffOptions(until) ? until : { until: toMoment(until), ...options }
  return { since: toMoment(since), ...rest }
}

/**
 * All functions of the control operations. `fake.*`, the routes below `/_control` and `connect` derive from it; the
 * definition of each operation has the same name in the file of its subject.
 */
export const FUNCTIONS = {
  health: { verb: 'GET', path: '/health' },
  reset: { verb: 'POST', path: '/reset', field: 'reset' },
  seed: { verb: 'POST', path: '/seed', field: 'added', toInput: (seed) => seed },
  replace: { verb: 'PUT', path: '/seed', field: 'replaced', toInput: (seed) => seed },
  state: { verb: 'GET', path: '/state' },
  'syncTokens.expire': {
    ...{ verb: 'POST', path: '/syncTokens/expire', field: null },
    toInput: (selection = {}) => selection,
  },
  worlds: { verb: 'GET', path: '/worlds', field: 'worlds' },
  delete: { verb: 'DELETE', path: '/worlds', field: null },
  fork: { verb: 'PUT', path: '/worlds/{world}', field: null, toInput: (from, world) => ({ from, world }) },
  deleteWorld: { verb: 'DELETE', path: '/worlds/{world}', field: null, toInput: (world) => ({ world }) },

  snapshots: { verb: 'GET', path: '/snapshots', field: 'snapshots' },
  snapshot: { verb: 'POST', path: '/snapshots', field: 'snapshot', toInput: (name) => ({ name }) },
  restore: {
    ...{ verb: 'POST', path: '/snapshots/{name}/restore', field: 'restored' },
    toInput: (name) => ({ name }),
  },
  deleteSnapshot: {
    ...{ verb: 'DELETE', path: '/snapshots/{name}', field: 'deleted' },
    toInput: (name) => ({ name }),
  },

  diff: { verb: 'GET', path: '/diff', toInput: toDiffInput },
  changes: { verb: 'GET', path: '/changes', toInput: (filter = {}) => filter },

  'clock.state': { verb: 'GET', path: '/clock' },
  'clock.set': {
    ...{ verb: 'PUT', path: '/clock', field: 'fired' },
    toInput: (now) => ({ now: formatInstant(now) }),
  },
  'clock.freeze': { operation: 'clock.set', toInput: (now) => ({ mode: 'frozen', ...formatOptional(now) }) },
  'clock.run': { operation: 'clock.set', toInput: (now) => ({ mode: 'set', ...formatOptional(now) }) },
  'clock.real': { operation: 'clock.set', toInput: () => ({ mode: 'real' }) },
  advance: { verb: 'POST', path: '/clock/advance', field: 'fired', toInput: (by) => ({ by }) },
  advanceTo: { operation: 'advance', toInput: (instant) => ({ to: formatInstant(instant) }) },
  'clock.advance': { operation: 'advance', toInput: (by) => ({ by }) },
  'clock.advanceTo': { operation: 'advance', toInput: (instant) => ({ to: formatInstant(instant) }) },
  'clock.now': { operation: 'clock.state' },

  'conferences.state': { verb: 'GET', path: '/conferences' },
  'conferences.policy': { verb: 'PUT', path: '/conferences', field: null, toInput: (policy) => policy },
  'conferences.expect': { verb: 'POST', path: '/conferences/expect', field: null, toInput: (rule) => rule },
  'conferences.settle': {
    ...{ verb: 'POST', path: '/conferences/settle', field: 'settled' },
    toInput: (selection = {}) => selection,
  },

  mail: { verb: 'GET', path: '/mail', field: 'mail', toInput: (to) => ({ to }) },
  clearMail: { verb: 'DELETE', path: '/mail', field: 'cleared' },

  'faults.add': { verb: 'POST', path: '/faults', toInput: (fault) => fault },
  'faults.list': { verb: 'GET', path: '/faults', field: 'faults' },
  'faults.clear': { verb: 'DELETE', path: '/faults', field: 'cleared' },
  'faults.remove': { verb: 'DELETE', path: '/faults/{id}', field: null, toInput: (id) => ({ id }) },
  'faults.verify': { verb: 'GET', path: '/faults/verify', field: null },
  quota: { verb: 'PUT', path: '/quota', field: null, toInput: (limits) => limits },
  'quota.state': { verb: 'GET', path: '/quota' },
  'quota.remove': { verb: 'DELETE', path: '/quota', field: null },

  channels: { verb: 'GET', path: '/channels', field: 'channels' },
  'notifications.list': {
    ...{ verb: 'GET', path: '/notifications', field: 'notifications' },
    toInput: (filter = {}) => filter,
  },
  'notifications.settled': {
    ...{ verb: 'POST', path: '/notifications/settled', field: null },
    toInput: (options = {}) => options,
  },
  'notifications.until': {
    ...{ verb: 'POST', path: '/notifications/until', field: 'notifications' },
    toInput: (channelId, count, options) => ({ ...options, channelId, count }),
  },
  'notifications.hold': {
    ...{ verb: 'POST', path: '/notifications/hold', field: null },
    toInput: (channelId) => ({ channelId }),
  },
  'notifications.release': {
    ...{ verb: 'POST', path: '/notifications/release', field: null },
    toInput: (channelId) => ({ channelId }),
  },
  'notifications.drop': { verb: 'POST', path: '/notifications/drop', field: null, toInput: (next = {}) => next },
  'notifications.duplicate': {
    ...{ verb: 'POST', path: '/notifications/duplicate', field: null },
    toInput: (next = {}) => next,
  },
  'notifications.delay': {
    ...{ verb: 'POST', path: '/notifications/delay', field: null },
    toInput: (by, next) => ({ ...next, by }),
  },
  'notifications.reorder': {
    ...{ verb: 'POST', path: '/notifications/reorder', field: null },
    toInput: (next = {}) => next,
  },
  'notifications.replay': {
    ...{ verb: 'POST', path: '/notifications/replay', field: 'notification' },
    toInput: (id) => ({ id }),
  },

  'oauth.state': { verb: 'GET', path: '/oauth' },
  'oauth.fail': { verb: 'POST', path: '/oauth', field: null, toInput: (failure) => failure },
  'oauth.forget': { verb: 'DELETE', path: '/oauth', field: null },
  'oauth.mint': { verb: 'POST', path: '/oauth/mint', field: 'token', toInput: (token) => token },
  'oauth.expire': { verb: 'POST', path: '/oauth/expire', field: 'expired', toInput: (account) => ({ account }) },
  'oauth.revoke': { verb: 'POST', path: '/oauth/revoke', field: 'revoked', toInput: (account) => ({ account }) },
  'oauth.consent': { verb: 'POST', path: '/oauth/consent', field: null, toInput: (account) => ({ account }) },

  calls: { verb: 'GET', path: '/calls', toInput: (method, selector) => ({ ...selector, method }) },
  'calls.until': {
    ...{ verb: 'POST', path: '/calls/until', field: 'calls' },
    toInput: (method, count, options) => ({ ...options, method, count }),
  },
  'calls.verify': {
    ...{ verb: 'POST', path: '/calls/verify', field: 'calls' },
    toInput: (method, where = {}, options = {}) => ({ ...options, method, where }),
  },
  'calls.clear': { verb: 'DELETE', path: '/calls', field: 'cleared' },

  ical: { verb: 'GET', path: '/ical', toInput: (calendarId) => ({ calendarId }) },
  importICalendar: { verb: 'POST', path: '/ical', toInput: (text, options) => ({ ...options, text }) },
} as const satisfies { readonly [N in FunctionName]: FunctionRow<N> }

/** The routes without a function of their own: `verify` is a function of the result of `diff`. */
export const OTHER_ROUTES = {
  'diff.verify': { verb: 'POST', path: '/diff/verify', field: 'changes' },
} as const satisfies Record<string, ControlRoute>

type Functions = typeof FUNCTIONS
/** The names of the operations: those of the functions with a route, and of the other routes. */
export type OperationName =
  | { [N in keyof Functions]: Functions[N] extends ControlRoute ? N : never }[keyof Functions]
  | keyof typeof OTHER_ROUTES
