import { useTimeFormat } from './account.ts'
import type { ClockState } from './api/types.ts'
import { useQuery } from './hooks/useQuery.ts'
import { useTicking } from './hooks/useTicking.ts'
import { useSession } from './session.ts'
import { type FloatingTime, wallTimeIn } from './time/wallTime.ts'

/** The minute that the clock of the world shows, in the page's zone. */
export function useNow(): FloatingTime {
  const { overview } = useSession()
  const { zone } = useTimeFormat()
  const clock = useQuery<ClockState>('/clock').data
  const read = overview.value?.now ?? '1970-01-01T00:00:00Z'
  return `${wallTimeIn(zone, Date.parse(useTicking(clock ?? { mode: 'frozen', now: read }))).slice(0, 16)}:00`
}
