import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import rrule from 'rrule'
import { createFakeCalendar } from '../../dist/index.js'
import { compareCosts, measureInTurn, ms } from './turns.js'
import { call, callText, createFilled, PERSON } from './world.js'

const MEMORY = fileURLToPath(new URL('memory.js', import.meta.url))
const kB = (bytes) => `${(bytes / 1000).toFixed(2)} kB`

/** Compares bytes of heap, which `memory.js` measures in a process of its own. */
const memoryRow = ({ name, isMain, what, beside, most }) => ({
  name,
  isMain,
  run() {
    const args = ['--expose-gc', '--max-old-space-size=4000', MEMORY, name]
    const [ours, theirs] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    return compareCosts(what, [ours], [{ name: beside, costs: [theirs], most }], kB)
  },
})

export const heap = memoryRow({
  name: 'heap',
  isMain: true,
  what: 'memory of an event, 100,000 stored',
  beside: 'a plain object',
  most: 2.2,
})
export const forks = memoryRow({
  name: 'forks',
  what: 'memory of a fork of a world of 1,000 events',
  beside: 'that world',
  most: 0.01,
})

/** The microseconds of the processor that `act` takes, as the mean of several calls after `prepare`. */
async function costOf(times, act, prepare = () => undefined) {
  let taken = 0
  for (let nth = 0; nth < times; nth++) {
    await prepare(nth)
    const start = process.cpuUsage()
    await act(nth)
    const { user, system } = process.cpuUsage(start)
    taken += user + system
  }
  return taken / times
}

const EVENTS = '/calendars/primary/events'
const CHANGES = 10

async function changeEvents(fake, nth) {
  for (let at = 0; at < CHANGES; at++) {
    const body = JSON.stringify({ summary: `Changed ${nth}` })
    await call(fake, `${EVENTS}/event${String(at).padStart(6, '0')}`, { method: 'PATCH', body })
  }
}

/** Operations on a world of 1,000 events after ten changes, beside the changes themselves. */
const OPERATIONS = [
  { what: 'reset of a world of 1,000 events after 10 changes', act: (fake) => fake.reset() },
  { what: 'restore after 10 changes', act: (fake, before) => fake.restore(before) },
  { what: 'fork after 10 changes', act: (fake, _, nth) => fake.fork(fake.snapshot(), `w${nth % 100}`) },
  { what: 'diff of 10 changes', act: (fake, before) => fake.diff(before) },
]

export const worlds = {
  name: 'worlds',
  async run() {
    const fake = createFilled(1000)
    const before = fake.snapshot()
    const prepare = (nth) => changeEvents(fake, nth)
    const changes = { round: () => costOf(50, prepare) }
    const sides = OPERATIONS.map(({ act }) => ({
      round: () => costOf(50, (nth) => act(fake, before, nth), prepare),
    }))
    const [own, ...costs] = await measureInTurn([changes, ...sides], 9)
    await fake.close()
    const beside = [{ name: 'the 10 changes', costs: own, most: 0.3 }]
    return OPERATIONS.map(({ what }, at) => compareCosts(what, costs[at], beside))
  },
}

export const journal = {
  name: 'journal',
  async run() {
    const [on, off] = [createFilled(100), createFilled(100, { journal: 0 })]
    const get = (fake) => () => call(fake, `${EVENTS}/event000007`)
    const sides = [on, off].map((fake) => ({
      warmUp: () => costOf(2000, get(fake)),
      round: () => costOf(200, get(fake)),
    }))
    const [withJournal, without] = await measureInTurn(sides, 301)
    await Promise.all([on.close(), off.close()])
    return compareCosts('events.get with the journal', withJournal, [{ name: 'without', costs: without, most: 1.05 }])
  },
}

const SERIES_COUNT = 1000
const SERIES_WEEK = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-09T00:00:00Z') }
/** Rules as people make them; those with an end still have occurrences in the week. */
const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270101T000000Z',
  'FREQ=DAILY;COUNT=20000',
  'FREQ=MONTHLY;BYMONTHDAY=3',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
]

/** One week of old series by a request, until its text is there, and by plain rrule, which makes dates alone. */
export const series = {
  name: 'series',
  async run() {
    const all = Array.from({ length: SERIES_COUNT }, (_, nth) => ({
      start: new Date(Date.UTC(2000, 0, 3 + (nth % 28), 9 + (nth % 8))),
      rule: RULES[nth % RULES.length],
    }))
    const events = all.map(({ start, rule }, nth) => ({
      id: `series${String(nth).padStart(4, '0')}`,
      summary: `Series ${nth}`,
      start: { dateTime: start.toISOString(), timeZone: 'UTC' },
      end: { dateTime: new Date(start.getTime() + 1_800_000).toISOString(), timeZone: 'UTC' },
      recurrence: [`RRULE:${rule}`],
    }))
    const fake = createFakeCalendar({ seed: { accounts: [{ email: PERSON }], calendars: [{ id: PERSON, events }] } })
    const { from, to } = SERIES_WEEK
    const week = { timeMin: from.toISOString(), timeMax: to.toISOString() }
    const path = `${EVENTS}?${new URLSearchParams({ ...week, singleEvents: 'true', maxResults: '2500' })}`
    const { items } = await call(fake, path)
    const listed = await costOf(20, () => callText(fake, path))
    let count = 0
    const plain = await costOf(1, () => {
      for (const { start, rule } of all)
        count += new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart: start }).between(from, to, true).length
    })
    await fake.close()
    if (items.length !== count) throw new Error(`${items.length} instances listed, ${count} by plain rrule`)
    const what = `a week of 1,000 series begun in 2000: a reply of ${count} instances`
    return compareCosts(
      what,
      [listed / 1000],
      [{ name: 'plain rrule, dates alone', costs: [plain / 1000], least: 300 }],
      ms,
    )
  },
}
