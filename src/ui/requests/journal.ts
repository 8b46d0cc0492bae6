import { effect, signal } from '@preact/signals'
import type { WorldView } from '../../control/overview.ts'
import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { control } from '../client.ts'
import { live, onCall, turns } from '../live.ts'
import { overview } from '../overview.ts'
import { type Refused, refusalOf } from '../refused.ts'
import { world } from '../route.ts'
import { EVERYTHING } from '../stream.ts'

/** How many requests the page holds on to: the latest. */
export const HELD = 5000

/** What was asked of the world that is shown, the oldest first. */
export const calls = signal<readonly RecordedCall[]>([])
/** How many requests the journal has dropped for want of room. */
export const evicted = signal(0)
/** Why the journal cannot be read. */
export const unread = signal<Refused | undefined>(undefined)
/** Whether it is read for the first time in this world. */
export const reading = signal(true)

/** Rises where the journal is to be read from its beginning. */
const again = signal(0)
/** Told of, and not shown yet. */
let arrived: RecordedCall[] = []
let asking: AbortController | undefined

type Listed = { calls: RecordedCall[]; evicted: number }

/** By number, each once: what comes late may have come before. */
function merged(held: readonly RecordedCall[], more: readonly RecordedCall[]): readonly RecordedCall[] {
  if (more.length === 0) return held
  const byNumber = new Map([...held, ...more].map((call) => [call.n, call]))
  return [...byNumber.values()].sort((a, b) => a.n - b.n).slice(-HELD)
}

/**
 * Reads what is in the journal after a number; without one all of it, in place of what is shown. What the journal has dropped
 * since is dropped here too, so that the page holds no more than it.
 */
async function read(name: string, since?: number): Promise<void> {
  asking?.abort()
  const ending = new AbortController()
  asking = ending
  try {
    const query = { method: EVERYTHING, since }
    const { data } = await control<Listed>('GET', '/calls', { world: name, query, signal: ending.signal })
    // What was told of while this was on its way is after all that it holds, or among it.
    const from = since === undefined ? [] : calls.peek()
    const dropped = since === undefined ? 0 : Math.max(data.evicted - evicted.peek(), 0)
    calls.value = merged(merged(from, data.calls), arrived).slice(dropped)
    arrived = []
    evicted.value = data.evicted
    unread.value = undefined
  } catch (error) {
    if (ending.signal.aborted) return
    unread.value = refusalOf(error)
  } finally {
    if (asking === ending) {
      asking = undefined
      reading.value = false
    }
  }
}

/** Shows what has arrived, a screen at a time however many there are, and asks how many were dropped by then. */
function showArrived(): void {
  if (asking || arrived.length === 0) return
  calls.value = merged(calls.peek(), arrived)
  arrived = []
  void read(world.peek(), calls.peek().at(-1)?.n ?? 0)
}

/** Whether the journal of a world has less than what is shown of it: somebody has cleared it. */
function lacks({ calls: kept, last }: WorldView): boolean {
  const known = calls.peek().filter(({ n }) => kept === 0 || n <= (last?.n ?? 0))
  return known.length > kept
}

/** Keeps what is shown as the journal is, until what is returned is called. */
export function keepJournal(): () => void {
  let shown: string | undefined
  let of: string | undefined
  const stop = onCall((call) => {
    if (call.world !== world.peek()) return
    arrived.push(call)
    requestAnimationFrame(showArrived)
  })
  const end = effect(() => {
    const name = world.value
    const turn = `${name} ${turns.value} ${again.value}`
    const wasLive = live.value
    if (turn === shown) {
      // The stream goes on from here, and whatever was asked before it did is read.
      if (wasLive) void read(name, reading.peek() ? undefined : (calls.peek().at(-1)?.n ?? 0))
      return
    }
    shown = turn
    if (name !== of) {
      of = name
      reading.value = true
      calls.value = []
    }
    arrived = []
    void read(name)
  })
  const cleared = effect(() => {
    const seen = overview.value?.worlds.find(({ name }) => name === world.peek())
    if (seen && !asking && lacks(seen)) readAgain()
  })
  return () => {
    stop()
    end()
    cleared()
    asking?.abort()
  }
}

/** Reads the journal from its beginning, as after it was cleared. */
export const readAgain = (): void => {
  again.value = again.peek() + 1
}
