import { formatDate } from '../../time/timeFormat.ts'
import { addDays, DAY_MS, msToDate, wallToMs } from '../../time/wallTime.ts'

/** The views of a calendar, by their names in the address. `key` is the keyboard shortcut. */
export const VIEWS = {
  day: { title: 'Day', key: 'd' },
  week: { title: 'Week', key: 'w' },
  month: { title: 'Month', key: 'm' },
  list: { title: 'List', key: 'l' },
  year: { title: 'Year', key: 'y' },
} as const
export type ViewName = keyof typeof VIEWS
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

/** Returns true for the name of a view. */
const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

/** Returns the view of a name; `week` for an unknown or empty name. */
export const parseView = (name: string): ViewName => (isView(name) ? name : 'week')

/** Returns the first date of the month of a date. */
const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`
/** Returns the first date of the year of a date. */
const firstOfYear = (date: string): string => `${date.slice(0, 4)}-01-01`

/** Returns the first date of the week that a date is in. The week starts on the day `weekStart`; 0 is Sunday. */
export const startOfWeek = (date: string, weekStart: number): string =>
  addDays(date, -((new Date(wallToMs(date)).getUTCDay() - weekStart + 7) % 7))

/** Returns the first date of the month that is `months` after that of a date. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return msToDate(Date.UTC(year, month - 1 + months, 1))
}

/**
 * Returns the dates that a view shows for a date: from `from` to before `to`. A month includes the rest of its first and last
 * week. The list shows a month.
 */
export function findVisibleDates(view: ViewName, date: string, weekStart: number): { from: string; to: string } {
  if (view === 'day') return { from: date, to: addDays(date, 1) }
  if (view === 'week') {
    const from = startOfWeek(date, weekStart)
    return { from, to: addDays(from, 7) }
  }
  if (view === 'year') return { from: firstOfYear(date), to: addMonths(firstOfYear(date), 12) }
  const [first, next] = [firstOfMonth(date), addMonths(date, 1)]
  if (view === 'list') return { from: first, to: next }
  return { from: startOfWeek(first, weekStart), to: addDays(startOfWeek(addDays(next, -1), weekStart), 7) }
}

/** Returns a date on the previous (-1) or next (1) page of a view. */
export function stepDate(view: ViewName, date: string, step: 1 | -1): string {
  if (view === 'day') return addDays(date, step)
  if (view === 'week') return addDays(date, 7 * step)
  if (view === 'year') return addMonths(firstOfYear(date), 12 * step)
  return addMonths(date, step)
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
/** Formats the month of a date as `March 2026`. */
export const formatMonth = (date: string): string => monthFormat.format(wallToMs(date))
const shortFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Formats the dates that a view shows: `Mon 2 Mar 2026`, `2 Mar – 8 Mar 2026`, `March 2026` or `2026`. */
export function formatViewTitle(view: ViewName, date: string, weekStart: number): string {
  const { from, to } = findVisibleDates(view, date, weekStart)
  if (view === 'day') return formatDate(date)
  if (view === 'year') return date.slice(0, 4)
  if (view !== 'week') return formatMonth(date)
  const last = addDays(to, -1)
  return `${shortFormat.format(wallToMs(from))} – ${shortFormat.format(wallToMs(last))} ${last.slice(0, 4)}`
}

/** Lists the dates from `from` to before `to`. */
export const listDates = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((wallToMs(to) - wallToMs(from)) / DAY_MS) }, (_, index) => addDays(from, index))
