import { isZone, offsetAt } from '../../../recurrence/zone.ts'

/** A time of an event in a recording: `dateTime` in RFC 3339 with an offset, and the IANA zone that the event names. */
export type ZonedTime = { dateTime: string; timeZone: string | undefined }

const MINUTE_MS = 60_000

/**
 * Returns the IANA zone of a calendar from the times of its events, or undefined if no zone had their offsets: a zone
 * that its events name, else one of a fixed offset, else any zone that had these offsets at these times.
 */
export function zoneOfTimes(times: readonly ZonedTime[]): string | undefined {
  if (times.length === 0) return undefined
  const offsets = times.map(({ dateTime }) => ({ ms: Date.parse(dateTime), minutes: offsetIn(dateTime) }))
  const named = [...new Set(times.flatMap(({ timeZone }) => timeZone ?? []))].filter(isZone)
  const fits = (name: string) =>
    offsets.every(({ ms, minutes }) => minutes === undefined || offsetAt(ms, name) === minutes * MINUTE_MS)
  const hours = [...new Set(offsets.map(({ minutes = 0 }) => minutes / 60))]
  const [only = 0] = hours
  const fixed = hours.length === 1 && Number.isInteger(only) ? fixedZone(only) : undefined
  return named.find(fits) ?? fixed ?? [...COMMON_ZONES, ...Intl.supportedValuesOf('timeZone')].find(fits)
}

/** The zones that are tried first if no event names the calendar's zone. */
const COMMON_ZONES = [
  ...['Europe/London', 'Europe/Berlin', 'Europe/Athens', 'America/New_York', 'America/Chicago', 'America/Denver'],
  ...['America/Los_Angeles', 'Asia/Kolkata', 'Australia/Sydney', 'Australia/Adelaide', 'Pacific/Auckland'],
]

/**
 * Returns the zone that is a number of whole hours ahead of UTC. Such names have inverted signs: `Etc/GMT-2` is two
 * hours ahead.
 */
const fixedZone = (hours: number): string => (hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`)

/** Returns the offset of a `dateTime` from UTC in minutes, positive to the east; undefined if it names none. */
function offsetIn(dateTime: string): number | undefined {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(dateTime) ?? []
  if (sign === undefined) return dateTime.endsWith('Z') ? 0 : undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
