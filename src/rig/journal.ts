import { inLetters, Laid, type Text } from '../wire/texts.ts'
import type { Asked } from './asked.ts'
import { lineOf } from './line.ts'
import type { CallHint, Note } from './recorded.ts'

/** What a request was answered with; no status where there was no answer. */
export type Outcome = {
  readonly status?: number
  readonly text?: Text | null
  readonly reason?: string | undefined
  /** The fault that it met. */
  readonly fault?: string | undefined
  readonly hints?: readonly CallHint[]
}

/** How many requests are kept, unless the test author says otherwise, and how many there may be room for. */
export const USUAL = 1000
export const MOST = 1_000_000
export const isRoom = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST

/** How much is kept in all, in bytes, where a letter takes two; and beside its texts for each request. */
const LARGEST = 16 * 1024 * 1024
const BESIDE = 512
/** How much of a body or of an answer is kept: letters, or bytes of what is in parts. */
const LONGEST = 256 * 1024

/** Takes a line for each request, as it is answered. */
export type Log = (line: string) => void

/** The machine's time in milliseconds since some moment: how long something takes is real. */
export const moment = (): number => performance.now()

const NO_HINTS: readonly CallHint[] = []

/** Told of each request as it is noted, and of what becomes of the world. */
export type Listener = {
  called?(note: Note): void
  /** `reset`, `restored`, or `changed` where a test author has done something else to it. */
  told?(name: string): void
  closed(): void
}

/**
 * What was asked of a world, the latest last. Noting costs next to nothing: texts are kept as they are, and what they say
 * is worked out when somebody looks. What is more than there is room for is dropped, the oldest first, and counted.
 */
export class Journal {
  readonly world: string
  readonly #clock: { now(): number }
  readonly #limit: number
  readonly #log: Log | undefined
  #notes: (Note | undefined)[] = []
  /** Of all that were noted, the first that was not cleared, the first that is kept, and how many there were. */
  #cleared = 0
  #first = 0
  #end = 0
  #size = 0
  #latest = 0
  #batches = 0
  #listeners: Set<Listener> | undefined

  constructor(world: string, clock: { now(): number }, limit: number = USUAL, log?: Log) {
    this.world = world
    this.#clock = clock
    this.#limit = limit
    this.#log = log
  }

  get isOff(): boolean {
    return this.#limit === 0
  }

  /** How many requests were dropped for want of room since the journal was last cleared. */
  get evicted(): number {
    return this.#first - this.#cleared
  }

  /** The number of the next request. */
  take(): number {
    this.#latest += 1
    return this.#latest
  }

  /** The number of the next batch. */
  takeBatch(): number {
    this.#batches += 1
    return this.#batches
  }

  /** When a request came, to tell how long it took. */
  begin(): number {
    return this.isOff && !this.#log ? 0 : moment()
  }

  note(asked: Asked, outcome: Outcome, begun: number): void {
    if (this.isOff && !this.#log) return
    const { method, verb, path, named, account, client, batch } = asked
    const query = asked.query.size > 0 ? asked.query.toString() : ''
    const sent = asked.text
    const said = outcome.text ?? ''
    const cut = isLong(sent) || isLong(said)
    const text = cut ? inLetters(beginning(sent)) : sent
    const answer = cut ? beginning(said) : said
    asked.n ??= this.take()
    const note: Note = {
      n: asked.n,
      at: this.#clock.now(),
      ms: moment() - begun,
      method,
      verb,
      path,
      named,
      query,
      text,
      account,
      client,
      batch,
      status: outcome.status,
      reason: outcome.reason,
      answer,
      fault: outcome.fault,
      hints: outcome.hints ?? NO_HINTS,
      cut,
      inspector: asked.inspector === true,
      // The path is said twice: in its parts as well.
      size: BESIDE + 2 * (2 * path.length + query.length + text.length) + sizeOf(answer),
    }
    if (this.#log) logged(this.#log, note, this.world)
    if (!this.isOff) this.#keep(note)
  }

  #keep(note: Note): void {
    if (this.#end - this.#first >= this.#limit) this.#drop()
    this.#notes[this.#end % this.#limit] = note
    this.#end += 1
    this.#size += note.size
    while (this.#size > LARGEST) this.#drop()
    if (this.#listeners) for (const listener of this.#listeners) listener.called?.(note)
  }

  #drop(): void {
    const at = this.#first % this.#limit
    this.#size -= this.#notes[at]?.size ?? 0
    this.#notes[at] = undefined
    this.#first += 1
  }

  /** What is kept, in the order of the numbers. */
  notes(): Note[] {
    // One that had to wait for its answer was noted after those that came after it.
    return this.after(0).notes.sort((a, b) => a.n - b.n)
  }

  /** What was noted after so many, as it came, how many that makes in all, and how many more there were. */
  after(seen: number): { notes: Note[]; seen: number; missed: number } {
    const notes: Note[] = []
    for (let at = Math.max(seen, this.#first); at < this.#end; at++) {
      const note = this.#notes[at % this.#limit]
      if (note) notes.push(note)
    }
    return { notes, seen: this.#end, missed: Math.max(this.#first - Math.max(seen, this.#cleared), 0) }
  }

  /** Forgets what was asked; the numbers go on. Returns how many requests were kept. */
  clear(): number {
    const kept = this.#end - this.#first
    this.#notes = []
    this.#first = this.#end
    this.#cleared = this.#end
    this.#size = 0
    return kept
  }

  /** Listens from now on. Returns what ends it. */
  listen(listener: Listener): () => void {
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Tells those who listen what became of the world: `reset`, `restored` or `changed`. */
  tell(name: string): void {
    if (this.#listeners) for (const listener of [...this.#listeners]) listener.told?.(name)
  }

  close(): void {
    for (const listener of [...(this.#listeners ?? [])]) listener.closed()
    this.#listeners = undefined
  }
}

/** What goes wrong in a log of somebody's own is no matter of the request's. */
function logged(log: Log, note: Note, world: string): void {
  try {
    log(lineOf(note, world))
  } catch (error) {
    console.error(`fake-calendar: the log threw: ${error}`)
  }
}

const isLong = (text: Text): boolean => text.length > LONGEST

/** In bytes. */
const sizeOf = (text: Text): number => (typeof text === 'string' ? 2 : 1) * text.length

/** A copy: a part of a text holds on to all of it. What is cut off ends before a letter. */
function beginning(text: Text): Text {
  if (!isLong(text)) return text
  if (typeof text === 'string') return Buffer.from(text.slice(0, LONGEST)).toString()
  const bytes = text.bytes()
  let end = LONGEST
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return new Laid([Buffer.from(bytes.subarray(0, end))])
}
