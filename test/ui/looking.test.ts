import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, hour, PEOPLE } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { inBrowser, visit } from './browser.ts'
import { dragEvent, eventNamed } from './grid.ts'

const SEED = {
  ...PEOPLE,
  calendars: [
    {
      id: ALICE,
      events: [
        { id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) },
        { id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...hour('2026-03-02', 11) },
      ],
    },
  ],
} as Seed
const DAY = { route: { date: '2026-03-02', view: 'day' } }

describe.skipIf(lacks('chromium'))('details of events in Chromium', () => {
  const { inspected } = inBrowser()

  test('an event is shown as JSON, with its history', async () => {
    const { open, as } = await inspected({ seed: SEED })
    await as(ALICE).patch('/calendars/primary/events/lunch', { location: 'Room 1' })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').click()
    const dialog = page.getByRole('dialog', { name: 'Lunch' })
    await expect.poll(() => dialog.getByRole('definition').getByText('Room 1', { exact: true }).count()).toBe(1)
    await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe(`${ALICE}/lunch`)

    await dialog.getByText('JSON', { exact: true }).click()
    const shownJson = async () => JSON.parse((await dialog.getByLabel('The event as JSON').textContent()) ?? '')
    await expect.poll(shownJson).toMatchObject({ id: 'lunch' })
    await dialog.getByText('History', { exact: true }).click()
    const cells = dialog.getByRole('table', { name: 'Changes, the newest first' }).locator('tbody td')
    await expect
      .poll(() => cells.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringContaining('location: none → "Room 1"'), ALICE, 'Request 1']))
  })

  test('a strict world is shown and changed without a token of an account, and the page says whose calendar it is', async () => {
    const seed = { ...SEED, accounts: [{ email: ALICE, displayName: 'Alice Moreno' }, { email: BOB }] } as Seed
    const { open, fake } = await inspected({ seed, strict: true })
    const page = await open('calendar', DAY)
    const tokens: string[] = []
    page.on('request', (request) => tokens.push(...(request.headers().authorization ? [request.url()] : [])))

    await page.getByRole('banner').getByText('of Alice Moreno').waitFor()
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: /send mail/ })
      .getByRole('button', { name: 'Send', exact: true })
      .click()
    await expect
      .poll(() => fake.calls().map(({ method, status }) => `${method} ${status}`))
      .toContain('events.delete 204')
    await visit(page, { account: BOB })
    await page.getByRole('banner').getByText(`of ${BOB}`).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(tokens).toEqual([])
  })

  test('a drag and a deletion of an event with guests ask whether to send mail, and Cancel keeps the event', async () => {
    const { open, fake } = await inspected({ seed: SEED })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    const question = page.getByRole('dialog', { name: /send mail to the guests/ })
    const queries = () => fake.calls().map(({ method, params }) => [method, params.sendUpdates])

    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-03', '15:00')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(queries()).toEqual([])
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-03', '15:00')
    await question.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(queries).toEqual([['events.patch', 'all']])
    await page.getByRole('region', { name: 'Notifications' }).getByText('Moved “Lunch”').waitFor()

    await eventNamed(page, 'Lunch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: "Don't send" }).click()
    await expect.poll(queries).toEqual([
      ['events.patch', 'all'],
      ['events.delete', undefined],
    ])
    expect(fake.mail().map(({ kind }) => kind)).toEqual(['eventChange'])
  })

  test('the details name the day of a weekly series, and no status that other facts show', async () => {
    const { open } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [
          { id: ALICE, events: [{ summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY'], ...hour('2026-03-02', 11) }] },
        ],
      } as Seed,
    })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Weekly').click()
    const dialog = page.getByRole('dialog', { name: 'Weekly' })
    await dialog.getByText('Every week on Monday').waitFor()
    expect(await dialog.getByText('Status', { exact: true }).count()).toBe(0)
  })

  test('the search finds a part of a word, and the next instance of a series', async () => {
    const weekly = { id: 'retro', summary: 'Retrospective', recurrence: ['RRULE:FREQ=WEEKLY'] }
    const { open } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [{ id: ALICE, events: [{ ...weekly, ...hour('2025-10-07', 11) }] }],
      } as Seed,
    })
    const page = await open('calendar', DAY)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('spect')
    await page.getByRole('option', { name: /Retrospective.*Tue 3 Mar 2026/ }).waitFor()
    expect(await page.getByRole('dialog').getByRole('option').count()).toBe(1)
  })

  test('the history of an instance has the writes to its series, and names their authors', async () => {
    const seed = { ...SEED, accounts: [{ email: ALICE, displayName: 'Alice Moreno' }, { email: BOB }] } as Seed
    const { open, as } = await inspected({ seed })
    const series = '/calendars/primary/events/standup'
    expect((await as(ALICE).patch(series, { location: 'Room 1' })).status).toBe(200)
    expect((await as(ALICE).patch(`${series}_20260302T160000Z`, { summary: 'Kickoff' })).status).toBe(200)
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Kickoff').click()
    const dialog = page.getByRole('dialog', { name: 'Kickoff' })
    await dialog.getByText('History', { exact: true }).click()

    await expect
      .poll(() => dialog.getByRole('table').locator('tbody tr').allTextContents())
      .toEqual([
        expect.stringMatching(/Alice Moreno.*Kickoff.*Request 2/),
        expect.stringMatching(/Alice Moreno.*series changed.*location: none → "Room 1".*Request 1/),
      ])
  })

  test('an instance links to its series, whose rules are changed in the form', async () => {
    const { open, as } = await inspected({ seed: SEED })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Standup').click()
    await page.getByRole('button', { name: 'Open the series' }).click()
    await page.getByRole('dialog').getByText('Every day for 3 times', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Standup”' })
    await form.getByLabel('Events').fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    const { recurrence } = (await as(ALICE).get('/calendars/primary/events/standup')).body
    expect(recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=2'])
  })

  test('buttons change the view and the date, and the address follows', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', { route: { date: '2026-05-20', view: 'month' } })
    const toolbar = page.getByRole('toolbar')
    const press = (name: string) => toolbar.getByRole('button', { name, exact: true }).click()
    const title = toolbar.getByRole('heading')
    await expect.poll(() => title.textContent()).toBe('May 2026')

    await press('Today')
    await expect.poll(() => title.textContent()).toBe('March 2026')
    for (const name of ['Week', 'Day', 'List', 'Year', 'Month']) {
      await press(name)
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
        .toMatchObject({ view: name.toLowerCase(), date: '2026-03-01' })
    }
    await press('Next')
    await expect.poll(() => title.textContent()).toBe('April 2026')
    await press('Previous')
    await expect.poll(() => title.textContent()).toBe('March 2026')
    await page.goBack()
    await expect.poll(() => title.textContent()).toBe('April 2026')
  })

  test('keys change the view and the date, but type in fields, and two tab stops lead to the events', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Lunch').waitFor()
    const shown = () => {
      const { view, date } = Object.fromEntries(new URL(page.url()).searchParams)
      return `${view} ${date}`
    }
    for (const [key, expected] of [
      ['d', 'day 2026-03-02'],
      ['j', 'day 2026-03-03'],
      ['m', 'month 2026-03-03'],
      ['k', 'month 2026-02-01'],
      ['w', 'week 2026-02-01'],
      ['t', 'week 2026-03-01'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(shown, { message: key }).toBe(expected)
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('dm')
    await expect.poll(() => page.getByRole('combobox').last().inputValue()).toBe('dm')
    // The first one empties the field.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(shown()).toBe('week 2026-03-01')

    await page.getByRole('button', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the events')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[data-event]'))).toBe(true)
  })

  test('a day of the small month is shown in the view, whose days it marks', async () => {
    const { open } = await inspected({ seed: SEED })
    const viewport = { width: 1300, height: 900 }
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'workWeek' }, viewport })
    const month = page.locator('.mini-month')
    const marked = () => month.locator('.fc-daygrid-day:has(.fc-bg-event)').first().getAttribute('data-date')
    await expect.poll(marked).toBe('2026-03-01')
    await page.getByRole('button', { name: 'Later month' }).click()
    await month.getByText('April 2026').waitFor()
    await month.locator('[data-date="2026-04-15"] a').click()

    await page.locator('.fc-timegrid-col[data-date="2026-04-15"]').waitFor()
    expect(await page.locator('.fc-timegrid-col[data-date="2026-04-18"]').count()).toBe(0)
    await expect.poll(marked).toBe('2026-04-12')
  })

  test.each([
    { world: 'the demo', seed: 'company', shown: '2026-03-09' },
    { world: 'an empty world', seed: PEOPLE, shown: '2026-03-03' },
  ])('on a Saturday, when the events of the week are over, $world opens on $shown', async ({ seed, shown }) => {
    const { open } = await inspected({ seed: seed as Seed, now: '2026-03-07T20:00:00Z' })
    const page = await open('calendar', { route: { view: 'week' } })

    await page.locator(`.fc-timegrid-col[data-date="${shown}"]`).waitFor()
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
    expect((await page.locator('[data-event]:not(.fc-event-past)').count()) > 0).toBe(seed === 'company')
  })

  test('Ctrl+K searches events, and Enter opens one', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await page.keyboard.type('lunch')
    await page.getByRole('option', { name: /Lunch.*Mon 2 Mar/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Lunch' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventNamed(page, 'Standup').press('Enter')

    await page.getByRole('dialog', { name: 'Standup' }).waitFor()
  })

  test('an event that does not exist shows the error of the service', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', { route: { ...DAY.route, item: `${ALICE}/nothing` }, expectsErrors: true })

    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/404 Not Found notFound/)
      .waitFor()
  })

  test('a hidden page closes its stream, and shows all changes when it is visible again', async () => {
    const { open, fake } = await inspected({ seed: SEED })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').waitFor()
    const hide = (hidden: boolean) =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'hidden', { value: now, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await hide(true)
    await page.getByText('Not connected').waitFor()
    fake.seed({ calendars: [{ id: ALICE, events: [{ summary: 'Meanwhile', ...hour('2026-03-02', 13) }] }] })
    await hide(false)

    await page.getByText('Live', { exact: true }).waitFor()
    await eventNamed(page, 'Meanwhile').waitFor()
  })

  test('on a narrow page nothing is wider than the page', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', { ...DAY, viewport: { width: 400, height: 800 } })
    await eventNamed(page, 'Lunch').waitFor()
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)

    await expect.poll(() => width()).toBeLessThanOrEqual(400)
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog', { name: 'Edit “Lunch”' }).waitFor()
    await expect.poll(() => width()).toBeLessThanOrEqual(400)
  })

  test('the page is dark if the browser prefers that', async () => {
    const { open } = await inspected({ seed: SEED })
    const page = await open('calendar', { ...DAY, colorScheme: 'dark' })

    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(15, 18, 22)')
  })
})
