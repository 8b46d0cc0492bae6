import { Store } from './store.ts'
import { Table } from './table.ts'

/** The one place that reads the machine's clock and sets its timers. */
export type ClockMode = 'real' | 'set' | 'frozen'
export type ClockState = { mode: ClockMode; now: string }
/** Something that falls due: what it is called and when it did. */
export type Fired = { what: string; at: string }
/** Something on the agenda: when, for whom by the `kind` of it, and which one. Data alone, so that it can be taken back. */
export type Due = {
  readonly instant: number
  readonly order: number
  readonly kind: string
  readonly ref: string
  readonly what: string
}
/** Does what is due. It says `false` where there was nothing left to be done, which is no event. */
type Doing = (ref: string) => boolean

const byInstant = (a: Due, b: Due): number => a.instant - b.instant || a.order - b.order

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds in a duration: a number of them, or text such as `90s`, `1h30m`, `2d`, `1w`. Anything else is a RangeError. */
export function durationOf(duration: string | number): number {
  if (typeof duration === 'number' && duration >= 0 && Number.isFinite(duration)) return duration
  const parts = [...String(duration).matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration) {
    throw new RangeError(`not a duration: ${duration} (expected milliseconds, or text such as 90s, 1h30m, 2d)`)
  }
  return parts.reduce((sum, [, count = '0', unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
}

/** Milliseconds since the epoch of an instant given as a Date, as milliseconds or as text. Anything else is a RangeError. */
export function momentOf(instant: Date | string | number): number {
  const moment =
    typeof instant === 'string' && !/T.*(Z|[+-]\d\d:?\d\d)$/i.test(instant) ? Number.NaN : new Date(instant).getTime()
  if (Number.isNaN(moment))
    throw new RangeError(`not an instant: ${instant} (expected a form such as 2026-03-02T09:00:00Z)`)
  return moment
}

/**
 * A world's time: `real` follows the machine, `set` runs from an instant it was set to, `frozen` stands still.
 *
 * What falls due runs in order of its time, with the clock showing that time, whether the clock is moved or runs by itself.
 */
export class Clock {
  #mode: ClockMode = 'real'
  /** What to add to the machine's clock, or while frozen the instant shown. */
  #base = 0
  readonly #store: Store
  readonly #agenda: Table<Due, undefined>
  readonly #doing = new Map<string, Doing>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(store = new Store()) {
    this.#store = store
    this.#agenda = new Table(store, 'agenda', byInstant)
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds since the epoch, as the world sees them. */
  now(): number {
    return this.#mode === 'frozen' ? this.#base : Date.now() + this.#base
  }

  /** `{ mode, now }`, as `GET /_control/clock` shows it. */
  state(): ClockState {
    return { mode: this.#mode, now: new Date(this.now()).toISOString() }
  }

  /** Stands still, at this moment or at the instant given. */
  freeze(instant: Date | string | number = this.now()): Fired[] {
    return this.#turn('frozen', momentOf(instant))
  }

  /** Shows another instant: a frozen clock stays frozen, a running one runs on from there. */
  set(instant: Date | string | number): Fired[] {
    return this.#turn(this.#mode === 'frozen' ? 'frozen' : 'set', momentOf(instant))
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
    this.#mode = mode
    const instant = momentOf(now)
    this.#base = mode === 'frozen' ? instant : mode === 'set' ? instant - Date.now() : 0
    this.#wind()
  }

  /** Does something while standing still at an instant. */
  showing<R>(instant: number, act: () => R): R {
    const [mode, base] = [this.#mode, this.#base]
    this.#mode = 'frozen'
    this.#base = instant
    try {
      return act()
    } finally {
      this.#mode = mode
      this.#base = base
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
    this.#doing.set(kind, doing)
  }

  /** Puts something on the agenda for an instant. */
  schedule(instant: number, { kind, ref, what }: Pick<Due, 'kind' | 'ref' | 'what'>): void {
    this.#agenda.set({ instant, order: this.#store.counters.scheduled++, kind, ref, what }, undefined)
    this.#wind()
  }

  /** Takes off the agenda all of a kind, or what it has for one of them. */
  callOff(kind: string, ref?: string): void {
    for (const due of this.#agenda.keys()) {
      if (due.kind === kind && (ref === undefined || due.ref === ref)) this.#agenda.delete(due)
    }
  }

  /** The instant at which something falls due next. */
  get nextDue(): number | undefined {
    return this.#agenda.first?.instant
  }

  /** Does nothing more of what falls due, and lets the process end. */
  close(): void {
    this.#doing.clear()
    clearTimeout(this.#timer)
  }

  #turn(mode: ClockMode, to: number): Fired[] {
    const fired: Fired[] = []
    for (let due = this.#agenda.first; due && due.instant <= to; due = this.#agenda.first) {
      this.#agenda.delete(due)
      this.#mode = 'frozen'
      this.#base = due.instant
      const { kind, ref, what, instant } = due
      const done = this.#store.transaction(() => this.#doing.get(kind)?.(ref) ?? false)
      if (done) fired.push({ what, at: new Date(instant).toISOString() })
    }
    this.#mode = mode
    this.#base = mode === 'frozen' ? to : mode === 'set' ? to - Date.now() : 0
    this.#wind()
    return fired
  }

  /** A running clock wakes by itself when the next thing falls due; it never keeps the process alive for it. */
  #wind(): void {
    clearTimeout(this.#timer)
    const next = this.nextDue
    if (next === undefined || this.#mode === 'frozen') return
    const wait = Math.min(Math.max(next - this.now(), 0), LONGEST_TIMER)
    this.#timer = setTimeout(() => this.#turn(this.#mode, this.now()), wait)
    this.#timer.unref?.()
  }
}

const LONGEST_TIMER = 2 ** 31 - 1
