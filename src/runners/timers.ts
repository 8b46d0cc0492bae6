import type { VitestUtils } from 'vitest'

/** All by which a test moves the time of its timers. */
const MOVING = [
  'useFakeTimers',
  'useRealTimers',
  'setSystemTime',
  'advanceTimersByTime',
  'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer',
  'advanceTimersToNextTimerAsync',
  'advanceTimersToNextFrame',
  'runAllTimers',
  'runAllTimersAsync',
  'runOnlyPendingTimers',
  'runOnlyPendingTimersAsync',
] as const satisfies readonly (keyof VitestUtils)[]

type World = { fake: { clock: { real(): unknown } }; catchUp(): void }
type Move = (...given: unknown[]) => unknown

/** Lets a world's clock go with the fake timers. Returns what ends that. */
export function followTimers(vi: VitestUtils, { fake, catchUp }: World): () => void {
  const ours = vi as unknown as Record<string, Move>
  const theirs = MOVING.flatMap((name): [string, Move][] => (ours[name] ? [[name, ours[name]]] : []))
  for (const [name, move] of theirs) {
    ours[name] = (...given) => {
      const done = move.apply(vi, given)
      // Where the timers are told an instant, the clock shows that one; else it moves by as much.
      const follow = () => (tellsInstant(name, given) ? fake.clock.real() : catchUp())
      if (!(done instanceof Promise)) follow()
      return done instanceof Promise ? done.finally(follow) : done
    }
  }
  return () => {
    for (const [name, move] of theirs) ours[name] = move
  }
}

const tellsInstant = (name: string, [given]: unknown[]): boolean =>
  name === 'setSystemTime' ||
  (name === 'useFakeTimers' && typeof given === 'object' && given !== null && 'now' in given && given.now !== undefined)
