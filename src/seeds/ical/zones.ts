import { DAY_MS } from '../../recurrence/days.ts'
import type { ICalDateTime } from '../../recurrence/rule.ts'
import { instantOf, offsetAt, toLocalDay } from '../../recurrence/zone.ts'
import { quoteForRemark, type Report } from './remarks.ts'
import { type Component, findText } from './syntax.ts'
import { ZoneDefinition } from './zoneDefinition.ts'
import { findZoneByName, guessZone, listZonesByUse, unquoteZoneName } from './zoneNames.ts'

/** `at` is epoch milliseconds; for a date, the UTC midnight. */
export type ZonedDateTime = { dated: true; at: number } | { dated: false; at: number; zone?: string }

/** If not `isExact`, it only has the same offsets in each month. */
type SimilarZone = { zone: string; isExact: boolean }

const MINUTE_MS = 60_000
const MAX_SEARCHES = 50
/** A second year to compare, because many files contain today's rules for all years. */
const REFERENCE_YEAR = 2024

/** A UTC midnight without a zone counts as a date, because many programs write dates that way. */
export function toDay({ at, zone }: { at: number; zone?: string }, zones: Zones): number {
  return zone === undefined && at % DAY_MS === 0 ? at : toLocalDay(at, zone ?? zones.floating)
}

/** `name` is the property or parameter, `used` the zone in use. */
export const describeUnknownZone = (name: string, value: string, used: string): string =>
  `${name} ${quoteForRemark(value)} is not a known time zone, so ${used} is used; write an IANA name such as Europe/Berlin`

/** `zone` is the TZID, and `governing` applies without one. Only a series needs a zone. */
export type Resolution = { zone: string | undefined; governing?: string | undefined; recurring: boolean }

/** The address of the owner and the id of the calendar are in lower case. */
export type ReadContext = { zones: Zones; owner: string; calendar: string; alarms: boolean; report: Report }

/** `named` by X-WR-TIMEZONE; `floating` is for times without a zone. */
export class Zones {
  readonly floating: string
  readonly named: string | undefined
  readonly #components: ReadonlyMap<string, Component>
  readonly #definitions = new Map<string, ZoneDefinition | undefined>()
  readonly #similar = new Map<string, SimilarZone | undefined>()

  constructor(calendar: Component, otherwise: string) {
    const definitions = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
    this.#components = new Map(definitions.map((one) => [unquoteZoneName(findText(one, 'tzid') ?? ''), one]))
    this.named = this.#findNamedZone(findText(calendar, 'x-wr-timezone') ?? '')
    this.floating = this.named ?? otherwise
  }

  resolve({ kind, localMs }: ICalDateTime, how: Resolution, line: number, report: Report): ZonedDateTime {
    if (kind === 'date') return { dated: true, at: localMs }
    if (kind === 'utc') return { dated: false, at: localMs }
    const resolveIn = (zone: string): ZonedDateTime => ({ dated: false, at: instantOf(localMs, zone), zone })
    if (how.zone === undefined) return resolveIn(how.governing ?? this.floating)
    const name = unquoteZoneName(how.zone)
    const named = this.#findNamedZone(name)
    if (named) return resolveIn(named)
    const definition = this.#findDefinition(name, report)
    const similar = definition && this.#findSimilarZone(name, definition, new Date(localMs).getUTCFullYear())
    if (similar?.isExact) return resolveIn(similar.zone)
    if (definition && !how.recurring) return { dated: false, at: localMs - definition.offsetAt(localMs) }
    const zone = similar?.zone ?? guessZone(name) ?? this.floating
    const reason = `no time zone has the rules of the VTIMEZONE ${quoteForRemark(name)}, so the most similar one`
    report(
      line,
      similar
        ? `${reason}, ${zone}, is used; write an IANA name such as Europe/Berlin`
        : describeUnknownZone('TZID', name, zone),
    )
    return resolveIn(zone)
  }

  #findNamedZone(name: string): string | undefined {
    const definition = this.#components.get(name)
    const location = definition && findText(definition, 'x-lic-location')
    return findZoneByName(name) ?? (location === undefined ? undefined : findZoneByName(location))
  }

  #findDefinition(tzid: string, report: Report): ZoneDefinition | undefined {
    const component = this.#components.get(tzid)
    if (!component) return undefined
    const definition = this.#definitions.get(tzid) ?? new ZoneDefinition(component, report)
    this.#definitions.set(tzid, definition)
    return definition.isEmpty ? undefined : definition
  }

  #findSimilarZone(tzid: string, definition: ZoneDefinition, year: number): SimilarZone | undefined {
    const key = `${year} ${tzid}`
    if (!this.#similar.has(key) && this.#similar.size < MAX_SEARCHES)
      this.#similar.set(key, findSimilarZone(definition, year, listZonesByUse(this.floating)))
    return this.#similar.get(key)
  }
}

/**
 * Zones that change at the hours of the VTIMEZONE go before those that change up to three hours apart, and these before
 * zones that only have its offsets in the middle of each month.
 */
function findSimilarZone(definition: ZoneDefinition, year: number, zones: readonly string[]): SimilarZone | undefined {
  let inMonths: string | undefined
  for (const first of [year, REFERENCE_YEAR]) {
    const months = Array.from({ length: 24 }, (_, month) => Date.UTC(first, month, 15, 12)).map((local) => {
      const offset = definition.offsetAt(local)
      return { instant: local - offset, offset }
    })
    const hasOffsets = (samples: typeof months, zone: string) =>
      samples.every(({ instant, offset }) => offsetAt(instant, zone) === offset)
    const alike = zones.filter((zone) => hasOffsets(months, zone))
    const changes = definition.listChanges(Date.UTC(first, 0), Date.UTC(first + 2, 0))
    for (const distance of [MINUTE_MS, 180 * MINUTE_MS]) {
      const samples = changes.flatMap(({ at, from, to }) => [
        { instant: at - distance, offset: from },
        { instant: at + distance, offset: to },
      ])
      const zone = alike.find((one) => hasOffsets(samples, one))
      if (zone) return { zone, isExact: true }
    }
    inMonths ??= alike[0]
  }
  return inMonths === undefined ? undefined : { zone: inMonths, isExact: false }
}
