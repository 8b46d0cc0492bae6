import { onAbort } from '../model/clock.ts'
import { companyDay } from '../seeds/stories/companyDay.ts'
import { playStory } from '../seeds/stories/story.ts'

/** The pause between two steps, long enough to read the inspector. */
const STEP_PAUSE_MS = 4000

/** The server, and the output of the day. */
type PlayOptions = {
  /** Sends a request to the server, at an absolute URL. */
  fetch: (request: Request) => Promise<Response>
  /** The URL of the world, with a slash at its end. */
  rootUrl: string
  /** The token that `/_control` requires. */
  controlToken: string | undefined
  /** Prints one line for each step. */
  print: (line: string) => void
  /** The pause after each step; 4000 by default. */
  pauseMs?: number | undefined
  /** Its abort ends the day after the current step. */
  signal: AbortSignal
}

/**
 * Plays the day of the company on a running server, with a pause after each step. Resolves early when the signal aborts.
 * Rejects if a step fails, as on a world without the accounts of the company.
 */
export async function playDay({ fetch, rootUrl, controlToken, print, pauseMs = STEP_PAUSE_MS, signal }: PlayOptions) {
  /** Sends a request to a path of the world, to `/_control` with the control token. */
  const request = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (controlToken && path.startsWith('/_control/')) headers.set('x-fake-control-token', controlToken)
    return fetch(new Request(new URL(path.slice(1), rootUrl), { ...init, headers }))
  }
  /** Prints a step, and waits. */
  const onStep = async ({ at, title }: { at: string; title: string }) => {
    print(`${at}  ${title}`)
    await pause(pauseMs, signal)
  }
  await playStory({ request }, companyDay, { onStep, signal })
  if (!signal.aborted) print('The day is over.')
}

/** Waits a number of milliseconds, or until the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeAbortListener()
      resolve()
    }
    const timer = setTimeout(end, ms)
    let removeAbortListener = () => {}
    removeAbortListener = onAbort(signal, end)
  })
