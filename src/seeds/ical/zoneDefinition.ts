import ICAL from 'ical.js'
import { shorten } from '../../schema/values/shownText.ts'
import { parseFileDateTime, parseICalOffset } from './icalDateTime.ts'
import type { Report } from './remarks.ts'
import { type Component, findProperties, findText, type Property } from './syntax.ts'

/** `at` is epoch milliseconds. Offsets are milliseconds east of UTC. */
type OffsetChange = { at: number; from: number; to: number }
/** `local` is the start by the clock before. */
type Onset = { kind: string; local: number; from: number; to: number }
type Observance = Onset & { dates: number[]; rules: Property[] }

const MAX_RULES = 50
/** Rules end in this year, because ical.js looks for occurrences until their end. Later years are like this one. */
const LAST_YEAR = 2100
const FIRST_DAY = Date.parse('0001-01-02T00:00:00Z')
const LAST_DAY = Date.UTC(LAST_YEAR, 11, 31)

const WITHOUT_ZONE = new ICAL.Property('dtstart')

const toICalTime = (localMs: number): ICAL.Time =>
  ICAL.Time.fromString(new Date(localMs).toISOString().slice(0, 19), WITHOUT_ZONE)

export class ZoneDefinition {
  readonly isEmpty: boolean
  readonly #changes: readonly OffsetChange[]
  readonly #component = new ICAL.Component('vtimezone')
  readonly #zone = new ICAL.Timezone({ component: this.#component })

  constructor({ components }: Component, report: Report) {
    let rules = 0
    const observances = components.flatMap((component) => parseObservance(component) ?? [])
    for (const observance of observances) {
      this.#addObservance(observance, observance.dates)
      for (const { value, line } of observance.rules) {
        const isAllowed = ++rules <= MAX_RULES
        const rule = isAllowed ? parseZoneRule(value, observance.local) : undefined
        if (rule) this.#addObservance(observance, [], rule)
        else report(line, isAllowed ? `${INVALID_RULE}${shorten(value)}` : TOO_MANY_RULES)
      }
    }
    this.isEmpty = observances.length === 0
    // The first STANDARD also applies before the first change.
    const first = observances.find(({ kind }) => kind === 'standard')?.to ?? observances[0]?.from ?? 0
    this.#addObservance({ kind: 'standard', local: FIRST_DAY, from: first, to: first }, [FIRST_DAY])
    this.#zone.utcOffset(toICalTime(LAST_DAY))
    this.#changes = toOffsetChanges(this.#zone)
  }

  #addObservance({ kind, local, from, to }: Onset, dates: readonly number[], rule?: ICAL.Recur): void {
    const component = new ICAL.Component(kind)
    component.addPropertyWithValue('dtstart', toICalTime(local))
    component.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(from / 1000))
    component.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(to / 1000))
    for (const date of dates) component.addPropertyWithValue('rdate', toICalTime(date))
    if (rule) component.addPropertyWithValue('rrule', rule)
    this.#component.addSubcomponent(component)
  }

  /** A local time is the epoch milliseconds of the same time in UTC. */
  offsetAt(local: number): number {
    const time = toICalTime(local)
    time.year = Math.min(time.year, LAST_YEAR)
    return this.#zone.utcOffset(time) * 1000
  }

  listChanges(from: number, to: number): OffsetChange[] {
    return this.#changes.filter(({ at }) => at >= from && at < to)
  }
}

function toOffsetChanges({ changes }: ICAL.Timezone): OffsetChange[] {
  const all = changes.map(({ year, month, day, hour, minute, second, utcOffset, prevUtcOffset }, nth) => ({
    at: Date.UTC(year, month - 1, day, hour, minute, second),
    from: (changes[nth - 1]?.utcOffset ?? prevUtcOffset) * 1000,
    to: utcOffset * 1000,
  }))
  return all.filter(({ from, to }) => from !== to)
}

const TOO_MANY_RULES = `the rule was ignored, because the VTIMEZONE has more than ${MAX_RULES} rules; remove those of past years`
const INVALID_RULE = 'the rule of the VTIMEZONE is invalid and was ignored: '

function parseObservance(component: Component): Observance | undefined {
  const start = parseFileDateTime(findText(component, 'dtstart') ?? '')
  const [from = Number.NaN, to = Number.NaN] = ['tzoffsetfrom', 'tzoffsetto'].map((name) =>
    parseICalOffset(findText(component, name) ?? ''),
  )
  if (!start || Number.isNaN(from + to)) return undefined
  const texts = findProperties(component, 'rdate').flatMap(({ value }) => value.split(','))
  const dates = [start.localMs, ...texts.flatMap((text) => parseFileDateTime(text)?.localMs ?? [])]
  const rules = findProperties(component, 'rrule')
  return { kind: component.name.toLowerCase(), local: start.localMs, from, to, dates, rules }
}

/** Undefined for a rule that is not yearly, and for one without an occurrence. */
function parseZoneRule(text: string, local: number): ICAL.Recur | undefined {
  try {
    const rule = ICAL.Recur.fromString(text.toUpperCase().replace(/\s|;\s*$/g, ''))
    rule.until ??= toICalTime(LAST_DAY)
    return rule.freq === 'YEARLY' && rule.iterator(toICalTime(local)).next() ? rule : undefined
  } catch {
    return undefined
  }
}
