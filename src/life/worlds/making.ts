import { DAY } from '../../recurrence/days.ts'
import type { SeedEvent } from '../../wire/seeds/seed.ts'

/** The date so many days after another. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

type Times = Pick<SeedEvent, 'start' | 'end'>

/** From a time of day for some minutes, by the clock of a zone. */
export function timed(date: string, time: string, minutes: number, timeZone: string): Times {
  const start = Date.parse(`${date}T${time}:00Z`)
  const reading = (at: number) => new Date(at).toISOString().slice(0, 19)
  return {
    start: { dateTime: reading(start), timeZone },
    end: { dateTime: reading(start + minutes * 60_000), timeZone },
  }
}

/** All day, for some days. */
export const allDay = (date: string, days = 1): Times => ({
  start: { date },
  end: { date: dayAfter(date, days) },
})

/** One of a list for each number: the same in every run. */
export const pick = <T>(list: readonly T[], nth: number): T => list[nth % list.length] as T

export const padded = (number: number, digits = 2): string => String(number).padStart(digits, '0')
