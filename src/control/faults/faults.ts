import { parseDuration, startTimeout } from '../../model/clock.ts'
import { Ids } from '../../model/ids.ts'
import { matches } from '../matching/criteria.ts'
import { VerificationError } from '../matching/verificationError.ts'
import { asText, bodyOf, isBy, isOn, matchesMethod, type ObservedRequest, paramsOf } from '../request.ts'
import { type AnyEffect, applies, effectLabel, type FaultEffect } from './effects.ts'

declare global {
  /** Declared for compilers whose library lacks it; Node has it. */
  interface SymbolConstructor {
    readonly dispose: unique symbol
  }
}

/** A fault: which requests fail, how often, and how. */
export type Fault = {
  /** Methods such as `events.insert`, all of a resource (`events.*`), or all (`*`), `oauth.token` among them; by name alone `batch`, `discovery`. */
  on: string | readonly string[]
  /** Only requests of this account. */
  account?: string | undefined
  /** Only requests that name this calendar in the path or in the items of free/busy; `primary` is the caller's own. */
  calendarId?: string | undefined
  /** Only requests whose parameters and body match. Both are compared partially and deeply. */
  where?: { params?: Readonly<Record<string, unknown>> | undefined; body?: unknown } | undefined
  /** The number of matching requests that pass first. */
  skip?: number | undefined
  /** The number of times that it fires. The default is once, or once per effect of a list in `do`. */
  times?: number | 'always' | undefined
  /** Fires on every n-th matching request only. */
  every?: number | undefined
  /** The probability that it fires, from 0 to 1. Draws come from the world's seed, so that runs repeat. */
  probability?: number | undefined
  /** `faults.verify()` accepts that it never fired. */
  optional?: true | undefined
  /** One effect, or a list from which each request gets the next. The list starts again if `times` exceeds its length. */
  do: FaultEffect | readonly FaultEffect[]
}

/** A fault with its counts: the requests that matched, and those on which it fired. */
export type FaultView = Fault & { id: string; matched: number; fired: number }

/** A fault that was added. Its counts are live. */
export interface FaultHandle {
  readonly id: string
  /** The number of requests that matched so far. */
  readonly matched: number
  /** The number of requests on which it fired. */
  readonly fired: number
  /**
   * Waits in real time until it has fired `count` times. Rejects after `timeout` (milliseconds, or text such as `10s`); the
   * default is five seconds.
   */
  until(count?: number, options?: { timeout?: string | number | undefined }): Promise<void>
  /** Removes it. */
  remove(): void
  /** Removes it at the end of the block of `using fault = fake.faults.add(…)`. */
  [Symbol.dispose](): void
}

/** The result of matching a request: the id of the fault, the delays in milliseconds, and the effect after them. */
export type FaultMatch = {
  readonly fault: string
  readonly delays: readonly { readonly length: number; readonly clock: 'real' | 'world' }[]
  readonly effect?: AnyEffect | undefined
}

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one]) as readonly T[]

/** A fault with its state. */
export class ActiveFault implements FaultHandle {
  readonly id: string
  readonly #fault: Fault
  readonly #effects: readonly AnyEffect[]
  readonly #remove: () => void
  readonly #waiting = new Set<() => void>()
  #matched = 0
  #fired = 0

  constructor(id: string, fault: Fault, remove: (fault: ActiveFault) => void) {
    this.id = id
    this.#fault = fault
    this.#effects = listOf(fault.do)
    this.#remove = () => remove(this)
  }

  get matched(): number {
    return this.#matched
  }

  get fired(): number {
    return this.#fired
  }

  until(count = 1, { timeout = 5000 }: { timeout?: string | number | undefined } = {}): Promise<void> {
    const limit = parseDuration(timeout)
    return new Promise((resolve, reject) => {
      const check = () => {
        if (this.#fired < count) return
        this.#waiting.delete(check)
        callOff()
        resolve()
      }
      const callOff = startTimeout(limit, () => {
        this.#waiting.delete(check)
        reject(new Error(`${this.id}: fired ${this.#fired} of ${count} times in time`))
      })
      this.#waiting.add(check)
      check()
    })
  }

  remove(): void {
    this.#remove()
  }

  [Symbol.dispose](): void {
    this.#remove()
  }

  get view(): FaultView {
    return { id: this.id, matched: this.#matched, fired: this.#fired, ...this.#fault }
  }

  /** The maximum number of times that it fires. */
  get #times(): number {
    const { times = this.#effects.length } = this.#fault
    return times === 'always' ? Number.POSITIVE_INFINITY : times
  }

  /** Counts a request and returns the effect if the fault fires on it. */
  tryFire(request: ObservedRequest, draw: () => number): AnyEffect | undefined {
    const { skip = 0, every = 1, probability } = this.#fault
    const effect = this.#effects[this.#fired % this.#effects.length]
    if (!effect || !this.#isFor(request) || !applies(effect, request.method)) return undefined
    this.#matched += 1
    const after = this.#matched - skip
    if (this.#fired >= this.#times || after <= 0 || after % every !== 0) return undefined
    if (probability !== undefined && draw() >= probability) return undefined
    this.#fired += 1
    for (const check of this.#waiting) check()
    return effect
  }

  #isFor(request: ObservedRequest): boolean {
    const { on, account, calendarId, where } = this.#fault
    if (!matchesMethod(on, request.method)) return false
    if (account !== undefined && !isBy(request, account)) return false
    if (calendarId !== undefined && !isOn(request, calendarId)) return false
    if (where?.params !== undefined && !matches(asText(where.params), paramsOf(request))) return false
    return where?.body === undefined || matches(where.body, bodyOf(request))
  }

  /** Returns a sentence if the fault fired less often than planned. Returns undefined for optional faults. */
  get unmetMessage(): string | undefined {
    const { on, times, probability, optional } = this.#fault
    const required = times === 'always' ? 1 : this.#times
    if (optional || probability !== undefined || this.#fired >= required) return undefined
    const what = `${listOf(on).join(', ')}: ${this.#effects.map(effectLabel).join(', ')}`
    const often = times === 'always' ? 'never fired' : `fired ${this.#fired} of ${required} times`
    return `${this.id} (${what}) ${often}; ${this.#matched} ${this.#matched === 1 ? 'request' : 'requests'} matched`
  }
}

/** The faults of a world. They are not data of the world: a rollback does not restore their counts. */
export class Faults {
  #active: ActiveFault[] = []
  #count = 0
  #seed: number
  #draws: Ids | undefined

  constructor(seed: number) {
    this.#seed = seed
  }

  /** True without faults. Every request reads it. */
  get isEmpty(): boolean {
    return this.#active.length === 0
  }

  add(fault: Fault): ActiveFault {
    this.#count += 1
    const added = new ActiveFault(`fault-${this.#count}`, fault, (one) => this.#remove(one))
    this.#active.push(added)
    return added
  }

  list(): FaultView[] {
    return this.#active.map(({ view }) => view)
  }

  /** Removes a fault by id. Returns false if there is none. */
  remove(id: string): boolean {
    const found = this.#active.find((fault) => fault.id === id)
    found?.remove()
    return found !== undefined
  }

  #remove(fault: ActiveFault): void {
    this.#active = this.#active.filter((one) => one !== fault)
  }

  /** Removes all faults and returns their number. */
  clear(): number {
    return this.#active.splice(0).length
  }

  /** Removes all faults and restarts ids and draws. */
  restart(seed: number): void {
    this.#active = []
    this.#count = 0
    this.#seed = seed
    this.#draws = undefined
  }

  #draw(): number {
    this.#draws ??= drawsOf(this.#seed)
    return this.#draws.fraction()
  }

  /** Matches a request. The first fault with an effect wins; the delays of all faults before it are added. */
  match(request: ObservedRequest): FaultMatch | undefined {
    const delays: { length: number; clock: 'real' | 'world' }[] = []
    let fault: string | undefined
    for (const active of this.#active) {
      const fired = active.tryFire(request, () => this.#draw())
      if (!fired) continue
      fault ??= active.id
      const { delay, clock = 'real', ...effect } = fired
      if (delay !== undefined) delays.push({ length: parseDuration(delay), clock })
      if (Object.keys(effect).length > 0) return { fault: active.id, delays, effect }
    }
    return fault === undefined ? undefined : { fault, delays }
  }

  /** Throws a VerificationError if a fault fired less often than planned. */
  verify(): void {
    const unmet = this.#active.map(({ unmetMessage }) => unmetMessage).filter((message) => message !== undefined)
    if (unmet.length === 0) return
    const head = unmet.length === 1 ? 'a fault did not fire:' : `${unmet.length} faults did not fire:`
    throw new VerificationError([head, ...unmet].join('\n  '))
  }
}

/** Faults draw from their own source, so that an injected failure does not change the ids that follow. */
const drawsOf = (seed: number): Ids => new Ids({ counters: { ids: seed } })
