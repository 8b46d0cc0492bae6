import { addDays } from '../../api/shared.ts'
import { showDate } from '../../time/timeFormat.ts'
import { msToDate, wallToMs } from '../../time/wallTime.ts'

/** `type` is the name in FullCalendar. */
export const VIEWS = {
  day: { title: 'Day', type: 'timeGridDay' },
  week: { title: 'Week', type: 'timeGridWeek' },
  workWeek: { title: 'Work week', type: 'workWeek' },
  month: { title: 'Month', type: 'dayGridMonth' },
  list: { title: 'List', type: 'listDays' },
  year: { title: 'Year', type: 'multiMonthYear' },
} as const
export type ViewName = keyof typeof VIEWS
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

/** Days from the date of the address on. */
export const LIST_DAYS = 30

export const parseView = (name: string): ViewName => (Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'week')

const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`
const firstOfYear = (date: string): string => `${date.slice(0, 4)}-01-01`

/** 0 is Sunday. */
const startOfWeek = (date: string, weekStart: number): string =>
  addDays(date, -((new Date(wallToMs(date)).getUTCDay() - weekStart + 7) % 7))

function addMonths(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return msToDate(Date.UTC(year, month - 1 + months, 1))
}

/** Dates before `to`. A month includes the rest of its first and last week. */
export function findVisibleDates(view: ViewName, date: string, weekStart: number): { from: string; to: string } {
  if (view === 'day') return { from: date, to: addDays(date, 1) }
  if (view === 'list') return { from: date, to: addDays(date, LIST_DAYS) }
  if (view === 'week' || view === 'workWeek') {
    const from = startOfWeek(date, weekStart)
    return { from, to: addDays(from, 7) }
  }
  if (view === 'year') return { from: firstOfYear(date), to: addMonths(firstOfYear(date), 12) }
  const [first, next] = [firstOfMonth(date), addMonths(date, 1)]
  return { from: startOfWeek(first, weekStart), to: addDays(startOfWeek(addDays(next, -1), weekStart), 7) }
}

export function stepDate(view: ViewName, date: string, step: 1 | -1): string {
  if (view === 'year') return addMonths(firstOfYear(date), 12 * step)
  if (view === 'month') return addMonths(date, step)
  return addDays(date, step * { day: 1, week: 7, workWeek: 7, list: LIST_DAYS }[view])
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const shortFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** `Mon 2 Mar 2026`, `2 Mar – 8 Mar 2026`, `March 2026` or `2026` */
export function formatViewTitle(view: ViewName, date: string, weekStart: number): string {
  if (view === 'day') return showDate(date)
  if (view === 'year') return date.slice(0, 4)
  if (view === 'month') return monthFormat.format(wallToMs(date))
  const { from, to } = findVisibleDates(view, date, weekStart)
  const last = addDays(to, -1)
  return `${shortFormat.format(wallToMs(from))} – ${shortFormat.format(wallToMs(last))} ${last.slice(0, 4)}`
}
