import { parseDuration, type WorldClock, waitFor } from '../../model/clock.ts'
import { Ids } from '../../model/ids.ts'
import { runForCaller } from '../../schema/values/callerStack.ts'
import { limitLines } from '../../schema/values/limitLines.ts'
import { formatFound, matches, VerificationError } from '../matching.ts'
import { collectParams, isSelected, type ObservedRequest, parseObservedBody, toParamText } from '../request.ts'
import { type AnyEffect, type FaultEffect, formatEffect } from './effects.ts'
import { canApply } from './effectTable.ts'

/** A fault: which requests fail, how often, and how. */
export type Fault = {
  /**
   * A method (`events.insert`, `oauth.token`), all of a resource (`events.*`), all (`*`), or a list of these. `*` does
   * not include `batch` and `discovery`, which must be named.
   */
  on: string | readonly string[]
  /** Only requests of this account. */
  account?: string | undefined
  /** Only requests that name this calendar in the path or in the items of free/busy; `primary` is the caller's own. */
  calendarId?: string | undefined
  /** Only requests whose parameters and body match. Both are compared partially and deeply. */
  where?: { params?: Readonly<Record<string, unknown>> | undefined; body?: unknown } | undefined
  /** The number of matching requests that pass first. The default is 0. */
  skip?: number | undefined
  /** The number of times that it fires. The default is once, or once per effect of a list in `do`. */
  times?: number | 'always' | undefined
  /** Fires on every n-th matching request after `skip` only. */
  every?: number | undefined
  /** The probability that it fires, from 0 to 1. Draws come from the world's seed, so that runs repeat. */
  probability?: number | undefined
  /** The fault ends at this RFC 3339 instant of the world's clock. */
  until?: string | undefined
  /** The fault ends after this duration by the world's clock. */
  for?: string | number | undefined
  /** `faults.verify()` accepts that it never fired. */
  optional?: true | undefined
  /**
   * One effect, or a list from which each request gets the next. The list starts again if `times` exceeds its length.
   */
  do: FaultEffect | readonly FaultEffect[]
}

/**
 * A fault with its counts: the requests that matched so far, and those on which it fired. `until` replaces `for`. `spent`
 * is true if it fires no more: it fired as often as it may, or its time is over.
 */
export type FaultView = Omit<Fault, 'for'> & { id: string; matched: number; fired: number; spent: boolean }

/** A fault that was added. Its counts are live. */
export interface FaultHandle {
  readonly id: string
  /** The number of requests that matched so far. */
  readonly matched: number
  /** The number of requests on which it fired. */
  readonly fired: number
  /**
   * Waits until it has fired `count` times (default 1), earlier ones included. Rejects with an Error after `timeout` in
   * real time (milliseconds, or text such as `10s`; default 5 s). Throws a RangeError at once if `timeout` is not a
   * duration.
   */
  until(count?: number, options?: { timeout?: string | number | undefined }): Promise<void>
  /** Removes the fault, which then no longer fires. Does nothing if it was removed before. */
  remove(): void
}

type FaultDelay = {
  readonly durationMs: number
  readonly clock: 'real' | 'world'
  readonly isDetached: boolean
}

export type FaultMatch = {
  /** The id of the fault with the effect, or of the first that only delays. */
  readonly fault: string
  readonly delays: readonly FaultDelay[]
  /** The effect after the delays, without its own. Undefined if the faults only delay. */
  readonly effect?: AnyEffect | undefined
}

const toList = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one]) as readonly T[]

export class ActiveFault implements FaultHandle {
  readonly id: string
  readonly #fault: Fault
  readonly #effects: readonly AnyEffect[]
  readonly #clock: Pick<WorldClock, 'now'>
  readonly #remove: () => void
  readonly #waiting = new Set<() => void>()
  #matched = 0
  #fired = 0

  constructor(
    id: string,
    { for: duration, ...fault }: Fault,
    clock: Pick<WorldClock, 'now'>,
    remove: (fault: ActiveFault) => void,
  ) {
    this.id = id
    const until = duration === undefined ? undefined : new Date(clock.now() + parseDuration(duration)).toISOString()
    this.#fault = { ...fault, ...(until !== undefined && { until }) }
    this.#effects = toList(fault.do)
    this.#clock = clock
    this.#remove = () => remove(this)
  }

  get matched(): number {
    return this.#matched
  }

  get fired(): number {
    return this.#fired
  }

  until(count = 1, { timeout = 5000 }: { timeout?: string | number | undefined } = {}): Promise<void> {
    return runForCaller(this.until, () => this.#waitFor(count, parseDuration(timeout)))
  }

  async #waitFor(count: number, timeout: number): Promise<void> {
    const find = () => this.#fired >= count || undefined
    const listen = (check: () => void) => {
      this.#waiting.add(check)
      return () => this.#waiting.delete(check)
    }
    if (await waitFor(find, listen, { timeout })) return
    throw new Error(`${this.id}: fired ${this.#fired} of ${count} times in time`)
  }

  remove(): void {
    this.#remove()
  }

  get isSpent(): boolean {
    const { until } = this.#fault
    return this.#fired >= this.#times || (until !== undefined && this.#clock.now() >= Date.parse(until))
  }

  get needsPastStates(): boolean {
    return this.#effects.some(({ stale }: AnyEffect) => stale !== undefined)
  }

  get view(): FaultView {
    return { id: this.id, matched: this.#matched, fired: this.#fired, spent: this.isSpent, ...this.#fault }
  }

  get #times(): number {
    const { times = this.#effects.length } = this.#fault
    return times === 'always' ? Number.POSITIVE_INFINITY : times
  }

  tryFire(request: ObservedRequest, draw: () => number): AnyEffect | undefined {
    const { skip = 0, every = 1, probability } = this.#fault
    const effect = this.#effects[this.#fired % this.#effects.length]
    if (!effect || !this.#matches(request) || !canApply(effect, request.method)) return undefined
    this.#matched += 1
    const after = this.#matched - skip
    if (this.isSpent || after <= 0 || after % every !== 0) return undefined
    if (probability !== undefined && draw() >= probability) return undefined
    this.#fired += 1
    for (const check of this.#waiting) check()
    return effect
  }

  #matches(request: ObservedRequest): boolean {
    const { on, account, calendarId, where } = this.#fault
    if (!isSelected(request, { method: on, account, calendarId })) return false
    if (where?.params !== undefined && !matches(toParamText(where.params), collectParams(request))) return false
    return where?.body === undefined || matches(where.body, parseObservedBody(request))
  }

  get unmetMessage(): string | undefined {
    const { on, times, probability, optional } = this.#fault
    const required = times === 'always' ? 1 : this.#times
    if (optional || probability !== undefined || this.#fired >= required) return undefined
    const what = `${toList(on).join(', ')}: ${this.#effects.map(formatEffect).join(', ')}`
    const often = times === 'always' ? 'to fire' : `to fire ${required === 1 ? 'once' : `${required} times`}`
    const fired =
      this.#fired === 0 ? 'it never fired' : `it fired ${this.#fired === 1 ? 'once' : `${this.#fired} times`}`
    return `expected ${this.id} (${what}) ${often}; ${fired}, and there ${formatFound(this.#matched, 'matching request')}`
  }
}

/**
 * The faults of a world, in the order of their addition. They are not data of the world: a rollback keeps their counts.
 */
export class Faults {
  #active: ActiveFault[] = []
  #count = 0
  #seed: number
  #draws: Ids | undefined
  readonly #clock: Pick<WorldClock, 'now'>

  constructor(seed: number, clock: Pick<WorldClock, 'now'>) {
    this.#seed = seed
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#active.length === 0
  }

  add(fault: Fault): ActiveFault {
    this.#count += 1
    const added = new ActiveFault(`fault-${this.#count}`, fault, this.#clock, (one) => this.#remove(one))
    this.#active.push(added)
    return added
  }

  get activeCount(): number {
    return this.#active.filter(({ isSpent }) => !isSpent).length
  }

  get needPastStates(): boolean {
    return this.#active.some((fault) => fault.needsPastStates && !fault.isSpent)
  }

  /** True also for a fault that was removed since. */
  hasAdded(id: string): boolean {
    return /^fault-[1-9]\d*$/.test(id) && Number(id.slice('fault-'.length)) <= this.#count
  }

  list(): FaultView[] {
    return this.#active.map(({ view }) => view)
  }

  remove(id: string): boolean {
    const found = this.#active.find((fault) => fault.id === id)
    found?.remove()
    return found !== undefined
  }

  #remove(fault: ActiveFault): void {
    this.#active = this.#active.filter((one) => one !== fault)
  }

  clear(): number {
    return this.#active.splice(0).length
  }

  /** The next id is `fault-1` again, and draws start from `seed`. */
  restart(seed: number): void {
    this.#active = []
    this.#count = 0
    this.#seed = seed
    this.#draws = undefined
  }

  #draw(): number {
    this.#draws ??= createDraws(this.#seed)
    return this.#draws.fraction()
  }

  /** Matches a request with the faults in their order, up to the first that fires with more than a delay. */
  match(request: ObservedRequest): FaultMatch | undefined {
    const delays: FaultDelay[] = []
    let fault: string | undefined
    for (const active of this.#active) {
      const fired = active.tryFire(request, () => this.#draw())
      if (!fired) continue
      fault ??= active.id
      const { delay, clock = 'real', detached = false, ...effect } = fired
      if (delay !== undefined) delays.push({ durationMs: parseDuration(delay), clock, isDetached: detached })
      if (Object.keys(effect).length > 0) return { fault: active.id, delays, effect }
    }
    return fault === undefined ? undefined : { fault, delays }
  }

  /** `describeCalls` returns the lines on the calls that were made. */
  verify(describeCalls: () => readonly string[]): void {
    const unmet = this.#active.map(({ unmetMessage }) => unmetMessage).filter((message) => message !== undefined)
    if (unmet.length === 0) return
    throw new VerificationError([...limitLines(unmet), ...describeCalls()].join('\n'))
  }
}

/** Faults draw from their own source, so that an injected failure does not change the ids that follow. */
const createDraws = (seed: number): Ids => new Ids({ counters: { ids: seed } })
