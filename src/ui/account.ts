import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { listCalendars } from './api/calendar.ts'
import { callService, collectPages } from './api/client.ts'
import type { RequestError } from './api/errors.ts'
import type { CalendarEntry, Setting } from './api/types.ts'
import { useLoader } from './hooks/useQuery.ts'
import { account, route } from './route.ts'
import { useSession } from './session.ts'
import { createTimeFormat, type TimeFormat } from './time/timeFormat.ts'

/** Colours by `colorId`, as `#rrggbb`. */
export type EventColors = Record<string, { background: string; foreground: string }>

export type AccountData = {
  /** Empty until the page has chosen an account. */
  email: string
  /** False before the first load has ended, and after a failed one. The other fields then have default values. */
  isLoaded: boolean
  error?: RequestError | undefined
  entries: readonly CalendarEntry[]
  /** The display names of the world's accounts and rooms, by address. */
  names: ReadonlyMap<string, string>
  colors: EventColors
  timeZone: string
  /** 0 is Sunday. */
  weekStart: number
  hour12: boolean
}

const EMPTY: Omit<AccountData, 'email' | 'isLoaded'> = {
  entries: [],
  names: new Map(),
  colors: {},
  timeZone: 'UTC',
  weekStart: 0,
  hour12: false,
}

/**
 * Reloads when the data of the world change. Until the first load, and after a failure, the result has default values. Called
 * once, by the page; other components call `useAccount`.
 */
export function useLoadedAccount(): AccountData {
  const email = account.value
  const { overview } = useSession()
  const names = new Map(
    [...(overview.value?.accounts ?? []), ...(overview.value?.rooms ?? [])].flatMap(({ email: id, displayName }) =>
      displayName ? [[id, displayName] as const] : [],
    ),
  )
  const { data, error } = useLoader(`account ${email}`, async (signal) => {
    if (email === '') return undefined
    const [entries, settings, { data: colors }] = await Promise.all([
      listCalendars({ account: email, signal }),
      collectPages<Setting>({ method: 'settings.list', path: '/users/me/settings', account: email, signal }),
      callService<{ event: EventColors }>({ method: 'colors.get', path: '/colors', account: email, signal }),
    ])
    const setting = (id: string) => settings.find((one) => one.id === id)?.value
    return {
      entries,
      colors: colors.event,
      timeZone: setting('timezone') ?? 'UTC',
      weekStart: Number(setting('weekStart') ?? 0),
      hour12: setting('format24HourTime') === 'false',
    }
  })
  return { ...EMPTY, ...data, names, email, isLoaded: data !== undefined, error }
}

export const AccountContext = createContext<AccountData>({ ...EMPTY, email: '', isLoaded: false })

export const useAccount = (): AccountData => useContext(AccountContext)

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Empty stands for the zone of the primary calendar, else of the first calendar, else of the account. */
export function zoneOf({ entries, timeZone }: AccountData, choice = route.value.zone): string {
  if (choice === 'utc') return 'UTC'
  if (choice === 'browser') return BROWSER_ZONE
  if (choice === 'account') return timeZone
  return (entries.find(({ primary }) => primary) ?? entries[0])?.timeZone ?? timeZone
}

export function useTimeFormat(): TimeFormat {
  const data = useAccount()
  const zone = zoneOf(data)
  return useMemo(() => createTimeFormat(zone, data.hour12), [zone, data.hour12])
}

export const isWritable = ({ accessRole }: Pick<CalendarEntry, 'accessRole'>): boolean =>
  accessRole === 'owner' || accessRole === 'writer'

/** A primary calendar has the name of its owner. */
export function calendarName({ entries, names }: Pick<AccountData, 'entries' | 'names'>, id: string): string {
  const entry = entries.find((one) => one.id === id)
  return entry?.summaryOverride ?? names.get(id) ?? entry?.summary ?? id
}
