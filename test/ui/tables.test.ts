import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { post, toolCall } from '../support/mcp.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser } from './browser.ts'

const TITLE = 'Lunch <img src=x onerror=alert(1)>'
const LUNCH = { summary: TITLE, location: 'The corner table', ...hour('2026-03-02', 12, 'UTC') }
const TOOL_LUNCH = { summary: TITLE, startTime: '2026-03-02T12:00:00', endTime: '2026-03-02T13:00:00' }

const tableOf = (page: Page, caption: string) => page.getByRole('table', { name: caption })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe.skipIf(lacks('chromium'))('the panels of mail and worlds in Chromium', () => {
  const { inspected } = inBrowser()

  test('a mail is shown as text, and the outbox is emptied after a confirmation', async () => {
    const { open, as, fake } = await inspected()
    const invited = { ...LUNCH, attendees: [{ email: BOB }] }
    expect((await as(ALICE).post('/calendars/primary/events?sendUpdates=all', invited)).status).toBe(200)
    const page = await open('mail')

    await page.getByRole('button', { name: `Invitation: ${TITLE}` }).click()
    const mailFrame = page.getByRole('article', { name: `Invitation: ${TITLE}` })
    await mailFrame.locator('dd').getByText('The corner table').waitFor()
    await expect.poll(() => mailFrame.getByRole('heading').textContent()).toBe(`Invitation: ${TITLE}`)
    await expect.poll(() => page.locator('img').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe('1')

    await page.getByLabel('Recipient').selectOption(ALICE)
    await page.getByText('No mail matches.').waitFor()
    await page.getByLabel('Recipient').selectOption(BOB)
    await press(page, 'Empty the outbox')
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('heading').textContent()).toContain('1 mail is lost')
    await dialog.getByRole('button', { name: 'Empty the outbox' }).click()
    await page.getByText('No mail yet.').waitFor()
    expect(fake.mail()).toEqual([])
  })

  test('worlds are listed with their content, opened and deleted', async () => {
    const { open, fake } = await inspected()
    fake.world('blue').replace({ accounts: [{ email: 'dana@example.com' }] })
    const response = await fake.world('blue').fetch('http://localhost/calendar/v3/colors', {
      headers: { Authorization: 'Bearer dana@example.com' },
    })
    expect(response.status).toBe(200)
    const page = await open('worlds')
    const row = tableOf(page, 'Worlds').getByRole('row', { name: /blue/ })
    await expect.poll(() => row.textContent()).toContain('colors.get by dana@example.com')
    await press(page, 'blue')
    await press(page, 'Open the calendar')
    await expect.poll(() => page.locator('#account').inputValue()).toBe('dana@example.com')

    await press(page, 'All worlds')
    await press(page, 'blue')
    await press(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => fake.worlds()).not.toContain('blue')
  })

  test('worlds are created from a seed, forked, filtered and sorted', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post('/calendars/primary/events', LUNCH)).status).toBe(200)
    const page = await open('worlds')
    const dialog = page.getByRole('dialog')
    const shown = () => tableOf(page, 'Worlds').locator('tbody tr td:first-child').allInnerTexts()
    await press(page, 'New world')
    await dialog.getByLabel('Name of the world').fill('big')
    await dialog.getByLabel('Seed').selectOption('company')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Created the world “big”').waitFor()
    expect(fake.world('big').state().accounts?.length).toBeGreaterThan(5)

    await press(page, 'Fork this world')
    await dialog.getByLabel('Name of the world').fill('default')
    await dialog.getByText('This world exists. Everything in it is lost.').waitFor()
    await dialog.getByLabel('Name of the world').fill('beta')
    await dialog.getByRole('button', { name: 'Fork' }).click()
    await page.getByText('Forked the world “beta” from “default”').waitFor()

    await press(page, 'default')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    await dialog.getByLabel('Name of the world').fill('alpha')
    await dialog.getByRole('button', { name: 'Fork' }).click()
    await page.getByText('Forked the world “alpha” from “default”').waitFor()
    const copied = await as(`alpha~${ALICE}`).get('/calendars/primary/events')
    expect(copied.body.items).toMatchObject([{ summary: TITLE }])
    expect(fake.snapshots()).toEqual([])

    await press(page, 'Back to the list')
    await expect.poll(shown).toEqual(['alpha', 'beta', 'big', 'default'])
    await page.getByLabel('Sort by').selectOption('Most events')
    await expect.poll(shown).toEqual(['big', 'alpha', 'beta', 'default'])
    await page.getByLabel('Filter').fill('AL')
    await expect.poll(shown).toEqual(['alpha'])
    await page.getByLabel('Filter').fill('nothing')
    await page.getByText('No world matches the filter.').waitFor()
    await press(page, 'Open alpha')
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('alpha')
  })

  test('a world is renamed, unless another world has the name', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(`blue~${ALICE}`).post('/calendars/primary/events', LUNCH)).status).toBe(200)
    const page = await open('worlds', { route: { item: 'blue' }, expectsErrors: true })
    const dialog = page.getByRole('dialog', { name: 'Rename the world “blue”' })
    await press(page, 'Rename')
    await dialog.getByText('Addresses and tokens with the name “blue” no longer reach it').waitFor()
    await dialog.getByLabel('Name of the world').fill('default')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByRole('alert').getByText('there is already a world "default"').waitFor()
    await dialog.getByLabel('Name of the world').fill('red')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Renamed the world “blue” to “red”').waitFor()
    await page.getByRole('article', { name: 'World red' }).getByText(`event "${TITLE}"`).waitFor()
    expect(fake.worlds()).toEqual(['default', 'red'])

    await press(page, 'Open the calendar')
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('red')
    await press(page, 'All worlds')
    await press(page, 'red')
    await press(page, 'Rename')
    await page.getByLabel('Name of the world').fill('green')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('green')
    expect((await as(`green~${ALICE}`).get('/calendars/primary/events')).body.items).toMatchObject([{ summary: TITLE }])
  })

  test('an invalid name of a world is rejected in the dialog', async () => {
    const { open } = await inspected()
    const page = await open('worlds', { expectsErrors: true })
    await press(page, 'Fork this world')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the world').fill('no spaces here')
    await dialog.getByRole('button', { name: 'Fork' }).click()

    await dialog.getByRole('alert').getByText('404 The name of a world is').waitFor()
  })

  test('attempts are filtered and sorted by score, and one shows its report, its changes and its requests step by step', async () => {
    const { open, as, fake } = await inspected()
    const finding = (text: string) => ({ what: 'change' as const, text, weight: 1 })
    const result = {
      task: 'Book lunch',
      secure: false,
      missing: [finding('no guest was invited')],
      unexpected: [finding('an event was deleted')],
    }
    const attempts = { first: [1, 1], second: [0.25, 2], third: [0.5, 3] } as const
    for (const [name, [score, attempt]] of Object.entries(attempts)) {
      expect((await as(`${name}~${ALICE}`).get('/colors')).status).toBe(200)
      const report = { ...result, passed: score === 1, score, attempt, calls: 2, errors: 1 }
      fake.worlds.setResult(name, score === 1 ? { ...report, missing: [], unexpected: [] } : report)
    }
    await post(fake.world('second'), toolCall('create_event', TOOL_LUNCH), { token: ALICE })
    const path = '/calendars/primary/events/lunch'
    expect((await as(`second~${ALICE}`).post('/calendars/primary/events', { id: 'lunch', ...LUNCH })).status).toBe(200)
    expect((await as(`second~${ALICE}`).patch(path, { location: 'Room 1' })).status).toBe(200)
    const page = await open('worlds')
    const shown = () => tableOf(page, 'Worlds').locator('tbody tr td:first-child').allInnerTexts()
    await expect.poll(shown).toEqual(['default', 'first', 'second', 'third'])
    await page.getByLabel('Sort by').selectOption('Lowest score')
    await page.getByLabel('Show').selectOption('Attempts of agents')
    await expect.poll(shown).toEqual(['second', 'third', 'first'])
    await page.getByLabel('Show').selectOption('Failed')
    await expect.poll(shown).toEqual(['second', 'third'])

    await press(page, 'second')
    const attempt = page.getByRole('article', { name: 'World second' })
    await attempt.getByText('failed 0.25').waitFor()
    await attempt.getByText('not secure').waitFor()
    await attempt.getByText('2 calls, 1 error').waitFor()
    for (const line of ['Missing: no guest was invited', 'Unexpected: an event was deleted'])
      await attempt.getByText(line).waitFor()
    await expect.poll(() => attempt.locator('pre').first().innerText()).toBe(fake.world('second').diff().text)
    const steps = attempt.getByRole('region', { name: 'Requests, step by step' })
    await steps.getByText('1 of 4: colors.get').waitFor()
    await steps.getByText('No changes.').waitFor()
    await steps.getByRole('button', { name: 'Next' }).click()
    await steps.getByText('2 of 4: mcp.create_event').waitFor()
    await steps.getByText(`event “${TITLE}” of ${ALICE}: added`).waitFor()
    for (let count = 0; count < 2; count++) await steps.getByRole('button', { name: 'Next' }).click()
    await steps.getByText(`event “${TITLE}” of ${ALICE}: location "The corner table" → "Room 1"`).waitFor()
    await expectAccessible(page)

    await attempt.getByRole('button', { name: 'Open the calendar' }).click()
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('second')
  })

  test('a step shows the calendar as it was after its request, with the changed event marked', async () => {
    const { open, as, fake } = await inspected()
    const path = '/calendars/primary/events'
    const blue = as(`blue~${ALICE}`)
    const standup = { id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
    expect((await blue.post(path, { id: 'lunch', ...LUNCH, summary: 'Lunch' })).status).toBe(200)
    expect((await blue.post(path, { ...standup, ...hour('2026-03-03', 9) })).status).toBe(200)
    expect((await blue.patch(`${path}/lunch`, { ...hour('2026-03-04', 12, 'UTC') })).status).toBe(200)
    expect((await blue.delete(`${path}/standup_20260304T140000Z`)).status).toBe(204)
    const known = fake.world('blue').calls().length
    const page = await open('worlds', { route: { item: 'blue' } })
    const steps = page.getByRole('region', { name: 'Requests, step by step' })
    const calendar = steps.getByRole('region', { name: 'Calendar after the request' })
    const before = steps.getByRole('region', { name: 'Calendar before the request' })
    await calendar.locator('[data-event]').waitFor()
    await before.locator('.fc-view').waitFor()
    expect(await before.locator('[data-event]').count()).toBe(0)
    /** As `2 Lunch`, with `changed` if the event is marked. */
    const shown = async () =>
      (
        await calendar.locator('.fc-timegrid-col[data-date]').evaluateAll((days) =>
          days.flatMap((day) =>
            [...day.querySelectorAll('[data-event]')].map((event) => {
              const isMarked = event.querySelector('[data-traits]')?.textContent?.includes('changed by the request')
              const title = event.querySelector('[data-event-title]')?.textContent
              return `${Number(day.getAttribute('data-date')?.slice(-2))} ${title}${isMarked ? ' changed' : ''}`
            }),
          ),
        )
      ).sort()
    const next = () => steps.getByRole('button', { name: 'Next' }).click()
    await expect.poll(shown).toEqual(['2 Lunch changed'])
    await next()
    await expect.poll(shown).toEqual(['2 Lunch', '3 Standup changed', '4 Standup changed', '5 Standup changed'])
    await expect.poll(() => before.locator('[data-event]').count()).toBe(1)
    await next()
    await expect.poll(shown).toEqual(['3 Standup', '4 Lunch changed', '4 Standup', '5 Standup'])
    await next()
    await expect.poll(shown).toEqual(['3 Standup', '4 Lunch', '5 Standup'])
    await steps.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(shown).toEqual(['3 Standup', '4 Lunch changed', '4 Standup', '5 Standup'])
    await expectAccessible(page)

    expect(await calendar.locator('.fc-event-draggable, .fc-event-resizable').count()).toBe(0)
    await next()
    await expect.poll(shown).toEqual(['3 Standup', '4 Lunch', '5 Standup'])
    await calendar.locator('[data-event]').filter({ hasText: 'Lunch' }).click()
    const opened = page.getByRole('dialog', { name: 'Lunch' })
    await opened.getByText('"start": {').waitFor()
    await opened.getByRole('button', { name: 'Close' }).click()
    expect(fake.world('blue').calls()).toHaveLength(known)
  })
})
