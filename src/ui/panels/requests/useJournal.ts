import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { type RequestError, toRequestError } from '../../api/errors.ts'
import { ALL_METHODS } from '../../api/eventStream.ts'
import type { RecordedCall, WorldSummary } from '../../api/types.ts'
import { useSession, type WorldSession } from '../../session.ts'

/** The page keeps the latest ones. */
export const MAX_CALLS = 5000

export type JournalState = {
  /** Oldest first. */
  calls: readonly RecordedCall[]
  /** Requests that the journal has dropped because it was full. */
  evicted: number
  /** Until the first read has ended. */
  isLoading: boolean
  /** Of the latest read. */
  error?: RequestError | undefined
}

type Listed = { calls: RecordedCall[]; evicted: number }

function mergeCalls(calls: readonly RecordedCall[], more: readonly RecordedCall[]): readonly RecordedCall[] {
  if (more.length === 0) return calls
  const byNumber = new Map([...calls, ...more].map((call) => [call.n, call]))
  return [...byNumber.values()].sort((a, b) => a.n - b.n).slice(-MAX_CALLS)
}

class JournalReader {
  readonly #session: WorldSession
  readonly #show: (state: JournalState) => void
  #state: JournalState = { calls: [], evicted: 0, isLoading: true }
  /** From the stream, not shown yet. */
  #arrived: RecordedCall[] = []
  #request: AbortController | undefined
  #isEnded = false

  constructor(session: WorldSession, show: (state: JournalState) => void) {
    this.#session = session
    this.#show = show
  }

  start(): () => void {
    const { journalVersion, isLive, overview, world } = this.#session
    let version: number | undefined
    const stops = [
      this.#session.onCall((call) => {
        this.#arrived.push(call)
        requestAnimationFrame(() => this.#showArrived())
      }),
      effect(() => {
        // Both signals are read each time, so that the effect runs when either changes.
        const isOpen = isLive.value
        const isReload = journalVersion.value !== version
        version = journalVersion.value
        if (isReload) void this.read()
        // Requests that were made while the stream was closed are read when it is open again.
        else if (isOpen) void this.#readSince(this.#lastNumber)
      }),
      effect(() => {
        const view = overview.value?.worlds.find(({ name }) => name === world)
        if (view && !this.#request && this.#isCleared(view)) void this.read()
      }),
    ]
    return () => {
      this.#isEnded = true
      for (const stop of stops) stop()
      this.#request?.abort()
    }
  }

  /** Errors become part of the state. */
  read(): Promise<void> {
    this.#arrived = []
    return this.#readSince(undefined)
  }

  /** 0 without requests; undefined until the first read has ended. */
  get #lastNumber(): number | undefined {
    return this.#state.isLoading ? undefined : (this.#state.calls.at(-1)?.n ?? 0)
  }

  #set(changed: Partial<JournalState>): void {
    this.#state = { ...this.#state, ...changed }
    if (!this.#isEnded) this.#show(this.#state)
  }

  /** Without `since`, reads the whole journal, which replaces the state. Aborts a read that is in progress. */
  async #readSince(since: number | undefined): Promise<void> {
    this.#request?.abort()
    const request = new AbortController()
    this.#request = request
    const { signal } = request
    try {
      const query = { method: ALL_METHODS, since }
      const { data } = await callControl<Listed>('GET', '/calls', { query, signal, world: this.#session.world })
      if (signal.aborted) return
      const known = since === undefined ? [] : this.#state.calls
      // The journal may have dropped requests since the previous read.
      const dropped = since === undefined ? 0 : Math.max(data.evicted - this.#state.evicted, 0)
      const first = since === undefined ? (data.calls[0]?.n ?? 0) : 0
      const calls = mergeCalls(mergeCalls(known, data.calls), this.#arrived)
        .slice(dropped)
        .filter(({ n }) => n >= first)
      this.#arrived = []
      this.#set({ calls, evicted: data.evicted, error: undefined, isLoading: false })
    } catch (error) {
      if (!signal.aborted) this.#set({ error: toRequestError(error), isLoading: false })
    } finally {
      if (this.#request === request) this.#request = undefined
    }
  }

  /** Reads the journal after the latest request, in case the stream left some out. */
  #showArrived(): void {
    if (this.#isEnded || this.#request || this.#arrived.length === 0) return
    this.#set({ calls: mergeCalls(this.#state.calls, this.#arrived) })
    this.#arrived = []
    void this.#readSince(this.#state.calls.at(-1)?.n ?? 0)
  }

  /** A cleared journal has fewer requests than the page. */
  #isCleared({ calls: remaining, last }: WorldSummary): boolean {
    return this.#state.calls.filter(({ n }) => remaining === 0 || n <= (last?.n ?? 0)).length > remaining
  }
}

export function useJournal(): JournalState & { reload(): void } {
  const session = useSession()
  const [state, setState] = useState<JournalState>({ calls: [], evicted: 0, isLoading: true })
  const [reader, setReader] = useState<JournalReader>()
  useEffect(() => {
    const created = new JournalReader(session, setState)
    setReader(created)
    return created.start()
  }, [session])
  return { ...state, reload: () => void reader?.read() }
}
