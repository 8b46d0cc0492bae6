import { formatDate } from '../../time/timeFormat.ts'
import { addDays, DAY_MS, msToDate, wallToMs } from '../../time/wallTime.ts'

/** The views of a calendar, by their names in the address. */
export const VIEWS = {
  day: { title: 'Day', key: 'd' },
  week: { title: 'Week', key: 'w' },
  month: { title: 'Month', key: 'm' },
  list: { title: 'List', key: 'l' },
  year: { title: 'Year', key: 'y' },
} as const
export type ViewName = keyof typeof VIEWS
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

export const viewOf = (name: string): ViewName => (isView(name) ? name : 'week')

const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`
const firstOfYear = (date: string): string => `${date.slice(0, 4)}-01-01`

/** Returns the first of the week that a date is in. `weekStart` 0 is Sunday. */
export const startOfWeek = (date: string, weekStart: number): string =>
  addDays(date, -((new Date(wallToMs(date)).getUTCDay() - weekStart + 7) % 7))

export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return msToDate(Date.UTC(year, month - 1 + months, 1))
}

/** The dates that a view shows: `from` included, `to` excluded. A month includes the rest of its first and last week. */
export function datesOf(view: ViewName, date: string, weekStart: number): { from: string; to: string } {
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

/** Returns the date of the previous or the next page of a view. */
export function stepDate(view: ViewName, date: string, step: 1 | -1): string {
  if (view === 'day') return addDays(date, step)
  if (view === 'week') return addDays(date, 7 * step)
  if (view === 'year') return addMonths(firstOfYear(date), 12 * step)
  return addMonths(date, step)
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
export const monthTitle = (date: string): string => monthFormat.format(wallToMs(date))
const shortFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

export function titleOfView(view: ViewName, date: string, weekStart: number): string {
  const { from, to } = datesOf(view, date, weekStart)
  if (view === 'day') return formatDate(date)
  if (view === 'year') return date.slice(0, 4)
  if (view !== 'week') return monthTitle(date)
  const last = addDays(to, -1)
  return `${shortFormat.format(wallToMs(from))} – ${shortFormat.format(wallToMs(last))} ${last.slice(0, 4)}`
}

export const daysIn = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((wallToMs(to) - wallToMs(from)) / DAY_MS) }, (_, index) => addDays(from, index))
