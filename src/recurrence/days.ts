/** A date as a number: the days from 1970-01-01, a Thursday. */
export type Day = number

/** In milliseconds. */
export const DAY = 86_400_000

/** 0 is Monday, on which weeks begin unless WKST says otherwise. */
export type Weekday = number

/** 400 years of the calendar, after which it repeats itself, weekdays and all. */
const CYCLE = 146_097

/** Computed four centuries later, because Date.UTC reads the years 0 to 99 as 1900 to 1999. Months and days may overflow. */
export function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year + 400, month - 1, date) / DAY - CYCLE
}

export function dateOf(day: Day): { year: number; month: number; date: number } {
  const midnight = new Date(day * DAY)
  return { year: midnight.getUTCFullYear(), month: midnight.getUTCMonth() + 1, date: midnight.getUTCDate() }
}

export function weekdayOf(day: Day): Weekday {
  return (((day + 3) % 7) + 7) % 7
}

export function lengthOfMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1)
}

/** Weeks are numbered through all time, so that a week is a number too. */
export function weekOf(day: Day, firstWeekday: Weekday): number {
  return Math.floor((day + 3 - firstWeekday) / 7)
}

export function firstDayOfWeek(week: number, firstWeekday: Weekday): Day {
  return week * 7 - 3 + firstWeekday
}

/** No rule goes further: a year has four digits. */
export const LAST_DAY = dayOf(9999, 12, 31)
