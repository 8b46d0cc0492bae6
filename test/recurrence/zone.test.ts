import { fromZonedTime } from 'date-fns-tz'
import fc from 'fast-check'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { instantAt, isZone, localMsAt, offsetAt, wallTimeAt } from '../../src/recurrence/zone.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Zones, each with instants near clock changes: dates from the IANA database. */
const CHANGES: Record<string, string[]> = {
  UTC: ['2026-01-01T00:00Z'],
  'America/New_York': ['1883-11-18T17:00Z', '2007-03-11T07:00Z', '2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z'],
  'Europe/Berlin': ['1945-05-24T00:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Europe/Dublin': ['1916-10-01T02:25:21Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Africa/Casablanca': ['2026-02-15T02:00Z', '2026-03-22T02:00Z', '2031-01-01T00:00Z'],
  'Africa/Monrovia': ['1972-01-07T00:44:30Z'],
  'Antarctica/Troll': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Asia/Kathmandu': ['1985-12-31T18:30Z'],
  'Asia/Kolkata': ['1945-10-14T17:30Z'],
  'Asia/Manila': ['1844-12-31T15:56:08Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  'Pacific/Apia': ['2011-12-30T10:00Z', '2012-03-31T14:00Z'],
  'Pacific/Chatham': ['2026-04-04T14:00Z', '2026-09-26T14:00Z'],
  'Pacific/Kwajalein': ['1993-08-21T12:00Z'],
}
const ZONES = Object.keys(CHANGES)

const zoneAndInstant = fc.constantFrom(...ZONES).chain((zone) =>
  fc.tuple(
    fc.constant(zone),
    fc.oneof(
      fc.integer({ min: Date.UTC(1850, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 }).map((second) => second * 1000),
      fc
        .tuple(fc.constantFrom(...(CHANGES[zone] ?? [])), fc.integer({ min: -2 * 86_400, max: 2 * 86_400 }))
        .map(([change, seconds]) => Date.parse(change) + seconds * 1000),
    ),
  ),
)

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a local time with Intl, by another locale and format than the code under test. */
function formatByIntl(instant: number, zone: string): string {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(zone, format)
  return format.format(instant).replace(' ', 'T')
}

const offsetByIntl = (instant: number, zone: string) => Date.parse(`${formatByIntl(instant, zone)}Z`) - instant

const names: [name: string, isKnown: boolean][] = [
  ['America/New_York', true],
  ['America/Argentina/Buenos_Aires', true],
  ['US/Eastern', true],
  ['Asia/Kolkata', true],
  ['Asia/Calcutta', true],
  ['Asia/Kathmandu', true],
  ['Europe/Kyiv', true],
  ['Europe/Kiev', true],
  ['Etc/GMT+5', true],
  ['UTC', true],
  ['GMT', true],
  ['EST5EDT', true],
  ['america/new_york', false],
  ['us/eastern', false],
  ['utc', false],
  ['Utc', false],
  ['Eastern Standard Time', false],
  ['+05:30', false],
  ['GMT+02:00', false],
  ['America/Nowhere', false],
  ['PST', false],
  ['', false],
]

test.each(names)('13.1 isZone(%j) is %j', (name, isKnown) => {
  expect(isZone(name)).toBe(isKnown)
})

test('every zone that Intl lists is a zone', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !isZone(name))).toEqual([])
})

const MINUTE = 60_000

// From the IANA database, checked by hand.
const offsets: [zone: string, instant: string, offset: number][] = [
  ['America/New_York', '2026-03-08T06:59:59.999Z', -5 * HOUR],
  ['America/New_York', '2026-03-08T07:00:00Z', -4 * HOUR],
  ['Asia/Manila', '1840-01-01T00:00:00Z', -(15 * HOUR + 56 * MINUTE + 8000)],
  ['Etc/GMT+5', '2026-07-01T00:00:00Z', -5 * HOUR],
  ['Asia/Tokyo', '9999-12-31T23:00:00Z', 9 * HOUR],
  ['Asia/Tokyo', '0001-01-01T00:00:00Z', 9 * HOUR + 18 * MINUTE + 59_000],
]

test.each(offsets)('the clock of %s at %s is %d ms ahead of UTC', (zone, instant, offset) => {
  expect(offsetAt(Date.parse(instant), zone)).toBe(offset)
})

const readings: [title: string, zone: string, wall: string, instant: string][] = [
  ['in the gap', 'America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00Z'],
  ['in the ambiguous hour', 'America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00Z'],
  ['at a skipped midnight', 'America/Santiago', '2026-09-06T00:00:00', '2026-09-06T04:00:00Z'],
  ['in a gap of half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00Z'],
  ['in a skipped day', 'Pacific/Apia', '2011-12-30T09:00:00', '2011-12-30T19:00:00Z'],
  ['with the seconds of local mean time', 'America/New_York', '1880-01-01T00:00:00', '1880-01-01T04:56:02Z'],
]

test.each(readings)('14.19 a local time %s: %s %s', (_, zone, wall, instant) => {
  expect(instantAt(wall, zone)).toBe(Date.parse(instant))
})

test('local times are those of Intl at every instant', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, instant]) => {
      expect(wallTimeAt(instant, zone)).toBe(formatByIntl(instant, zone))
      expect(localMsAt(instant, zone) - instant).toBe(offsetByIntl(instant, zone))
    }),
    { numRuns: 5000 },
  )
})

test('an ambiguous local time is the first instant, and one in a gap is read at the offset before it', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, near]) => {
      const reading = near
      const wall = new Date(reading).toISOString().slice(0, 19)
      const around = Array.from({ length: 65 }, (_, i) => offsetByIntl(reading + (i - 32) * (HOUR / 2), zone))
      const showing = around.map((offset) => reading - offset).filter((instant) => formatByIntl(instant, zone) === wall)
      const before = reading - (around[0] ?? Number.NaN)
      expect(instantAt(wall, zone)).toBe(showing.length > 0 ? Math.min(...showing) : before)
    }),
    { numRuns: 1000 },
  )
})

test('date-fns-tz gives the same instants, two days and more from a change', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, near]) => {
      const isUnchanged = [-2, 2].every((days) => offsetAt(near + days * DAY, zone) === offsetAt(near, zone))
      fc.pre(isUnchanged && near > Date.UTC(1973, 0, 1))
      const wall = new Date(near).toISOString().slice(0, 19)
      expect(instantAt(wall, zone)).toBe(fromZonedTime(wall, zone).getTime())
    }),
    { numRuns: 2000 },
  )
})

test('an unknown zone name is rejected', () => {
  expect(() => offsetAt(0, 'America/Nowhere')).toThrow(RangeError)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** The state of a process at its start, before anything is cached. */
const AT_START = '../../src/recurrence/zone.ts?at-start='
let starts = 0
const atStart = (): Promise<typeof import('../../src/recurrence/zone.ts')> =>
  import(/* @vite-ignore */ `${AT_START}${++starts}`)

/** Counts the created and used Intl formats of a zone. */
function watched() {
  const { DateTimeFormat } = Intl
  const count = { made: 0, looks: 0 }
  class Watched extends DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
      super(...given)
      count.made += 1
      const { format } = this
      const look = (instant: number) => {
        count.looks += 1
        return format(instant)
      }
      Object.defineProperty(this, 'format', { value: look })
    }
  }
  Object.assign(Intl, { DateTimeFormat: Watched })
  onTestFinished(() => {
    Object.assign(Intl, { DateTimeFormat })
  })
  return (act: () => unknown) => {
    Object.assign(count, { made: 0, looks: 0 })
    act()
    return { ...count }
  }
}

test('UTC reads neither the names of zones nor a clock', async () => {
  const zones = await atStart()
  const names = vi.spyOn(Intl, 'supportedValuesOf')
  const counted = watched()
  expect(
    counted(() => {
      expect(zones.isZone('UTC')).toBe(true)
      expect(zones.instantAt('2026-03-08T09:00:00', 'UTC')).toBe(Date.UTC(2026, 2, 8, 9))
      expect(zones.wallTimeAt(0, 'UTC')).toBe('1970-01-01T00:00:00')
    }),
  ).toEqual({ made: 0, looks: 0 })
  expect(names.mock.calls).toHaveLength(0)
})

test('the names of zones are read once', async () => {
  const { isZone } = await atStart()
  const names = vi.spyOn(Intl, 'supportedValuesOf')
  expect(['Europe/Berlin', 'Europe/Nowhere', 'Asia/Tokyo'].map(isZone)).toEqual([true, false, true])
  expect(names.mock.calls).toHaveLength(1)
})

test('a zone that Intl lists but cannot format is not a zone', async () => {
  const { isZone } = await atStart()
  class Unknown {
    constructor() {
      throw new RangeError('Invalid time zone specified: Pacific/Kanton')
    }
  }
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(Unknown as never)
  expect(isZone('Pacific/Kanton')).toBe(false)
})

test('the clock of a zone is created once, and read twice for each three days', async () => {
  const { offsetAt, instantOf } = await atStart()
  const counted = watched()
  const countReads = (days: number) => counted(() => expect(offsetAt(days * DAY, 'Asia/Kolkata')).toBe(5.5 * HOUR))
  expect(countReads(0)).toEqual({ made: 1, looks: 2 })
  expect(countReads(1)).toEqual({ made: 0, looks: 0 })
  expect(countReads(4)).toEqual({ made: 0, looks: 2 })
  expect(countReads(0)).toEqual({ made: 0, looks: 0 })
  expect(counted(() => instantOf(1.5 * DAY, 'Asia/Kolkata'))).toEqual({ made: 0, looks: 0 })
})

test('a clock change is found by binary search, once', async () => {
  const { offsetAt, instantAt } = await atStart()
  const change = Date.parse('2026-03-08T07:00Z')
  const counted = watched()
  const countReads = (instant: number, hours: number) =>
    counted(() => expect(offsetAt(instant, 'America/New_York')).toBe(hours * HOUR)).looks
  // Both ends, the first of them twice, and a binary search over the seconds of three days.
  expect(countReads(change - 1000, -5)).toBeLessThanOrEqual(2 + 1 + Math.ceil(Math.log2(2 ** 28 / 1000)))
  expect(countReads(change - 1, -5)).toBe(0)
  expect(countReads(change, -4)).toBe(0)
  expect(instantAt('2026-03-08T03:30:00', 'America/New_York')).toBe(change + HOUR / 2)
})

test('the cache of offsets is bounded: it is cleared after 20,000 chunks of three days', async () => {
  const { offsetAt } = await atStart()
  const counted = watched()
  const begin = Date.UTC(1990, 0, 1)
  const countReads = (nth: number) => counted(() => offsetAt(begin + nth * 2 ** 28, 'Asia/Tokyo')).looks
  for (let nth = 0; nth < 20_000; nth++) countReads(nth)
  expect([countReads(0), countReads(19_999)]).toEqual([0, 0])
  expect([countReads(20_000), countReads(0), countReads(20_000), countReads(0)]).toEqual([2, 2, 0, 0])
})
