import { describe, expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { inBrowser } from './browser.ts'
import { cutTitles, overflowing, tornWords } from './grid.ts'

const ROUTE = { account: ALICE, view: 'week', date: '2026-03-02', item: [ALICE, BOB].join(',') }

describe.skipIf(lacks('chromium'))('the Side by side panel in Chromium', () => {
  const { inspected } = inBrowser()

  /** Creates Alice's lunch, which Bob has accepted, and an event of which Bob sees only that Alice is busy. */
  async function startWithEvents() {
    const opened = await inspected()
    const [alice, bob] = [opened.as(ALICE), opened.as(BOB)]
    const attendees = [{ email: ALICE, responseStatus: 'accepted' }, { email: BOB }]
    const lunch = await alice.post('/calendars/primary/events', {
      summary: 'Lunch',
      ...hour('2026-03-03', 12),
      attendees,
    })
    const yes = { attendees: [{ email: BOB, responseStatus: 'accepted' }] }
    expect((await bob.patch(`/calendars/primary/events/${lunch.body.id}`, yes)).status).toBe(200)
    expect(
      (await alice.post('/calendars/primary/events', { summary: 'Secret', ...hour('2026-03-04', 9) })).status,
    ).toBe(200)
    const rule = { role: 'freeBusyReader', scope: { type: 'user', value: BOB } }
    expect((await alice.post(`/calendars/${ALICE}/acl`, rule)).status).toBe(200)
    expect((await bob.post('/users/me/calendarList', { id: ALICE, selected: true })).status).toBe(200)
    const page = await opened.open('sideBySide', { route: ROUTE })
    const column = (email: string) => page.getByRole('region', { name: `Calendar of ${email}` })
    return { ...opened, page, column }
  }

  test('each column shows what its account may see', async () => {
    const { column } = await startWithEvents()

    await column(ALICE).getByText('Secret', { exact: true }).waitFor()
    await column(BOB).getByText('Lunch', { exact: true }).waitFor()
    // Bob sees two busy times of Alice. One of them is his own lunch.
    await expect.poll(() => column(BOB).getByText('busy', { exact: true }).count()).toBe(1)
    await expect.poll(() => column(BOB).getByText('Secret', { exact: true }).count()).toBe(0)
  })

  test('a click on an event shows what each account sees of it', async () => {
    const { page, column } = await startWithEvents()
    await column(ALICE).getByText('Lunch', { exact: true }).click()

    const table = page.getByRole('table', { name: 'The same event, as each account sees it' })
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThanOrEqual(3)
    const [, first = '', second = ''] = await table.getByRole('row').allTextContents()
    expect(first).toBe(`${ALICE}${ALICE}Lunchaccepted${ALICE}Yes, organizer${BOB}Yesdefault`)
    expect(second).toBe(`${BOB}${BOB}Lunchaccepted${ALICE}Yes, organizer${BOB}Yesdefault`)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.poll(() => table.count()).toBe(0)
  })

  test('all columns show the same days, and new events appear in each', async () => {
    const { as, page, column } = await startWithEvents()
    await page.getByRole('button', { name: 'Next' }).click()

    for (const email of [ALICE, BOB])
      await column(email).locator('.fc-col-header-cell-cushion').getByText('Mon 9').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe('2026-03-09')
    const dinner = { summary: 'Dinner', ...hour('2026-03-10', 12), attendees: [{ email: BOB }] }
    expect((await as(ALICE).post('/calendars/primary/events', dinner)).status).toBe(200)
    for (const email of [ALICE, BOB]) await column(email).getByText('Dinner', { exact: true }).waitFor()
  })

  test('accounts are chosen by checkboxes, and the address names them', async () => {
    const { page, column } = await startWithEvents()
    await page.getByRole('checkbox', { name: BOB }).uncheck()
    await page.getByRole('checkbox', { name: CAROL }).check()

    await column(CAROL).waitFor()
    await expect.poll(() => column(BOB).count()).toBe(0)
    await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe([ALICE, CAROL].join(','))
  })

  test('a filter shows the own calendars alone', async () => {
    const { page, column } = await startWithEvents()
    await column(BOB).getByText('busy', { exact: true }).first().waitFor()
    await page.getByLabel('Calendars').selectOption('Own calendars')

    await expect.poll(() => column(BOB).getByText('busy', { exact: true }).count()).toBe(0)
    await expect.poll(() => column(BOB).getByText('Lunch', { exact: true }).count()).toBe(1)
  })

  test.each([1440, 1024, 390])(
    'no title is cut in a letter or a line, and no word is torn, at %s pixels',
    async (width) => {
      const { open } = await inspected({ seed: 'team', now: '2026-01-07T13:00:00Z' })
      const page = await open('sideBySide', { viewport: { width, height: 900 } })
      await page.getByText('Kitchen duty: Bob').first().waitFor()
      await expect.poll(() => cutTitles(page)).toEqual([])
      await expect.poll(() => tornWords(page)).toEqual([])
    },
  )

  test.each([1440, 1200, 1024, 400])('no head of a day and no count of events is cut at %s pixels', async (width) => {
    const { open } = await inspected({ seed: 'team', now: '2026-01-07T13:00:00Z' })
    const item = 'alice@example.com,bob@example.com'
    const page = await open('sideBySide', { route: { item, view: 'week' }, viewport: { width, height: 900 } })
    await page.locator('[data-event]').first().waitFor()

    await expect.poll(() => overflowing(page.locator('.fc-col-header-cell-cushion, .fc-daygrid-more-link'))).toEqual([])
  })

  test('rows of all columns are at the same height, however many events last all day', async () => {
    const { as, open } = await inspected()
    const day = { start: { date: '2026-03-03' }, end: { date: '2026-03-04' } }
    for (let count = 0; count < 5; count++)
      expect((await as(BOB).post('/calendars/primary/events', { summary: `Day ${count}`, ...day })).status).toBe(200)
    const page = await open('sideBySide', { route: ROUTE, viewport: { width: 1440, height: 900 } })
    await page.getByText('Day 0').waitFor()
    const tops = () =>
      page.locator('.fc-timegrid-body').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    await expect.poll(async () => (await tops()).length).toBe(2)

    await expect.poll(async () => new Set(await tops()).size).toBe(1)
  })

  test('all columns show the same hours', async () => {
    const { as, open } = await inspected()
    for (const [email, start] of [
      [ALICE, 13],
      [BOB, 6],
    ] as const)
      expect((await as(email).post('/calendars/primary/events', hour('2026-03-03', start))).status).toBe(200)
    const page = await open('sideBySide', { route: { ...ROUTE, view: 'day', date: '2026-03-03' } })
    const hours = (email: string) =>
      page
        .getByRole('region', { name: `Calendar of ${email}` })
        .locator('.fc-scroller', { has: page.locator('.fc-timegrid-body') })
    const top = (email: string) => hours(email).evaluate((one) => Math.round(one.scrollTop))
    // FullCalendar scrolls one pixel further, over the line of the slot.
    const eightOClock = 8 * 48 - 8 + 1
    for (const email of [ALICE, BOB]) await expect.poll(() => top(email)).toBe(eightOClock)
    await hours(BOB).evaluate((one) => one.scrollTo(0, 400))
    await expect.poll(() => top(ALICE)).toBe(400)
  })
})
