import { wallTimeAt } from '../recurrence/zone.ts'
import type { Seed } from '../wire/seed.ts'

const WEEK = 7 * 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
/** The dates in a recurrence line, but not the counts. */
const STAMP = /\b\d{8}(?:T\d{6}Z?)?\b/g

/** A seed with every date moved by the whole weeks between its anchor and an instant, weekdays and hours kept. */
export function unanchored(seed: Seed, now: number): Seed {
  if (!seed.anchor) return seed
  const by = Math.floor((now - Date.parse(`${seed.anchor}T00:00:00Z`)) / WEEK) * WEEK
  const { anchor: _, clock, ...dated } = seed
  return { ...(moved(dated, by) as Seed), ...(clock && { clock }) }
}

function moved(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, by))
  if (typeof value === 'string') return movedText(value, by)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(local(value)).map(([name, inner]) => [name, moved(inner, by)]))
}

/** A time with a zone of its own is moved by its wall clock: the zone's offset may be another one after the move. */
function local(value: object): object {
  const { dateTime, timeZone } = value as { dateTime?: unknown; timeZone?: unknown }
  if (typeof dateTime !== 'string' || typeof timeZone !== 'string' || !DATE_TIME.exec(dateTime)?.[1]) return value
  return { ...value, dateTime: wallTimeAt(Date.parse(dateTime), timeZone) }
}

function movedText(text: string, by: number): string {
  if (DATE.test(text)) return new Date(Date.parse(`${text}T00:00:00Z`) + by).toISOString().slice(0, 10)
  if (DATE_TIME.test(text)) {
    const day = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + by).toISOString().slice(0, 10)
    return day + text.slice(10)
  }
  return /^(RRULE|EXRULE|RDATE|EXDATE)\b/i.test(text) ? text.replace(STAMP, (stamp) => movedStamp(stamp, by)) : text
}

function movedStamp(stamp: string, by: number): string {
  const [year, month, day] = [stamp.slice(0, 4), stamp.slice(4, 6), stamp.slice(6, 8)]
  const date = new Date(Date.parse(`${year}-${month}-${day}T00:00:00Z`) + by).toISOString().slice(0, 10)
  return date.replaceAll('-', '') + stamp.slice(8)
}
