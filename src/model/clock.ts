import { byTuple, type ClockMode, LazyTable, Store } from '../db/store.ts'
import { MAX_INSTANT_MS, parseDuration, parseInstant } from '../recurrence/duration.ts'
import { shortenLine } from '../schema/values/shownText.ts'

export { type ClockMode, parseDuration, parseInstant }

export type ClockState = { mode: ClockMode; now: string }
/** `at` is in UTC. With `error`, a message, the task failed and was rolled back. */
export type Fired = { what: string; at: string; error?: string }
export type Ref = readonly string[]
/** A task has no function, so that it can be part of the world's data. `kind` selects its handler. */
export type Due = {
  /** Milliseconds since the epoch. */
  readonly instant: number
  readonly order: number
  readonly kind: string
  readonly ref: Ref
  readonly what: string
}
/** Returns false if there was nothing to do; such a task is not reported. */
type TaskHandler = (ref: Ref) => boolean

const byInstant = (a: Due, b: Due): number => a.instant - b.instant || a.order - b.order

/**
 * `real` follows the machine, `set` runs from an instant, `frozen` stands still. Due tasks run in the order of their instants,
 * and the clock shows the instant of the task that runs. They run when the clock is moved, and by a timer while it is `real` or
 * `set`. A method that returns `Fired[]` runs the tasks up to the new instant. Throws a RangeError for an invalid instant. The
 * clock can be moved back.
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

  /** Milliseconds since the epoch. A running clock stops at `MAX_INSTANT_MS`, in 2200. */
  now(): number {
    const { mode, base } = this.#store.counters.clock
    return mode === 'frozen' ? base : Math.min(Date.now() + base, MAX_INSTANT_MS)
  }

  state(): ClockState {
    return { mode: this.mode, now: new Date(this.now()).toISOString() }
  }

  freeze(instant: Date | string | number = this.now()): Fired[] {
    return this.#moveTo('frozen', parseInstant(instant))
  }

  /** A frozen clock stays frozen; any other continues from the instant. */
  set(instant: Date | string | number): Fired[] {
    return this.#moveTo(this.mode === 'frozen' ? 'frozen' : 'set', parseInstant(instant))
  }

  run(instant: Date | string | number = this.now()): Fired[] {
    return this.#moveTo('set', parseInstant(instant))
  }

  real(): Fired[] {
    return this.#moveTo('real', Date.now())
  }

  setState({ mode, now }: ClockState): void {
    this.#setTime(mode, parseInstant(now))
    this.#setTimer()
  }

  /** Freezes the clock during `run`, and runs no tasks. */
  runAt<R>(instant: number, run: () => R): R {
    const before = this.#store.counters.clock
    this.#setTime('frozen', instant)
    try {
      return run()
    } finally {
      this.#store.counters.clock = before
      this.#setTimer()
    }
  }

  advance(duration: string | number): Fired[] {
    return this.set(this.now() + parseDuration(duration))
  }

  /** Throws a RangeError for an instant before the present. */
  advanceTo(instant: Date | string | number): Fired[] {
    return this.set(this.requireLater(instant))
  }

  requireLater(instant: Date | string | number): number {
    const moment = parseInstant(instant)
    if (moment < this.now()) throw new RangeError(`cannot advance back to ${new Date(moment).toISOString()}`)
    return moment
  }

  on(kind: string, handler: TaskHandler): void {
    this.#handlersOfTasks.set(kind, handler)
  }

  /** Milliseconds. A task runs even if its `ref` is scheduled already. */
  schedule(instant: number, { kind, ref, what }: Pick<Due, 'kind' | 'ref' | 'what'>): void {
    this.#agenda.set({ instant, order: this.#store.counters.scheduled++, kind, ref, what }, undefined)
    this.#setTimer()
  }

  unscheduleAll(kind: string): void {
    for (const due of this.#agenda.keys()) if (due.kind === kind) this.#agenda.delete(due)
  }

  unschedule(instant: number, { kind, ref }: Pick<Due, 'kind' | 'ref'>): void {
    for (const due of this.#agenda.range(
      { instant, order: 0, kind, ref, what: '' },
      (due) => due.instant === instant,
    )) {
      if (due.kind === kind && byTuple(due.ref, ref) === 0) this.#agenda.delete(due)
    }
  }

  get nextDue(): number | undefined {
    return this.#agenda.first?.instant
  }

  /**
   * Does nothing while the clock is frozen. The timer of a running clock is late if the process is busy or a test replaces
   * `Date`.
   */
  catchUp(): void {
    if (this.mode === 'frozen') return
    const { nextDue } = this
    if (nextDue !== undefined && nextDue <= this.now()) this.#moveTo(this.mode, this.now())
  }

  onRollback(): void {
    this.#setTimer()
  }

  /** Tasks do nothing from then on. */
  close(): void {
    this.#handlers = new Map()
    this.#stopTimer?.()
  }

  #setTime(mode: ClockMode, instant: number): void {
    const base = mode === 'frozen' ? instant : mode === 'set' ? instant - Date.now() : 0
    this.#store.counters.clock = { mode, base }
  }

  #moveTo(mode: ClockMode, to: number): Fired[] {
    const fired: Fired[] = []
    for (let due = this.#agenda.first; due && due.instant <= to; due = this.#agenda.first) {
      this.#agenda.delete(due)
      this.#setTime('frozen', due.instant)
      const result = this.#runTask(due)
      if (result) fired.push(result)
    }
    this.#setTime(mode, to)
    this.#setTimer()
    return fired
  }

  #runTask({ kind, ref, what, instant }: Due): Fired | undefined {
    const at = new Date(instant).toISOString()
    const run = () => this.#handlersOfTasks.get(kind)?.(ref) ?? false
    try {
      return this.#store.transaction(run, { by: 'clock' }) ? { what, at } : undefined
    } catch (error) {
      return { what, at, error: reportFault(what, error) }
    }
  }

  #setTimer(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.mode === 'frozen') return
    const next = this.nextDue
    if (next === undefined) return
    const wait = Math.min(Math.max(next - this.now(), 0), MAX_TIMER_MS)
    const { setTimeout, clearTimeout } = globalThis
    const timer = setTimeout(() => this.#moveTo(this.mode, this.now()), wait)
    timer.unref?.()
    this.#stopTimer = () => clearTimeout(timer)
  }
}

/**
 * Starts a timer of at most `MAX_TIMER_MS`. Returns a function that cancels the timer. It keeps the process alive, so
 * that a script that only waits does not end silently.
 */
export function startTimeout(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

export const machineTime = (): number => Date.now()

/** Node fires a longer timer at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** True for a duration from 1 to `maxMs` milliseconds. */
export function isTimeLimit(duration: unknown, maxMs = Number.POSITIVE_INFINITY): boolean {
  try {
    const length = parseDuration(duration as string | number)
    return length >= 1 && length <= maxMs
  } catch {
    return false
  }
}

/** Calls `callback` at once if the signal has aborted. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted) callback()
  else signal?.addEventListener('abort', callback, { once: true })
  return () => signal?.removeEventListener('abort', callback)
}

/**
 * Resolves to the first value that `find` returns, at once or when `listen` calls `check`; to undefined after `timeout` in real
 * milliseconds, when the signal aborts, and when `listen` calls `giveUp`. Rejects with an error of `find`.
 */
export async function waitFor<T>(
  find: () => T | undefined,
  listen: (check: () => void, giveUp: () => void) => () => unknown,
  { timeout, signal }: { timeout: number; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  const present = find()
  if (present !== undefined) return present
  return new Promise((resolve, reject) => {
    const cleanUps: (() => unknown)[] = []
    const end = (settle: () => void) => {
      for (const cleanUp of cleanUps) cleanUp()
      settle()
    }
    const giveUp = () => end(() => resolve(undefined))
    const check = () => {
      try {
        const found = find()
        if (found !== undefined) end(() => resolve(found))
      } catch (error) {
        end(() => reject(error))
      }
    }
    cleanUps.push(listen(check, giveUp), startTimeout(timeout, giveUp))
    cleanUps.push(onAbort(signal, giveUp))
  })
}

/** Prints one line on stderr that begins with `what`. Returns the name and message of the error without the stack. */
export function reportFault(what: string, error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  const [, place = ''] = /\n\s*(at [^\n]+)/.exec(stack ?? '') ?? []
  const line = shortenLine(`${message} ${place}`.replace(/\s+/g, ' ').trim())
  console.error(`fake-calendar: ${what} failed: ${line}; this is a fault of fake-calendar: please report this line`)
  return message
}
