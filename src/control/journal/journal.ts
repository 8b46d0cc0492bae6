import { type Text, TextParts, toText } from '../../schema/texts.ts'
import type { ObservedRequest } from '../request.ts'
import { formatLogLine } from './logLine.ts'
import type { CallHint, JournalEntry } from './recordedCall.ts'

/** The outcome of a request. Without a status there was no response. */
export type RequestOutcome = {
  readonly status?: number
  readonly text?: Text | null
  readonly reason?: string | undefined
  /** The id of the fault that fired. */
  readonly fault?: string | undefined
  readonly hints?: readonly CallHint[]
}

export const DEFAULT_JOURNAL_SIZE = 1000
export const MAX_JOURNAL_SIZE = 1_000_000
/** Returns true for a valid number of requests. */
export const isJournalSize = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_JOURNAL_SIZE

/** Bytes of all texts together, at two per character, and bytes of each entry beside its texts. */
const MAX_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 512
/** Characters kept of a request body or response. */
const MAX_TEXT_LENGTH = 256 * 1024

/** Receives one line per request, when it is answered. */
export type Log = (line: string) => void

/** Returns real time in milliseconds, for the durations of requests. */
export const realTime = (): number => performance.now()

const NO_HINTS: readonly CallHint[] = []

/** A listener of recorded requests and of changes to the world. */
export type JournalListener = {
  onCall?(entry: JournalEntry): void
  /** `reset`, `restored`, or `changed` for any other control operation that writes. */
  onWorldChange?(name: string): void
  onClose(): void
}

/**
 * The requests of a world, the latest last. Recording is cheap, because texts are parsed only when entries are read. Above its
 * limits the journal drops and counts its oldest entries.
 */
export class Journal {
  readonly world: string
  readonly #clock: { now(): number }
  readonly #limit: number
  readonly #log: Log | undefined
  #entries: (JournalEntry | undefined)[] = []
  /** Positions among all recorded entries: the first after the last clear, the first that is kept, and the end. */
  #cleared = 0
  #first = 0
  #end = 0
  #size = 0
  #latest = 0
  /** The highest number among the entries that were dropped or cleared. */
  #latestDropped = 0
  #batches = 0
  #listeners: Set<JournalListener> | undefined

  constructor(world: string, clock: { now(): number }, limit: number = DEFAULT_JOURNAL_SIZE, log?: Log) {
    this.world = world
    this.#clock = clock
    this.#limit = limit
    this.#log = log
  }

  get isOff(): boolean {
    return this.#limit === 0
  }

  /** The number of entries that were dropped since the journal was last cleared. */
  get evicted(): number {
    return this.#first - this.#cleared
  }

  /** Returns the number of the next request. */
  nextNumber(): number {
    this.#latest += 1
    return this.#latest
  }

  /** Returns the number of the next batch. */
  nextBatchNumber(): number {
    this.#batches += 1
    return this.#batches
  }

  record(request: ObservedRequest, outcome: RequestOutcome, startedAt: number): void {
    if (this.isOff && !this.#log) return
    const { method, verb, path, pathParams, account, client, batch } = request
    const query = request.query.size > 0 ? request.query.toString() : ''
    const sent = request.text
    const response = outcome.text ?? ''
    const isCut = isLong(sent) || isLong(response)
    const text = isCut ? toText(beginning(sent)) : sent
    const answer = isCut ? beginning(response) : response
    request.n ??= this.nextNumber()
    const entry: JournalEntry = {
      n: request.n,
      at: this.#clock.now(),
      ms: realTime() - startedAt,
      method,
      verb,
      path,
      pathParams,
      query,
      text,
      account,
      client,
      inspector: request.isFromInspector === true,
      batch,
      status: outcome.status,
      reason: outcome.reason,
      answer,
      fault: outcome.fault,
      hints: outcome.hints ?? NO_HINTS,
      cut: isCut,
      // The path counts twice, because its parameters hold its parts.
      size: ENTRY_BYTES + 2 * (2 * path.length + query.length + text.length) + sizeOf(answer),
    }
    if (this.#log) writeLog(this.#log, entry, this.world)
    if (!this.isOff) this.#keep(entry)
  }

  #keep(entry: JournalEntry): void {
    if (this.#end - this.#first >= this.#limit) this.#drop()
    this.#entries[this.#end % this.#limit] = entry
    this.#end += 1
    this.#size += entry.size
    while (this.#size > MAX_BYTES) this.#drop()
    if (this.#listeners) for (const listener of this.#listeners) listener.onCall?.(entry)
  }

  #drop(): void {
    const at = this.#first % this.#limit
    const { n = 0, size = 0 } = this.#entries[at] ?? {}
    this.#latestDropped = Math.max(this.#latestDropped, n)
    this.#size -= size
    this.#entries[at] = undefined
    this.#first += 1
  }

  /** Returns the entries that were recorded after the first `seen`, in the order of their numbers. */
  entries(seen = 0): JournalEntry[] {
    // A delayed request is recorded after those that came after it.
    return this.after(seen).entries.sort((a, b) => a.n - b.n)
  }

  /**
   * Returns how many entries were recorded up to the entry `n`. A delayed request has a smaller number than requests
   * recorded before it, so that a reader that continues by number alone would miss it.
   */
  positionOf(n: number): number {
    const { entries } = this.after(0)
    const index = entries.findIndex((entry) => entry.n === n)
    if (index >= 0) return this.#first + index + 1
    if (n > this.#latestDropped) {
      const next = entries.findIndex((entry) => entry.n > n)
      return next < 0 ? this.#end : this.#first + next
    }
    // The reader may have read some of the dropped entries. No more are missing than numbers lie in between.
    const missed = (entries[0]?.n ?? this.#latest + 1) - 1 - n
    return Math.max(this.#first - Math.max(missed, 0), 0)
  }

  /** Returns the number of entries recorded so far, dropped ones included. */
  get end(): number {
    return this.#end
  }

  /** Returns the entries after the first `seen`, the new value of `seen`, and the number of entries missed in between. */
  after(seen: number): { entries: JournalEntry[]; seen: number; missed: number } {
    const entries: JournalEntry[] = []
    for (let at = Math.max(seen, this.#first); at < this.#end; at++) {
      const entry = this.#entries[at % this.#limit]
      if (entry) entries.push(entry)
    }
    return { entries, seen: this.#end, missed: Math.max(this.#first - Math.max(seen, this.#cleared), 0) }
  }

  /** Removes all entries and returns their number. Numbering continues. */
  clear(): number {
    const count = this.#end - this.#first
    for (const { n } of this.after(0).entries) this.#latestDropped = Math.max(this.#latestDropped, n)
    this.#entries = []
    this.#first = this.#end
    this.#cleared = this.#end
    this.#size = 0
    return count
  }

  /** Adds a listener. Returns the function that removes it. */
  listen(listener: JournalListener): () => void {
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Notifies the listeners: `reset`, `restored` or `changed`. */
  notify(name: string): void {
    if (this.#listeners) for (const listener of [...this.#listeners]) listener.onWorldChange?.(name)
  }

  close(): void {
    for (const listener of [...(this.#listeners ?? [])]) listener.onClose()
    this.#listeners = undefined
  }
}

/** Writes a line. An error in the author's log does not fail the request. */
function writeLog(log: Log, entry: JournalEntry, world: string): void {
  try {
    log(formatLogLine(entry, world))
  } catch (error) {
    console.error(`fake-calendar: the log threw: ${error}`)
  }
}

const isLong = (text: Text): boolean => text.length > MAX_TEXT_LENGTH

/** Returns the size of a text in bytes. */
const sizeOf = (text: Text): number => (typeof text === 'string' ? 2 : 1) * text.length

/** Returns a copy of the beginning, because a slice retains the whole text. The copy ends at a character boundary. */
function beginning(text: Text): Text {
  if (!isLong(text)) return text
  if (typeof text === 'string') return Buffer.from(text.slice(0, MAX_TEXT_LENGTH)).toString()
  const bytes = text.bytes()
  let end = MAX_TEXT_LENGTH
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return new TextParts([Buffer.from(bytes.subarray(0, end))])
}
