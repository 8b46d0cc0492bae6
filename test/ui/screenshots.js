import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createFakeCalendar } from '../../dist/index.js'

/**
 * Makes the pictures of docs/images from the built package: `npm run screenshots`, or `npm run screenshots -- month mail`
 * for some.
 */
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const NOW = '2026-01-06T14:00:00Z'
const WEEK = { view: 'week', date: '2026-01-05' }
const WIDE = { width: 1200, height: 760 }
const NARROW = { width: 400, height: 760 }

const json = (body) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const as =
  (fake, email) =>
  (path, init = {}) =>
    fake.fetch(`http://localhost/calendar/v3${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${email}` },
    })
const ALICE = 'alice@example.com'
const LUNCH = {
  summary: 'Lunch at the pier',
  location: 'Lighthouse Café',
  start: { dateTime: '2026-01-07T12:30:00-05:00' },
  end: { dateTime: '2026-01-07T13:30:00-05:00' },
  attendees: [{ email: 'bob@example.com' }, { email: 'dana@example.com' }],
}

/** A picture each: where the page is, what has happened before, and what is done in it. */
const VIEWS = {
  month: { panel: 'calendar', route: { view: 'month', date: '2026-01-01' } },
  week: {
    ...{ panel: 'calendar', route: WEEK },
    async act(page) {
      await page.locator('.event').filter({ hasText: 'Timetable API review' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  sideBySide: {
    panel: 'side',
    route: { ...WEEK, item: 'alice@example.com,bob@example.com' },
    viewport: { width: 1200, height: 1000 },
    act: (page) => page.locator('.event').filter({ hasText: '1:1 with Bob' }).first().click(),
  },
  requests: {
    panel: 'requests',
    async before(fake) {
      const alice = as(fake, ALICE)
      fake.faults.add({ on: 'events.insert', do: { fail: 'backendError503', retryAfter: 1 } })
      for (const path of ['/users/me/calendarList', '/calendars/primary/events?timeMin=2026-01-05', '/colors'])
        await alice(path)
      for (let nth = 0; nth < 2; nth++) await alice('/calendars/primary/events?sendUpdates=all', json(LUNCH))
    },
  },
  world: {
    panel: 'world',
    async before(fake) {
      fake.snapshot('before')
      fake.faults.add({ on: 'events.*', times: 'always', every: 3, do: { fail: 'rateLimitExceeded' }, optional: true })
      await as(fake, ALICE)('/calendars/primary/events', json(LUNCH))
    },
  },
  mail: {
    ...{ panel: 'mail', route: { item: '0' }, colorScheme: 'dark' },
    before: (fake) => as(fake, ALICE)('/calendars/primary/events?sendUpdates=all', json(LUNCH)),
  },
  narrow: { panel: 'calendar', viewport: NARROW, route: { view: 'list', date: '2026-01-05' } },
  clinic: { ...{ panel: 'calendar', seed: 'clinic', route: WEEK }, account: 'desk@clinic.example.com' },
  school: {
    ...{ panel: 'side', seed: 'school', now: '2026-03-09T08:00:00Z', viewport: { width: 1200, height: 1000 } },
    account: 'head@school.example.org',
    route: { view: 'week', date: '2026-03-09', item: 'head@school.example.org,lin@partner.example.net' },
  },
  heavy: {
    ...{ panel: 'calendar', seed: 'heavy', account: 'max@example.com' },
    route: { view: 'month', date: '2026-01-01' },
  },
}

const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(VIEWS, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there is ${Object.keys(VIEWS).join(', ')}.\n`)
  process.exit(2)
}

mkdirSync(IMAGES, { recursive: true })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const name of named.length > 0 ? named : Object.keys(VIEWS)) await picture(name, VIEWS[name])
} finally {
  await browser.close()
}

async function picture(
  name,
  { panel, seed = 'team', now = NOW, account = ALICE, route, viewport = WIDE, colorScheme = 'light', before, act },
) {
  const fake = createFakeCalendar({ seed, now })
  await before?.(fake)
  const page = await browser.newPage({ viewport, colorScheme, timezoneId: 'UTC', reducedMotion: 'reduce' })
  const address = new URL(await fake.ui())
  for (const [key, value] of Object.entries({ panel, account, ...route })) address.searchParams.set(key, value)
  await page.goto(address.href)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await page.waitForFunction(() => !document.querySelector('main progress, main [aria-busy=true]'))
  await act?.(page)
  await page.waitForFunction(() => !document.querySelector('main progress, main [aria-busy=true]'))
  await page.screenshot({ path: `${IMAGES}${name}.png` })
  await page.close()
  await fake.close()
  process.stderr.write(`docs/images/${name}.png\n`)
}
