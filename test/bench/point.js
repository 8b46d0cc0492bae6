import { median, timed } from './median.js'
import { call, createFilled, createSeries, MONDAY } from './world.js'

/** Run with what a calendar holds and how many: prints the microseconds of requests to it, called in process. */
const [, , what, given] = process.argv
const EVENTS = '/calendars/primary/events'
const RUNS = 300

const fake = what === 'events' ? createFilled(Number(given)) : createSeries(Number(given))
const from = { timeMin: new Date(MONDAY).toISOString() }
const week = { ...from, timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString() }
const query = what === 'events' ? week : { ...from, singleEvents: true, orderBy: 'startTime', maxResults: 10 }
const body = JSON.stringify({
  summary: 'Planning',
  start: { dateTime: '2020-03-02T09:00:00Z' },
  end: { dateTime: '2020-03-02T10:00:00Z' },
})
const requests = {
  list: () => call(fake, `${EVENTS}?${new URLSearchParams(query)}`),
  ...(what === 'events' && {
    get: () => call(fake, `${EVENTS}/event000000`),
    insert: () => call(fake, EVENTS, { method: 'POST', body }),
  }),
}
const durations = {}
for (const [name, act] of Object.entries(requests)) durations[name] = median(await timed(RUNS, act, 100)) * 1000
process.stdout.write(JSON.stringify(durations))
await fake.close()
