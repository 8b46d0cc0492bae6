import { readAsText, type Text } from '../../http/reply.ts'
import type { ObservedRequest } from '../request.ts'
import { formatLogHint, formatLogLine, type Hint, type JournalEntry } from './recordedCall.ts'

export type RequestOutcome = {
  readonly status?: number
  readonly text?: Text | null
  readonly reason?: string | undefined
  readonly fault?: string | undefined
  readonly hints?: readonly Hint[]
}

export const DEFAULT_JOURNAL_SIZE = 1000
export const MAX_JOURNAL_SIZE = 1_000_000
export const isJournalSize = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_JOURNAL_SIZE

const MAX_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 512
const MAX_TEXT_LENGTH = 256 * 1024

/** Gets a line for each request, and the hints in it by their codes. */
export type Log = (line: string, hints: ReadonlyMap<string, string>) => void

export const readRealTime = (): number => performance.now()

const NO_HINTS: readonly Hint[] = []

export type JournalListener = {
  onCall?(entry: JournalEntry): void
  onWorldChange?(name: string): void
  onClose(): void
}

/** Texts are parsed only when entries are read. Above its limits the journal drops and counts its oldest entries. */
export class Journal {
  world: string
  readonly #clock: { now(): number }
  readonly #limit: number
  readonly #log: Log | undefined
  #entries: (JournalEntry | undefined)[] = []
  #cleared = 0
  #first = 0
  #end = 0
  #size = 0
  #latest = 0
  #latestDropped = 0
  #batches = 0
  #agentCalls = 0
  #agentErrors = 0
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

  get evicted(): number {
    return this.#first - this.#cleared
  }

  /**
   * The number of requests of the API and of tools since the creation of the world, and of those that failed. Requests of
   * tools and of the inspector do not count. Neither a limit nor `clear` changes the counts.
   */
  get agentCounts(): { calls: number; errors: number } {
    return { calls: this.#agentCalls, errors: this.#agentErrors }
  }

  nextNumber(): number {
    this.#latest += 1
    return this.#latest
  }

  nextBatchNumber(): number {
    this.#batches += 1
    return this.#batches
  }

  /** Sets `n` of a request without a number. Texts above 256 kB are cut. */
  record(request: ObservedRequest, outcome: RequestOutcome, startedAt: number): void {
    this.#countAgentCall(request, outcome)
    if (this.#limit === 0 && !this.#log) return
    const { method, verb, path, pathParams, account, client, batch, toolCall } = request
    const query = request.query.size > 0 ? request.query.toString() : ''
    const sent = request.text
    const response = outcome.text ?? ''
    const isCut = sent.length > MAX_TEXT_LENGTH || response.length > MAX_TEXT_LENGTH
    const text = isCut ? readAsText(startOf(sent)) : sent
    const answer = isCut ? startOf(response) : response
    const answerBytes = (typeof answer === 'string' ? 2 : 1) * answer.length
    request.n ??= this.nextNumber()
    const entry: JournalEntry = {
      n: request.n,
      at: this.#clock.now(),
      ms: readRealTime() - startedAt,
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
      toolCall,
      status: outcome.status,
      reason: outcome.reason,
      answer,
      fault: outcome.fault,
      hints: outcome.hints ?? NO_HINTS,
      cut: isCut,
      // The path counts twice, because its parameters hold its parts.
      size: ENTRY_BYTES + 2 * (2 * path.length + query.length + text.length) + answerBytes,
    }
    if (this.#log) writeLog(this.#log, entry, this.world)
    if (this.#limit > 0) this.#append(entry)
  }

  #countAgentCall({ method, toolCall, isFromInspector }: ObservedRequest, { status, reason }: RequestOutcome): void {
    if (toolCall !== undefined || isFromInspector) return
    if (method === 'mcp' || method === 'batch' || method === 'discovery') return
    this.#agentCalls += 1
    // A tool reports its errors with the status 200.
    if (status === undefined || status >= 400 || reason !== undefined) this.#agentErrors += 1
  }

  #append(entry: JournalEntry): void {
    if (this.#end - this.#first >= this.#limit) this.#dropOldest()
    this.#entries[this.#end % this.#limit] = entry
    this.#end += 1
    this.#size += entry.size
    while (this.#size > MAX_BYTES) this.#dropOldest()
    if (this.#listeners) for (const listener of this.#listeners) listener.onCall?.(entry)
  }

  #dropOldest(): void {
    const at = this.#first % this.#limit
    const { n = 0, size = 0 } = this.#entries[at] ?? {}
    this.#latestDropped = Math.max(this.#latestDropped, n)
    this.#size -= size
    this.#entries[at] = undefined
    this.#first += 1
  }

  listEntries(seen = 0): JournalEntry[] {
    return this.readAfter(seen).entries.sort((a, b) => a.n - b.n)
  }

  /**
   * Returns how many entries were recorded up to the entry `n`, for `readAfter`. A delayed request has a smaller number
   * than requests recorded before it, so a reader that continues by number alone would miss it.
   */
  findPosition(n: number): number {
    const { entries } = this.readAfter(0)
    const index = entries.findIndex((entry) => entry.n === n)
    if (index >= 0) return this.#first + index + 1
    if (n > this.#latestDropped) {
      const next = entries.findIndex((entry) => entry.n > n)
      return next < 0 ? this.#end : this.#first + next
    }
    const missed = (entries[0]?.n ?? this.#latest + 1) - 1 - n
    return Math.max(this.#first - Math.max(missed, 0), 0)
  }

  get endPosition(): number {
    return this.#end
  }

  /** Returns the entries after the first `seen`, the new `seen`, and the number dropped in between. */
  readAfter(seen: number): { entries: JournalEntry[]; seen: number; missed: number } {
    const entries: JournalEntry[] = []
    for (let at = Math.max(seen, this.#first); at < this.#end; at++) {
      const entry = this.#entries[at % this.#limit]
      if (entry) entries.push(entry)
    }
    return { entries, seen: this.#end, missed: Math.max(this.#first - Math.max(seen, this.#cleared), 0) }
  }

  clear(): number {
    const count = this.#end - this.#first
    for (const { n } of this.readAfter(0).entries) this.#latestDropped = Math.max(this.#latestDropped, n)
    this.#entries = []
    this.#first = this.#end
    this.#cleared = this.#end
    this.#size = 0
    return count
  }

  listen(listener: JournalListener): () => void {
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(listener)
    return () => listeners.delete(listener)
  }

  notify(name: string): void {
    if (this.#listeners) for (const listener of [...this.#listeners]) listener.onWorldChange?.(name)
  }

  close(): void {
    for (const listener of [...(this.#listeners ?? [])]) listener.onClose()
    this.#listeners = undefined
  }
}

function writeLog(log: Log, entry: JournalEntry, world: string): void {
  try {
    const hints = entry.hints.map((hint) => [hint.code, formatLogHint(hint, entry.method)] as const)
    log(formatLogLine(entry, world), new Map(hints))
  } catch (error) {
    console.error(`fake-calendar: the log threw: ${error}`)
  }
}

/** Copies the first 256 kB of a long text, because a slice retains the whole text. */
function startOf(text: Text): Text {
  if (text.length <= MAX_TEXT_LENGTH) return text
  return typeof text === 'string' ? Buffer.from(text.slice(0, MAX_TEXT_LENGTH)).toString() : text.start(MAX_TEXT_LENGTH)
}
