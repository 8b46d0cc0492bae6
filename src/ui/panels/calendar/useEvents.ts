import { useMemo } from 'preact/hooks'
import { type AccountData, useAccount, useTimeFormat } from '../../account.ts'
import { listEvents } from '../../api/calendar.ts'
import type { RequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { DAY_MS, wallToMs } from '../../time/wallTime.ts'
import { type GridEvent, mergeCopies, toGridEvents } from './eventAppearance.ts'

/** A day more at each end, so that it covers the dates in every time zone. */
export const toTimeRange = (from: string, to: string) => ({
  timeMin: new Date(wallToMs(from) - DAY_MS).toISOString(),
  timeMax: new Date(wallToMs(to) + DAY_MS).toISOString(),
})

type Loaded = ReadonlyMap<string, readonly ServiceEvent[]>
type Result = { items: readonly GridEvent[]; error: RequestError | undefined; isLoaded: boolean }

export function useEvents(from: string, to: string): Result {
  const account = useAccount()
  const { zone } = useTimeFormat()
  const ids = account.entries.filter(({ selected }) => selected).map(({ id }) => id)
  const { data, error } = useLoader(
    `events ${account.email} ${ids.join(' ')} ${from} ${to}`,
    async (signal): Promise<Loaded> => {
      const options = { signal, account: account.email }
      const read = async (id: string) => [id, await listEvents(id, toTimeRange(from, to), options)] as const
      return new Map(await Promise.all(ids.map(read)))
    },
  )
  const items = useMemo(
    () => toVisibleItems(account, data, zone, from, to),
    [data, zone, account.entries, account.colors],
  )
  return { items, error, isLoaded: account.isLoaded && data !== undefined }
}

/** Copies of one event are one item. */
function toVisibleItems(
  { entries, colors }: AccountData,
  data: Loaded | undefined,
  zone: string,
  from: string,
  to: string,
) {
  const items = entries.flatMap((entry) => toGridEvents(entry, data?.get(entry.id) ?? [], { colors, zone }))
  const [first, end] = [wallToMs(from), wallToMs(to)]
  const visible = items.filter((item) => item.start < end && Math.max(item.end, item.start + 1) > first)
  return mergeCopies(visible, entries.find(({ primary }) => primary)?.id)
}
