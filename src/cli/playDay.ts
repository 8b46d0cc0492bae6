import { companyDay } from '../seeds/stories/companyDay.ts'
import { playStory } from '../seeds/stories/story.ts'

/** The pause between two steps, long enough to read the inspector. */
const STEP_PAUSE_MS = 4000

type Played = {
  /** Sends a request to the server, at an absolute URL. */
  fetch: (request: Request) => Promise<Response>
  rootUrl: string
  controlToken: string | undefined
  print: (line: string) => void
  pauseMs?: number | undefined
  signal: AbortSignal
}

/** Plays the day of the company on a running server, with a pause after each step. Resolves early when the signal aborts. */
export async function playDay({ fetch, rootUrl, controlToken, print, pauseMs = STEP_PAUSE_MS, signal }: Played) {
  const request = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (controlToken && path.startsWith('/_control/')) headers.set('x-fake-control-token', controlToken)
    return fetch(new Request(new URL(path.slice(1), rootUrl), { ...init, headers }))
  }
  const onStep = async ({ at, title }: { at: string; title: string }) => {
    print(`${at}  ${title}`)
    await pause(pauseMs, signal)
  }
  await playStory({ request }, companyDay, { onStep, signal })
  if (!signal.aborted) print('The day is over.')
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
