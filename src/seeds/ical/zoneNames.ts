import { WINDOWS_TO_IANA_MAP } from 'windows-iana'
import { isZone } from '../../recurrence/zone.ts'

/** Zones by their Windows name in lower case. `001` is the world: a name has other zones in some territories. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(({ windowsName, iana: [zone] }) => [
    windowsName.toLowerCase(),
    zone,
  ]),
)

const UTC_NAMES = new Set(['UTC', 'GMT', 'Z', 'ETC/UTC', 'ETC/GMT', 'UCT', 'ZULU'])

/**
 * Finds a zone of the IANA database by its name, by the end of its name, or by its Windows name. Returns undefined
 * without one.
 */
export function findZoneByName(text: string): string | undefined {
  const name = unquoteZoneName(text)
  if (isZone(name)) return name
  if (UTC_NAMES.has(name.toUpperCase())) return 'UTC'
  const parts = name.split('/')
  for (const length of [3, 2, 1]) {
    const tail = parts.slice(-length).join('/')
    if (parts.length > length && isZone(tail)) return tail
  }
  if (UTC_NAMES.has(parts.at(-1)?.toUpperCase() ?? '')) return 'UTC'
  // RFC 2445 names its example `US-Eastern`.
  const slashed = name.replace('-', '/')
  return isZone(slashed) ? slashed : WINDOWS_ZONES.get(name.toLowerCase())
}

export const unquoteZoneName = (text: string): string => text.trim().replace(/^[\\"]+|[\\"]+$/g, '')

const DISPLAY_NAME = /^\((?:UTC|GMT)[^)]*\)|[,&]/

/**
 * Guesses a zone from a display name of Windows, such as `(UTC+01:00) Brussels, Paris` or `Pacific Time (US & Canada)`.
 * It uses the first part that is a Windows name without `Standard Time`, or the city of a zone. Returns undefined
 * without one.
 */
export function guessZone(text: string): string | undefined {
  const name = unquoteZoneName(text)
  if (!DISPLAY_NAME.test(name)) return undefined
  const zones = Intl.supportedValuesOf('timeZone')
  for (const piece of name.replace(/^\([^)]*\)/, '').split(/[,;/]/)) {
    const part = piece
      .replace(/\(.*| time\b.*/i, '')
      .trim()
      .toLowerCase()
    const city = `/${part.replaceAll(' ', '_')}`
    const found = WINDOWS_ZONES.get(`${part} standard time`) ?? zones.find((zone) => zone.toLowerCase().endsWith(city))
    if (part !== '' && found) return found
  }
  return undefined
}

/**
 * Zones in the order in which they are tried for a VTIMEZONE with an unknown name. Of zones with equal rules, the list
 * contains the one with the most users. Sources: populations by country, and the tzdata zones of each.
 */
export const COMMON_ZONES: readonly string[] = [
  ...['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'America/Denver', 'Europe/Berlin', 'Europe/London'],
  ...['Asia/Shanghai', 'Asia/Kolkata', 'Asia/Tokyo', 'Asia/Jakarta', 'Asia/Dhaka', 'Asia/Karachi', 'Asia/Dubai'],
  ...['Europe/Moscow', 'Europe/Kyiv', 'Africa/Lagos', 'Africa/Johannesburg', 'Africa/Cairo', 'UTC'],
  ...['America/Sao_Paulo', 'America/Bogota', 'America/Mexico_City', 'America/Phoenix', 'America/Caracas'],
  ...['America/Halifax', 'America/Santiago', 'America/St_Johns', 'America/Anchorage', 'Pacific/Honolulu'],
  ...['Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'],
  ...['Pacific/Auckland', 'Asia/Tehran', 'Asia/Kabul', 'Asia/Kathmandu', 'Asia/Yangon', 'Asia/Jerusalem'],
]
