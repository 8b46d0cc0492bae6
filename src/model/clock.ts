import { LazyTable } from '../db/lazyTable.ts'
import { type ClockMode, Store } from '../db/store.ts'
import { byTuple } from '../db/tree.ts'
import { MAX_INSTANT_MS, parseDuration, parseInstant } from '../recurrence/duration.ts'
import { reportFault } from './reportFault.ts'

export { type ClockMode, parseDuration, parseInstant }

/** The clock as `GET /_control/clock` shows it. */
export type ClockState = { mode: ClockMode; now: string }
/** A task that ran: its description and its instant. With `error` it failed and was rolled back. */
export type Fired = { what: string; at: string; error?: string }
export type Ref = readonly string[]
/** A scheduled task. It has no function, so that it can be part of the world's data. `kind` selects its handler. */
export type Due = {
  readonly instant: number
  readonly order: number
  readonly kind: string
  /** The tuple of ids that the handler gets. */
  readonly ref: Ref
  readonly what: string
}
/** Runs a task. Returns false if there was nothing to do; such a task is not reported. */
type TaskHandler = (ref: Ref) => boolean

const byInstant = (a: Due, b: Due): number => a.instant - b.instant || a.order - b.order

/**
 * The clock of a world: `real` follows the machine, `set` runs from an instant, `frozen` stands still. Due tasks run in
 * the order of their instants, and the clock shows the instant of the task that runs. A moved clock and a running one
 * both run them.
 */
export class WorldClock {
  readonly #store: Store
  readonly #agenda: LazyTable<Due, undefined>
  readonly #registerTasks: ((clock: WorldClock) => void) | undefined
  #handlers: Map<string, TaskHandler> | undefined
  #stopTimer: (() => void) | undefined

  /** `registerTasks` is called before the first task runs, because most worlds never run one. */
  constructor(store = new Store(), registerTasks?: (clock: WorldClock) => void) {
    this.#store = store
    this.#agenda = new LazyTable(store, 'agenda', byInstant)
    this.#registerTasks = registerTasks
    store.listen(this)
  }

  get #handlersOfTasks(): Map<string, TaskHandler> {
    if (this.#handlers) return this.#handlers
    this.#handlers = new Map()
    this.#registerTasks?.(this)
    return this.#handlers
  }

  get mode(): ClockMode {
    return this.#store.counters.clock.mode
  }

  /**
   * Returns the world's time in milliseconds since the epoch. A running clock stops at the latest instant of a `Date`.
   */
  now(): number {
    const { mode, base } = this.#store.counters.clock
    return mode === 'frozen' ? base : Math.min(Date.now() + base, MAX_INSTANT_MS)
  }

  state(): ClockState {
    return { mode: this.mode, now: new Date(this.now()).toISOString() }
  }

  /** Freezes the clock, at an instant or now. */
  freeze(instant: Date | string | number = this.now()): Fired[] {
    return this.#moveTo('frozen', parseInstant(instant))
  }

  /** Sets the clock to an instant. A frozen clock stays frozen; any other continues from the instant. */
  set(instant: Date | string | number): Fired[] {
    return this.#moveTo(this.mode === 'frozen' ? 'frozen' : 'set', parseInstant(instant))
  }

  /** Makes the clock run, from an instant or from the present one. */
  run(instant: Date | string | number = this.now()): Fired[] {
    return this.#moveTo('set', parseInstant(instant))
  }

  /** Makes the clock follow the machine again. */
  real(): Fired[] {
    return this.#moveTo('real', Date.now())
  }

  /** Sets mode and instant without running tasks that are due. */
  setState({ mode, now }: ClockState): void {
    this.#show(mode, parseInstant(now))
    this.#setTimer()
  }

  /** Calls `act` with the clock frozen at an instant. */
  runAt<R>(instant: number, act: () => R): R {
    const before = this.#store.counters.clock
    this.#show('frozen', instant)
    try {
      return act()
    } finally {
      this.#store.counters.clock = before
      this.#setTimer()
    }
  }

  /** Moves the clock forward by a duration. Returns the tasks that ran. */
  advance(duration: string | number): Fired[] {
    return this.set(this.now() + parseDuration(duration))
  }

  /** Moves the clock forward to an instant. Returns the tasks that ran. Throws a RangeError for an earlier instant. */
  advanceTo(instant: Date | string | number): Fired[] {
    return this.set(this.requireLater(instant))
  }

  /** Parses an instant to milliseconds. Throws a RangeError if it is before the present one. */
  requireLater(instant: Date | string | number): number {
    const moment = parseInstant(instant)
    if (moment < this.now()) throw new RangeError(`cannot advance back to ${new Date(moment).toISOString()}`)
    return moment
  }

  /** Registers the handler of a kind of task. */
  on(kind: string, handlers: TaskHandler): void {
    this.#handlersOfTasks.set(kind, handlers)
  }

  /** Schedules a task. */
  schedule(instant: number, { kind, ref, what }: Pick<Due, 'kind' | 'ref' | 'what'>): void {
    this.#agenda.set({ instant, order: this.#store.counters.scheduled++, kind, ref, what }, undefined)
    this.#setTimer()
  }

  /** Removes all tasks of a kind. */
  unscheduleAll(kind: string): void {
    for (const due of this.#agenda.keys()) if (due.kind === kind) this.#agenda.delete(due)
  }

  /** Removes the task of a kind with this `ref` at an instant. */
  unschedule(instant: number, { kind, ref }: Pick<Due, 'kind' | 'ref'>): void {
    for (const due of this.#agenda.range(
      { instant, order: 0, kind, ref, what: '' },
      (due) => due.instant === instant,
    )) {
      if (due.kind === kind && byTuple(due.ref, ref) === 0) this.#agenda.delete(due)
    }
  }

  /** The instant of the next task. */
  get nextDue(): number | undefined {
    return this.#agenda.first?.instant
  }

  /**
   * Runs the tasks that are due. The timer of a running clock is late if the process is busy or a test replaces `Date`.
   */
  catchUp(): void {
    if (this.mode === 'frozen') return
    const { nextDue } = this
    if (nextDue !== undefined && nextDue <= this.now()) this.#moveTo(this.mode, this.now())
  }

  /** Sets the timer again, because a rollback may have changed the tasks. */
  onRollback(): void {
    this.#setTimer()
  }

  /** Stops all tasks and the timer. */
  close(): void {
    this.#handlers = new Map()
    this.#stopTimer?.()
  }

  #show(mode: ClockMode, instant: number): void {
    const base = mode === 'frozen' ? instant : mode === 'set' ? instant - Date.now() : 0
    this.#store.counters.clock = { mode, base }
  }

  #moveTo(mode: ClockMode, to: number): Fired[] {
    const fired: Fired[] = []
    for (let due = this.#agenda.first; due && due.instant <= to; due = this.#agenda.first) {
      this.#agenda.delete(due)
      this.#show('frozen', due.instant)
      const what = this.#runTask(due)
      if (what) fired.push(what)
    }
    this.#show(mode, to)
    this.#setTimer()
    return fired
  }

  /** Runs a task as a transaction. A task that fails is reported and does not stop the others. */
  #runTask({ kind, ref, what, instant }: Due): Fired | undefined {
    const at = new Date(instant).toISOString()
    const handlers = () => this.#handlersOfTasks.get(kind)?.(ref) ?? false
    try {
      return this.#store.withAuthor({ by: 'clock' }, () => this.#store.transaction(handlers)) ? { what, at } : undefined
    } catch (error) {
      return { what, at, error: reportFault(what, error) }
    }
  }

  /** Sets the timer of a running clock for the next task. It does not keep the process alive. */
  #setTimer(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.mode === 'frozen') return
    const next = this.nextDue
    if (next === undefined) return
    const wait = Math.min(Math.max(next - this.now(), 0), MAX_TIMER_MS)
    // A test may replace the timer functions later, so the timer is cleared by the function that belongs to it.
    const { setTimeout, clearTimeout } = globalThis
    const timer = setTimeout(() => this.#moveTo(this.mode, this.now()), wait)
    timer.unref?.()
    this.#stopTimer = () => clearTimeout(timer)
  }
}

/**
 * Calls `act` after some milliseconds of real time. Returns a function that cancels it. The timer keeps the process
 * alive, so that a script that only waits does not end silently.
 */
export function startTimeout(length: number, act: () => void): () => void {
  const timer = setTimeout(act, Math.min(length, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Returns the machine's time in milliseconds. */
export const machineTime = (): number => Date.now()

/** The longest delay of a timer in milliseconds. Node fires a longer one at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
