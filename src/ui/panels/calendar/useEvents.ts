import { useMemo } from 'preact/hooks'
import { type AccountData, useAccount, useTimeFormat } from '../../account.ts'
import { listEvents } from '../../api/calendar.ts'
import { isUnreachable, type RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { DAY_MS, wallToMs } from '../../time/wallTime.ts'
import { type GridEvent, mergeCopies, toGridEvents } from './eventAppearance.ts'

const NO_ERRORS: ReadonlyMap<string, RequestError> = new Map()

/** A day more at each end, so that it covers the dates in every time zone. */
export const toTimeRange = (from: string, to: string) => ({
  timeMin: new Date(wallToMs(from) - DAY_MS).toISOString(),
  timeMax: new Date(wallToMs(to) + DAY_MS).toISOString(),
})

type Loaded = { calendars: ReadonlyMap<string, readonly ServiceEvent[]>; errors: ReadonlyMap<string, RequestError> }
type Result = { items: readonly GridEvent[]; errors: ReadonlyMap<string, RequestError>; isLoaded: boolean }

/** A calendar that cannot be read has no items, and its error is in `errors` by its id. */
export function useEvents(from: string, to: string): Result {
  const account = useAccount()
  const { zone } = useTimeFormat()
  const shown = account.entries.filter(({ selected }) => selected)
  const ids = shown.map(({ id }) => id)
  const { data } = useLoader(
    `events ${account.email} ${ids.join(' ')} ${from} ${to}`,
    async (signal): Promise<Loaded> => {
      const errors = new Map<string, RequestError>()
      const lists = ids.map(async (id): Promise<readonly [string, ServiceEvent[]]> => {
        try {
          return [id, await listEvents(id, toTimeRange(from, to), { signal, account: account.email })]
        } catch (error) {
          const failure = toRequestError(error)
          // Without the server the events that were read before stay.
          if (isUnreachable(failure)) throw failure
          errors.set(id, failure)
          return [id, []]
        }
      })
      return { calendars: new Map(await Promise.all(lists)), errors }
    },
  )
  const items = useMemo(
    () => toVisibleItems(account, data, zone, from, to),
    [data, zone, account.entries, account.colors],
  )
  return { items, errors: data?.errors ?? NO_ERRORS, isLoaded: account.isLoaded && data !== undefined }
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
