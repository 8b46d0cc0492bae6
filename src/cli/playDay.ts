import { setTimeout } from 'node:timers/promises'
import { playStory } from '../seeds/story.ts'

const STEP_PAUSE_MS = 4000

type PlayOptions = {
  fetch: (request: Request) => Promise<Response>
  rootUrl: string
  controlToken: string | undefined
  print: (line: string) => void
  pauseMs?: number | undefined
  signal: AbortSignal
}

/** Resolves early when the signal aborts. Rejects if a step fails, as on a world without the accounts of the company. */
export async function playDay({ fetch, rootUrl, controlToken, print, pauseMs = STEP_PAUSE_MS, signal }: PlayOptions) {
  const request = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (controlToken && path.startsWith('/_control/')) headers.set('x-fake-control-token', controlToken)
    return fetch(new Request(new URL(path.slice(1), rootUrl), { ...init, headers }))
  }
  const onStep = async ({ at, title }: { at: string; title: string }) => {
    print(`${at}  ${title}`)
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
  await playStory({ request }, 'company', { onStep, signal })
  if (!signal.aborted) print('The day is over.')
}
