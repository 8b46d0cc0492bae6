import { LazyTable } from '../db/lazyTable.ts'
import { type ClockMode, Store } from '../db/store.ts'
import { byTuple } from '../db/tree.ts'
import { durationOf, LATEST, momentOf } from '../recurrence/moments.ts'
import { reportFault } from './reportFault.ts'

export { type ClockMode, durationOf, momentOf }

/** The one place that reads the machine's clock and sets its timers. */
export type ClockState = { mode: ClockMode; now: string }
/** Something that fell due: what it is called and when it did; `error` where it failed, and nothing of it was done. */
export type Fired = { what: string; at: string; error?: string }
export type Ref = readonly string[]
/** Something on the agenda: when, for whom by the `kind` of it, and which one. Data alone, so that it can be taken back. */
export type Due = {
  readonly instant: number
  readonly order: number
  readonly kind: string
  /** What it is about, as a tuple of ids. */
  readonly ref: Ref
  readonly what: string
}
/** Does what is due. It says `false` where there was nothing left to be done, which is no event. */
type Doing = (ref: Ref) => boolean

const byInstant = (a: Due, b: Due): number => a.instant - b.instant || a.order - b.order

/**
 * A world's time: `real` follows the machine, `set` runs from an instant it was set to, `frozen` stands still.
 *
 * What falls due runs in order of its time, with the clock showing that time, whether the clock is moved or runs by itself.
 */
export class Clock {
  readonly #store: Store
  readonly #agenda: LazyTable<Due, undefined>
  readonly #begun: ((clock: Clock) => void) | undefined
  #doing: Map<string, Doing> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `begun` says who does what falls due, before the first thing does: in most worlds nothing ever falls due. */
  constructor(store = new Store(), begun?: (clock: Clock) => void) {
    this.#store = store
    this.#agenda = new LazyTable(store, 'agenda', byInstant)
    this.#begun = begun
    store.listen(this)
  }

  get #doers(): Map<string, Doing> {
    if (this.#doing) return this.#doing
    this.#doing = new Map()
    this.#begun?.(this)
    return this.#doing
  }

  get mode(): ClockMode {
    return this.#store.counters.clock.mode
  }

  /** Milliseconds since the epoch, as the world sees them. One that runs stands still where the time of clocks ends. */
  now(): number {
    const { mode, base } = this.#store.counters.clock
    return mode === 'frozen' ? base : Math.min(Date.now() + base, LATEST)
  }

  /** `{ mode, now }`, as `GET /_control/clock` shows it. */
  state(): ClockState {
    return { mode: this.mode, now: new Date(this.now()).toISOString() }
  }

  /** Stands still, at this moment or at the instant given. */
  freeze(instant: Date | string | number = this.now()): Fired[] {
    return this.#turn('frozen', momentOf(instant))
  }

  /** Shows another instant: a frozen clock stays frozen, a running one runs on from there. */
  set(instant: Date | string | number): Fired[] {
    return this.#turn(this.mode === 'frozen' ? 'frozen' : 'set', momentOf(instant))
  }

  /** Runs on from the instant that it shows, or from the one given. */
  run(instant: Date | string | number = this.now()): Fired[] {
    return this.#turn('set', momentOf(instant))
  }

  /** Follows the machine again. */
  real(): Fired[] {
    return this.#turn('real', Date.now())
  }

  /** Shows what a state says from here on, without running what has fallen due by then. */
  become({ mode, now }: ClockState): void {
    this.#show(mode, momentOf(now))
    this.#wind()
  }

  /** Does something while standing still at an instant. */
  showing<R>(instant: number, act: () => R): R {
    const before = this.#store.counters.clock
    this.#show('frozen', instant)
    try {
      return act()
    } finally {
      this.#store.counters.clock = before
      this.#wind()
    }
  }

  /** Moves on by a duration and runs what falls due on the way; returns what fired. */
  advance(duration: string | number): Fired[] {
    return this.set(this.now() + durationOf(duration))
  }

  /** Moves on to an instant and runs what falls due on the way; returns what fired. An earlier instant is a RangeError. */
  advanceTo(instant: Date | string | number): Fired[] {
    return this.set(this.ahead(instant))
  }

  /** An instant to move on to, in milliseconds. An earlier one is a RangeError. */
  ahead(instant: Date | string | number): number {
    const moment = momentOf(instant)
    if (moment < this.now()) throw new RangeError(`cannot advance back to ${new Date(moment).toISOString()}`)
    return moment
  }

  /** Says what is done when something of a kind falls due. */
  on(kind: string, doing: Doing): void {
    this.#doers.set(kind, doing)
  }

  /** Puts something on the agenda for an instant. */
  schedule(instant: number, { kind, ref, what }: Pick<Due, 'kind' | 'ref' | 'what'>): void {
    this.#agenda.set({ instant, order: this.#store.counters.scheduled++, kind, ref, what }, undefined)
    this.#wind()
  }

  /** Takes all of a kind off the agenda. */
  callOff(kind: string): void {
    for (const due of this.#agenda.keys()) if (due.kind === kind) this.#agenda.delete(due)
  }

  /** Takes off the agenda what it has at an instant for one of a kind. */
  unschedule(instant: number, { kind, ref }: Pick<Due, 'kind' | 'ref'>): void {
    for (const due of this.#agenda.range(
      { instant, order: 0, kind, ref, what: '' },
      (due) => due.instant === instant,
    )) {
      if (due.kind === kind && byTuple(due.ref, ref) === 0) this.#agenda.delete(due)
    }
  }

  /** The instant at which something falls due next. */
  get nextDue(): number | undefined {
    return this.#agenda.first?.instant
  }

  /** The agenda became what it was before. */
  onRollback(): void {
    this.#wind()
  }

  /** Does nothing more of what falls due, and lets the process end. */
  close(): void {
    this.#doing = new Map()
    clearTimeout(this.#timer)
  }

  #show(mode: ClockMode, instant: number): void {
    const base = mode === 'frozen' ? instant : mode === 'set' ? instant - Date.now() : 0
    this.#store.counters.clock = { mode, base }
  }

  #turn(mode: ClockMode, to: number): Fired[] {
    const fired: Fired[] = []
    for (let due = this.#agenda.first; due && due.instant <= to; due = this.#agenda.first) {
      this.#agenda.delete(due)
      this.#show('frozen', due.instant)
      const what = this.#done(due)
      if (what) fired.push(what)
    }
    this.#show(mode, to)
    this.#wind()
    return fired
  }

  /** Does what is due, whole or not at all. A fault in it is told to whoever moved the clock, and stops nothing else. */
  #done({ kind, ref, what, instant }: Due): Fired | undefined {
    const at = new Date(instant).toISOString()
    const doing = () => this.#doers.get(kind)?.(ref) ?? false
    try {
      return this.#store.withAuthor({ by: 'clock' }, () => this.#store.transaction(doing)) ? { what, at } : undefined
    } catch (error) {
      return { what, at, error: reportFault(what, error) }
    }
  }

  /** A running clock wakes by itself when the next thing falls due; it never keeps the process alive for it. */
  #wind(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.mode === 'frozen') return
    const next = this.nextDue
    if (next === undefined) return
    const wait = Math.min(Math.max(next - this.now(), 0), LONGEST_TIMER)
    this.#timer = setTimeout(() => this.#turn(this.mode, this.now()), wait)
    this.#timer.unref?.()
  }
}

/**
 * Does something once so many milliseconds of real time are up, unless it is called off. It holds the process: a script that
 * waits for nothing else is not to end without a word.
 */
export function whenTimeIsUp(length: number, act: () => void): () => void {
  const timer = setTimeout(act, Math.min(length, LONGEST_TIMER))
  return () => clearTimeout(timer)
}

/** The machine's time, which real clocks show. */
export const machineTime = (): number => Date.now()

/** A timer of more milliseconds than these fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1
