import { formatDate } from '../../recurrence/format.ts'
import { InvalidRecurrenceError, openSeries, type Series, type Start } from '../../recurrence/series.ts'
import { formatRecurrence, moveRecurrence, type RecurrenceParts, splitRecurrence } from '../../recurrence/split.ts'
import { instantOf, localMsAt, toLocalDay, wallTimeAt } from '../../recurrence/zone.ts'
import { shorten } from '../../schema/values/shownText.ts'
import { parseICalDuration } from './icalDateTime.ts'
import { UnsupportedEventError } from './remarks.ts'
import { parseICalRule } from './rules.ts'
import { type Component, findProperties, type Property } from './syntax.ts'
import { addDuration, describeInvalidTime, parseZonedDateTime } from './times.ts'
import { type ReadContext, toDay, type ZonedDateTime, type Zones } from './zones.ts'

/** `ends` are those of added starts that are periods. Epoch milliseconds; starts of all-day series are UTC midnights. */
export type Recurrence = RecurrenceParts & { ends?: ReadonlyMap<number, number> }

/** Limit of dates, because the service rejects longer recurrences (behaviour 14.22). */
const MAX_DATES = 4000

/** Undefined without a rule or an added date. Reports what is ignored, and excluded dates without an occurrence. */
export function parseFileRecurrence(
  event: Component,
  start: ZonedDateTime,
  context: ReadContext,
): Recurrence | undefined {
  const rules = findProperties(event, 'rrule', 'exrule')
    .filter(({ value }) => value.trim() !== '')
    .map((rule) => parseICalRule(rule, start, context))
  const added = findProperties(event, 'rdate').flatMap((dates) => parseSlots(dates, start, context))
  const exclusions = findProperties(event, 'exdate').map((dates) => ({
    dates,
    slots: parseSlots(dates, start, context).map(({ slot }) => slot),
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
  for (const { dates, slots } of exclusions) {
    const unmatched = slots.filter((slot) => !whole.includes(slot)).length
    if (unmatched === 0) continue
    const which = slots.length === 1 ? 'EXDATE has' : `${unmatched} of ${slots.length} dates of EXDATE have`
    const reason = `${which} no effect, because the series has no occurrence then`
    context.report(dates.line, `${reason}; correct or remove them: ${shorten(dates.value)}`)
  }
  return recurrence
}

/** A slot is a start in epoch milliseconds. A date is a start at the time of day of the series. */
function parseSlots(dates: Property, start: ZonedDateTime, context: ReadContext) {
  const how = { governing: start.dated ? undefined : (start.zone ?? 'UTC'), recurring: true }
  return dates.value.split(/[,;]/).flatMap((text) => {
    const [from = '', to = ''] = text.split('/')
    const moment = parseZonedDateTime({ ...dates, value: from }, how, context)
    if (!moment) {
      const reason = describeInvalidTime(dates.name.toUpperCase(), from)
      if (from.trim() !== '') context.report(dates.line, `one value was ignored, because ${reason}`)
      return []
    }
    const duration = parseICalDuration(to)
    const end = duration ? addDuration(moment, duration) : parseZonedDateTime({ ...dates, value: to }, how, context)
    return { slot: toSeriesSlot(moment, start, context.zones), end: end?.at }
  })
}

/** A date is a start at the time of day of the series, and in an all-day series a time is one at its day. */
export function toSeriesSlot(moment: ZonedDateTime, start: ZonedDateTime, zones: Zones): number {
  if (moment.dated === start.dated) return moment.at
  if (start.dated) return moment.dated ? moment.at : toDay(moment, zones)
  const zone = start.zone ?? 'UTC'
  const timeOfDay = localMsAt(start.at, zone) - toLocalDay(start.at, zone)
  return instantOf(moment.at + timeOfDay, zone)
}

function toSeriesStart(start: ZonedDateTime): Start {
  if (start.dated) return { date: formatDate(start.at) }
  const zone = start.zone ?? 'UTC'
  return { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
}

export function requireSeries(recurrence: Recurrence, start: ZonedDateTime, line: number): Series {
  const lines = formatRecurrence(recurrence, start.dated)
  return rejectInvalid(() => openSeries(toSeriesStart(start), lines), line, 'the service rejects its recurrence: ')
}

/** Splits a series before `slot`, and moves the second part so that it starts at `next`. */
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

function rejectInvalid<T>(act: () => T, line: number, prefix = ''): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof InvalidRecurrenceError ? new UnsupportedEventError(line, prefix + error.message) : error
  }
}
