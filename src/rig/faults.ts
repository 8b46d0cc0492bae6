import { matches } from '../matching/criteria.ts'
import { VerificationError } from '../matching/report.ts'
import { durationOf, whenTimeIsUp } from '../time/clock.ts'
import { Ids } from '../time/ids.ts'
import { type Asked, asText, bodyOf, isBy, isOn, paramsOf, reaches } from './asked.ts'
import { type AnyEffect, applies, called, type FaultEffect } from './effects.ts'

declare global {
  /** For compilers whose library does not know it; Node does. */
  interface SymbolConstructor {
    readonly dispose: unique symbol
  }
}

/** What a test author wants to fail, how often, and how. */
export type Fault = {
  /** Methods such as `events.insert`, all of a resource (`events.*`), or all (`*`), `oauth.token` among them; by name alone `batch`, `discovery`. */
  on: string | readonly string[]
  /** Whose requests: those of an account. */
  account?: string | undefined
  /** Those that name a calendar, in their path or among the items of free/busy; `primary` is the caller's own. */
  calendarId?: string | undefined
  /** Those whose parameters and body say this; both are looked at partly and deeply. */
  where?: { params?: Readonly<Record<string, unknown>> | undefined; body?: unknown } | undefined
  /** How many that match are let by first. */
  skip?: number | undefined
  /** How often it fires: once unless said, and of a list in `do` each effect once. */
  times?: number | 'always' | undefined
  /** Only every so many-th of those that match fires. */
  every?: number | undefined
  /** How likely it fires, from 0 to 1. Draws are the world's own: the same seed draws the same. */
  probability?: number | undefined
  /** Need not fire for `faults.verify()` to be content. */
  optional?: true | undefined
  /** What happens: one effect, or several of which each request meets the next. After the last the first comes again, if `times` says so. */
  do: FaultEffect | readonly FaultEffect[]
}

/** A fault as it is told of: how many requests it was meant for, and how many of them it hit. */
export type FaultView = Fault & { id: string; matched: number; fired: number }

/** A fault that was added. Its counts go on. */
export interface FaultHandle {
  readonly id: string
  /** How many requests it was meant for so far. */
  readonly matched: number
  /** How many of them it hit. */
  readonly fired: number
  /**
   * Waits until it has hit so many requests, in real time: five seconds, or as long as `timeout` says (milliseconds, or text
   * such as `10s`). It rejects where they do not come in time.
   */
  until(count?: number, options?: { timeout?: string | number | undefined }): Promise<void>
  /** Takes it away. */
  remove(): void
  /** The same, at the end of the block of `using fault = fake.faults.add(…)`. */
  [Symbol.dispose](): void
}

/** What is done to one request: the fault that did it, the delays that come first, and how it ends if not well. */
export type Fate = {
  readonly fault: string
  readonly delays: readonly { readonly length: number; readonly clock: 'real' | 'world' }[]
  readonly effect?: AnyEffect | undefined
}

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one]) as readonly T[]

/** One fault, and what has come of it. */
export class Planned implements FaultHandle {
  readonly id: string
  readonly #fault: Fault
  readonly #effects: readonly AnyEffect[]
  readonly #away: () => void
  readonly #waiting = new Set<() => void>()
  #matched = 0
  #fired = 0

  constructor(id: string, fault: Fault, away: (planned: Planned) => void) {
    this.id = id
    this.#fault = fault
    this.#effects = listOf(fault.do)
    this.#away = () => away(this)
  }

  get matched(): number {
    return this.#matched
  }

  get fired(): number {
    return this.#fired
  }

  until(count = 1, { timeout = 5000 }: { timeout?: string | number | undefined } = {}): Promise<void> {
    const limit = durationOf(timeout)
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#fired < count) return
        this.#waiting.delete(look)
        callOff()
        resolve()
      }
      const callOff = whenTimeIsUp(limit, () => {
        this.#waiting.delete(look)
        reject(new Error(`${this.id}: fired ${this.#fired} of ${count} times in time`))
      })
      this.#waiting.add(look)
      look()
    })
  }

  remove(): void {
    this.#away()
  }

  [Symbol.dispose](): void {
    this.#away()
  }

  get view(): FaultView {
    return { id: this.id, matched: this.#matched, fired: this.#fired, ...this.#fault }
  }

  /** How often it is to fire. */
  get #times(): number {
    const { times = this.#effects.length } = this.#fault
    return times === 'always' ? Number.POSITIVE_INFINITY : times
  }

  /** The effect for one request, if it fires. */
  hit(asked: Asked, draw: () => number): AnyEffect | undefined {
    const { skip = 0, every = 1, probability } = this.#fault
    const effect = this.#effects[this.#fired % this.#effects.length]
    if (!effect || !this.#isFor(asked) || !applies(effect, asked.method)) return undefined
    this.#matched += 1
    const after = this.#matched - skip
    if (this.#fired >= this.#times || after <= 0 || after % every !== 0) return undefined
    if (probability !== undefined && draw() >= probability) return undefined
    this.#fired += 1
    for (const look of this.#waiting) look()
    return effect
  }

  #isFor(asked: Asked): boolean {
    const { on, account, calendarId, where } = this.#fault
    if (!reaches(on, asked.method)) return false
    if (account !== undefined && !isBy(asked, account)) return false
    if (calendarId !== undefined && !isOn(asked, calendarId)) return false
    if (where?.params !== undefined && !matches(asText(where.params), paramsOf(asked))) return false
    return where?.body === undefined || matches(where.body, bodyOf(asked))
  }

  /** What is missing, in a sentence; nothing where it fired as often as it was to, or need not. */
  get lack(): string | undefined {
    const { on, times, probability, optional } = this.#fault
    const wanted = times === 'always' ? 1 : this.#times
    if (optional || probability !== undefined || this.#fired >= wanted) return undefined
    const what = `${listOf(on).join(', ')}: ${this.#effects.map(called).join(', ')}`
    const often = times === 'always' ? 'never fired' : `fired ${this.#fired} of ${wanted} times`
    return `${this.id} (${what}) ${often}; ${this.#matched} ${this.#matched === 1 ? 'request' : 'requests'} matched`
  }
}

/** What fails on cue in a world. It is no data of the world: a request that is taken back does not take a count back. */
export class Faults {
  #planned: Planned[] = []
  #count = 0
  #seed: number
  #draws: Ids | undefined

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Nothing is planned: every request asks. */
  get none(): boolean {
    return this.#planned.length === 0
  }

  add(fault: Fault): Planned {
    this.#count += 1
    const planned = new Planned(`fault-${this.#count}`, fault, (one) => this.#remove(one))
    this.#planned.push(planned)
    return planned
  }

  list(): FaultView[] {
    return this.#planned.map(({ view }) => view)
  }

  /** Takes one away; `false` where there is none of the id. */
  remove(id: string): boolean {
    const found = this.#planned.find((planned) => planned.id === id)
    found?.remove()
    return found !== undefined
  }

  #remove(planned: Planned): void {
    this.#planned = this.#planned.filter((one) => one !== planned)
  }

  /** Takes all away, and tells how many there were. */
  clear(): number {
    return this.#planned.splice(0).length
  }

  /** Begins anew: none, and draws from the first. */
  begin(seed: number): void {
    this.#planned = []
    this.#count = 0
    this.#seed = seed
    this.#draws = undefined
  }

  #draw(): number {
    this.#draws ??= drawsOf(this.#seed)
    return this.#draws.fraction()
  }

  /** What the first fault that fires does to a request. Delays come before another effect, and before one another. */
  meet(asked: Asked): Fate | undefined {
    const delays: { length: number; clock: 'real' | 'world' }[] = []
    let fault: string | undefined
    for (const planned of this.#planned) {
      const hit = planned.hit(asked, () => this.#draw())
      if (!hit) continue
      fault ??= planned.id
      const { delay, clock = 'real', ...effect } = hit
      if (delay !== undefined) delays.push({ length: durationOf(delay), clock })
      if (Object.keys(effect).length > 0) return { fault: planned.id, delays, effect }
    }
    return fault === undefined ? undefined : { fault, delays }
  }

  /** Throws where a fault did not fire as often as it was to. */
  verify(): void {
    const lacks = this.#planned.map(({ lack }) => lack).filter((lack) => lack !== undefined)
    if (lacks.length === 0) return
    const head = lacks.length === 1 ? 'a fault did not fire:' : `${lacks.length} faults did not fire:`
    throw new VerificationError([head, ...lacks].join('\n  '))
  }
}

/** A source of chance apart from that of ids, so that a request that fails does not change which ids come. */
const drawsOf = (seed: number): Ids => new Ids({ counters: { ids: seed } })
