import { DAY, dayOf } from './days.ts'
import { invalid } from './invalid.ts'
import { instantOf, type Reading } from './zone.ts'

/** A date or date-time as the RFC writes it: `20260306`, `20260306T090000`, `20260306T140000Z`. */
export type Stamp = { kind: 'date' | 'wall' | 'utc'; reading: Reading }

const STAMP = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

export function readStamp(text: string): Stamp {
  const [, year, month, date, hour, minute, second, utc] = STAMP.exec(text) ?? invalid(`No date or date-time: ${text}`)
  const day = dayOf(Number(year), Number(month), Number(date))
  const canonical = new Date(day * DAY).toISOString().slice(0, 10)
  if (canonical !== `${year}-${month}-${date}`) invalid(`No such date: ${text}`)
  if (hour === undefined) return { kind: 'date', reading: day * DAY }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 23 || m > 59 || s > 59) invalid(`No such time of day: ${text}`)
  return { kind: utc ? 'utc' : 'wall', reading: day * DAY + ((h * 60 + m) * 60 + s) * 1000 }
}

export function placed({ kind, reading }: Stamp, zone: string): number {
  return kind === 'utc' ? reading : instantOf(reading, zone)
}
