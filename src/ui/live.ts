import { effect, signal } from '@preact/signals'
import type { RecordedCall } from '../testing/journal/recordedCall.ts'
import { world } from './route.ts'
import { readStream, type Told } from './stream.ts'

/** The latest request that the journal told of, in the world that is shown. */
export const latest = signal<RecordedCall | undefined>(undefined)

/** Rises once the world that is shown is watched, and whenever it may have changed: what is shown is read again. */
export const changes = signal(0)

/** Rises where the world was reset or restored, where the server had gone, and where requests were dropped before they could be told of. */
export const turns = signal(0)

/** Whether the world is watched now, so that nothing is missed from here on: not while the page is hidden, nor while the server does not answer. */
export const live = signal(false)

/** Told of each request as it is answered. */
type Listener = (call: RecordedCall) => void
const listeners = new Set<Listener>()

/** Listens to the world that is shown, until what is returned is called. */
export function onCall(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Between two readings there is a while, however much is written meanwhile. */
const PAUSE = 100
let resting = false
let more = false

/** Says that the world has changed. Of many changes at once the first is followed at once, and the rest together. */
export function changed(): void {
  more = resting
  if (resting) return
  resting = true
  changes.value = changes.peek() + 1
  setTimeout(() => {
    resting = false
    if (more) changed()
  }, PAUSE)
}

const hidden = signal(document.hidden)
document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden
})

/** The number of the last request that was told of, by world. */
const seen = new Map<string, number>()

const AGAIN = 2000

function heard(name: string, { event, data }: Told): void {
  if (event !== 'call') {
    if (event !== 'changed') turns.value = turns.peek() + 1
    changed()
    return
  }
  const call = data as RecordedCall
  seen.set(name, call.n)
  latest.value = call
  for (const listener of listeners) listener(call)
}

async function watch(name: string, ending: AbortSignal): Promise<void> {
  let isLost = false
  while (!ending.aborted) {
    try {
      await readStream(
        { world: name, since: seen.get(name), signal: ending },
        {
          // What happened before the stream was open it does not tell of.
          opened() {
            live.value = true
            if (isLost) turns.value = turns.peek() + 1
            changed()
          },
          tell: (told) => heard(name, told),
        },
      )
    } catch {
      // The server has gone, or keeps no journal, or the page looks elsewhere: it is read all the same, and tried again.
      if (!ending.aborted) changed()
    }
    if (ending.aborted) return
    live.value = false
    // It may be another server that answers next, which counts anew.
    isLost = true
    seen.delete(name)
    await new Promise((resolve) => setTimeout(resolve, AGAIN))
  }
}

/** Watches the world that is shown, for as long as the page is seen: one stream a tab. */
export function watchWorld(): void {
  effect(() => {
    if (hidden.value) return undefined
    const ending = new AbortController()
    void watch(world.value, ending.signal)
    return () => {
      ending.abort()
      live.value = false
    }
  })
}
