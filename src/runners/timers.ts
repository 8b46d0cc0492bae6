import type { VitestUtils } from 'vitest'

const TIMER_FUNCTIONS = [
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

type TimerFunction = (...args: unknown[]) => unknown

/**
 * Makes the functions of `vi` that move the time call `onMove` afterwards (asynchronous ones when they have settled), so that a
 * reminder is sent with the timers of the test and not with the next request. Returns a function that restores the originals.
 */
export function watchTimers(vi: VitestUtils, onMove: () => void): () => void {
  const functions = vi as unknown as Record<string, TimerFunction>
  const originals = TIMER_FUNCTIONS.flatMap((name): [string, TimerFunction][] =>
    functions[name] ? [[name, functions[name]]] : [],
  )
  for (const [name, original] of originals) {
    functions[name] = (...args) => {
      const result = original.apply(vi, args)
      if (result instanceof Promise) return result.finally(onMove)
      onMove()
      return result
    }
  }
  return () => Object.assign(functions, Object.fromEntries(originals))
}
