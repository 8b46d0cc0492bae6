import { boundedCache } from '../db/memo.ts'
import { DAY_MS } from '../recurrence/days.ts'
import { formatOffset } from '../recurrence/format.ts'
import { isZone, localMsAt, offsetAt } from '../recurrence/zone.ts'
import { isDate } from '../schema/params.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { mapTexts } from './mapTexts.ts'
import { pick, type Random, shuffle } from './random.ts'

/**
 * A move of a world in time: local times move by whole weeks, and instants by `ms`. Each zone becomes one in which the
 * moved instants have the moved local times.
 */
export type Shift = { readonly weeks: number; readonly ms: number; readonly zones: ReadonlyMap<string, string> }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MAX_OFFSET_MS = 14 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Thirty years, after which the pattern of weekdays and dates has occurred several times. */
const MAX_WEEKS = 1565
const HOURS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]
const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59Z')
/** The days before and after the time of a task in which its world must keep its local times. */
const DAYS_BEFORE = 14
const DAYS_AFTER = 42

const ZONES =
  'Pacific/Auckland Pacific/Noumea Australia/Sydney Australia/Brisbane Asia/Tokyo Asia/Seoul Asia/Shanghai Asia/Manila Asia/Singapore Asia/Bangkok Asia/Jakarta Asia/Dhaka Asia/Kolkata Asia/Karachi Asia/Dubai Asia/Baku Europe/Istanbul Africa/Nairobi Asia/Riyadh Europe/Helsinki Europe/Athens Europe/Bucharest Africa/Johannesburg Africa/Maputo Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Stockholm Europe/Vienna Africa/Lagos Africa/Algiers Europe/London Europe/Lisbon Europe/Dublin Africa/Abidjan Atlantic/Reykjavik UTC Atlantic/Azores Atlantic/Cape_Verde America/Sao_Paulo America/Argentina/Buenos_Aires America/Halifax America/Puerto_Rico America/La_Paz America/New_York America/Toronto America/Detroit America/Bogota America/Lima America/Chicago America/Winnipeg America/Costa_Rica America/Denver America/Edmonton America/Phoenix America/Los_Angeles America/Vancouver America/Tijuana America/Anchorage Pacific/Honolulu'.split(
    ' ',
  )

/** Returns a shift that keeps all local times around the time of a task. It may change nothing. */
export function chooseShift(task: { seeds: readonly Seed[]; now: string; goal: unknown }, random: Random): Shift {
  const zones = [...collectZones([task.seeds, task.goal])].sort()
  const now = Date.parse(task.now)
  const half = DAY_MS / 2
  const instants = Array.from(
    { length: 2 * (DAYS_BEFORE + DAYS_AFTER) },
    (_, at) => now + (at - 2 * DAYS_BEFORE) * half,
  )
  const offsets = new Map(zones.map((zone) => [zone, instants.map((instant) => offsetAt(instant, zone))]))
  const hasOffsets = (zone: string, other: string, ms: number, offsetChangeMs: number) =>
    instants.every((instant, at) => offsetAt(instant + ms, other) === (offsets.get(zone)?.[at] ?? 0) + offsetChangeMs)
  const weeks = pick(
    sameWeeks(`${now} ${zones}`, () =>
      Array.from({ length: MAX_WEEKS }, (_, at) => at).filter((at) =>
        zones.every((zone) => hasOffsets(zone, zone, at * WEEK_MS, 0)),
      ),
    ),
    random,
  )
  for (const hours of shuffle(HOURS, random)) {
    const ms = weeks * WEEK_MS + hours * HOUR_MS
    const candidates = shuffle(ZONES, random)
    const found = zones.map((zone) => candidates.find((other) => hasOffsets(zone, other, ms, -hours * HOUR_MS)))
    if (found.every((zone) => zone !== undefined))
      return { weeks, ms, zones: new Map(zones.map((zone, at) => [zone, found[at] as string])) }
  }
  return { weeks, ms: weeks * WEEK_MS, zones: new Map() }
}

/** The weeks by which a set of zones can be moved. They contain 0. */
const sameWeeks = boundedCache<number[]>(100)

const isZoneField = (name: string): boolean => name.toLowerCase() === 'timezone'

function collectZones(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, part] of Object.entries(value)) {
    if (isZoneField(name) && typeof part === 'string' && isZone(part)) found.add(part)
    else collectZones(part, found)
  }
  return found
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
/** Not within a word, but after the `_` in the id of an instance. */
const UTC_STAMP = /(?<![^\W_])(\d{8})T(\d{6})Z/g
const DATE_STAMP = /(?<![^\W_])(?:19|20|21)\d\d[01]\d[0-3]\d(?=T\d{6}\b|\b)/g
const ZONE = /\b[A-Z]\w+(?:\/[A-Z]\w+)+\b/g
const DATE = /\b\d{4}-\d\d-\d\d(?=T\d\d:\d\d(?::\d\d)?\b|\b)(?!T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))/g

/**
 * Moves a seed. Its local dates move with the clock of the world, by an anchor: its own, or one at the former time of the
 * clock.
 */
export function shiftSeed(seed: Seed, now: string, { ms, weeks, zones }: Shift): Seed {
  if (ms === 0) return seed
  const zone = seed.accounts?.[0]?.timeZone ?? 'UTC'
  const anchor = seed.anchor ?? new Date(localMsAt(Date.parse(now), zone)).toISOString().slice(0, 10)
  const hours = { ms: ms - weeks * WEEK_MS, weeks: 0, zones }
  return { ...shiftDatedValue(seed, hours), anchor }
}

/** Moves instants, dates and zones in all texts, also in names, which are requests in a goal. */
export const shiftDatedValue = <T>(value: T, shift: Shift): T =>
  mapTexts(value, (text, field) => shiftText(text, shift, isZoneField(field)))

function shiftText(text: string, { ms, weeks, zones }: Shift, isZoneName: boolean): string {
  if (isZoneName) return zones.get(text) ?? text
  return text
    .replace(ZONE, (zone) => zones.get(zone) ?? zone)
    .replace(DATE, (date) => moveDate(date, weeks) ?? date)
    .replace(UTC_STAMP, (stamp, ...[date = '', time = '']: string[]) => {
      const instant = `${toDate(date)}T${time.replace(/..(?=.)/g, '$&:')}Z`
      return isDatedInstant(instant) ? toStamp(formatInstant(Date.parse(instant) + ms)) : stamp
    })
    .replace(DATE_STAMP, (stamp) => toStamp(moveDate(toDate(stamp), weeks) ?? stamp))
    .replace(INSTANT, (instant) => (isDatedInstant(instant) ? moveInstant(instant, ms, ms - weeks * WEEK_MS) : instant))
}

/** False for a time that does not exist, such as 2030-02-30T08:00:00Z, which `Date` would read as one in March. */
const isDatedInstant = (text: string): boolean => !Number.isNaN(Date.parse(text)) && isDate(text.slice(0, 10))

const moveDate = (date: string, weeks: number): string | undefined =>
  isDate(date) ? formatInstant(Date.parse(`${date}T00:00:00Z`) + weeks * WEEK_MS).slice(0, 10) : undefined

/** Zones move against the instants by `offsetChangeMs`, so an instant with an offset keeps its local time. */
function moveInstant(instant: string, ms: number, offsetChangeMs: number): string {
  const moved = Date.parse(instant) + ms
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)$/.exec(instant) ?? []
  if (sign === undefined) return formatInstant(moved)
  const offset = Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS) - offsetChangeMs
  if (Math.abs(offset) > MAX_OFFSET_MS) return formatInstant(moved)
  return formatInstant(moved + offset).replace('Z', formatOffset(offset))
}

const toDate = (stamp: string): string => stamp.replace(/^(....)(..)(..)$/, '$1-$2-$3')

const toStamp = (text: string): string => text.replace(/[-:]/g, '')

/** The years of RFC 3339 have four digits, so later times become the last one. */
const formatInstant = (ms: number): string => new Date(Math.min(ms, LAST_TIME_MS)).toISOString().replace(/\.000Z$/, 'Z')
