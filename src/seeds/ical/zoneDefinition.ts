import ICAL from 'ical.js'
import { parseICalDateTime, parseICalOffset } from './icalDateTime.ts'
import { cutForRemark, type Report } from './remarks.ts'
import { type Component, findProperties, findText } from './syntax.ts'

/** A change of the offset at an instant in epoch milliseconds. Offsets are milliseconds east of UTC. */
type OffsetChange = { at: number; from: number; to: number }
/** The start of an observance as a local time, and the offsets before and after, in milliseconds. */
type Observance = { local: number; from: number; to: number }

const MAX_RULES = 50
/** Rules end in this year, because ical.js looks for occurrences until their end. Later years are like this one. */
const LAST_YEAR = 2100
const FIRST_DAY = Date.parse('0001-01-02T00:00:00Z')
const LAST_DAY = Date.UTC(LAST_YEAR, 11, 31)

const WITHOUT_ZONE = new ICAL.Property('dtstart')

const toTime = (localMs: number): ICAL.Time =>
  ICAL.Time.fromString(new Date(localMs).toISOString().slice(0, 19), WITHOUT_ZONE)

/** The offsets of a VTIMEZONE. Its valid parts apply; rules that are ignored are reported. */
export class ZoneDefinition {
  readonly isEmpty: boolean
  readonly #changes: readonly OffsetChange[]
  readonly #component = new ICAL.Component('vtimezone')
  readonly #zone = new ICAL.Timezone({ component: this.#component })

  constructor({ components }: Component, report: Report) {
    let rules = 0
    const offsets = components.flatMap((component) => {
      const observance = parseObservance(component)
      if (!observance) return []
      const dates = findProperties(component, 'rdate').flatMap(({ value }) => value.split(','))
      const locals = dates.flatMap((text) => parseICalDateTime(text)?.localMs ?? [])
      this.#addObservance(component.name, observance, [observance.local, ...locals])
      for (const property of findProperties(component, 'rrule')) {
        const isAllowed = ++rules <= MAX_RULES
        const rule = isAllowed ? parseRule(property.value, observance.local) : undefined
        if (rule) this.#addObservance(component.name, observance, [], rule)
        else report(property.line, isAllowed ? `${INVALID_RULE}${cutForRemark(property.value)}` : TOO_MANY_RULES)
      }
      return { before: observance.from, standard: component.name === 'STANDARD' ? observance.to : undefined }
    })
    this.isEmpty = offsets.length === 0
    // The first STANDARD also applies before the first change.
    const first = offsets.find(({ standard }) => standard !== undefined)?.standard ?? offsets[0]?.before ?? 0
    this.#addObservance('STANDARD', { local: FIRST_DAY, from: first, to: first }, [FIRST_DAY])
    this.#zone.utcOffset(toTime(LAST_DAY))
    this.#changes = toOffsetChanges(this.#zone)
  }

  #addObservance(name: string, { local, from, to }: Observance, dates: readonly number[], rule?: ICAL.Recur): void {
    const component = new ICAL.Component(name.toLowerCase())
    component.addPropertyWithValue('dtstart', toTime(local))
    component.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(from / 1000))
    component.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(to / 1000))
    for (const date of dates) component.addPropertyWithValue('rdate', toTime(date))
    if (rule) component.addPropertyWithValue('rrule', rule)
    this.#component.addSubcomponent(component)
  }

  /** Returns the offset at a local time (epoch milliseconds of the same time in UTC), in milliseconds. */
  offsetAt(local: number): number {
    const time = toTime(local)
    time.year = Math.min(time.year, LAST_YEAR)
    return this.#zone.utcOffset(time) * 1000
  }

  /** Returns the changes from an instant (epoch milliseconds) to another. */
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
  const start = parseICalDateTime(findText(component, 'dtstart') ?? '')
  const [from = Number.NaN, to = Number.NaN] = ['tzoffsetfrom', 'tzoffsetto'].map((name) =>
    parseICalOffset(findText(component, name) ?? ''),
  )
  return start && !Number.isNaN(from + to) ? { local: start.localMs, from, to } : undefined
}

/** Parses a yearly rule from a local time on. Returns undefined for any other, and for one without an occurrence. */
function parseRule(text: string, local: number): ICAL.Recur | undefined {
  try {
    const rule = ICAL.Recur.fromString(text.toUpperCase().replace(/\s|;\s*$/g, ''))
    rule.until ??= toTime(LAST_DAY)
    return rule.freq === 'YEARLY' && rule.iterator(toTime(local)).next() ? rule : undefined
  } catch {
    return undefined
  }
}
