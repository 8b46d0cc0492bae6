import { DAY_MS } from '../../recurrence/days.ts'
import { InvalidRecurrenceError, openSeries, type Series, type Start } from '../../recurrence/series.ts'
import { formatRecurrence, moveRecurrence, type RecurrenceParts, splitRecurrence } from '../../recurrence/split.ts'
import { instantOf, localMsAt, wallTimeAt } from '../../recurrence/zone.ts'
import { formatICalDate, formatICalUtc, parseICalDateTime, parseICalDuration } from './icalDateTime.ts'
import {
  type Component,
  cutForRemark,
  findProperties,
  type Property,
  type Report,
  UnsupportedEventError,
} from './syntax.ts'
import { addDuration, DATE_WITH_TIME, describeInvalidTime } from './times.ts'
import { toDay, toLocalDay, type ZonedDateTime, type Zones } from './zones.ts'

/**
 * The recurrence of an event, and the ends of added starts that are periods. Starts and ends are epoch milliseconds;
 * starts of all-day series are UTC midnights.
 */
export type Recurrence = RecurrenceParts & { ends?: ReadonlyMap<number, number> }

/** Limit of dates, because the service rejects longer recurrences (behaviour 14.22). */
const MAX_DATES = 4000

const createRecurrence = (): Recurrence => ({ rules: [], added: [], excluded: [] })

/**
 * Returns the recurrence of an event; undefined without a rule or an added date, even if dates are excluded. Reports
 * values and parts of rules that are ignored. Throws an UnsupportedEventError for rules that the service does not
 * support, and for more than 4000 dates.
 */
export function parseRecurrence(
  event: Component,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): Recurrence | undefined {
  const read = createRecurrence()
  for (const rule of findProperties(event, 'rrule', 'exrule')) {
    const lines = rule.value.trim() === '' ? [] : [parseICalRule(rule, start, zones, report)]
    read.rules.push(...lines)
  }
  const ends = new Map<number, number>()
  for (const dates of findProperties(event, 'rdate')) {
    for (const { slot, end } of parseSlots(dates, start, zones, report)) {
      read.added.push(slot)
      if (end !== undefined && end >= slot && !start.dated) ends.set(slot, end)
    }
  }
  for (const dates of findProperties(event, 'exdate')) {
    read.excluded.push(...parseSlots(dates, start, zones, report).map(({ slot }) => slot))
  }
  if (read.added.length + read.excluded.length > MAX_DATES) {
    throw new UnsupportedEventError(
      event.line,
      `it has more than ${MAX_DATES} dates in RDATE and EXDATE, which is the limit; split the series`,
    )
  }
  return read.rules.length + read.added.length > 0 ? { ...read, ...(ends.size > 0 && { ends }) } : undefined
}

/**
 * Returns the starts (`slot`) in an RDATE or EXDATE, and the end of each period, in epoch milliseconds. A date is a start
 * at the time of day of the series. Reports values that are not dates or times.
 */
function parseSlots(
  { name, value, type, parameters, line }: Property,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): { slot: number; end: number | undefined }[] {
  return value.split(/[,;]/).flatMap((text) => {
    const [from = '', to = ''] = text.split('/')
    const stamp = parseICalDateTime(from)
    if (!stamp) {
      if (from.trim() !== '')
        report(line, `one value was ignored, because ${describeInvalidTime(name.toUpperCase(), from)}`)
      return []
    }
    if (type === 'date' && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    const context = { zone: parameters.get('tzid'), governing, recurring: true, line, report }
    const moment = zones.resolve(stamp, context)
    const slot = toSlot(moment, start, zones)
    const [duration, until] = [parseICalDuration(to), parseICalDateTime(to)]
    if (duration) return { slot, end: addDuration(moment, duration).at }
    return { slot, end: until && zones.resolve(until, context).at }
  })
}

/**
 * Converts a date or time to a start of a series in epoch milliseconds: to the UTC midnight of its day in an all-day
 * series, and to the time of day of the series if it is a date.
 */
export function toSlot(moment: ZonedDateTime, start: ZonedDateTime, zones: Zones): number {
  if (moment.dated === start.dated) return moment.at
  if (start.dated) return moment.dated ? moment.at : toDay(moment, zones)
  const zone = start.zone ?? 'UTC'
  return instantOf(moment.at + toTimeOfDay(start.at, zone), zone)
}

/** Returns the local time of day of an instant, in milliseconds. */
const toTimeOfDay = (instant: number, zone: string): number => localMsAt(instant, zone) - toLocalDay(instant, zone)

/** Reports each EXDATE without an occurrence of the series. `series` has no excluded starts. */
export function reportUnmatchedDates(
  event: Component,
  series: Series,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): void {
  const ignoreProblems = () => undefined
  for (const dates of findProperties(event, 'exdate')) {
    const slots = parseSlots(dates, start, zones, ignoreProblems)
    const unmatched = slots.filter(({ slot }) => !series.includes(slot)).length
    if (unmatched === 0) continue
    const which = slots.length === 1 ? 'EXDATE has' : `${unmatched} of ${slots.length} dates of EXDATE have`
    const reason = `${which} no effect, because the series has no occurrence then`
    report(dates.line, `${reason}; correct or remove them: ${cutForRemark(dates.value)}`)
  }
}

export function toSeriesStart(start: ZonedDateTime): Start {
  if (start.dated) return { date: new Date(start.at).toISOString().slice(0, 10) }
  const zone = start.zone ?? 'UTC'
  return { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
}

/**
 * Returns a recurrence as a series. `line` is the place of the event in the file. Throws an UnsupportedEventError if it
 * is no series of the service.
 */
export function requireSeries(recurrence: Recurrence, start: ZonedDateTime, line: number): Series {
  try {
    return openSeries(toSeriesStart(start), formatRecurrence(recurrence, start.dated))
  } catch (error) {
    if (error instanceof InvalidRecurrenceError)
      throw new UnsupportedEventError(line, `the service rejects its recurrence: ${error.message}`)
    throw error
  }
}

type RuleParts = Map<string, string>

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const KNOWN_PARTS = 'FREQ UNTIL COUNT INTERVAL WKST BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYDAY BYSETPOS'.split(' ')
const SET_PARTS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY']

/**
 * Parts of a rule that are ignored, each with its condition and the reason for the remark. The service rejects them, and
 * calendar programs ignore them.
 */
const IGNORED_PARTS: readonly [part: string, isIgnored: (parts: RuleParts) => boolean, reason: string][] = [
  ['COUNT', (parts) => Number(parts.get('COUNT')) === 0, 'it must be at least 1'],
  ['INTERVAL', (parts) => Number(parts.get('INTERVAL')) === 0, 'it must be at least 1'],
  ['UNTIL', (parts) => parts.has('COUNT'), 'the rule also has COUNT'],
  ['BYWEEKNO', (parts) => parts.get('FREQ') !== 'YEARLY', 'it applies only with FREQ=YEARLY'],
  ['BYYEARDAY', (parts) => parts.get('FREQ') !== 'YEARLY', 'it applies only with FREQ=YEARLY'],
  ['BYMONTHDAY', (parts) => parts.get('FREQ') === 'WEEKLY', 'it does not apply with FREQ=WEEKLY'],
  ['BYSETPOS', (parts) => !SET_PARTS.some((set) => parts.has(set)), `the rule has none of ${SET_PARTS.join(', ')}`],
]

/**
 * Returns an RRULE or EXRULE, of vCalendar 1.0 as well, as one recurrence line in a form that the service accepts.
 * Reports parts that are removed, except those of the time of day, which are the start's. Throws an
 * UnsupportedEventError for an unsupported frequency, part or UNTIL.
 */
export function parseICalRule(
  { name, value, line }: Property,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): string {
  const text = toICalendarRule(value.replaceAll('\\', ''))
  const parts: RuleParts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2).map((piece) => piece.trim()))
      .flatMap(([key = '', value = '']) => (key && value ? [[key, value] as const] : [])),
  )
  const dropPart = (part: string, reason: string) => {
    report(
      line,
      `${part}=${cutForRemark(parts.get(part) ?? '')} was ignored, because ${reason}; remove it from the rule`,
    )
    parts.delete(part)
  }
  checkSupported(parts, start, line)
  for (const part of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(part)
  for (const part of parts.keys()) if (!KNOWN_PARTS.includes(part)) dropPart(part, 'it is not a part of a rule')
  for (const [part, isIgnored, reason] of IGNORED_PARTS) if (parts.has(part) && isIgnored(parts)) dropPart(part, reason)
  const days = parts.get('BYDAY')
  if (days !== undefined && /\d/.test(days) && /DAILY|WEEKLY/.test(parts.get('FREQ') ?? '')) {
    const reason = `the numbers in BYDAY=${cutForRemark(days)} were ignored, because they apply only with FREQ=MONTHLY or YEARLY`
    report(line, `${reason}; remove them`)
    parts.set('BYDAY', days.replace(/[+-]?\d+/g, ''))
  }
  const until = parts.get('UNTIL')
  if (until !== undefined) parts.set('UNTIL', convertUntil(until, { start, zones, line }))
  return `${name.toUpperCase()}:${[...parts].map(([key, value]) => `${key}=${value.replaceAll(' ', '')}`).join(';')}`
}

/**
 * Throws an UnsupportedEventError for a frequency or RSCALE that the service does not support, and for a BYHOUR,
 * BYMINUTE or BYSECOND that is not the start's. An all-day series ignores these three.
 */
function checkSupported(parts: RuleParts, start: ZonedDateTime, line: number): void {
  const frequency = parts.get('FREQ') ?? ''
  if (!FREQUENCIES.includes(frequency))
    throw new UnsupportedEventError(
      line,
      `the service has no series with FREQ=${cutForRemark(frequency)}; use DAILY, WEEKLY, MONTHLY or YEARLY`,
    )
  if (parts.has('RSCALE'))
    throw new UnsupportedEventError(
      line,
      `the service has no series with RSCALE=${cutForRemark(parts.get('RSCALE') ?? '')}; write a rule without RSCALE`,
    )
  if (start.dated) return
  const [hour, minute, second] = new Date(localMsAt(start.at, start.zone ?? 'UTC'))
    .toISOString()
    .slice(11, 19)
    .split(':')
  for (const [part, own] of [
    ['BYHOUR', hour],
    ['BYMINUTE', minute],
    ['BYSECOND', second],
  ] as const) {
    const value = parts.get(part)
    if (value !== undefined && !(/^\d+$/.test(value) && Number(value) === Number(own))) {
      throw new UnsupportedEventError(
        line,
        `the service has no series with ${part}=${cutForRemark(value)}; write one series for each time of day`,
      )
    }
  }
}

/**
 * Returns UNTIL in UTC, as a date or a date-time like the start. Without a zone, it is in the zone of the start. Throws
 * an UnsupportedEventError for any other text.
 */
function convertUntil(
  until: string,
  { start, zones, line }: { start: ZonedDateTime; zones: Zones; line: number },
): string {
  const stamp = parseICalDateTime(until)
  if (!stamp) throw new UnsupportedEventError(line, describeInvalidTime('UNTIL', until))
  const { kind, localMs } = stamp
  if (start.dated) return formatICalDate(kind === 'utc' ? toDay({ at: localMs }, zones) : localMs)
  const zone = start.zone ?? 'UTC'
  if (kind === 'utc') return formatICalUtc(localMs)
  return formatICalUtc(kind === 'date' ? instantOf(localMs + DAY_MS, zone) - 1000 : instantOf(localMs, zone))
}

const RULE = /^(D|W|MP|MD|YM|YD)(\d{1,4})((?: +[^#\s]+)*)(?: +#(\d+))?(?: +(\d{8}T\d{6}Z?))?$/i
const LAST = /\s(\d{8}T\d{6}Z?)$/

const FREQUENCY: Readonly<Record<string, string>> = {
  D: 'DAILY',
  W: 'WEEKLY',
  MP: 'MONTHLY',
  MD: 'MONTHLY',
  YM: 'YEARLY',
  YD: 'YEARLY',
}
const PART: Readonly<Record<string, string>> = { W: 'BYDAY', MD: 'BYMONTHDAY', YM: 'BYMONTH', YD: 'BYYEARDAY' }

export function toICalendarRule(text: string): string {
  const rule = text.trim()
  const [, end] = LAST.exec(rule) ?? []
  const [, kind = '', interval = '1', terms = '', count] = RULE.exec(end ? rule.replace(LAST, '') : rule) ?? []
  const frequency = FREQUENCY[kind.toUpperCase()]
  if (!frequency) return rule
  const words = terms.toUpperCase().split(/\s+/).filter(Boolean)
  const part = PART[kind.toUpperCase()]
  const set = kind.toUpperCase() === 'MP' ? parseRankedWeekdays(words) : words.map(parseSignedNumber)
  return [
    `FREQ=${frequency}`,
    `INTERVAL=${interval}`,
    ...(set.length > 0 ? [`${part ?? 'BYDAY'}=${set.join(',')}`] : []),
    ...(end ? [`UNTIL=${end}`] : count === '0' ? [] : [`COUNT=${count ?? 2}`]),
  ].join(';')
}

/**
 * Converts `15-`, which counts from the end, to `-15`, and `LD`, the last day, to `-1`. Returns other words unchanged.
 */
const parseSignedNumber = (word: string): string => {
  if (word === 'LD') return '-1'
  const [, size, sign] = /^(\d+)([+-])$/.exec(word) ?? []
  return size === undefined ? word : `${sign === '-' ? '-' : ''}${size}`
}

function parseRankedWeekdays(words: readonly string[]): string[] {
  let rank = ''
  return words.flatMap((word) => {
    if (!/^\d/.test(word)) return [rank + word]
    rank = parseSignedNumber(word)
    return []
  })
}

/**
 * Splits a series before the instance at `slot` (epoch milliseconds), and moves the second part so that it starts at
 * `next`. Throws an UnsupportedEventError for a rule that cannot be split or moved.
 */
export function splitSeries(
  { start, recurrence, line }: { start: ZonedDateTime; recurrence: Recurrence; line: number },
  slot: number,
  next: ZonedDateTime,
): [Recurrence, Recurrence] {
  const from = toSeriesStart(start)
  try {
    const [before, after] = splitRecurrence(recurrence, from, slot)
    return [before, moveRecurrence(after, from, slot, toSeriesStart(next))]
  } catch (error) {
    if (error instanceof InvalidRecurrenceError) throw new UnsupportedEventError(line, error.message)
    throw error
  }
}
