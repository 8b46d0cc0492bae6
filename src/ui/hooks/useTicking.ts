import { useEffect, useState } from 'preact/hooks'
import { useTimeFormat } from '../account.ts'
import type { ClockState } from '../api/types.ts'
import { useSession } from '../session.ts'
import { type FloatingTime, wallTimeIn } from '../time/wallTime.ts'
import { useQuery } from './useQuery.ts'

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

/** The minute that the clock of the world shows, in the page's zone. */
export function useNow(): FloatingTime {
  const { overview } = useSession()
  const { zone } = useTimeFormat()
  const clock = useQuery<ClockState>('/clock').data
  const read = overview.value?.now ?? '1970-01-01T00:00:00Z'
  return `${wallTimeIn(zone, Date.parse(useTicking(clock ?? { mode: 'frozen', now: read }))).slice(0, 16)}:00`
}
