import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { listCalendars } from './api/calendar.ts'
import { callService, listAll } from './api/client.ts'
import type { RequestError } from './api/errors.ts'
import type { CalendarEntry, Setting } from './api/types.ts'
import { useLoader } from './hooks/useQuery.ts'
import { type ZoneChoice, zoneChoice } from './preferences.ts'
import { account } from './route.ts'
import { createTimeFormat, type TimeFormat } from './time/timeFormat.ts'

/** The colors that an event can have, by their `colorId`. Each color is written as `#rrggbb`. */
export type EventColors = Record<string, { background: string; foreground: string }>

/** The account that the page makes requests as: its settings, its calendar list, and the colors of events. */
export type AccountData = {
  /** Empty until the page has chosen an account. */
  email: string
  /** False before the first load has ended, and after a failed one. The other fields then have default values. */
  isLoaded: boolean
  error?: RequestError | undefined
  entries: readonly CalendarEntry[]
  colors: EventColors
  timeZone: string
  /** The first day of the week; 0 is Sunday. */
  weekStart: number
  /** True for times such as `9:00 am`, false for `09:00`. */
  hour12: boolean
}

/** The data of an account that is not loaded. */
const EMPTY: Omit<AccountData, 'email' | 'isLoaded'> = {
  entries: [],
  colors: {},
  timeZone: 'UTC',
  weekStart: 0,
  hour12: false,
}

/**
 * Loads the data of the account in the page's address, and again when the data of the world change. Until then, and after a
 * failure, the result has default values; `error` has the failure. Called once, by the page; other components call
 * `useAccount`.
 */
export function useLoadedAccount(): AccountData {
  const email = account.value
  const { data, error } = useLoader(`account ${email}`, async (signal) => {
    if (email === '') return undefined
    const [entries, settings, { data: colors }] = await Promise.all([
      listCalendars({ account: email, signal }),
      listAll<Setting>({ method: 'settings.list', path: '/users/me/settings', account: email, signal }),
      callService<{ event: EventColors }>({ method: 'colors.get', path: '/colors', account: email, signal }),
    ])
    /** Returns the value of a setting, or undefined if the account has none. */
    const setting = (id: string) => settings.find((one) => one.id === id)?.value
    return {
      entries,
      colors: colors.event,
      timeZone: setting('timezone') ?? 'UTC',
      weekStart: Number(setting('weekStart') ?? 0),
      hour12: setting('format24HourTime') === 'false',
    }
  })
  return { ...EMPTY, ...data, email, isLoaded: data !== undefined, error }
}

export const AccountContext = createContext<AccountData>({ ...EMPTY, email: '', isLoaded: false })

/** Returns the data that the page has loaded of its account. */
export const useAccount = (): AccountData => useContext(AccountContext)

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Returns the IANA name of the zone that a choice stands for. By default it is the choice in the header. For `calendar` it
 * is the zone of the primary calendar, else of the first calendar, else of the account.
 */
export function zoneOf({ entries, timeZone }: AccountData, choice: ZoneChoice = zoneChoice.value): string {
  if (choice === 'utc') return 'UTC'
  if (choice === 'browser') return BROWSER_ZONE
  if (choice === 'account') return timeZone
  return (entries.find(({ primary }) => primary) ?? entries[0])?.timeZone ?? timeZone
}

/** Returns the format of times in the zone that is chosen in the header, with the account's 12 or 24 hours. */
export function useTimeFormat(): TimeFormat {
  const data = useAccount()
  const zone = zoneOf(data)
  return useMemo(() => createTimeFormat(zone, data.hour12), [zone, data.hour12])
}

/** Returns true if the account may write events to a calendar of its list. */
export const isWritable = ({ accessRole }: Pick<CalendarEntry, 'accessRole'>): boolean =>
  accessRole === 'owner' || accessRole === 'writer'

/**
 * Returns the name that the account sees for a calendar: its own name for it, else the title. Returns the id if the calendar
 * is not on its list.
 */
export function calendarName({ entries }: Pick<AccountData, 'entries'>, id: string): string {
  const entry = entries.find((one) => one.id === id)
  return entry?.summaryOverride ?? entry?.summary ?? id
}
