import { formatInZone, formatUtc } from '../model/events/times.ts'
import { DAY_MS } from '../recurrence/days.ts'
import { instantAt, isZone, parseWallTime, wallTimeAt } from '../recurrence/zone.ts'
import { toShown } from '../schema/values/shownText.ts'
import { ToolError } from './host.ts'

/** A time of an argument: the local time as written, and its offset (`Z`, `+01:00`) if it has one. */
export type GivenTime = { readonly wall: string; readonly offset: string | undefined }
/** A start or an end in REST. */
export type RestTime = { date?: string | null; dateTime?: string | null; timeZone?: string }

const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?)?([Zz]|[+-]\d\d:?\d\d)?$/

/** Parses a time: a date, a local time, or RFC 3339. Throws a ToolError that names the argument. */
export function parseTime(text: string, name: string): GivenTime {
  const [, date, time = '00:00', seconds = '00', offset] = TIME.exec(text.trim()) ?? []
  const wall = `${date}T${time}:${seconds}`
  const instant = parseWallTime(wall)
  if (Number.isNaN(instant) || formatUtc(instant) !== `${wall}Z`)
    throw new ToolError(`Invalid value at '${name}' (TYPE_STRING), ${toShown(text)}`)
  return { wall, offset: offset?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') }
}

/** Throws a ToolError for an unknown name. */
export function resolveZone(given: string | undefined, ofUser: string): string {
  if (given === undefined || given === '') return ofUser
  if (!isZone(given)) throw new ToolError(`Invalid time zone: ${toShown(given)}`)
  return given
}

/** A zone of a fixed offset, as `+05:30`. Only some offsets have a name of IANA. */
const isOffset = (zone: string): boolean => /^[+-]/.test(zone)

/** Epoch milliseconds. A time without an offset is local to the zone, a name or an offset. */
export function resolveTime({ wall, offset }: GivenTime, zone: string): number {
  const fixed = offset ?? (isOffset(zone) ? zone : undefined)
  const instant = fixed === undefined ? instantAt(wall, zone) : Date.parse(`${wall}${fixed}`)
  if (Number.isNaN(instant)) throw new ToolError(`Invalid offset: ${offset}`)
  return instant
}

/**
 * Returns the end of an event. Where a clock change skips the local time of its start, the end moves with it, so that the
 * event keeps its length (behaviour 17.7.4).
 */
export function toEnd(start: GivenTime, end: GivenTime, zone: string): GivenTime {
  const isSkipped = ({ wall, offset }: GivenTime) =>
    offset === undefined && wallTimeAt(instantAt(wall, zone), zone) !== wall
  if (!isSkipped(start) || isSkipped(end) || end.offset !== undefined) return end
  const skipped = parseWallTime(wallTimeAt(instantAt(start.wall, zone), zone)) - parseWallTime(start.wall)
  return { wall: formatUtc(parseWallTime(end.wall) + skipped).slice(0, -1), offset: undefined }
}

export const toWrittenDate = ({ wall }: GivenTime): string => wall.slice(0, 'yyyy-mm-dd'.length)

/** Formats RFC 3339 in a zone that is a name or an offset. */
export function formatTime(instant: number, zone: string): string {
  if (!isOffset(zone)) return formatInZone(instant, zone)
  const shift = Date.parse('1970-01-01T00:00:00Z') - Date.parse(`1970-01-01T00:00:00${zone}`)
  return formatUtc(instant + shift).replace('Z', zone)
}

export const daysBetween = (from: string, to: string): number =>
  (parseWallTime(`${to}T00:00:00`) - parseWallTime(`${from}T00:00:00`)) / DAY_MS

/** Formats an instant of REST without its milliseconds (behaviour 17.4). */
export const withoutMilliseconds = (instant: string): string => instant.replace(/\.\d+(?=Z|[+-]|$)/, '')
