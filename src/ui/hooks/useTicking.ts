import { useEffect, useState } from 'preact/hooks'
import type { ClockState } from '../api/types.ts'

const TICK_MS = 1000

/**
 * Returns the time that a clock of the server shows now, from the time `now` at which it was read. Draws the component each
 * second, unless the clock is frozen.
 */
export function useTicking({ mode, now }: ClockState): string {
  const [shown, setShown] = useState(now)
  useEffect(() => {
    setShown(now)
    if (mode === 'frozen') return undefined
    const start = performance.now()
    const tick = () => setShown(new Date(Date.parse(now) + performance.now() - start).toISOString())
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [mode, now])
  return shown
}
