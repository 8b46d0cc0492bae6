import { useRef } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { ALL_METHODS } from '../../api/eventStream.ts'
import type { RecordedCall } from '../../api/types.ts'
import { type Query, useLoader } from '../../hooks/useQuery.ts'
import { useSession } from '../../session.ts'

/** The page keeps the latest ones. */
export const MAX_CALLS = 5000

/** Oldest first. `evicted` counts the requests that the journal has dropped because it was full. */
export type ListedCalls = { calls: readonly RecordedCall[]; evicted: number }

/** Reads the whole journal at first and after it was cleared, else what follows the last request. */
export function useJournal(): Query<ListedCalls> {
  const session = useSession()
  const { world, journalVersion } = session
  const known = useRef<ListedCalls & { version: number }>({ version: -1, calls: [], evicted: 0 })
  return useLoader(
    'journal',
    async (signal) => {
      const version = journalVersion.peek()
      const { calls, evicted } = known.current.version === version ? known.current : { calls: [], evicted: 0 }
      const query = { method: ALL_METHODS, since: calls.at(-1)?.n }
      const { data } = await callControl<ListedCalls>('GET', '/calls', { query, signal, world })
      const all = [...calls.slice(data.evicted - evicted), ...data.calls].slice(-MAX_CALLS)
      known.current = { version, calls: all, evicted: data.evicted }
      return known.current
    },
    { everyCall: true },
  )
}
