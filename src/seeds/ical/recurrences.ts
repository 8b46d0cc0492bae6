import { InvalidRecurrenceError, openSeries, type Series, type Start } from '../../recurrence/series.ts'
import { formatRecurrence, moveRecurrence, type RecurrenceParts, splitRecurrence } from '../../recurrence/split.ts'
import { instantOf, localMsAt, wallTimeAt } from '../../recurrence/zone.ts'
import { parseICalDateTime, parseICalDuration } from './icalDateTime.ts'
import { cutForRemark, type Report, UnsupportedEventError } from './remarks.ts'
import { parseICalRule } from './rules.ts'
import { type Component, findProperties, type Property } from './syntax.ts'
import { addDuration, DATE_WITH_TIME, describeInvalidTime } from './times.ts'
import { toDay, toLocalDay, type ZonedDateTime, type Zones } from './zones.ts'

/**
 * The recurrence of an event, and the ends of added starts that are periods. Starts and ends are epoch milliseconds;
 * starts of all-day series are UTC midnights.
 */
export type Recurrence = RecurrenceParts & { ends?: ReadonlyMap<number, number> }

/** Limit of dates, because the service rejects longer recurrences (behaviour 14.22). */
const MAX_DATES = 4000

/**
 * Returns the recurrence of an event; undefined without a rule or an added date, even if dates are excluded. Reports
 * values and parts of rules that are ignored, and excluded dates without an occurrence. Throws an UnsupportedEventError
 * for a recurrence that the service does not support.
 */
export function parseRecurrence(
  event: Component,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): Recurrence | undefined {
  const rules = findProperties(event, 'rrule', 'exrule')
    .filter(({ value }) => value.trim() !== '')
    .map((rule) => parseICalRule(rule, start, zones, report))
  const added = findProperties(event, 'rdate').flatMap((dates) => parseSlots(dates, start, zones, report))
  const exclusions = findProperties(event, 'exdate').map((dates) => ({
    dates,
    slots: parseSlots(dates, start, zones, report).map(({ slot }) => slot),
  }))
  const excluded = exclusions.flatMap(({ slots }) => slots)
  if (added.length + excluded.length > MAX_DATES) {
    const reason = `it has more than ${MAX_DATES} dates in RDATE and EXDATE, which is the limit; split the series`
    throw new UnsupportedEventError(event.line, reason)
  }
  if (rules.length + added.length === 0) return undefined
  const ends = added.flatMap(({ slot, end }) =>
    end !== undefined && end >= slot && !start.dated ? [[slot, end] as const] : [],
  )
  const recurrence = { rules, added: added.map(({ slot }) => slot), excluded, ends: new Map(ends) }
  requireSeries(recurrence, start, event.line)
  const whole = requireSeries({ ...recurrence, excluded: [] }, start, event.line)
  for (const { dates, slots } of exclusions) reportUnmatchedDates(dates, slots, whole, report)
  return recurrence
}

/** Reports an EXDATE with `slots` that are no occurrences of a series. */
function reportUnmatchedDates(dates: Property, slots: readonly number[], series: Series, report: Report): void {
  const unmatched = slots.filter((slot) => !series.includes(slot)).length
  if (unmatched === 0) return
  const which = slots.length === 1 ? 'EXDATE has' : `${unmatched} of ${slots.length} dates of EXDATE have`
  const reason = `${which} no effect, because the series has no occurrence then`
  report(dates.line, `${reason}; correct or remove them: ${cutForRemark(dates.value)}`)
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
  const governing = start.dated ? undefined : (start.zone ?? 'UTC')
  const how = { zone: parameters.tzid, governing, recurring: true }
  return value.split(/[,;]/).flatMap((text) => {
    const [from = '', to = ''] = text.split('/')
    const stamp = parseICalDateTime(from)
    if (!stamp) {
      if (from.trim() !== '')
        report(line, `one value was ignored, because ${describeInvalidTime(name.toUpperCase(), from)}`)
      return []
    }
    if (type === 'date' && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
    const moment = zones.resolve(stamp, how, line, report)
    const [duration, until] = [parseICalDuration(to), parseICalDateTime(to)]
    const end = duration ? addDuration(moment, duration) : until && zones.resolve(until, how, line, report)
    return { slot: toSlot(moment, start, zones), end: end?.at }
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
  const timeOfDay = localMsAt(start.at, zone) - toLocalDay(start.at, zone)
  return instantOf(moment.at + timeOfDay, zone)
}

function toSeriesStart(start: ZonedDateTime): Start {
  if (start.dated) return { date: new Date(start.at).toISOString().slice(0, 10) }
  const zone = start.zone ?? 'UTC'
  return { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
}

/**
 * Returns a recurrence as a series. `line` is the place of the event in the file. Throws an UnsupportedEventError if it
 * is no series of the service.
 */
export function requireSeries(recurrence: Recurrence, start: ZonedDateTime, line: number): Series {
  const lines = formatRecurrence(recurrence, start.dated)
  return rejectInvalid(() => openSeries(toSeriesStart(start), lines), line, 'the service rejects its recurrence: ')
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
  return rejectInvalid(() => {
    const [before, after] = splitRecurrence(recurrence, from, slot)
    return [before, moveRecurrence(after, from, slot, toSeriesStart(next))]
  }, line)
}

/** Calls `act`. Throws an UnsupportedEventError in place of its InvalidRecurrenceError. */
function rejectInvalid<T>(act: () => T, line: number, prefix = ''): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof InvalidRecurrenceError ? new UnsupportedEventError(line, prefix + error.message) : error
  }
}
