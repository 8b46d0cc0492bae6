import type { WriteLog } from '../../db/changeLog.ts'
import { startTimeout } from '../../model/clock.ts'
import { onAbort } from '../../model/onAbort.ts'

/** The end of a wait without a result: real time in milliseconds, or the disconnect of its client. */
export type WaitLimits = { timeout: number; signal?: AbortSignal | undefined }

/**
 * Calls `find` now and after each transaction that writes, until it returns a result. Resolves to undefined at the
 * limits.
 */
export async function waitFor<T>(
  writes: WriteLog,
  { timeout, signal }: WaitLimits,
  find: () => T | undefined,
): Promise<T | undefined> {
  const now = find()
  if (now !== undefined || timeout === 0) return now
  return new Promise((resolve) => {
    let isScheduled = false
    const end = (result: T | undefined) => {
      unlisten()
      cancelTimer()
      removeAbortListener()
      resolve(result)
    }
    const unlisten = writes.subscribe(() => {
      if (isScheduled) return
      isScheduled = true
      // The transaction is over in the next microtask.
      queueMicrotask(() => {
        isScheduled = false
        const result = find()
        if (result !== undefined) end(result)
      })
    })
    const cancelTimer = startTimeout(timeout, () => end(undefined))
    let removeAbortListener = () => {}
    removeAbortListener = onAbort(signal, () => end(undefined))
  })
}
