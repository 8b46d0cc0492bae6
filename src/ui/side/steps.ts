import { now } from '../calendar/state.ts'
import type { View } from '../calendar/views.ts'

/** The world's day. */
export const today = (): string => (now.peek() ?? '1970-01-01').slice(0, 10)

/** The day so many pages of a view later: a month's and a year's begin with their first. */
export function later(date: string, view: View, by: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const next = {
    day: () => Date.UTC(year, month - 1, day + by),
    week: () => Date.UTC(year, month - 1, day + 7 * by),
    month: () => Date.UTC(year, month - 1 + by, 1),
    list: () => Date.UTC(year, month - 1 + by, 1),
    year: () => Date.UTC(year + by, month - 1, 1),
  }[view]()
  return new Date(next).toISOString().slice(0, 10)
}
