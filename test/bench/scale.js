import { median, timed } from './median.js'
import { call, filled, MONDAY } from './world.js'

const EVENTS = '/calendars/primary/events'
const RUNS = 300
const CHANGES = 10

/** What a week's list and a sync of ten changes take, in milliseconds, in calendars of so many events, measured in turn. */
export async function scale(counts) {
  const calendars = await Promise.all(counts.map(open))
  const times = calendars.map(() => ({ list: [], sync: [] }))
  await timed(
    RUNS,
    async (run) => {
      for (const [nth, calendar] of calendars.entries()) {
        const [list] = await timed(1, calendar.list, 0)
        const [sync] = await timed(1, calendar.sync, 0)
        if (run < 0) continue
        times[nth].list.push(list)
        times[nth].sync.push(sync)
      }
    },
    100,
  )
  await Promise.all(calendars.map(({ fake }) => fake.close()))
  return times.map(({ list, sync }) => ({ list: median(list), sync: median(sync) }))
}

async function open(count) {
  const fake = filled(count)
  const syncToken = await fullSync(fake)
  for (let nth = 0; nth < CHANGES; nth++) {
    const id = `event${String(nth).padStart(6, '0')}`
    await call(fake, `${EVENTS}/${id}`, { method: 'PATCH', body: JSON.stringify({ summary: 'Changed' }) })
  }
  const week = new URLSearchParams({
    timeMin: new Date(MONDAY).toISOString(),
    timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString(),
  })
  const list = () => call(fake, `${EVENTS}?${week}`)
  const sync = () => call(fake, `${EVENTS}?${new URLSearchParams({ syncToken })}`)
  for (const answer of [await list(), await sync()]) {
    if (answer.items.length !== 10) throw new Error(`10 events were expected, not ${answer.items.length}`)
  }
  return { fake, list, sync }
}

async function fullSync(fake) {
  for (let pageToken = ''; ; ) {
    const page = await call(fake, `${EVENTS}?${new URLSearchParams({ maxResults: '2500', pageToken })}`)
    if (page.nextSyncToken) return page.nextSyncToken
    pageToken = page.nextPageToken
  }
}
