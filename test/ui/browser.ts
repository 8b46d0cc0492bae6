import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { FakeCalendarOptions } from '../../src/index.ts'
import { openCalendar } from '../support/calendar.ts'
import { CHROMIUM, lacking } from '../support/debian.ts'

/** Why the inspector cannot be tried here; a title says it. */
export const lack = lacking('chromium', CHROMIUM, ['--version'])
export const skipped = lack ? ` (skipped: ${lack})` : ''

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-component-update',
  // No name leads anywhere: what the page asks of another host fails, and is seen.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

type Opening = BrowserContextOptions & {
  /** What the address says: `{ panel: 'requests', account: BOB }`. */
  route?: Record<string, string>
  world?: string
  /**
   * What the page may say on its console: a browser writes there of every request that is refused, which is no error of
   * the page's where a test wants it.
   */
  refusals?: boolean
  /** Nothing tells the page here of what is asked. */
  untold?: boolean
}

/**
 * A browser for the tests of a file, which is closed at their end. Every page is watched: after each test it has to have
 * been without errors, and to have asked nobody but its own origin.
 */
export function inBrowser() {
  let browser: Browser
  const ends: (() => Promise<unknown>)[] = []
  const wrong: string[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    expect(wrong.splice(0), 'errors in the page, and requests that left its origin').toEqual([])
  })
  afterAll(() => browser?.close())

  function watch(page: Page, origin: string, refusals: boolean): void {
    page.on('pageerror', (error) => wrong.push(`page error: ${error.stack ?? error.message}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      if (refusals && /^Failed to load resource: the server responded with a status of/.test(message.text())) return
      wrong.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) wrong.push(`left the origin: ${url}`)
    })
  }

  /** A fake that listens on a free port, clients of it, and its inspector, open at a panel. */
  async function inspected(options: FakeCalendarOptions = {}) {
    const calendar = openCalendar(options)
    ends.push(() => calendar.fake.close())
    const base = await calendar.fake.ui()

    async function open(
      panel = 'calendar',
      { route = {}, world, refusals = false, untold = false, ...more }: Opening = {},
    ): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, timezoneId: 'UTC', ...more })
      ends.push(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      const url = new URL(world === undefined ? base : await calendar.fake.world(world).ui())
      for (const [name, value] of Object.entries({ panel, ...route })) url.searchParams.set(name, value)
      watch(page, url.origin, refusals)
      await page.goto(url.href)
      await page
        .getByRole('status')
        .filter({ hasText: untold ? 'Not connected' : 'Live' })
        .waitFor()
      return page
    }
    return { ...calendar, base, open }
  }

  return { inspected }
}
