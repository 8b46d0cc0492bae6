import { describe, expect, test } from 'vitest'
import { PANELS } from '../../src/ui/panels.ts'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser, visit } from './browser.ts'
import { eventNamed } from './grid.ts'

const ROUTE = { account: ALICE, date: '2026-03-02' }
const VIEWS = ['day', 'week', 'workWeek', 'month', 'list', 'year']
const WIDTHS = [1440, 768, 390]

describe.skipIf(lacks('chromium'))('accessibility of the inspector in Chromium', () => {
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

  test.each(WIDTHS)('axe finds nothing in any panel at %s pixels, light and dark', async (width) => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: ROUTE, viewport: { width, height: 900 } })
    for (const { id } of PANELS) {
      await visit(page, { panel: id })
      await expectAccessible(page, id)
    }
  })

  test.each(WIDTHS)('axe finds nothing in any view of the calendar at %s pixels, light and dark', async (width) => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: ROUTE, viewport: { width, height: 900 } })
    for (const view of VIEWS) {
      await visit(page, { view })
      await expectAccessible(page, view)
    }
  })

  test.each(WIDTHS)('axe finds nothing in the details and the form of an event at %s pixels', async (width) => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: { ...ROUTE, view: 'week' }, viewport: { width, height: 900 } })
    await eventNamed(page, 'Lunch').click()
    const dialog = page.getByRole('dialog')
    for (const name of ['History', 'JSON']) await dialog.getByText(name, { exact: true }).click()
    await expect.poll(() => dialog.locator('progress').count()).toBe(0)
    await expectAccessible(page, 'details')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Title').fill('')
    await dialog.getByLabel('End', { exact: true }).fill('2020-01-01T09:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByLabel('Repeat').selectOption('Custom')
    await expectAccessible(page, 'form with an error and a custom repeat')
  })

  test('axe finds nothing in the palette, a request, a message, and the form of a fault', async () => {
    const { open } = await startFilled()
    const page = await open('calendar', { route: { ...ROUTE, view: 'week' } })
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await expectAccessible(page, 'palette')
    await page.keyboard.press('Escape')
    await visit(page, { panel: 'requests', item: '3' })
    await page.getByRole('article', { name: 'Request 3', exact: true }).getByRole('alert').waitFor()
    await expectAccessible(page, 'request')
    await visit(page, { panel: 'mail', item: '1' })
    await page.getByRole('article').or(page.getByText('Invitation: Lunch')).first().waitFor()
    await expectAccessible(page, 'message')
    await visit(page, { panel: 'faults', item: '' })
    await page.getByRole('form', { name: 'Add a fault' }).waitFor()
    await expectAccessible(page, 'fault')
  })

  test('an event is created, moved, answered and deleted by the keyboard alone', async () => {
    const { open, fake } = await inspected()
    const page = await open('calendar', { route: { ...ROUTE, view: 'week' } })
    await page.locator('.fc-view').waitFor()
    const written = () => fake.calls().map(({ method }) => method)
    /** Presses Tab until the element with the text or label has the focus. */
    const tabTo = async (name: string) => {
      const focused = () =>
        page.evaluate(() => {
          const { activeElement: element } = document
          return element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent?.trim()
        })
      for (let count = 0; (await focused()) !== name; count++) {
        if (count > 60) throw new Error(`No element “${name}” got the focus`)
        await page.keyboard.press('Tab')
      }
    }
    const openEvent = async () => {
      await tabTo('Skip to the events')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Typed' }).waitFor()
    }

    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New event' }).waitFor()
    await page.keyboard.type('Typed')
    await tabTo('Guests')
    await page.keyboard.type(`${ALICE},${BOB}`)
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: BOB }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(written).toEqual(['events.insert'])
    await eventNamed(page, 'Typed').waitFor()

    await openEvent()
    await tabTo('Edit')
    await page.keyboard.press('Enter')
    await tabTo('Start')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(written).toEqual(['events.insert', 'events.patch'])
    await page.locator('.fc-timegrid-col[data-date="2026-03-03"] [data-event]').waitFor()

    await openEvent()
    await tabTo('Maybe')
    await page.keyboard.press('Enter')
    await expect.poll(() => written().length).toBe(3)
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openEvent()
    await tabTo('Delete')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /send mail/ }).waitFor()
    await tabTo('Send')
    await page.keyboard.press('Enter')
    await expect.poll(written).toEqual(['events.insert', 'events.patch', 'events.patch', 'events.delete'])
  })

  test('axe finds nothing in the questions about a series, a crowded day, a fork, and a confirmation', async () => {
    const { open, as } = await startFilled()
    const alice = as(ALICE)
    const series = { summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...hour('2026-03-02', 9) }
    for (let count = 0; count < 6; count++)
      expect((await alice.post('/calendars/primary/events', series)).status).toBe(200)
    const page = await open('calendar', { route: { ...ROUTE, view: 'week' } })
    await eventNamed(page, 'Standup').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'This and following events' }).waitFor()
    await expectAccessible(page, 'series')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    for (let count = 0; count < 8; count++)
      expect((await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 14))).status).toBe(200)
    await visit(page, { view: 'month' })
    await page.locator('[data-date="2026-03-02"] .fc-daygrid-more-link').click()
    await expectAccessible(page, 'day')
    await page.keyboard.press('Escape')
    await visit(page, { panel: 'worlds' })
    await page.getByRole('button', { name: 'Fork this world' }).click()
    await expectAccessible(page, 'fork')
    await page.keyboard.press('Escape')
    await visit(page, { panel: 'world' })
    await page.getByRole('button', { name: 'Restore before' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, 'confirmation')
  })

  test('axe finds nothing in a missing world, an empty one, and the menu of a narrow page with a toast', async () => {
    const { open } = await startFilled()
    await expectAccessible(await open('calendar', { route: { world: 'green' }, status: 'No such world' }), 'missing')
    const { open: openEmpty } = await inspected()
    const empty = await openEmpty('requests')
    for (const id of ['requests', 'mail', 'faults']) {
      await visit(empty, { panel: id })
      await expectAccessible(empty, id)
    }
    const narrow = await open('world', { viewport: { width: 400, height: 800 } })
    await narrow.getByRole('button', { name: '+1 h' }).click()
    await narrow.getByRole('region', { name: 'Notifications' }).getByText('The clock shows').waitFor()
    await expectAccessible(narrow, 'toast')
    await narrow.getByRole('button', { name: 'Open the menu' }).click()
    await expectAccessible(narrow, 'menu')
  })

  test('every panel fits pages of 390 and 1024 pixels', async () => {
    const { open } = await startFilled()
    const page = await open('calendar', { viewport: { width: 390, height: 800 }, route: ROUTE })
    for (const { id } of PANELS) {
      await page.setViewportSize({ width: 390, height: 800 })
      await visit(page, { panel: id })
      for (const width of [390, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: `${id}, ${width} pixels` })
          .toBeLessThanOrEqual(width)
      }
    }
  })

  test('every choice fits a page of 390 pixels, in panels and forms', async () => {
    const { open, as } = await startFilled()
    const summary = 'Meetings with the customers of the northern region, and travel'
    expect((await as(ALICE).post('/calendars', { summary })).status).toBe(200)
    const attendees = [{ email: 'a.guest.with.a.rather.long.address@customers.northern-region.example.com' }]
    const lunch = { summary: 'Lunch', ...hour('2026-03-03', 12), attendees }
    expect((await as(ALICE).post('/calendars/primary/events?sendUpdates=all', lunch)).status).toBe(200)
    const page = await open('calendar', { viewport: { width: 390, height: 800 }, route: ROUTE })
    const outside = () =>
      page.locator('select, input, textarea').evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .flatMap((one) => {
            const { left, right } = one.getBoundingClientRect()
            return left < 0 || right > innerWidth ? [`${one.id || one.ariaLabel} ${left}–${right}`] : []
          }),
      )
    for (const { id } of PANELS) {
      await visit(page, { panel: id })
      await expect.poll(outside, { message: id }).toEqual([])
    }
    await visit(page, { panel: 'calendar' })
    await page.getByRole('button', { name: 'New event' }).click()
    await page.getByRole('dialog').getByLabel('Repeat').selectOption('Custom')
    await expect.poll(outside, { message: 'form' }).toEqual([])
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
