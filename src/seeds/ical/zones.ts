import { DAY_MS } from '../../recurrence/days.ts'
import type { ICalDateTime } from '../../recurrence/icalDateTime.ts'
import { instantOf, localMsAt } from '../../recurrence/zone.ts'
import { COMMON_ZONES } from './commonZones.ts'
import { type Component, findText } from './components.ts'
import { findZoneWith, Observances, type ZonePrecision } from './observances.ts'
import { quote, type Report } from './report.ts'
import { WINDOWS_ZONES } from './windowsZones.ts'
import { findZone, guessZone, plainName } from './zoneNames.ts'

/**
 * A date, or an instant with its zone, if it names one. `at` is epoch milliseconds; for a date it is the UTC midnight.
 */
export type ZonedDateTime = { dated: true; at: number } | { dated: false; at: number; zone?: string }

/** Searches of all zones for the rules of a VTIMEZONE, per calendar of a file. */
const MAX_SEARCHES = 50
/** A second year to compare, because many files contain today's rules for all years. */
const REFERENCE_YEAR = 2024

/** Returns the local day of an instant (epoch milliseconds) as its UTC midnight. */
export const localDay = (instant: number, zone: string): number =>
  Math.floor(localMsAt(instant, zone) / DAY_MS) * DAY_MS

/**
 * Returns the local day of an instant as its UTC midnight. A UTC midnight without a zone counts as a date, because many
 * programs write dates that way.
 */
export function dayOfMoment({ at, zone }: { at: number; zone?: string }, zones: Zones): number {
  return zone === undefined && at % DAY_MS === 0 ? at : localDay(at, zone ?? zones.floating)
}

/** The zones of one calendar of a file. */
export class Zones {
  /** The zone of times without a zone. */
  readonly floating: string
  /** The zone in X-WR-TIMEZONE. */
  readonly named: string | undefined
  readonly #definitions: ReadonlyMap<string, Component>
  readonly #observances = new Map<string, Observances | undefined>()
  readonly #found = new Map<string, string | undefined>()
  #searches = 0

  /** `otherwise` is the zone of times without a zone, if the calendar names none. */
  constructor(calendar: Component, otherwise: string) {
    const definitions = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
    this.#definitions = new Map(definitions.map((one) => [plainName(findText(one, 'tzid') ?? ''), one]))
    const name = findText(calendar, 'x-wr-timezone')
    this.named = name === undefined ? undefined : this.#named(name)
    this.floating = this.named ?? otherwise
  }

  /**
   * Returns a date or time of the file as an instant. `zone` is its TZID. Without one it uses the governing zone, else
   * the floating one. Reports a zone that must be guessed. `recurring` is true for a series, which needs a zone.
   */
  place(
    { kind, localMs }: ICalDateTime,
    {
      zone: tzid,
      governing,
      recurring,
      line,
      report,
    }: { zone: string | undefined; governing?: string | undefined; recurring: boolean; line: number; report: Report },
  ): ZonedDateTime {
    if (kind === 'date') return { dated: true, at: localMs }
    if (kind === 'utc') return { dated: false, at: localMs }
    /** Returns the instant of the local time in a zone. */
    const inZone = (zone: string): ZonedDateTime => ({ dated: false, at: instantOf(localMs, zone), zone })
    if (tzid === undefined) return inZone(governing ?? this.floating)
    const name = plainName(tzid)
    const named = this.#named(name)
    if (named) return inZone(named)
    const observances = this.#observancesOf(name, report)
    const alike = observances && this.#alike(name, observances, localMs, 'hours')
    // A single event takes place when its definition has it, whatever the zone that is most alike.
    if (observances && !recurring) {
      return { dated: false, at: localMs - observances.offsetOf(localMs), ...(alike && { zone: alike }) }
    }
    if (alike) return inZone(alike)
    const nearest = observances && this.#alike(name, observances, localMs, 'months')
    const zone = nearest ?? guessZone(name) ?? this.floating
    const reason = nearest
      ? `no zone has these rules, and ${zone} is the nearest`
      : `no time zone, and taken for ${zone}`
    report(line, `${reason}: ${quote(name)}`)
    return inZone(zone)
  }

  /** Finds a zone by its name, or by the name in its definition. Returns undefined without one. */
  #named(name: string): string | undefined {
    const definition = this.#definitions.get(name)
    const location = definition && findText(definition, 'x-lic-location')
    return findZone(name) ?? (location === undefined ? undefined : findZone(location))
  }

  /** Returns the changes that the VTIMEZONE of a TZID defines, or undefined without any. */
  #observancesOf(tzid: string, report: Report): Observances | undefined {
    if (!this.#observances.has(tzid)) {
      const definition = this.#definitions.get(tzid)
      const observances = definition && new Observances(definition, report)
      this.#observances.set(tzid, observances?.isEmpty ? undefined : observances)
    }
    return this.#observances.get(tzid)
  }

  /**
   * Finds the zone with the rules of a VTIMEZONE in the year of a local time, or in the reference year. Returns
   * undefined without one, and after 50 searches.
   */
  #alike(tzid: string, observances: Observances, local: number, precision: ZonePrecision): string | undefined {
    for (const year of [new Date(local).getUTCFullYear(), REFERENCE_YEAR]) {
      const key = `${precision} ${year} ${tzid}`
      if (!this.#found.has(key)) {
        const isAllowed = this.#searches++ < MAX_SEARCHES
        this.#found.set(key, isAllowed ? findZoneWith(observances, year, this.#candidates(), precision) : undefined)
      }
      const found = this.#found.get(key)
      if (found) return found
    }
    return undefined
  }

  /** Returns all zones, the most likely first. */
  #candidates(): string[] {
    const rest = [...WINDOWS_ZONES.values(), ...Intl.supportedValuesOf('timeZone')]
    return [...new Set([this.floating, ...COMMON_ZONES, ...rest])]
  }
}
