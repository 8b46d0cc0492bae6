import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createFakeCalendar } from '../../dist/index.js'

/**
 * Takes the pictures of docs/images. With `--all FOLDER` it takes every panel at three widths in both themes instead.
 * Names after the options choose single pictures.
 */
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const NOW = '2026-01-07T13:05:00Z'
const WEEK = { view: 'week', date: '2026-01-07' }
const WIDTHS = { 1440: 900, 1024: 768, 390: 800 }

const json = (body) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
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

/** Gives every panel something to show. */
async function fill(fake) {
  const alice = as(fake, ALICE)
  fake.onNotification(() => 200)
  fake.conferences.policy({ mode: 'manual' })
  fake.snapshot('before')
  await alice(
    '/calendars/primary/events/watch',
    json({ id: 'watch-1', type: 'web_hook', address: 'https://example.com/hook' }),
  )
  for (const path of ['/users/me/calendarList', '/calendars/primary/events?timeMin=2026-01-05', '/colors'])
    await alice(path)
  fake.faults.add({ on: 'events.insert', do: { fail: 'backendError503', retryAfter: 1 } })
  fake.faults.add({ on: 'events.*', times: 'always', every: 30, do: { fail: 'rateLimitExceeded' }, optional: true })
  for (let count = 0; count < 2; count++) await alice('/calendars/primary/events?sendUpdates=all', json(LUNCH))
  const conferenceData = { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } }
  await alice('/calendars/primary/events?conferenceDataVersion=1', json({ ...LUNCH, summary: 'Call', conferenceData }))
  await as(fake, 'bob@example.com')('/calendars/unknown@example.com/events')
  fake.oauth.mint({ account: ALICE })
  fake.world('blue').replace({ accounts: [{ email: 'dana@example.com' }] })
  const dana = { fake: fake.world('blue'), email: 'dana@example.com' }
  await as(dana.fake, dana.email)('/calendars/primary/events', json(LUNCH))
  fake.worlds.setResult('blue', {
    ...{ task: 'Book lunch with Bob', attempt: 1, passed: false, score: 0.5, calls: 1, errors: 0 },
    ...{
      missing: [{ what: 'mail', text: 'mail to bob@example.com', weight: 1 }],
      unexpected: [{ what: 'change', text: 'event "Lunch at the pier": guest dana@example.com', weight: 1 }],
    },
  })
  await fake.notifications.settled()
}

const openFirst = (text) => async (page) => {
  await page.locator('[data-event]').filter({ hasText: text }).first().click()
  await page.getByRole('dialog').waitFor()
}

/** Every view for a picture: its panel, its address, and the actions in it. */
const ALL = {
  month: { panel: 'calendar', route: { view: 'month', date: '2026-01-07' } },
  week: { panel: 'calendar', route: WEEK },
  day: { panel: 'calendar', route: { view: 'day', date: '2026-01-07' } },
  list: { panel: 'calendar', route: { view: 'list', date: '2026-01-07' } },
  year: { panel: 'calendar', route: { view: 'year', date: '2026-01-07' } },
  event: { panel: 'calendar', route: { view: 'day', date: '2026-01-07' }, act: openFirst('Lunch at the pier') },
  form: {
    ...{ panel: 'calendar', route: { view: 'day', date: '2026-01-07' } },
    async act(page) {
      await openFirst('Lunch at the pier')(page)
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('End', { exact: true }).waitFor()
    },
  },
  sideBySide: { panel: 'sideBySide', route: { ...WEEK, item: 'alice@example.com,bob@example.com' } },
  requests: { panel: 'requests' },
  request: { panel: 'requests', route: { item: '3' } },
  faults: {
    panel: 'faults',
    async act(page) {
      await page.getByRole('form', { name: 'Add a fault' }).waitFor()
    },
  },
  mail: { panel: 'mail' },
  message: { panel: 'mail', route: { item: '1' } },
  world: { panel: 'world' },
  worlds: { panel: 'worlds' },
  attempt: { panel: 'worlds', route: { item: 'blue' } },
  palette: {
    panel: 'requests',
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').last().fill('lunch')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  missing: { panel: 'calendar', route: { world: 'green' } },
  empty: { panel: 'requests', isEmpty: true },
}

/** The pictures of the docs. */
const DOCS = {
  month: { ...ALL.month },
  week: { panel: 'calendar', route: WEEK },
  event: { ...ALL.event },
  sideBySide: { ...ALL.sideBySide, height: 1000 },
  requests: { panel: 'requests', route: { item: '5' } },
  faults: { ...ALL.faults },
  world: { panel: 'world' },
  mail: { panel: 'mail', route: { item: '1' }, theme: 'dark' },
  narrow: { panel: 'calendar', width: 400, route: { view: 'list', date: '2026-01-05' } },
  clinic: { ...{ panel: 'calendar', seed: 'clinic', route: WEEK }, account: 'desk@clinic.example.com' },
  school: {
    ...{ panel: 'sideBySide', seed: 'school', now: '2026-03-09T08:00:00Z', height: 1000 },
    account: 'head@school.example.org',
    route: { view: 'week', date: '2026-03-09', item: 'head@school.example.org,lin@partner.example.net' },
  },
  heavy: {
    ...{ panel: 'calendar', seed: 'heavy', account: 'max@example.com' },
    route: { view: 'month', date: '2026-01-01' },
  },
}

const args = process.argv.slice(2)
const isAll = args[0] === '--all'
const [folder = IMAGES, ...names] = isAll ? args.slice(1) : [IMAGES, ...args]
const views = isAll ? ALL : DOCS
const unknown = names.filter((name) => !Object.hasOwn(views, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. Known: ${Object.keys(views).join(', ')}.\n`)
  process.exit(2)
}

mkdirSync(folder, { recursive: true })
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const name of names.length > 0 ? names : Object.keys(views)) {
    if (!isAll) await take(views[name], { file: `${folder}${name}.png`, width: views[name].width ?? 1200 })
    else
      for (const width of Object.keys(WIDTHS))
        for (const theme of ['light', 'dark'])
          await take(
            { ...views[name], theme },
            { file: `${folder}/${name}-${width}-${theme}.png`, width: Number(width) },
          )
  }
} finally {
  await browser.close()
}

async function take(view, { file, width }) {
  const { panel, seed = 'team', now = NOW, account = ALICE, route, theme = 'light', act, isEmpty = false } = view
  const height = view.height ?? WIDTHS[width] ?? 800
  const fake = createFakeCalendar({ seed, now })
  if (seed === 'team' && !isEmpty) await fill(fake)
  const page = await browser.newPage({
    ...{ viewport: { width, height }, colorScheme: theme, timezoneId: 'UTC', reducedMotion: 'reduce' },
  })
  const address = new URL(await fake.ui())
  for (const [key, value] of Object.entries({ panel, account, ...route })) address.searchParams.set(key, value)
  await page.goto(address.href)
  await page
    .getByRole('status')
    .filter({ hasText: /Live|No such world/ })
    .waitFor()
  const isQuiet = () => !document.querySelector('main progress, main [aria-busy=true]')
  await page.waitForFunction(isQuiet)
  await act?.(page)
  await page.waitForFunction(isQuiet)
  await page.screenshot({ path: file })
  await page.close()
  await fake.close()
  process.stderr.write(`${file}\n`)
}
