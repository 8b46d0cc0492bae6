import { DAY_MS } from '../../recurrence/days.ts'
import { openSeries, type Series } from '../../recurrence/series.ts'
import { steps } from '../../recurrence/steps.ts'
import { formatWallTime, type LocalMs, offsetAt } from '../../recurrence/zone.ts'
import { type Component, findProperties, findText } from './components.ts'
import { formatUtc, parseDateTime, parseOffset } from './icalDateTime.ts'
import { quote, type Report } from './report.ts'

const MINUTE = 60_000
const YEAR = 366 * DAY_MS

/** More rules in one VTIMEZONE are ignored. Files with a full history of a zone have fewer than 20. */
const MAX_RULES = 200

/**
 * A change of the offset to UTC, at a local time on the clock before the change. Offsets are milliseconds east of UTC.
 */
type Onset = { local: LocalMs; from: number; to: number }
/**
 * The changes that one rule repeats: their local times as a series in UTC, the first and last of them, and the offsets
 * before and after.
 */
type RuleOnsets = { series: Series; first: LocalMs; last: LocalMs; from: number; to: number }

/** The changes of offset that one VTIMEZONE defines. */
export class Observances {
  /** Onsets of DTSTART, RDATE, and ends of rules, in ascending order. */
  readonly #fixed: Onset[] = []
  readonly #rules: RuleOnsets[] = []
  readonly #onsetsOfRules = new Map<number, Onset[]>()
  /** The offset of the first STANDARD, which applies before all changes, as in other programs. */
  readonly #standardOffset: number | undefined

  constructor({ components }: Component, report: Report) {
    const standard = components.find(({ name }) => name === 'STANDARD')
    const offset = standard && parseOffset(findText(standard, 'tzoffsetto') ?? '')
    this.#standardOffset = Number.isNaN(offset) ? undefined : offset
    for (const component of components) this.#add(component, report)
    this.#fixed.sort((a, b) => a.local - b.local)
  }

  /** True if the VTIMEZONE defines no change. */
  get isEmpty(): boolean {
    return this.#fixed.length === 0
  }

  /** Adds the changes of a STANDARD or DAYLIGHT. Ignores a component without DTSTART or offsets. */
  #add(component: Component, report: Report): void {
    steps.taken += 1
    const start = parseDateTime(findText(component, 'dtstart') ?? '')
    const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => parseOffset(findText(component, name) ?? ''))
    if (!start || from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return
    const dates = findProperties(component, 'rdate').flatMap(({ value }) => value.split(','))
    const locals = [start.localMs, ...dates.flatMap((text) => parseDateTime(text)?.localMs ?? [])]
    for (const local of locals) this.#fixed.push({ local, from, to })
    for (const { value, line } of findProperties(component, 'rrule')) {
      if (this.#rules.length >= MAX_RULES) report(line, `more than ${MAX_RULES} rules of a time zone: ignored`)
      else this.#addRule(value, { first: start.localMs, from, to }, line, report)
    }
  }

  /** Adds the changes of an RRULE. Reports a rule that is invalid. */
  #addRule(rule: string, { first, from, to }: Omit<RuleOnsets, 'series' | 'last'>, line: number, report: Report): void {
    const { plain, local } = withoutTimeParts(rule, first)
    try {
      // Local times are expanded as if they were UTC.
      const series = openSeries({ wall: formatWallTime(local), zone: 'UTC' }, [`RRULE:${plain}`])
      const last = series.endless ? Number.POSITIVE_INFINITY : (series.last ?? local)
      this.#rules.push({ series, first: local, last, from, to })
      if (!series.endless) this.#fixed.push({ local: last, from, to })
    } catch {
      report(line, `no rule of a time zone, and ignored: ${quote(rule)}`)
    }
  }

  /** Returns the offset that applies at a local time, in milliseconds. */
  offsetOf(local: LocalMs): number {
    const onset = this.#lastOnset(local)
    return onset?.to ?? this.#standardOffset ?? this.#fixed[0]?.from ?? 0
  }

  /** Returns the latest change at or before a local time, or undefined before the first. */
  #lastOnset(local: LocalMs): Onset | undefined {
    const fixed = this.#fixed[this.#fixedBefore(local + 1) - 1]
    const ruled = this.#ruleOnsets(new Date(local).getUTCFullYear()).findLast((onset) => onset.local <= local)
    return ruled && ruled.local >= (fixed?.local ?? Number.NEGATIVE_INFINITY) ? ruled : fixed
  }

  /** Returns the changes of the effective offset from one local time to another. */
  changes(from: LocalMs, to: LocalMs): Onset[] {
    const [first, last] = [new Date(from).getUTCFullYear(), new Date(to - 1).getUTCFullYear()]
    const years = Array.from({ length: last - first + 1 }, (_, at) => this.#ruleOnsets(first + at)).flat()
    const fixed = this.#fixed.slice(this.#fixedBefore(from), this.#fixedBefore(to))
    const locals = new Set([...years, ...fixed].map(({ local }) => local))
    return [...locals]
      .filter((local) => local >= from && local < to)
      .sort((a, b) => a - b)
      .map((local) => ({ local, from: this.offsetOf(local - 1), to: this.offsetOf(local) }))
      .filter((onset) => onset.from !== onset.to)
  }

  /** Returns how many fixed onsets lie before a local time, by binary search. */
  #fixedBefore(local: LocalMs): number {
    let [low, high] = [0, this.#fixed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#fixed[middle]?.local ?? 0) < local) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the onsets of rules in a year and the year before, in ascending order. */
  #ruleOnsets(year: number): Onset[] {
    const known = this.#onsetsOfRules.get(year)
    if (known) return known
    const [from, to] = [Date.UTC(year, 0, 1) - YEAR, Date.UTC(year + 1, 0, 1)]
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
function withoutTimeParts(rule: string, first: LocalMs): { plain: string; local: LocalMs } {
  /** Returns the first digits of a part of the rule as a match, or null. */
  const part = (name: string) => /^\d+/.exec(new RegExp(`(?:^|;)${name}=([^;]*)`, 'i').exec(rule)?.[1]?.trim() ?? '')
  const start = new Date(first)
  const [hour, minute, second] = [part('BYHOUR'), part('BYMINUTE'), part('BYSECOND')].map((one) => one?.[0])
  start.setUTCHours(
    Number(hour ?? start.getUTCHours()),
    Number(minute ?? start.getUTCMinutes()),
    Number(second ?? start.getUTCSeconds()),
  )
  const plain = rule
    .split(';')
    .filter((one) => !/^\s*BY(HOUR|MINUTE|SECOND)=/i.test(one) && one.trim() !== '')
    .join(';')
    // UNTIL is a date or a local time in older files; a series in UTC needs UTC.
    .replace(/(UNTIL=\d{8}T\d{6})(?!Z)/i, '$1Z')
    .replace(/(UNTIL=)(\d{8})(?!T|\d)/i, (_, key: string, date: string) => {
      const day = parseDateTime(date)
      return `${key}${day ? formatUtc(day.localMs + DAY_MS - 1000) : date}`
    })
  return { plain, local: start.getTime() }
}

/** The precision of a search: zones that change at the hours of a VTIMEZONE, or that have its offsets in the middle of each month. */
export type ZonePrecision = 'hours' | 'months'
/** An instant in epoch milliseconds and the offset that a zone must have then. */
type Sample = { instant: number; offset: number }

/** Returns the middles of the months in two years from a year on, each with its offset. */
const monthSamples = (observances: Observances, year: number): Sample[] =>
  Array.from({ length: 24 }, (_, month) => {
    const local = Date.UTC(year, month, 15, 12)
    const offset = observances.offsetOf(local)
    return { instant: local - offset, offset }
  })

/**
 * Returns both sides of each change in two years from a year on, each with its offset. `distance` is how many
 * milliseconds the samples are from the change.
 */
const changeSamples = (observances: Observances, year: number, distance: number): Sample[] =>
  observances.changes(Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)).flatMap(({ local, from: before, to: after }) => [
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
  /** Returns true if a zone has the offset of a sample. */
  const hasOffset = ({ instant, offset }: Sample, zone: string) => offsetAt(instant, zone) === offset
  const months = monthSamples(observances, year)
  const alike = zones.filter((zone) => months.every((one) => hasOffset(one, zone)))
  if (precision === 'months') return alike[0]
  for (const distance of [MINUTE, 180 * MINUTE]) {
    const expected = changeSamples(observances, year, distance)
    const found = alike.find((zone) => expected.every((one) => hasOffset(one, zone)))
    if (found) return found
  }
  return undefined
}
