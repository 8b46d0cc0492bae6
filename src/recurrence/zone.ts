import { DAY_MS } from './days.ts'
import { formatDateTime } from './format.ts'

export type WallTime = string

/** Milliseconds since 1970-01-01T00:00 on a clock without changes. */
export type LocalMs = number

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 3600 * SECOND

/**
 * A name of the IANA database that this machine has data for. Names are case-sensitive (behaviour 13.1), unlike those of Intl.
 * Other functions throw a RangeError if Intl has no such zone.
 */
export function isZone(name: string): boolean {
  if (name === 'UTC') return true // Avoids the first use of Intl at start, which takes 15 ms.
  spellings ??= new Set([...Intl.supportedValuesOf('timeZone'), ...LINKS])
  if (!spellings.has(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false // The zone is newer than this machine's zone data.
  }
}

let spellings: Set<string> | undefined

/** True also for an offset such as `GMT-07:00`, which existing events have and no request may contain (behaviour 13.1). */
export const isStoredZone = (name: string): boolean => isZone(name) || fixedOffset(name) !== undefined

const FIXED_OFFSET = /^(?:GMT|UTC)([+-])(\d{1,2})(?::?([0-5]\d))?$/

function fixedOffset(zone: string): number | undefined {
  const [, sign, hours, minutes = 0] = FIXED_OFFSET.exec(zone) ?? []
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE
  return sign && offset <= MAX_OFFSET_MS ? (sign === '-' ? -offset : offset) : undefined
}

/** Milliseconds, positive east of Greenwich. Cached for the instants near by. */
export function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  if (zone[3] === '+' || zone[3] === '-') return fixedOffset(zone) ?? 0
  const chunk = Math.floor(Math.min(Math.max(instant, FIRST_CHANGE_MS), LAST_CHANGE_MS) / CHUNK_MS)
  const offset = clockOf(zone).chunks.get(chunk) ?? measureChunk(chunk, zone)
  if (typeof offset === 'number') return offset
  return instant < offset.changesAt ? offset.before : offset.after
}

export function localMsAt(instant: number, zone: string): LocalMs {
  return instant + offsetAt(instant, zone)
}

/** The UTC midnight of the local day of an instant. */
export function toLocalDay(instant: number, zone: string): LocalMs {
  return Math.floor(localMsAt(instant, zone) / DAY_MS) * DAY_MS
}

/**
 * The first instant with a local time. A skipped local time is converted with the offset before the skip (RFC 5545, 3.3.5;
 * behaviour 14.19).
 */
export function instantOf(localMs: LocalMs, zone: string): number {
  const before = offsetAt(localMs - MAX_OFFSET_MS, zone)
  const after = offsetAt(localMs + MAX_OFFSET_MS, zone)
  const early = localMs - before
  if (before === after || offsetAt(early, zone) === before) return early
  const late = localMs - after
  return offsetAt(late, zone) === after ? late : early
}

/** Rounded down to the second. */
export function wallTimeAt(instant: number, zone: string): WallTime {
  return formatDateTime(localMsAt(instant, zone))
}

export function instantAt(wall: WallTime, zone: string): number {
  return instantOf(parseWallTime(wall), zone)
}

/** NaN for a text that is no wall time. */
export function parseWallTime(wall: WallTime): LocalMs {
  return Date.parse(`${wall}Z`)
}

type Offset = number | { changesAt: number; before: number; after: number }
type ZoneClock = { format: Intl.DateTimeFormat; chunks: Map<number, Offset> }

const CHUNK_MS = 2 ** 28
const MAX_OFFSET_MS = 16 * HOUR
const FIRST_CHANGE_MS = Date.UTC(1800, 0, 1)
const LAST_CHANGE_MS = Date.UTC(9999, 11, 28)
/** All cached offsets are dropped above this number: about 170 years of one zone, or ten years each of seventeen. */
const MAX_CHUNKS = 20_000

const clocks = new Map<string, ZoneClock>()
let chunkCount = 0

function clockOf(zone: string): ZoneClock {
  const known = clocks.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const clock = { format, chunks: new Map() }
  clocks.set(zone, clock)
  return clock
}

function measureChunk(chunk: number, zone: string): Offset {
  if (++chunkCount > MAX_CHUNKS) {
    for (const { chunks } of clocks.values()) chunks.clear()
    chunkCount = 1
  }
  const { format, chunks } = clockOf(zone)
  const start = chunk * CHUNK_MS
  const before = measureOffset(start, format)
  const after = measureOffset(start + CHUNK_MS, format)
  const offset = before === after ? before : { changesAt: findChange(start, start + CHUNK_MS, format), before, after }
  chunks.set(chunk, offset)
  return offset
}

function findChange(start: number, end: number, format: Intl.DateTimeFormat): number {
  const before = measureOffset(start, format)
  let [last, first] = [Math.floor(start / SECOND), Math.floor(end / SECOND)]
  while (first - last > 1) {
    const middle = Math.floor((first + last) / 2)
    if (measureOffset(middle * SECOND, format) === before) last = middle
    else first = middle
  }
  return first * SECOND
}

/** Measures by a formatted local time such as `03/08/2026, 09:00:00`. */
function measureOffset(instant: number, format: Intl.DateTimeFormat): number {
  const [month = 0, day, year = 0, hour, minute, second] = format.format(instant).split(/\D+/).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / SECOND) * SECOND
}

/**
 * Aliases in the IANA database, by their first part. `Intl.supportedValuesOf` lists one name of each zone, and
 * engines differ in which one. All of these are valid names.
 */
const BY_REGION: Record<string, string> = {
  Africa: 'Asmara Asmera Timbuktu',
  America: `
    Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy
    Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba Ensenada Fort_Wayne Godthab
    Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville Knox_IN Louisville Mendoza Montreal Nipigon Nuuk
    Pangnirtung Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife`,
  Antarctica: 'South_Pole',
  Asia: `
    Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar Kathmandu
    Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon`,
  Atlantic: 'Faeroe Faroe Jan_Mayen',
  Australia: 'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna',
  Brazil: 'Acre DeNoronha East West',
  Canada: 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon',
  Chile: 'Continental EasterIsland',
  Etc: `
    GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0 GMT-1 GMT-10
    GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0 Greenwich UCT UTC Universal
    Zulu`,
  Europe: 'Belfast Kiev Kyiv Nicosia Tiraspol Uzhgorod Zaporozhye',
  Mexico: 'BajaNorte BajaSur General',
  Pacific: 'Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap',
  US: 'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific Samoa',
}

const BARE = `
  CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran
  Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK
  Singapore Turkey UCT UTC Universal W-SU WET Zulu`

const splitWords = (text: string) => text.trim().split(/\s+/)

export const LINKS: readonly string[] = [
  ...splitWords(BARE),
  ...Object.entries(BY_REGION).flatMap(([region, places]) => splitWords(places).map((place) => `${region}/${place}`)),
]
