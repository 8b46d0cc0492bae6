import { DAY } from '../../recurrence/days.ts'
import type { Stamp } from '../../recurrence/stamp.ts'
import { instantOf, isZone, readingAt } from '../../recurrence/zone.ts'
import { COMMON_ZONES } from './commonZones.ts'
import { type Component, findText } from './components.ts'
import { findZoneWith, Observances } from './observances.ts'
import { quote, type Report } from './report.ts'
import { WINDOWS_ZONES } from './windowsZones.ts'

/** A date, by its UTC midnight, or an instant, with the zone that it was said in unless it was said in none. */
export type Moment = { dated: true; at: number } | { dated: false; at: number; zone?: string }

/** Searches of all zones for the rules of a VTIMEZONE, per calendar of a file. */
const MAX_SEARCHES = 50
/** A second year to compare, because many files give today's rules for all years. */
const REFERENCE_YEAR = 2024

const UTC_NAMES = new Set(['UTC', 'GMT', 'Z', 'ETC/UTC', 'ETC/GMT', 'UCT', 'ZULU'])

/** A zone by its name, by the end of its name, or by its name in Windows. */
export function findZone(said: string): string | undefined {
  const name = said.trim().replace(/^"|"$/g, '')
  if (isZone(name)) return name
  if (UTC_NAMES.has(name.toUpperCase())) return 'UTC'
  const parts = name.split('/')
  for (const length of [3, 2, 1]) {
    const tail = parts.slice(-length).join('/')
    if (parts.length > length && isZone(tail)) return tail
  }
  if (UTC_NAMES.has(parts.at(-1)?.toUpperCase() ?? '')) return 'UTC'
  return WINDOWS_ZONES.get(name.toLowerCase())
}

/** The day of an instant on the clock of a zone, by its UTC midnight. */
export const localDay = (instant: number, zone: string): number => Math.floor(readingAt(instant, zone) / DAY) * DAY

/**
 * The day of an instant. Midnight of UTC in no zone of its own is mostly a date that was made an instant; any other instant
 * is of its day in the zone.
 */
export function dayOfMoment({ at, zone }: { at: number; zone?: string }, zones: Zones): number {
  return zone === undefined && at % DAY === 0 ? at : localDay(at, zone ?? zones.floating)
}

/** The zones of one calendar of a file: where its dates and times lie. */
export class Zones {
  /** The zone of times that name none. */
  readonly floating: string
  /** The zone that the calendar says it is in. */
  readonly said: string | undefined
  readonly #definitions: ReadonlyMap<string, Component>
  readonly #observances = new Map<string, Observances | undefined>()
  readonly #found = new Map<string, string | undefined>()
  #searches = 0

  constructor(calendar: Component, otherwise: string) {
    const definitions = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
    this.#definitions = new Map(definitions.map((one) => [findText(one, 'tzid') ?? '', one]))
    const said = findText(calendar, 'x-wr-timezone')
    this.said = said === undefined ? undefined : this.#named(said)
    this.floating = this.said ?? otherwise
  }

  /** Where a date or time lies. One that names no zone of its own is in the governing one, or floats. */
  place(
    { kind, reading }: Stamp,
    {
      zone: tzid,
      governing,
      recurring,
      line,
      report,
    }: { zone: string | undefined; governing?: string | undefined; recurring: boolean; line: number; report: Report },
  ): Moment {
    if (kind === 'date') return { dated: true, at: reading }
    if (kind === 'utc') return { dated: false, at: reading }
    const inZone = (zone: string): Moment => ({ dated: false, at: instantOf(reading, zone), zone })
    const said = tzid?.trim()
    if (said === undefined) return inZone(governing ?? this.floating)
    const zone = this.#named(said) ?? this.#alike(said, reading, report)
    if (zone) return inZone(zone)
    const observances = this.#observancesOf(said, report)
    if (observances && !recurring) return { dated: false, at: reading - observances.offsetOf(reading) }
    report(line, `no time zone, and taken for ${this.floating}: ${quote(said)}`)
    return inZone(this.floating)
  }

  /** By its name, or the name that its definition gives it. */
  #named(said: string): string | undefined {
    const definition = this.#definitions.get(said)
    const location = definition && findText(definition, 'x-lic-location')
    return findZone(said) ?? (location === undefined ? undefined : findZone(location))
  }

  /** Returns what a VTIMEZONE of this TZID defines; undefined without one, or if it defines nothing. */
  #observancesOf(tzid: string, report: Report): Observances | undefined {
    if (!this.#observances.has(tzid)) {
      const definition = this.#definitions.get(tzid)
      const observances = definition && new Observances(definition, report)
      this.#observances.set(tzid, observances?.isEmpty ? undefined : observances)
    }
    return this.#observances.get(tzid)
  }

  /** Finds the zone with the rules of a VTIMEZONE about a local time, or in the reference year. */
  #alike(tzid: string, local: number, report: Report): string | undefined {
    const observances = this.#observancesOf(tzid, report)
    if (!observances) return undefined
    for (const year of [new Date(local).getUTCFullYear(), REFERENCE_YEAR]) {
      const key = `${year} ${tzid}`
      if (!this.#found.has(key)) {
        const isAllowed = this.#searches++ < MAX_SEARCHES
        this.#found.set(key, isAllowed ? findZoneWith(observances, year, this.#candidates()) : undefined)
      }
      const found = this.#found.get(key)
      if (found) return found
    }
    return undefined
  }

  #candidates(): string[] {
    const rest = [...WINDOWS_ZONES.values(), ...Intl.supportedValuesOf('timeZone')]
    return [...new Set([this.floating, ...COMMON_ZONES, ...rest])]
  }
}
