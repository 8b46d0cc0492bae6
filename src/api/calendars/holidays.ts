import { DAY_MS, type Day, dayOf, isWeekend, type Weekday, weekdayOf } from '../../recurrence/days.ts'
import { formatDate } from '../../recurrence/format.ts'

/** `date` is an ISO date. */
export type Holiday = { date: string; summary: string }

type Country = { name: string; listHolidays(year: number): [Day, string][] }

/** The countries whose holidays are known, by the first part of the id of the calendar (behaviour 15.15.1). */
const COUNTRIES: ReadonlyMap<string, Country> = new Map([
  ['en.usa', { name: 'United States', listHolidays: listAmericanHolidays }],
  ['en.german', { name: 'Germany', listHolidays: listGermanHolidays }],
  ['en.uk', { name: 'United Kingdom', listHolidays: listEnglishHolidays }],
])

/**
 * Regions and religions that have names in ids of calendars of holidays. Others are codes of ISO 3166, as in `en.th`
 * (behaviour 15.15).
 */
const REGION_NAMES = new Set(
  `australian austrian brazilian bulgarian canadian china christian croatian czech danish dutch finnish french german greek
  hinduism hong_kong hungarian indian indonesian irish islamic italian japanese jewish judaism latvian lithuanian malaysia
  mexican new_zealand norwegian orthodox_christianity philippines polish portuguese romanian russian saudiarabian singapore
  slovak slovenian south_korea spain swedish taiwan turkish uk ukrainian usa vietnamese`.split(/\s+/),
)

/** Created on first use, because that takes 25 ms. */
let regionNames: Intl.DisplayNames | undefined

function isRegionCode(code: string): boolean {
  regionNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return regionNames.of(code.toUpperCase()) !== undefined
}

/** Returns true if a calendar of holidays such as `en.uk`, `en-gb.th` or `en.usa.official` is of a region that exists. */
export function hasHolidays(calendar: string): boolean {
  const [, region = ''] = /^[a-z]{2,3}(?:[-_][a-z]+)*\.([a-z_]+)(?:\.official)?$/i.exec(calendar) ?? []
  return REGION_NAMES.has(region) || (/^[a-z]{2}$/.test(region) && isRegionCode(region))
}

export const findCountryName = (calendar: string): string | undefined => COUNTRIES.get(calendar)?.name

/** `calendar` is such as `en.uk`. Empty for an unknown country. */
export const listHolidays = (calendar: string, year: number): Holiday[] =>
  (COUNTRIES.get(calendar)?.listHolidays(year) ?? []).map(([day, summary]) => ({
    date: formatDate(day * DAY_MS),
    summary,
  }))

/** Computed by the anonymous Gregorian algorithm. */
function easterOf(year: number): Day {
  const [golden, century] = [year % 19, Math.floor(year / 100)]
  const corrected = (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const moon =
    corrected - Math.floor(corrected / 28) * (1 - Math.floor(29 / (corrected + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  const offset = moon - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  return dayOf(year, month, offset + 28 - 31 * Math.floor(month / 4))
}

/** Months count from 1; `rank` 1 is the first, -1 the last. Monday is 0. */
function nthWeekday(year: number, month: number, weekday: Weekday, rank: number): Day {
  const start = rank > 0 ? dayOf(year, month, 1) : dayOf(year, month + 1, -6)
  const offset = (weekday - weekdayOf(start) + 7) % 7
  return start + offset + (rank > 0 ? (rank - 1) * 7 : 0)
}

function listGermanHolidays(year: number): [Day, string][] {
  const sunday = easterOf(year)
  return [
    [dayOf(year, 1, 1), 'New Year’s Day'],
    [sunday - 2, 'Good Friday'],
    [sunday + 1, 'Easter Monday'],
    [dayOf(year, 5, 1), 'Labour Day'],
    [sunday + 39, 'Ascension Day'],
    [sunday + 50, 'Whit Monday'],
    [dayOf(year, 10, 3), 'German Unity Day'],
    [dayOf(year, 12, 25), 'Christmas Day'],
    [dayOf(year, 12, 26), 'Second Day of Christmas'],
  ]
}

function listAmericanHolidays(year: number): [Day, string][] {
  return [
    [dayOf(year, 1, 1), 'New Year’s Day'],
    [nthWeekday(year, 1, 0, 3), 'Martin Luther King Jr. Day'],
    [nthWeekday(year, 2, 0, 3), 'Presidents’ Day'],
    [nthWeekday(year, 5, 0, -1), 'Memorial Day'],
    [dayOf(year, 6, 19), 'Juneteenth'],
    [dayOf(year, 7, 4), 'Independence Day'],
    [nthWeekday(year, 9, 0, 1), 'Labor Day'],
    [nthWeekday(year, 10, 0, 2), 'Columbus Day'],
    [dayOf(year, 11, 11), 'Veterans Day'],
    [nthWeekday(year, 11, 3, 4), 'Thanksgiving Day'],
    [dayOf(year, 12, 25), 'Christmas Day'],
  ]
}

/** One that falls on a weekend has a substitute on the next free weekday. */
function listEnglishHolidays(year: number): [Day, string][] {
  const sunday = easterOf(year)
  const holidays: [Day, string][] = [
    [dayOf(year, 1, 1), 'New Year’s Day'],
    [sunday - 2, 'Good Friday'],
    [sunday + 1, 'Easter Monday'],
    [nthWeekday(year, 5, 0, 1), 'Early May Bank Holiday'],
    [nthWeekday(year, 5, 0, -1), 'Spring Bank Holiday'],
    [nthWeekday(year, 8, 0, -1), 'Summer Bank Holiday'],
    [dayOf(year, 12, 25), 'Christmas Day'],
    [dayOf(year, 12, 26), 'Boxing Day'],
  ]
  for (const [day, summary] of holidays.filter(([day]) => isWeekend(day))) {
    let substitute = day
    while (isWeekend(substitute) || holidays.some(([taken]) => taken === substitute)) substitute += 1
    holidays.push([substitute, `${summary} (substitute day)`])
  }
  return holidays
}
