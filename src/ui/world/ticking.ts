import { useEffect, useState } from 'preact/hooks'
import type { ClockState } from '../../time/clock.ts'

const SECOND = 1000

/** What a clock shows now that was read a while ago: the same while it is frozen, else second by second. */
export function useTicking({ mode, now }: ClockState): string {
  const [shown, setShown] = useState(now)
  useEffect(() => {
    setShown(now)
    if (mode === 'frozen') return undefined
    const begun = performance.now()
    const tick = () => setShown(new Date(Date.parse(now) + performance.now() - begun).toISOString())
    const ticking = setInterval(tick, SECOND)
    return () => clearInterval(ticking)
  }, [mode, now])
  return shown
}
