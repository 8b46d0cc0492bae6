import { describe, expect, test } from 'vitest'
import { PANELS } from '../../src/ui/panels.ts'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { accessibilityViolations } from './axe.ts'
import { inBrowser, lack, skipped } from './browser.ts'
import { eventNamed } from './grid.ts'

const ROUTE = { account: ALICE, date: '2026-03-02' }
const VIEWS = ['day', 'week', 'month', 'list', 'year']

describe.skipIf(lack)(`accessibility of the inspector in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  /** Starts a world in which every panel has something to show. */
  async function startFilled() {
    const opened = await inspected({ conferences: 'manual' })
    const { as, fake } = opened
    const alice = as(ALICE)
    const lunch = { summary: 'Lunch', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
    expect((await alice.post('/calendars/primary/events?sendUpdates=all', lunch)).status).toBe(200)
    const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
    expect((await alice.post('/calendars/primary/events/watch', watch)).status).toBe(200)
    expect((await alice.get('/calendars/primary/events?timeMin=2026-01-01')).status).toBe(400)
    fake.oauth.mint({ account: ALICE })
    fake.snapshot('before')
    fake.faults.add({ on: 'events.delete', do: { fail: 'rateLimitExceeded' } })
    return opened
  }

  test.each(PANELS.map(({ id }) => id))('axe finds nothing in the panel %s, light and dark', async (id) => {
    const { open } = await startFilled()
    const page = await open(id, { route: ROUTE })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(() => page.locator('main progress, main [aria-busy=true]').count()).toBe(0)
      await expect.poll(() => accessibilityViolations(page), { message: colorScheme }).toEqual([])
    }
  })

  test.each(VIEWS)('axe finds nothing in the view %s', async (view) => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: { ...ROUTE, view } })
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
    await expect.poll(() => accessibilityViolations(page)).toEqual([])
  })

  test('axe finds nothing in the details, the form, the palette, the guide, and a request', async () => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: { ...ROUTE, view: 'week' } })
    await eventNamed(page, 'Lunch').click()
    const dialog = page.getByRole('dialog')
    for (const name of ['Event', 'JSON', 'History', 'Copies', 'Mail and messages']) {
      await dialog.getByRole('tab', { name, exact: true }).click()
      await expect.poll(() => dialog.locator('progress').count()).toBe(0)
      await expect.poll(() => accessibilityViolations(page), { message: name }).toEqual([])
    }
    await dialog.getByRole('tab', { name: 'Event', exact: true }).click()
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Title').waitFor()
    await expect.poll(() => accessibilityViolations(page), { message: 'form' }).toEqual([])
    await page.keyboard.press('Escape')
    // The details open after the form has closed. A second Escape before that would close nothing.
    await dialog.getByRole('button', { name: 'Edit' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await expect.poll(() => accessibilityViolations(page), { message: 'palette' }).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Guide' }).click()
    await expect.poll(() => accessibilityViolations(page), { message: 'guide' }).toEqual([])
    const other = await open('requests', { route: { item: '3' } })
    await other.getByRole('region', { name: 'Request 3', exact: true }).getByText('Failed with 400').waitFor()
    await expect.poll(() => accessibilityViolations(other), { message: 'request' }).toEqual([])
  })

  test.each(PANELS.map(({ id }) => id))('the panel %s fits pages of 400 and 1024 pixels', async (id) => {
    const { open } = await startFilled()
    const page = await open(id, { viewport: { width: 400, height: 800 }, route: ROUTE })
    await expect.poll(() => page.locator('main progress').count()).toBe(0)
    for (const width of [400, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  })

  test('Tab follows the order of the page, and a link skips to the content', async () => {
    const { open } = await startFilled()
    const page = await open('mail', { route: { account: ALICE } })
    await page.getByRole('button', { name: /Invitation/ }).waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.getByLabel('World', { exact: true }).evaluate((one) => one === document.activeElement))
      .toBe(true)

    await page.getByRole('button', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByLabel('Recipient').evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('a link to the page shows the same again', async () => {
    const { open, fake } = await startFilled()
    fake.world('blue').replace({ accounts: [{ email: 'dana@example.com' }, { email: 'erin@example.com' }] })
    const route = { world: 'blue', account: 'erin@example.com', view: 'week', date: '2026-03-09' }
    const page = await open('calendar', { route })
    const address = page.url()
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({ panel: 'calendar', ...route })

    await page.goto('about:blank')
    await page.goto(address)
    await expect.poll(() => page.locator('#account').inputValue()).toBe('erin@example.com')
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('blue')
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ panel: 'calendar', ...route })
  })
})
