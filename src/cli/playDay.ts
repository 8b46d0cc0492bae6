import { setTimeout } from 'node:timers/promises'
import type { PlayedStory, StoryProgress } from '../control/playedStory.ts'
import { playStory, type StoryStep } from '../seeds/story.ts'

const STEP_PAUSE_MS = 4000

type PlayOptions = {
  fetch: (request: Request) => Promise<Response>
  rootUrl: string
  controlToken: string | undefined
  print: (line: string) => void
  pauseMs?: number | undefined
  signal: AbortSignal
  player?: StoryPlayer
}

/** Shows the steps of a story, and waits between them. `onChange` is called after each change of `progress`. */
export class StoryPlayer implements PlayedStory {
  progress: StoryProgress = { title: '', isPaused: false, isOver: false }
  readonly #onChange: () => void
  #resume = () => {}

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange
  }

  show(progress: Partial<StoryProgress>): void {
    this.progress = { ...this.progress, ...progress }
    this.#onChange()
  }

  act(action: Parameters<PlayedStory['act']>[0]): void {
    if (action !== 'next') this.show({ isPaused: action === 'pause' })
    if (action !== 'pause') this.#resume()
  }

  /** Resolves after the time, unless the story is held, at the next action that continues it, and when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const timer = new AbortController()
    const resumed = new Promise<void>((resolve) => {
      this.#resume = resolve
    })
    const resume = this.#resume
    signal.addEventListener('abort', resume)
    await Promise.race([resumed, setTimeout(ms, undefined, { signal: timer.signal }).catch(() => {})])
    if (this.progress.isPaused) await resumed
    timer.abort()
    signal.removeEventListener('abort', resume)
  }
}

/** Resolves early when the signal aborts. Rejects if a step fails, as on a world without the accounts of the company. */
export async function playDay({
  fetch,
  rootUrl,
  controlToken,
  print,
  pauseMs = STEP_PAUSE_MS,
  signal,
  player = new StoryPlayer(),
}: PlayOptions) {
  const request = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (controlToken && path.startsWith('/_control/')) headers.set('x-fake-control-token', controlToken)
    return fetch(new Request(new URL(path.slice(1), rootUrl), { ...init, headers }))
  }
  const onStep = async ({ at, title, account }: Pick<StoryStep, 'at' | 'title' | 'account'>) => {
    print(`${at}  ${title}`)
    player.show({ at, title, account })
    await player.wait(pauseMs, signal)
  }
  await playStory({ request }, 'company', { onStep, signal })
  if (signal.aborted) return
  print('The day is over.')
  player.show({ isOver: true })
}
