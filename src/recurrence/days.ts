export type Day = number

export const DAY_MS = 86_400_000

export type Weekday = number

const CYCLE_DAYS = 146_097

/**
 * Months count from 1; month 13 is January of the next year, and date 0 the last day of the month before. Adds four centuries,
 * because `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
 */
export function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year + 400, month - 1, date) / DAY_MS - CYCLE_DAYS
}

export function datePartsOf(day: Day): { year: number; month: number; date: number } {
  const midnight = new Date(day * DAY_MS)
  return { year: midnight.getUTCFullYear(), month: midnight.getUTCMonth() + 1, date: midnight.getUTCDate() }
}

export function weekdayOf(day: Day): Weekday {
  return (((day + 3) % 7) + 7) % 7
}

export const isWeekend = (day: Day): boolean => weekdayOf(day) >= 5

/** Months count from 1. */
export function daysInMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1)
}

/** Weeks begin on `firstWeekday` and are numbered continuously: week 0 begins in the seven days up to 1970-01-04. */
export function weekOf(day: Day, firstWeekday: Weekday): number {
  return Math.floor((day + 3 - firstWeekday) / 7)
}

export function firstDayOfWeek(week: number, firstWeekday: Weekday): Day {
  return week * 7 - 3 + firstWeekday
}

/** Years have four digits. */
export const LAST_DAY = dayOf(9999, 12, 31)
