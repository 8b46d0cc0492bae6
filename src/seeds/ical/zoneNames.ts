import { isZone } from '../../recurrence/zone.ts'
import { WINDOWS_ZONES } from './windowsZones.ts'

const UTC_NAMES = new Set(['UTC', 'GMT', 'Z', 'ETC/UTC', 'ETC/GMT', 'UCT', 'ZULU'])

/**
 * Finds a zone of the IANA database by its name, by the end of its name, or by its Windows name. Returns undefined
 * without one.
 */
export function findZone(text: string): string | undefined {
  const name = plainName(text)
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

/** Returns a TZID without the quotes that some programs repeat or escape. */
export const plainName = (text: string): string => text.trim().replace(/^[\\"]+|[\\"]+$/g, '')

const DISPLAY_NAME = /^\((?:UTC|GMT)[^)]*\)|[,&]/

/**
 * Guesses a zone from a display name of Windows, such as `(UTC+01:00) Brussels, Paris` or `Pacific Time (US & Canada)`.
 * It uses the first part that is a Windows name without `Standard Time`, or the city of a zone. Returns undefined
 * without one.
 */
export function guessZone(text: string): string | undefined {
  const name = plainName(text)
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
