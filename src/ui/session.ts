import { computed, effect, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { callControl } from './api/client.ts'
import { type RequestError, toRequestError } from './api/errors.ts'
import { readEventStream, type StreamEvent } from './api/eventStream.ts'
import type { Overview, RecordedCall } from './api/types.ts'
import { account, navigate } from './route.ts'
import type { Toast } from './toast.ts'

/** After a change, further changes within this time are reported together. */
const CHANGE_INTERVAL_MS = 100
/** The pause before the page tries to reach the server again. */
const RETRY_MS = 2000

type CallListener = (call: RecordedCall) => void

/** All state of one world in the page. A change of world starts a new session, so that nothing of the old one stays. */
export class WorldSession {
  readonly world: string
  readonly overview = signal<Overview | undefined>(undefined)
  readonly overviewError = signal<RequestError | undefined>(undefined)
  /** Increases when the world may have changed. Queries then reload. */
  readonly dataVersion = signal(0)
  /** Increases after a reset or restore, and after a lost connection. The journal is then read from its start. */
  readonly journalVersion = signal(0)
  readonly latestCall = signal<RecordedCall | undefined>(undefined)
  /** True while the event stream is open. */
  readonly isLive = signal(false)
  readonly toasts = signal<readonly Toast[]>([])
  /** True if the world exists; undefined until that is known. */
  readonly exists = computed(() => this.overview.value?.worlds.some(({ name }) => name === this.world))
  readonly #callListeners = new Set<CallListener>()
  readonly #isHidden = signal(document.hidden)
  #isRefreshing = false
  #isChanged = false
  #lastCall: number | undefined
  #signal: AbortSignal = AbortSignal.abort()

  constructor(world: string) {
    this.world = world
  }

  /** Starts to read the world. Returns a function that ends it. */
  start(): () => void {
    const controller = new AbortController()
    const { signal } = controller
    document.addEventListener('visibilitychange', () => (this.#isHidden.value = document.hidden), { signal })
    this.#signal = signal
    void this.#readOverview()
    const stops = [
      // Only an existing world is watched, because other routes would create it.
      effect(() => {
        if (this.#isHidden.value || this.exists.value === undefined) return undefined
        return this.exists.value ? this.#watch() : this.#waitUntilItExists()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
      controller.abort()
    }
  }

  /** Reports that the world may have changed. */
  reportChange(): void {
    this.#isChanged = true
    if (!this.#isRefreshing) void this.#refresh()
  }

  /** Calls a listener for each recorded request. Returns a function that removes it. */
  onCall(listener: CallListener): () => void {
    this.#callListeners.add(listener)
    return () => this.#callListeners.delete(listener)
  }

  /**
   * Reads the world again until there are no more changes. A slow server gets one read at a time. The overview is read
   * first: other reads would create a world that somebody has deleted.
   */
  async #refresh(): Promise<void> {
    this.#isRefreshing = true
    while (this.#isChanged && !this.#signal.aborted) {
      this.#isChanged = false
      await this.#readOverview()
      if (!this.#signal.aborted && this.exists.peek() !== false) this.dataVersion.value = this.dataVersion.peek() + 1
      await new Promise((resolve) => setTimeout(resolve, CHANGE_INTERVAL_MS))
    }
    this.#isRefreshing = false
  }

  async #readOverview(): Promise<void> {
    const signal = this.#signal
    try {
      const { data } = await callControl<Overview>('GET', '/overview', { world: this.world, signal })
      if (signal.aborted) return
      this.overview.value = data
      this.overviewError.value = undefined
      const [first] = data.accounts
      if (account.peek() === '' && first) navigate({ account: first.email }, { replace: true })
    } catch (error) {
      if (signal.aborted) return
      this.overviewError.value = toRequestError(error)
      if (this.overview.peek() === undefined) setTimeout(() => signal.aborted || void this.#readOverview(), RETRY_MS)
    }
  }

  #waitUntilItExists(): () => void {
    const timer = setInterval(() => this.reportChange(), RETRY_MS)
    return () => clearInterval(timer)
  }

  #watch(): () => void {
    const controller = new AbortController()
    void this.#keepStreaming(controller.signal)
    return () => {
      controller.abort()
      this.isLive.value = false
    }
  }

  async #keepStreaming(signal: AbortSignal): Promise<void> {
    let isLost = false
    while (!signal.aborted) {
      try {
        await readEventStream(
          { world: this.world, since: this.#lastCall, signal },
          {
            onOpen: () => {
              this.isLive.value = true
              if (isLost) this.journalVersion.value = this.journalVersion.peek() + 1
              this.reportChange()
            },
            onEvent: (event) => this.#receive(event),
          },
        )
      } catch {
        // The server is gone, or the journal is off. Panels read what they can.
        if (!signal.aborted) this.reportChange()
      }
      if (signal.aborted) return
      this.isLive.value = false
      isLost = true
      // Another server may respond next, with its own numbers.
      this.#lastCall = undefined
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  #receive({ event, data }: StreamEvent): void {
    if (event !== 'call') {
      if (event !== 'changed') this.journalVersion.value = this.journalVersion.peek() + 1
      this.reportChange()
      return
    }
    const call = data as RecordedCall
    this.#lastCall = call.n
    this.latestCall.value = call
    for (const listener of this.#callListeners) listener(call)
  }
}

export const SessionContext = createContext<WorldSession | undefined>(undefined)

/** Returns the session of the world that is shown. */
export function useSession(): WorldSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session')
  return session
}
