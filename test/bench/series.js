import rrule from 'rrule'
import { createFakeCalendar } from '../../dist/index.js'
import { median, timed } from './median.js'
import { call, callText } from './world.js'

const ALICE = 'alice@example.com'
const COUNT = 1_000
const RUNS = 15
const WEEK = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-09T00:00:00Z') }

/** Rules as people make them; `{until}` and `{count}` keep those with an end alive past the week measured. */
const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270101T000000Z',
  'FREQ=DAILY;COUNT={count}',
  'FREQ=MONTHLY;BYMONTHDAY=3',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
]

/** A thousand mixed series begun on the days after one day. */
function seriesFrom(day, count) {
  return Array.from({ length: COUNT }, (_, nth) => ({
    start: new Date(Date.parse(`${day}T09:00:00Z`) + (nth % 28) * 86_400_000 + (nth % 8) * 3_600_000),
    rule: RULES[nth % RULES.length].replace('{count}', String(count)),
  }))
}

const event = ({ start, rule }, nth) => ({
  id: `series${String(nth).padStart(4, '0')}`,
  summary: `Series ${nth}`,
  start: { dateTime: start.toISOString(), timeZone: 'UTC' },
  end: { dateTime: new Date(start.getTime() + 1_800_000).toISOString(), timeZone: 'UTC' },
  recurrence: [`RRULE:${rule}`],
})

const plainly = ({ start, rule }) =>
  new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart: start }).between(WEEK.from, WEEK.to, true).length

/**
 * One week's instances of old and of young series by a request, and of the old ones by plain rrule, in milliseconds: until the
 * text of the reply is there, and until a client has read it too. rrule makes dates, and neither text nor what is read of it.
 */
export async function series() {
  const [old, young] = [seriesFrom('2000-01-03', 20_000), seriesFrom('2025-03-03', 1_000)]
  const fakes = [old, young].map((all) =>
    createFakeCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: all.map(event) }] } }),
  )
  const query = new URLSearchParams({
    singleEvents: 'true',
    maxResults: '2500',
    timeMin: WEEK.from.toISOString(),
    timeMax: WEEK.to.toISOString(),
  })
  const path = `/calendars/primary/events?${query}`
  const [{ items }] = await Promise.all(fakes.map((fake) => call(fake, path)))
  const start = performance.now()
  const plain = old.reduce((sum, one) => sum + plainly(one), 0)
  const walked = performance.now() - start
  if (items.length !== plain) throw new Error(`${items.length} instances listed, ${plain} by plain rrule`)
  const medianOf = async (act) => median(await timed(RUNS, act))
  const [ofOld, ofYoung] = fakes
  const [inText, youngInText] = [
    await medianOf(() => callText(ofOld, path)),
    await medianOf(() => callText(ofYoung, path)),
  ]
  const read = await medianOf(() => call(ofOld, path))
  await Promise.all(fakes.map((fake) => fake.close()))
  return { inText, youngInText, read, walked, instances: items.length }
}
