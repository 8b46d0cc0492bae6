import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, hour, PEOPLE } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser, visit } from './browser.ts'
import { dragEvent, eventNamed } from './grid.ts'

const DAY = { route: { date: '2026-03-02', view: 'week' } }
const LUNCH = {
  ...PEOPLE,
  calendars: [{ id: ALICE, events: [{ id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 9) }] }],
} as Seed

describe.skipIf(lacks('chromium'))('first steps and lost connections in Chromium', () => {
  const { inspected } = inBrowser()

  test('an empty world offers an event, the demo and a request, and the demo chooses an account of its own', async () => {
    const { open } = await inspected()
    const page = await open('calendar')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText(/^curl -H 'Authorization: Bearer alice@example.com'/).waitFor()
    await steps.getByRole('button', { name: 'Create an event' }).click()
    await page.getByRole('dialog', { name: 'New event' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await steps.getByRole('button', { name: 'Load the company demo' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Loaded the company demo').waitFor()
    await expect.poll(() => page.locator('#account').inputValue()).toBe('nora@lumen.example.com')
    await expect.poll(() => page.getByText('Not connected').count()).toBe(0)
    await steps.waitFor({ state: 'detached' })
  })

  test('an address that is typed on the consent page chooses it, in the dark too', async () => {
    const { open, fake, base } = await inspected({ consent: true })
    const page = await open('calendar', { colorScheme: 'dark', expectsErrors: true })
    const query = new URLSearchParams({
      ...{ client_id: 'app', redirect_uri: `${new URL(base).origin}/done`, response_type: 'code' },
      scope: 'https://www.googleapis.com/auth/calendar',
    })
    await page.goto(`${new URL(base).origin}/o/oauth2/v2/auth?${query}`)
    await page.getByRole('radio').first().check()
    await page.getByRole('textbox').first().fill('new@example.com')
    await expect.poll(() => page.getByRole('radio').last().isChecked()).toBe(true)
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .not.toBe('rgb(255, 255, 255)')
    await expectAccessible(page)
    // A story moves the clock by hours while a person reads the form.
    fake.clock.advance('9h')
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => fake.oauth.state().grants).toMatchObject([{ client: 'app', account: 'new@example.com' }])
  })

  test('a list that hides the requests of the page says so', async () => {
    const { open } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await page.getByText(/^Moved “Lunch”/).waitFor()
    await visit(page, { panel: 'requests' })
    await page.getByText('1 request of this page can be shown').waitFor()
    await page.getByLabel("Inspector's requests (1)").check()

    await page.getByText('events.patch').first().waitFor()
  })

  test('a change that was undone cannot be undone again', async () => {
    const { open } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await toasts.getByText(/^Undone/).waitFor()

    await expect.poll(() => toasts.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('a response closes the event, and can be undone', async () => {
    const { open, as } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [
          {
            id: ALICE,
            events: [{ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) }],
          },
        ],
      } as Seed,
    })
    const page = await open('calendar', { route: { ...DAY.route, account: BOB } })
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Maybe' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const undo = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
    await undo.click()
    await page.getByText(/^Undone/).waitFor()

    const { attendees } = (await as(ALICE).get('/calendars/primary/events/lunch')).body
    expect(attendees).toContainEqual({ email: BOB, responseStatus: 'needsAction' })
  })

  test('without the server there is one banner, and no list is called empty', async () => {
    const { open, fake } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await eventNamed(page, 'Lunch').waitFor()
    await page.route('**/*', (route) => route.abort())
    await fake.close()

    await page.getByRole('alert').getByText('Not connected.').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    expect(await page.getByText('The list is empty.').count()).toBe(0)
    await expect.poll(() => eventNamed(page, 'Lunch').count()).toBe(1)
    for (const panel of ['requests', 'mail', 'world', 'worlds']) {
      await visit(page, { panel })
      await expect.poll(() => page.getByRole('alert').count(), { message: panel }).toBe(1)
      expect(
        await page
          .locator('main')
          .getByText(/^No |empty/)
          .count(),
        panel,
      ).toBe(0)
    }
  })
})
