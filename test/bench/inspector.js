import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { createFakeCalendar } from '../../dist/index.js'
import { median } from './median.js'

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const ALICE = 'alice@example.com'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

/** 10,000 events over two years, of which a month of the middle has 500 in view. */
const STORED = 10_000
const VIEWED = 500
const DAY = 86_400_000
const HOUR = 3_600_000
const START = Date.UTC(2025, 0, 1)
/** From where it goes two months on and two back. */
const BEGIN = '2025-12-15'
const ROUNDS = 9

const timed = (at, number) => ({
  summary: `Event ${number}`,
  start: { dateTime: new Date(at).toISOString() },
  end: { dateTime: new Date(at + HOUR).toISOString() },
})

/** 13.7 events a day, and in the months that are looked at as many as make 500 in five weeks. */
function events() {
  const all = []
  const busy = [Date.parse('2025-11-20'), Date.parse('2026-03-20')]
  for (let day = START; day < busy[1]; day += DAY) {
    const each = day >= busy[0] ? VIEWED / 35 : 0
    for (let number = 0; number < each; number++) all.push(timed(day + (8 + number / 2) * HOUR, all.length))
  }
  for (let at = 0; all.length < STORED; at++) all.push(timed(START + (at * 300 * DAY) / STORED, all.length))
  return all
}

/** Returns the script time in milliseconds from a step to the next month until its events are shown. */
export async function navigation() {
  const fake = createFakeCalendar({
    now: '2026-01-15T09:00:00Z',
    seed: { accounts: [{ email: ALICE, timeZone: 'UTC' }], calendars: [{ id: ALICE, events: events() }] },
  })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, timezoneId: 'UTC' })
    const url = new URL(await fake.ui())
    for (const [name, value] of Object.entries({ panel: 'calendar', view: 'month', date: BEGIN }))
      url.searchParams.set(name, value)
    await page.goto(url.href)
    await page.locator('[data-event]').first().waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const scripting = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
    }
    const durations = []
    let viewed = 0
    for (let round = 0; round < ROUNDS; round++) {
      const forth = round % 4 < 2
      const before = await scripting()
      const answered = page.waitForResponse((response) => response.url().includes('/events?'))
      await page.keyboard.press(forth ? 'ArrowRight' : 'ArrowLeft')
      viewed = (await (await answered).json()).items.length
      await page.locator('main [aria-busy="false"] [data-event]').first().waitFor()
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      durations.push((await scripting()) - before)
    }
    return { scripting: median(durations), viewed }
  } finally {
    await browser.close()
    await fake.close()
  }
}
