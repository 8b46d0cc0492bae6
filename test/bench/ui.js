import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { median } from './median.js'
import { filled, MONDAY } from './world.js'

const CHROMIUM = '/usr/bin/chromium'
const ROUNDS = 9
/** Two years of weeks, and in the month that is shown at most 500 events. */
const WORLD = { count: 10_000, perWeek: 96 }
const LIMIT = 100

/** What a page has spent in scripts so far, in milliseconds. */
async function scripting(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * metrics.find(({ name }) => name === 'ScriptDuration').value
}

/** The inspector, from one page of the calendar to the next: what the browser spends in scripts. */
export const ui = {
  name: 'ui',
  async run() {
    const what = 'inspector: next month, 10,000 events, scripting'
    if (!existsSync(CHROMIUM)) return { what, ours: '', beside: 'no chromium here', ratio: '', target: '' }
    const fake = filled(WORLD.count, WORLD.perWeek)
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    const taken = []
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const date = new Date(MONDAY).toISOString().slice(0, 10)
      await page.goto(`${await fake.ui()}?panel=calendar&view=month&date=${date}`)
      const grid = page.locator('.grid')
      const settled = () => page.waitForFunction(() => document.querySelector('.grid[aria-busy=false] .event'))
      await grid.waitFor()
      await settled()
      for (let round = 0; round < ROUNDS + 2; round++) {
        const before = await scripting(session)
        await page.getByRole('button', { name: round % 2 ? 'Back' : 'Forth', exact: true }).click()
        await settled()
        // The first two find code that is not compiled yet.
        if (round > 1) taken.push((await scripting(session)) - before)
      }
    } finally {
      await browser.close()
      await fake.close()
    }
    const own = median(taken)
    return {
      what,
      ours: `${own.toFixed(0)} ms`,
      beside: `worst of ${ROUNDS}: ${Math.max(...taken).toFixed(0)} ms`,
      ratio: '',
      target: `<= ${LIMIT} ms`,
      met: own <= LIMIT,
    }
  },
}
