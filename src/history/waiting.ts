import type { WriteLog } from '../db/writeLog.ts'
import { whenTimeIsUp } from '../time/clock.ts'

/**
 * Asks again after each write, once those who wrote it have made all their changes, until there is an answer; or real
 * time is up, and there is none.
 */
export async function waitFor<T>(writes: WriteLog, timeout: number, ask: () => T | undefined): Promise<T | undefined> {
  const now = ask()
  if (now !== undefined || timeout === 0) return now
  return new Promise((resolve) => {
    let asking = false
    const end = (answer: T | undefined) => {
      unlisten()
      callOff()
      resolve(answer)
    }
    const unlisten = writes.listen(() => {
      if (asking) return
      asking = true
      queueMicrotask(() => {
        asking = false
        const answer = ask()
        if (answer !== undefined) end(answer)
      })
    })
    const callOff = whenTimeIsUp(timeout, () => end(undefined))
  })
}
