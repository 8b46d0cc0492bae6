import { describe, expect, test } from 'vitest'
import { PANELS } from '../../src/ui/panels.tsx'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { accessFaults } from './axe.ts'
import { inBrowser, lack, skipped } from './browser.ts'

describe.skipIf(lack)(`who uses the inspector in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  /** A world in which every panel has something to show. */
  async function lived() {
    const opened = await inspected({ conferences: 'manual' })
    const { as, fake } = opened
    const alice = as(ALICE)
    const lunch = { summary: 'Lunch', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
    expect((await alice.post('/calendars/primary/events?sendUpdates=all', lunch)).status).toBe(200)
    const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
    expect((await alice.post('/calendars/primary/events/watch', watch)).status).toBe(200)
    fake.oauth.mint({ account: ALICE })
    fake.snapshot('before')
    fake.faults.add({ on: 'events.delete', do: { fail: 'rateLimitExceeded' } })
    return opened
  }

  test.each(PANELS.map(({ id }) => id))(
    'the panel %s has no serious fault of access, by light and by dark',
    async (id) => {
      const { open } = await lived()
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(id, { colorScheme, route: { account: ALICE, date: '2026-03-02' } })
        await expect.poll(() => page.locator('main progress').count()).toBe(0)
        expect(await accessFaults(page), colorScheme).toEqual([])
      }
    },
  )

  test.each(PANELS.map(({ id }) => id))('the panel %s fits a page of 400 pixels', async (id) => {
    const { open } = await lived()
    const page = await open(id, {
      viewport: { width: 400, height: 800 },
      route: { account: ALICE, date: '2026-03-02' },
    })
    await expect.poll(() => page.locator('main progress').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400)
  })

  test('the keyboard reaches what is on the page in the order in which it stands, from a way past the tabs on', async () => {
    const { open } = await lived()
    const page = await open('mail', { route: { account: ALICE } })
    await page.getByRole('button', { name: /Invitation/ }).waitFor()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document
        return (
          at?.closest('label')?.firstChild?.textContent?.trim() || at?.getAttribute('aria-label') || at?.textContent
        )
      })
    const reached: (string | null | undefined)[] = []
    for (let at = 0; at < 4; at++) {
      await page.keyboard.press('Tab')
      reached.push(await focused())
    }
    expect(reached).toEqual(['Skip to the panel', 'World', 'Act as', 'Calendar'])

    await page.evaluate(() => (document.querySelector('.skip') as HTMLElement).focus())
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Written to')
  })

  test('a link to what is shown shows it again', async () => {
    const { open, fake } = await lived()
    fake.world('blue').replace({ accounts: [{ email: 'dana@example.com' }, { email: 'erin@example.com' }] })
    const route = { world: 'blue', account: 'erin@example.com', view: 'week', date: '2026-03-09' }
    const page = await open('calendar', { route })
    const address = page.url()
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({ panel: 'calendar', ...route })

    await page.goto('about:blank')
    await page.goto(address)
    await expect.poll(() => page.getByRole('combobox', { name: 'Act as' }).inputValue()).toBe('erin@example.com')
    expect(await page.getByRole('combobox', { name: 'World' }).inputValue()).toBe('blue')
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ panel: 'calendar', ...route })
  })
})
