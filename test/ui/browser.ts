import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import type { FakeCalendarOptions } from '../../src/index.ts'
import { TOAST_DURATION_MS } from '../../src/ui/toast.ts'
import { openCalendar } from '../support/calendar.ts'
import { pathOf } from '../support/programs.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // Pages of a file share one renderer and draw in the browser's process, which takes less processor time.
  '--in-process-gpu',
  '--disable-software-rasterizer',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-component-update',
  // No host name resolves, so requests to other hosts fail and are noticed.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** Divides the speed of pages: `FC_SLOW_BROWSER=6 npx vitest run --project browser` finds assertions that do not wait. */
const SLOWNESS = Number(process.env.FC_SLOW_BROWSER ?? 1)

/** Lengthens the timers of toasts, in the page, because a slow machine may find a toast later than it is dismissed. */
function keepToasts(duration: number): void {
  const original = window.setTimeout
  const withLongToasts = (handler: TimerHandler, delay?: number, ...values: unknown[]) =>
    original(handler, delay === duration ? 100 * duration : delay, ...values)
  window.setTimeout = withLongToasts as typeof window.setTimeout
}

type Opening = BrowserContextOptions & {
  /** The query of the address: `{ panel: 'requests', account: BOB }`. */
  route?: Record<string, string>
  world?: string
  /** True if failed requests are expected. Browsers log each of them as an error. */
  expectsErrors?: boolean
  /** The status that the page shows when it is ready. Defaults to `Live`. */
  status?: string
}

/** All files of a process share it, because a start takes a second of both processors. It ends with its process. */
let sharedBrowser: Promise<Browser> | undefined

/** Pages in a shared browser. After each test, its pages must have had no errors, and no requests to other origins. */
export function inBrowser() {
  let browser: Browser
  const ends: (() => Promise<unknown>)[] = []
  const wrong: string[] = []

  beforeAll(async () => {
    sharedBrowser ??= chromium.launch({ executablePath: pathOf('chromium'), args: FLAGS })
    browser = await sharedBrowser
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    expect(wrong.splice(0), 'errors in the page, and requests to other origins').toEqual([])
  })

  function watch(page: Page, origin: string, expectsErrors: boolean): void {
    page.on('pageerror', (error) => wrong.push(`page error: ${error.stack ?? error.message}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      if (
        expectsErrors &&
        /^Failed to load resource: (the server responded with a status of|net::ERR_)/.test(message.text())
      )
        return
      wrong.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) wrong.push(`request to another origin: ${url}`)
    })
  }

  /** Opens an address of the inspector, and waits for its status. */
  async function openPage(
    { href, origin }: URL,
    { expectsErrors = false, status = 'Live', ...more }: Omit<Opening, 'route' | 'world'> = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...more,
    })
    ends.push(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.addInitScript(keepToasts, TOAST_DURATION_MS)
    if (SLOWNESS > 1) {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
    }
    watch(page, origin, expectsErrors)
    await page.goto(href)
    await page.getByRole('status').filter({ hasText: status }).waitFor()
    return page
  }

  /** Starts a fake on a free port. Returns it with its clients, and a function that opens the inspector at a panel. */
  async function inspected(options: FakeCalendarOptions = {}) {
    const calendar = openCalendar(options)
    ends.push(() => calendar.fake.close())
    const base = await calendar.fake.ui()

    async function open(panel = 'calendar', { route = {}, world, ...more }: Opening = {}): Promise<Page> {
      const url = new URL(world === undefined ? base : await calendar.fake.world(world).ui())
      for (const [name, value] of Object.entries({ panel, ...route })) url.searchParams.set(name, value)
      return openPage(url, more)
    }
    return { ...calendar, base, open }
  }

  return { inspected, openPage }
}

/** Shows another part of the inspector in an open page, as a link or the Back button does, and waits until it is loaded. */
export async function visit(page: Page, changes: Record<string, string>): Promise<void> {
  await page.evaluate(async (values) => {
    const url = new URL(location.href)
    for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
    history.pushState(null, '', url)
    dispatchEvent(new PopStateEvent('popstate'))
    // The first frame draws the change.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  }, changes)
  await expect.poll(() => page.locator('main progress, main [aria-busy=true]').count()).toBe(0)
}
