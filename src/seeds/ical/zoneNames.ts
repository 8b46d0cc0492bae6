import { WINDOWS_TO_IANA_MAP } from 'windows-iana'
import { isStoredZone } from '../../recurrence/zone.ts'

/** Zones by their Windows name in lower case. `001` is the world: a name has other zones in some territories. */
const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(({ windowsName, iana: [zone] }) => [
    windowsName.toLowerCase(),
    zone,
  ]),
)

const UTC_NAMES = new Set(['UTC', 'GMT', 'Z', 'ETC/UTC', 'ETC/GMT', 'UCT', 'ZULU'])

/** Finds a zone by the name in the IANA database, the end of it, or the Windows name. */
export function findZoneByName(text: string): string | undefined {
  const name = unquoteZoneName(text)
  const parts = name.split('/')
  const ends = [3, 2, 1].filter((length) => length < parts.length).map((length) => parts.slice(-length).join('/'))
  // RFC 2445 names its example `US-Eastern`.
  for (const one of [name, ...ends, name.replace('-', '/')]) {
    if (isStoredZone(one)) return one
    if (UTC_NAMES.has(one.toUpperCase())) return 'UTC'
  }
  return WINDOWS_ZONES.get(name.toLowerCase())
}

export const unquoteZoneName = (text: string): string => text.trim().replace(/^[\\"]+|[\\"]+$/g, '')

const DISPLAY_NAME = /^\((?:UTC|GMT)[^)]*\)|[,&]/

/**
 * Display names of Windows are `(UTC+01:00) Brussels, Paris` and `Pacific Time (US & Canada)`. The first part counts that is
 * a Windows name without `Standard Time`, or the city of a zone.
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
 * The order in which zones are tried for a VTIMEZONE with an unknown name: of those with equal rules, the one with the most
 * users. Sources: populations by country, and the tzdata zones of each.
 */
const COMMON_ZONES: readonly string[] = [
  ...['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'America/Denver', 'Europe/Berlin', 'Europe/London'],
  ...['Asia/Shanghai', 'Asia/Kolkata', 'Asia/Tokyo', 'Asia/Jakarta', 'Asia/Dhaka', 'Asia/Karachi', 'Asia/Dubai'],
  ...['Europe/Moscow', 'Europe/Kyiv', 'Africa/Lagos', 'Africa/Johannesburg', 'Africa/Cairo', 'UTC'],
  ...['America/Sao_Paulo', 'America/Bogota', 'America/Mexico_City', 'America/Phoenix', 'America/Caracas'],
  ...['America/Halifax', 'America/Santiago', 'America/St_Johns', 'America/Anchorage', 'Pacific/Honolulu'],
  ...['Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'],
  ...['Pacific/Auckland', 'Asia/Tehran', 'Asia/Kabul', 'Asia/Kathmandu', 'Asia/Yangon', 'Asia/Jerusalem'],
]

export function listZonesByUse(first: string): string[] {
  const rest = [...[...WINDOWS_ZONES].sort().map(([, zone]) => zone), ...Intl.supportedValuesOf('timeZone')]
  return [...new Set([first, ...COMMON_ZONES, ...rest])]
}
