import { DAY_MS } from '../../recurrence/days.ts'
import type { ICalDateTime } from '../../recurrence/icalDateTime.ts'
import { openSeries, type Series } from '../../recurrence/series.ts'
import { steps } from '../../recurrence/steps.ts'
import { formatWallTime, instantOf, type LocalMs, localMsAt, offsetAt } from '../../recurrence/zone.ts'
import { formatICalUtc, parseICalDateTime, parseICalOffset } from './icalDateTime.ts'
import { type Component, cutForRemark, findProperties, findText, quoteForRemark, type Report } from './syntax.ts'
import { WINDOWS_ZONES } from './windowsZones.ts'
import { COMMON_ZONES, findZoneByName, guessZone, unquoteZoneName } from './zoneNames.ts'

/**
 * A date (`dated`), or an instant with its zone, if it names one. `at` is epoch milliseconds; for a date it is the UTC
 * midnight.
 */
export type ZonedDateTime = { dated: true; at: number } | { dated: false; at: number; zone?: string }

const MAX_SEARCHES = 50
/** A second year to compare, because many files contain today's rules for all years. */
const REFERENCE_YEAR = 2024

/** Returns the local day of an instant (epoch milliseconds) as its UTC midnight. */
export const toLocalDay = (instant: number, zone: string): number =>
  Math.floor(localMsAt(instant, zone) / DAY_MS) * DAY_MS

/**
 * Returns the local day of an instant as its UTC midnight. A UTC midnight without a zone counts as a date, because many
 * programs write dates that way.
 */
export function toDay({ at, zone }: { at: number; zone?: string }, zones: Zones): number {
  return zone === undefined && at % DAY_MS === 0 ? at : toLocalDay(at, zone ?? zones.floating)
}

/** Returns the remark about a zone name that is not known. `name` is its property or parameter, `used` the zone in use. */
export const describeUnknownZone = (name: string, value: string, used: string): string =>
  `${name} ${quoteForRemark(value)} is not a known time zone, so ${used} is used; write an IANA name such as Europe/Berlin`

export class Zones {
  readonly floating: string
  readonly named: string | undefined
  readonly #definitions: ReadonlyMap<string, Component>
  readonly #observances = new Map<string, Observances | undefined>()
  readonly #found = new Map<string, string | undefined>()
  #searches = 0

  constructor(calendar: Component, otherwise: string) {
    const definitions = calendar.components.filter(({ name }) => name === 'VTIMEZONE')
    this.#definitions = new Map(definitions.map((one) => [unquoteZoneName(findText(one, 'tzid') ?? ''), one]))
    const name = findText(calendar, 'x-wr-timezone')
    this.named = name === undefined ? undefined : this.#findNamedZone(name)
    this.floating = this.named ?? otherwise
  }

  /**
   * Returns a date or time of the file as an instant. `zone` is its TZID. Without one it uses the governing zone, else
   * the floating one. Reports a zone that must be guessed. `recurring` is true for a series, which needs a zone; a single
   * event by the rules of a VTIMEZONE may have none.
   */
  resolve(
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
    const resolveIn = (zone: string): ZonedDateTime => ({ dated: false, at: instantOf(localMs, zone), zone })
    if (tzid === undefined) return resolveIn(governing ?? this.floating)
    const name = unquoteZoneName(tzid)
    const named = this.#findNamedZone(name)
    if (named) return resolveIn(named)
    const observances = this.#findObservances(name, report)
    const alike = observances && this.#findSimilarZone(name, observances, localMs, 'hours')
    if (observances && !recurring) {
      return { dated: false, at: localMs - observances.findOffset(localMs), ...(alike && { zone: alike }) }
    }
    if (alike) return resolveIn(alike)
    const nearest = observances && this.#findSimilarZone(name, observances, localMs, 'months')
    const zone = nearest ?? guessZone(name) ?? this.floating
    const reason = `no time zone has the rules of the VTIMEZONE ${quoteForRemark(name)}, so the most similar one`
    report(
      line,
      nearest
        ? `${reason}, ${zone}, is used; write an IANA name such as Europe/Berlin`
        : describeUnknownZone('TZID', name, zone),
    )
    return resolveIn(zone)
  }

  #findNamedZone(name: string): string | undefined {
    const definition = this.#definitions.get(name)
    const location = definition && findText(definition, 'x-lic-location')
    return findZoneByName(name) ?? (location === undefined ? undefined : findZoneByName(location))
  }

  #findObservances(tzid: string, report: Report): Observances | undefined {
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
  #findSimilarZone(
    tzid: string,
    observances: Observances,
    local: number,
    precision: ZonePrecision,
  ): string | undefined {
    for (const year of [new Date(local).getUTCFullYear(), REFERENCE_YEAR]) {
      const key = `${precision} ${year} ${tzid}`
      if (!this.#found.has(key)) {
        const isAllowed = this.#searches++ < MAX_SEARCHES
        this.#found.set(key, isAllowed ? findZoneWith(observances, year, this.#listCandidates(), precision) : undefined)
      }
      const found = this.#found.get(key)
      if (found) return found
    }
    return undefined
  }

  #listCandidates(): string[] {
    const rest = [...WINDOWS_ZONES.values(), ...Intl.supportedValuesOf('timeZone')]
    return [...new Set([this.floating, ...COMMON_ZONES, ...rest])]
  }
}

const MINUTE_MS = 60_000
const YEAR_MS = 366 * DAY_MS

const MAX_RULES = 200

/**
 * An onset: a change of the offset to UTC, at a local time on the clock before the change. A local time (`LocalMs`) is the
 * epoch milliseconds of the same time in UTC. Offsets are milliseconds east of UTC.
 */
type Onset = { local: LocalMs; from: number; to: number }
/**
 * The changes that one rule repeats: their local times as a series in UTC, the first and last of them, and the offsets
 * before and after.
 */
type RuleOnsets = { series: Series; first: LocalMs; last: LocalMs; from: number; to: number }

/** The observances (STANDARD and DAYLIGHT) of one VTIMEZONE: the changes of offset that they define. */
export class Observances {
  readonly #fixed: Onset[] = []
  readonly #rules: RuleOnsets[] = []
  readonly #onsetsOfRules = new Map<number, Onset[]>()
  readonly #standardOffset: number | undefined

  constructor({ components }: Component, report: Report) {
    const standard = components.find(({ name }) => name === 'STANDARD')
    const offset = standard && parseICalOffset(findText(standard, 'tzoffsetto') ?? '')
    this.#standardOffset = Number.isNaN(offset) ? undefined : offset
    for (const component of components) this.#addComponent(component, report)
    this.#fixed.sort((a, b) => a.local - b.local)
  }

  get isEmpty(): boolean {
    return this.#fixed.length === 0
  }

  #addComponent(component: Component, report: Report): void {
    steps.taken += 1
    const start = parseICalDateTime(findText(component, 'dtstart') ?? '')
    const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => parseICalOffset(findText(component, name) ?? ''))
    if (!start || from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return
    const dates = findProperties(component, 'rdate').flatMap(({ value }) => value.split(','))
    const locals = [start.localMs, ...dates.flatMap((text) => parseICalDateTime(text)?.localMs ?? [])]
    for (const local of locals) this.#fixed.push({ local, from, to })
    for (const { value, line } of findProperties(component, 'rrule')) {
      if (this.#rules.length >= MAX_RULES)
        report(
          line,
          `the rule was ignored, because the VTIMEZONE has more than ${MAX_RULES} rules; remove those of past years`,
        )
      else this.#addRule(value, { first: start.localMs, from, to }, line, report)
    }
  }

  #addRule(rule: string, { first, from, to }: Omit<RuleOnsets, 'series' | 'last'>, line: number, report: Report): void {
    const { plain, local } = moveTimePartsToStart(rule, first)
    try {
      const series = openSeries({ wall: formatWallTime(local), zone: 'UTC' }, [`RRULE:${plain}`])
      const last = series.endless ? Number.POSITIVE_INFINITY : (series.last ?? local)
      this.#rules.push({ series, first: local, last, from, to })
      if (!series.endless) this.#fixed.push({ local: last, from, to })
    } catch {
      report(line, `the rule of the VTIMEZONE is invalid and was ignored: ${cutForRemark(rule)}`)
    }
  }

  /** Returns the offset that applies at a local time, in milliseconds. */
  findOffset(local: LocalMs): number {
    const onset = this.#findLastOnset(local)
    return onset?.to ?? this.#standardOffset ?? this.#fixed[0]?.from ?? 0
  }

  #findLastOnset(local: LocalMs): Onset | undefined {
    const fixed = this.#fixed[this.#countFixedBefore(local + 1) - 1]
    const ruled = this.#listRuleOnsets(new Date(local).getUTCFullYear()).findLast((onset) => onset.local <= local)
    return ruled && ruled.local >= (fixed?.local ?? Number.NEGATIVE_INFINITY) ? ruled : fixed
  }

  listChanges(from: LocalMs, to: LocalMs): Onset[] {
    const [first, last] = [new Date(from).getUTCFullYear(), new Date(to - 1).getUTCFullYear()]
    const years = Array.from({ length: last - first + 1 }, (_, at) => this.#listRuleOnsets(first + at)).flat()
    const fixed = this.#fixed.slice(this.#countFixedBefore(from), this.#countFixedBefore(to))
    const locals = new Set([...years, ...fixed].map(({ local }) => local))
    return [...locals]
      .filter((local) => local >= from && local < to)
      .sort((a, b) => a - b)
      .map((local) => ({ local, from: this.findOffset(local - 1), to: this.findOffset(local) }))
      .filter((onset) => onset.from !== onset.to)
  }

  #countFixedBefore(local: LocalMs): number {
    let [low, high] = [0, this.#fixed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#fixed[middle]?.local ?? 0) < local) low = middle + 1
      else high = middle
    }
    return low
  }

  #listRuleOnsets(year: number): Onset[] {
    const known = this.#onsetsOfRules.get(year)
    if (known) return known
    const [from, to] = [Date.UTC(year, 0, 1) - YEAR_MS, Date.UTC(year + 1, 0, 1)]
    const active = this.#rules.filter(({ first, last }) => first < to && last >= from)
    const onsets = active.flatMap(({ series, from: before, to: after }) =>
      series.between(from, to, 8).map((local): Onset => ({ local, from: before, to: after })),
    )
    onsets.sort((a, b) => a.local - b.local)
    this.#onsetsOfRules.set(year, onsets)
    return onsets
  }
}

/**
 * Moves BYHOUR, BYMINUTE and BYSECOND of a rule into its start, because a series of the service has none. Notes writes
 * them in every time zone.
 */
function moveTimePartsToStart(rule: string, first: LocalMs): { plain: string; local: LocalMs } {
  const readPart = (name: string) =>
    /^\d+/.exec(new RegExp(`(?:^|;)${name}=([^;]*)`, 'i').exec(rule)?.[1]?.trim() ?? '')
  const start = new Date(first)
  const [hour, minute, second] = [readPart('BYHOUR'), readPart('BYMINUTE'), readPart('BYSECOND')].map((one) => one?.[0])
  start.setUTCHours(
    Number(hour ?? start.getUTCHours()),
    Number(minute ?? start.getUTCMinutes()),
    Number(second ?? start.getUTCSeconds()),
  )
  const plain = rule
    .split(';')
    .filter((one) => !/^\s*BY(HOUR|MINUTE|SECOND)=/i.test(one) && one.trim() !== '')
    .join(';')
    .replace(/(UNTIL=\d{8}T\d{6})(?!Z)/i, '$1Z')
    .replace(/(UNTIL=)(\d{8})(?!T|\d)/i, (_, key: string, date: string) => {
      const day = parseICalDateTime(date)
      return `${key}${day ? formatICalUtc(day.localMs + DAY_MS - 1000) : date}`
    })
  return { plain, local: start.getTime() }
}

/** The precision of a search: zones that change at the hours of a VTIMEZONE, or that have its offsets in the middle of each month. */
export type ZonePrecision = 'hours' | 'months'
/** An instant in epoch milliseconds and the offset that a zone must have then. */
type Sample = { instant: number; offset: number }

const sampleMonths = (observances: Observances, year: number): Sample[] =>
  Array.from({ length: 24 }, (_, month) => {
    const local = Date.UTC(year, month, 15, 12)
    const offset = observances.findOffset(local)
    return { instant: local - offset, offset }
  })

/**
 * Returns both sides of each change in two years from a year on, each with its offset. `distance` is how many
 * milliseconds the samples are from the change.
 */
const sampleChanges = (observances: Observances, year: number, distance: number): Sample[] =>
  observances
    .listChanges(Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1))
    .flatMap(({ local, from: before, to: after }) => [
      { instant: local - before - distance, offset: before },
      { instant: local - before + distance, offset: after },
    ])

/**
 * Finds the first of `zones` with the offsets of a VTIMEZONE in two years from a year on, or returns undefined. Zones
 * that change at the same hour go before zones that change up to three hours apart. For the precision `months`, the
 * changes do not count.
 */
export function findZoneWith(
  observances: Observances,
  year: number,
  zones: readonly string[],
  precision: ZonePrecision,
): string | undefined {
  const hasSampleOffset = ({ instant, offset }: Sample, zone: string) => offsetAt(instant, zone) === offset
  const months = sampleMonths(observances, year)
  const alike = zones.filter((zone) => months.every((one) => hasSampleOffset(one, zone)))
  if (precision === 'months') return alike[0]
  for (const distance of [MINUTE_MS, 180 * MINUTE_MS]) {
    const expected = sampleChanges(observances, year, distance)
    const found = alike.find((zone) => expected.every((one) => hasSampleOffset(one, zone)))
    if (found) return found
  }
  return undefined
}
