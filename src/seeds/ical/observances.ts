import { DAY } from '../../recurrence/days.ts'
import { openSeries, type Series } from '../../recurrence/series.ts'
import { offsetAt, type Reading, wallTimeOf } from '../../recurrence/zone.ts'
import { type Component, findProperties, findText } from './components.ts'
import { formatUtc, parseDateTime, parseOffset } from './icalDateTime.ts'

/** When clocks are changed to an offset by the rules of a VTIMEZONE: the readings on the clock before. */
type Observance = { onsets: Series; first: Reading; from: number; to: number }
export type Observances = readonly Observance[]

export const observancesOf = ({ components }: Component): Observances => components.flatMap(observanceOf)

function observanceOf(component: Component): Observance[] {
  const start = parseDateTime(findText(component, 'dtstart') ?? '')
  const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => parseOffset(findText(component, name) ?? ''))
  if (!start || from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return []
  const lines = findProperties(component, 'rrule').map(
    ({ value }) => `RRULE:${value.replace(/(UNTIL=\d{8}T\d{6})(?!Z)/i, '$1Z')}`,
  )
  const dates = findProperties(component, 'rdate').flatMap(({ value }) => value.split(','))
  const readings = dates.flatMap((text) => parseDateTime(text)?.reading ?? []).map(formatUtc)
  const rdates = readings.length > 0 ? [`RDATE:${readings.join(',')}`] : []
  return [{ onsets: seriesOf(start.reading, [...lines, ...rdates]), first: start.reading, from, to }]
}

/** Readings are counted as if they were instants of UTC. Rules that are none are passed over. */
function seriesOf(first: Reading, lines: string[]): Series {
  try {
    return openSeries({ wall: wallTimeOf(first), zone: 'UTC' }, lines)
  } catch {
    return openSeries({ wall: wallTimeOf(first), zone: 'UTC' }, [])
  }
}

const YEAR = 366 * DAY

function lastOnset({ onsets, first }: Observance, reading: Reading): number {
  if (first > reading) return Number.NEGATIVE_INFINITY
  const near = onsets.between(reading - YEAR, reading + 1).at(-1)
  return near ?? (onsets.endless ? first : Math.min(onsets.last ?? first, reading))
}

/** The offset that clocks show a reading at. */
export function offsetOf(observances: Observances, reading: Reading): number {
  const last = observances
    .map((one) => ({ one, at: lastOnset(one, reading) }))
    .reduce((a, b) => (b.at > a.at ? b : a), { one: observances[0], at: Number.NEGATIVE_INFINITY })
  if (last.at > Number.NEGATIVE_INFINITY) return last.one?.to ?? 0
  const earliest = observances.toSorted((a, b) => a.first - b.first)[0]
  return earliest?.from ?? 0
}

/** Instants around the changes of two years and within their months, each with the offset that the rules give it. */
function samples(observances: Observances, year: number): { instant: number; offset: number }[] {
  const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)]
  const months = Array.from({ length: 24 }, (_, month) => Date.UTC(year, month, 15, 12))
  const onsets = observances.flatMap(({ onsets }) => onsets.between(from, to, 8))
  const around = onsets.flatMap((onset) => [onset - 3 * 3_600_000, onset + 3 * 3_600_000])
  return [...months, ...around].map((reading) => {
    const offset = offsetOf(observances, reading)
    return { instant: reading - offset, offset }
  })
}

/** The first of some zones whose clocks go by the same rules in the two years from one on. */
export function zoneWith(observances: Observances, year: number, candidates: Iterable<string>): string | undefined {
  const wanted = samples(observances, year)
  for (const zone of candidates) {
    if (wanted.every(({ instant, offset }) => offsetAt(instant, zone) === offset)) return zone
  }
  return undefined
}
