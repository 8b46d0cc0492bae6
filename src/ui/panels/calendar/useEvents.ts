import { useMemo } from 'preact/hooks'
import { type AccountData, useAccount, useTimeFormat } from '../../account.ts'
import { listShownEvents } from '../../api/calendar.ts'
import { isUnreachable, RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { DAY_MS, wallToMs } from '../../time/wallTime.ts'
import { type GridEvent, mergeCopies, toGridEvents } from './eventAppearance.ts'

/** A day more at each end, so that it covers the dates in every time zone. */
export const toTimeRange = (from: string, to: string) => ({
  timeMin: new Date(wallToMs(from) - DAY_MS).toISOString(),
  timeMax: new Date(wallToMs(to) + DAY_MS).toISOString(),
})

type Loaded = { calendars: ReadonlyMap<string, readonly ServiceEvent[]>; error: RequestError | undefined }
type Result = { items: readonly GridEvent[]; error: RequestError | undefined; isLoaded: boolean }

export function useEvents(from: string, to: string): Result {
  const account = useAccount()
  const { zone } = useTimeFormat()
  const ids = account.entries.filter(({ selected }) => selected).map(({ id }) => id)
  const { data, error } = useLoader(
    `events ${account.email} ${ids.join(' ')} ${from} ${to}`,
    async (signal): Promise<Loaded> => {
      const options = { signal, account: account.email }
      const errors: RequestError[] = []
      const read = async (id: string) => {
        const events = await listShownEvents(id, toTimeRange(from, to), options).catch((thrown: unknown) => {
          const error = toRequestError(thrown)
          // The events that were read before stay if the server is gone.
          if (isUnreachable(error)) throw error
          errors.push(new RequestError(`${id}: ${error.message}`, error))
          return []
        })
        return [id, events] as const
      }
      return { calendars: new Map(await Promise.all(ids.map(read))), error: errors[0] }
    },
  )
  const items = useMemo(
    () => toVisibleItems(account, data, zone, from, to),
    [data, zone, account.entries, account.colors],
  )
  return { items, error: error ?? data?.error, isLoaded: account.isLoaded && data !== undefined }
}

/** Copies of one event are one item. */
function toVisibleItems(
  { entries, colors }: AccountData,
  data: Loaded | undefined,
  zone: string,
  from: string,
  to: string,
) {
  const items = entries.flatMap((entry) => toGridEvents(entry, data?.calendars.get(entry.id) ?? [], { colors, zone }))
  const [first, end] = [wallToMs(from), wallToMs(to)]
  const visible = items.filter((item) => item.start < end && Math.max(item.end, item.start + 1) > first)
  return mergeCopies(visible, entries.find(({ primary }) => primary)?.id)
}
