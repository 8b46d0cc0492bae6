import { computed, effect, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { callControl } from './api/client.ts'
import { type RequestError, toRequestError } from './api/errors.ts'
import { readEventStream, type StreamEvent } from './api/eventStream.ts'
import type { Overview, RecordedCall } from './api/types.ts'
import { account, navigate } from './route.ts'
import type { Toast } from './toast.ts'

/** Changes within this time cause one further refresh. */
const CHANGE_INTERVAL_MS = 100
/** Time until the page tries to reach the server again. */
const RETRY_MS = 2000

/** Another world gets a new session, so that no state of the old one is shown. */
export class WorldSession {
  readonly world: string
  readonly overview = signal<Overview | undefined>(undefined)
  /** The error of the latest read. The overview then keeps its old value. */
  readonly overviewError = signal<RequestError | undefined>(undefined)
  /** Increases when the world may have changed. Queries then reload. */
  readonly dataVersion = signal(0)
  /** Increases when the stream opens, and after a reset, a restore or a clear. The journal is then read from its start. */
  readonly journalVersion = signal(0)
  readonly latestCall = signal<RecordedCall | undefined>(undefined)
  /** True while the event stream is open. */
  readonly isLive = signal(false)
  /** The numbers of the mail that the page has shown. */
  readonly readMail = signal<ReadonlySet<number>>(new Set())
  readonly toasts = signal<readonly Toast[]>([])
  /** Undefined until that is known. */
  readonly exists = computed(() => this.overview.value?.worlds.some(({ name }) => name === this.world))
  readonly #isHidden = signal(document.hidden)
  #isRefreshing = false
  /** The world may have changed since the latest refresh began. */
  #isChanged = false
  #signal: AbortSignal = AbortSignal.abort()

  constructor(world: string) {
    this.world = world
  }

  /**
   * A hidden page closes the stream until it is visible again. Returns a function that ends the session and aborts its requests.
   */
  start(): () => void {
    const controller = new AbortController()
    const { signal } = controller
    document.addEventListener('visibilitychange', () => (this.#isHidden.value = document.hidden), { signal })
    this.#signal = signal
    void this.#readOverview()
    // Only an existing world is watched, because other routes would create it.
    const stop = effect(() => {
      if (this.#isHidden.value || this.exists.value === undefined) return undefined
      return this.exists.value ? this.#watch() : this.#waitUntilItExists()
    })
    return () => {
      stop()
      controller.abort()
    }
  }

  /** Calls during a refresh cause one more. */
  reportChange(): void {
    this.#isChanged = true
    if (!this.#isRefreshing) void this.#refresh()
  }

  /** The overview is read first, because other reads would create a world that has been deleted. */
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

  /**
   * If the address has no account, the world's first one is chosen. The first overview is retried until it succeeds, later ones
   * are not.
   */
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

  /** So that the page notices when the world is created. Returns a function that stops it. */
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
    const onOpen = () => {
      this.isLive.value = true
      this.journalVersion.value = this.journalVersion.peek() + 1
      this.reportChange()
    }
    while (!signal.aborted) {
      try {
        await readEventStream({ world: this.world, signal }, { onOpen, onEvent: (event) => this.#receive(event) })
        // The server ends the stream when the world is replaced. It is still there.
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, CHANGE_INTERVAL_MS))
        continue
      } catch {
        // The server does not respond, or its journal is off. Without a stream, panels still read their data once.
        if (!signal.aborted) this.reportChange()
      }
      if (signal.aborted) return
      this.isLive.value = false
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  /** `call` reports a request, all other events a change of the world. */
  #receive({ event, data }: StreamEvent): void {
    if (event !== 'call') {
      if (event !== 'changed') this.journalVersion.value = this.journalVersion.peek() + 1
      this.reportChange()
      return
    }
    this.latestCall.value = data as RecordedCall
  }
}

export const SessionContext = createContext<WorldSession | undefined>(undefined)

/** Throws outside of a `SessionContext.Provider`. */
export function useSession(): WorldSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session')
  return session
}
