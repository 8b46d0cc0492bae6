import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, NOW, PEOPLE } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const LUNCH = { summary: MARKUP, ...hour('2026-03-02', 12) }
const EVENTS = '/calendars/primary/events'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const rows = async (page: Page, caption: string) => {
  const found = await page.getByRole('table', { name: caption }).locator('tbody tr').allInnerTexts()
  return found.map((text) => text.split('\t').map((cell) => cell.trim()))
}
/** Presses a button of the open dialog. */
const pressInDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Chooses a file, and loads it. */
async function loadFile(page: Page, name: string, text: string, mode = 'Add to the world'): Promise<void> {
  const form = page.getByRole('form', { name: 'Load a seed file' })
  await form.getByLabel('Seed file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await form.getByLabel('Mode').selectOption(mode)
  await form.getByRole('button', { name: 'Load' }).click()
}
const DANA = JSON.stringify({ accounts: [{ email: 'dana@example.com' }] })

describe.skipIf(lacks('chromium'))('the World and Faults panels in Chromium', () => {
  const { inspected } = inBrowser()

  test('the clock is shown with its mode, and advances by the buttons', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    const clock = part(page, 'Clock')
    await clock.getByText(/It shows 1 Mar,? 12:00:00 pm UTC/).waitFor()
    await clock.getByText('Frozen. It stands still.').waitFor()

    for (const [step, shown] of [
      ['+1 h', /It shows 1 Mar,? 1:00:00 pm/],
      ['+1 d', /It shows 2 Mar,? 1:00:00 pm/],
      ['+1 w', /It shows 9 Mar,? 1:00:00 pm/],
    ] as const) {
      await page.getByRole('button', { name: step }).click()
      await clock.getByText(shown).waitFor()
    }
    expect(fake.clock.state()).toEqual({ mode: 'frozen', now: '2026-03-09T13:00:00.000Z' })
    await page.getByText('Request: POST /_control/clock/advance').first().waitFor()
  })

  test('the clock is advanced by a duration, set, and advanced to an instant, and shows errors', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' }, expectsErrors: true })
    await page.getByRole('textbox', { name: 'Duration' }).fill('1h30m')
    await page.getByRole('textbox', { name: 'Duration' }).press('Enter')
    await expect.poll(() => fake.clock.state().now).toBe('2026-03-01T13:30:00.000Z')

    await page.getByLabel('Time in UTC').fill('2026-03-05 08:15')
    await button(page, 'Advance to').click()
    await expect.poll(() => fake.clock.state().now).toBe('2026-03-05T08:15:00.000Z')
    await page.getByLabel('Time in UTC').fill('2026-03-02 08:15')
    await button(page, 'Advance to').click()
    await page.getByRole('alert').getByText('cannot advance back to 2026-03-02T08:15:00.000Z').waitFor()
    await button(page, 'Set').first().click()
    await part(page, 'Clock')
      .getByText(/It shows 2 Mar,? 8:15:00 am UTC/)
      .waitFor()
    expect(fake.clock.state().now).toBe('2026-03-02T08:15:00.000Z')

    await page.getByRole('textbox', { name: 'Duration' }).fill('a while')
    await button(page, 'Advance').click()
    await page.getByText('not a duration: a while').waitFor()
  })

  test('the clock runs, is frozen, and uses real time', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    await button(page, 'Run').click()
    await page.getByText('Set. It runs from the time it was set to.').waitFor()
    expect(fake.clock.state().mode).toBe('set')
    // The page advances the time without a request.
    await part(page, 'Clock')
      .getByText(/It shows 1 Mar,? 12:(?!00:0[01])/)
      .waitFor()
    await button(page, 'Freeze').click()
    await page.getByText('Frozen. It stands still.').waitFor()
    expect(fake.clock.state().mode).toBe('frozen')
    await button(page, 'Use real time').click()
    await page.getByText("Real. It follows the machine's clock.").waitFor()
    expect(fake.clock.state().mode).toBe('real')
  })

  test('due actions are listed, or their absence is stated', async () => {
    const { open, as } = await inspected()
    const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
    expect((await as(ALICE).post(EVENTS, { id: 'lunch', ...LUNCH, reminders })).status).toBe(200)
    const page = await open('world', { route: { zone: 'utc' } })
    const advance = async (duration: string) => {
      await page.getByRole('textbox', { name: 'Duration' }).fill(duration)
      await button(page, 'Advance').click()
    }
    await advance('1h')
    await page.getByText('Nothing became due.').waitFor()
    await advance('1w')

    await page.getByText(`1 became due: reminder of lunch to ${ALICE}.`).waitFor()
  })

  test('faults are listed with their counts, which follow the requests', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', skip: 1, do: [{ fail: 'backendError503' }, { fail: 'rateLimitExceeded' }] })
    fake.faults.add({ on: ['events.insert', 'events.patch'], account: BOB, times: 'always', do: { hang: true } })
    const page = await open('faults')
    await expect
      .poll(() => rows(page, 'Faults'))
      .toEqual([
        [
          'fault-1',
          'active',
          'colors.get',
          'All accounts',
          '',
          'backendError503, then rateLimitExceeded',
          '503, then 403',
          '',
          '2 times, after 1',
          '',
          '0',
          '0',
          '',
        ],
        ['fault-2', 'active', 'events.insert, events.patch', BOB, '', 'hang', '', '', 'always', '', '0', '0', ''],
      ])

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    expect((await as(ALICE).get('/colors')).status).toBe(503)
    await expect.poll(async () => (await rows(page, 'Faults'))[0]?.slice(10, 12)).toEqual(['2', '1'])
  })

  test('the time left of a fault follows the clock of the world, beside its status and Retry-After', async () => {
    const { open, fake } = await inspected()
    fake.faults.add({
      on: '*',
      times: 'always',
      for: '90m',
      do: { fail: 'rateLimitExceeded', status: 429, retryAfter: 60 },
    })
    const page = await open('faults')
    const values = async () => (await rows(page, 'Faults'))[0]?.slice(6, 10)
    await expect.poll(values).toEqual(['429', '60', 'always', '1h 30m'])

    await button(page, '+1 h: advance the clock by an hour').click()
    await expect.poll(values).toEqual(['429', '60', 'always', '30m 0s'])
  })

  test('a fault is added, fires, and is removed', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('faults')
    const form = page.getByRole('form', { name: 'Add a fault' })
    await form.getByLabel('Method').fill('events.list')
    await form.getByLabel('Error').fill('quotaExceeded')
    await form.getByLabel('Account').selectOption(ALICE)
    await form.getByLabel('Repeat').fill('2')
    await form.getByLabel('Skip first').fill('1')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expect
      .poll(() => rows(page, 'Faults'))
      .toEqual([
        [
          'fault-1',
          'active',
          'events.list',
          ALICE,
          '',
          'quotaExceeded',
          '403',
          '',
          '2 times, after 1',
          '',
          '0',
          '0',
          '',
        ],
      ])

    expect((await as(ALICE).get(EVENTS)).status).toBe(200)
    expect((await as(ALICE).get(EVENTS)).status).toBe(403)
    await button(page, 'Remove fault-1').click()
    await page.getByText('No faults. Requests succeed.').waitFor()
    expect(fake.faults.list()).toEqual([])
  })

  test('the form of a fault is one row at 1,440 pixels', async () => {
    const { open } = await inspected()
    const page = await open('faults', { viewport: { width: 1440, height: 900 } })
    const fields = page.getByRole('form', { name: 'Add a fault' }).locator('input, select, button')
    await expect.poll(() => fields.count()).toBe(9)
    const bottoms = () => fields.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)))
    await expect.poll(async () => new Set(await bottoms()).size).toBe(1)
  })

  test('other effects have their own values, and errors of the server are shown', async () => {
    const { open, fake } = await inspected()
    const page = await open('faults', { expectsErrors: true })
    const form = page.getByRole('form', { name: 'Add a fault' })
    await form.getByLabel('Effect').selectOption('Late response')
    await form.getByLabel('Method').fill('events.insert, events.update')
    await form.getByLabel('Delay').fill('3s')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expect
      .poll(() => fake.faults.list())
      .toMatchObject([{ on: ['events.insert', 'events.update'], do: { delay: '3s' } }])
    await form.getByLabel('Effect').selectOption('reset')
    await form.getByLabel('Method').fill('*')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expect.poll(() => fake.faults.list()).toMatchObject([{}, { on: '*', do: { reset: true } }])

    await form.getByLabel('Method').fill('events.lst')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await form.getByRole('alert').getByText('there is no method "events.lst"; did you mean "events.list"?').waitFor()
    expect(fake.faults.list()).toHaveLength(2)
  })

  test('presets are added with one click: the next sync is 410, and other requests succeed', async () => {
    const { open, as } = await inspected()
    const { nextSyncToken } = (await as(ALICE).get(EVENTS)).body
    const page = await open('faults')
    await button(page, 'Next sync is 410').click()
    await page.getByText('Added: Next sync is 410').waitFor()

    expect((await as(ALICE).get(EVENTS)).status).toBe(200)
    expect((await as(ALICE).get(`${EVENTS}?syncToken=${nextSyncToken}`)).status).toBe(410)
    expect((await as(ALICE).get(`${EVENTS}?syncToken=${nextSyncToken}`)).status).toBe(200)
  })

  test('every preset is accepted, and “429 for a minute” ends after a minute', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('faults')
    const presets = page.getByRole('region', { name: 'Presets' }).getByRole('button')
    await expect.poll(() => presets.count()).toBe(4)
    for (const name of await presets.allInnerTexts()) {
      await button(page, name.trim()).click()
      await page.getByText(`Added: ${name.trim()}`).waitFor()
    }
    expect(fake.faults.list()).toHaveLength(4)
    const limited = await as(ALICE).get('/colors')
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
    fake.clock.advance('59s')
    expect((await as(ALICE).get('/colors')).status).toBe(429)
    await button(page, '+1 h: advance the clock by an hour').click()
    const states = async () => (await rows(page, 'Faults')).map(([id, state]) => `${id} ${state}`)
    await expect.poll(states).toEqual(['fault-1 active', 'fault-2 active', 'fault-4 active', 'fault-3 spent'])
    expect((await as(ALICE).get('/colors')).status).toBe(503)
  })

  test('Remove all needs a confirmation, and removes all faults', async () => {
    const { open, fake } = await inspected()
    for (const on of ['colors.get', 'events.*']) fake.faults.add({ on, do: { fail: 'backendError' } })
    const page = await open('faults')
    await button(page, 'Remove all').click()
    await pressInDialog(page, 'Cancel')
    expect(fake.faults.list()).toHaveLength(2)
    await button(page, 'Remove all').click()
    await pressInDialog(page, 'Remove all')

    await page.getByText('Removed 2 faults').waitFor()
    expect(fake.faults.list()).toEqual([])
  })

  test('a snapshot has a name, lists the changes since as sentences, and is restored', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    await page.getByLabel('Name', { exact: true }).fill('before lunch')
    await button(page, 'Take').click()
    await button(page, 'Changes since before lunch').click()
    const since = page.getByRole('region', { name: 'Changes since “before lunch”' })
    await since.getByText('No changes.').waitFor()

    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    await expect.poll(() => since.locator('pre').innerText()).toBe(fake.diff('before lunch').text)
    await expect.poll(() => since.innerText()).toContain(MARKUP)
    await expect.poll(() => page.locator('img').count()).toBe(0)

    await button(page, 'Restore before lunch').click()
    await page
      .getByRole('dialog', { name: 'Restore “before lunch”? Everything that was written since is lost.' })
      .waitFor()
    await pressInDialog(page, 'Restore')
    await since.getByText('No changes.').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('a snapshot without a name gets one, and is deleted after a confirmation', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    await button(page, 'Take').click()
    const name = 'snapshot-1'
    await expect
      .poll(async () => (await rows(page, 'Snapshots'))[0]?.slice(0, 2))
      .toEqual([name, 'Sun 1 Mar 2026, 12:00 pm UTC'])
    await button(page, `Delete ${name}`).click()
    await pressInDialog(page, 'Cancel')
    expect(fake.snapshots()).toHaveLength(1)
    await button(page, `Delete ${name}`).click()
    await pressInDialog(page, 'Delete')

    await page.getByText('No snapshots.').waitFor()
    expect(fake.snapshots()).toEqual([])
  })

  test('channels, messages, conference requests, tokens and the quota are shown as JSON', async () => {
    const { open, as, fake } = await inspected({ conferences: 'manual' })
    fake.onNotification(() => 200)
    fake.quota({ perMinute: 10 })
    fake.oauth.mint({ account: ALICE })
    const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
    expect((await as(ALICE).post(`${EVENTS}/watch`, watch)).status).toBe(200)
    const conferenceData = { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } }
    const created = await as(ALICE).post(`${EVENTS}?conferenceDataVersion=1`, { ...LUNCH, conferenceData })
    expect(created.status).toBe(200)
    const page = await open('world', { route: { zone: 'utc' } })
    const details = part(page, 'Details')
    for (const [name, text] of [
      ['Push channels', '"id": "mine"'],
      ['Push messages', '"channelId": "mine"'],
      ['Conference requests', '"requestId": "r1"'],
      ['OAuth tokens and consents', `"account": "${ALICE}"`],
      ['Quota', '"perMinute": 10'],
    ] as const) {
      await details.getByLabel('Part of the world').selectOption(name)
      await expect.poll(() => part(page, 'State as JSON').textContent()).toContain(text)
    }
  })

  test('a seed from a file is added', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    await loadFile(page, 'dana.json', DANA)

    await page.getByText('dana.json: added 1 account, 0 calendars, 0 events').waitFor()
    expect(fake.state().accounts).toHaveLength(4)
    await expect.poll(() => page.locator('#account option').allInnerTexts()).toContain('dana@example.com')
  })

  test('a seed from a file replaces the world, if that is chosen', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { route: { zone: 'utc' } })
    await loadFile(page, 'dana.json', DANA, 'Replace the world, also after a reset')

    await page.getByText('dana.json: the world now has 1 account, 0 calendars, 0 events').waitFor()
    expect(fake.state().accounts).toMatchObject([{ email: 'dana@example.com' }])
  })

  test.each([
    ['broken.json', '{ "accounts": [,] }', 'broken.json: Unexpected token'],
    ['team.ics', 'BEGIN:VCALENDAR', 'npx fake-calendar --seed team.ics'],
    ['no.json', '{ "accounts": [{ "email": "dana" }] }', 'accounts[0].email'],
    ['much.json', '{ "acounts": [] }', 'acounts'],
  ])('a file that is no seed (%s) is rejected with its error, and nothing changes', async (name, text, problem) => {
    const { open, fake } = await inspected()
    const page = await open('world', { expectsErrors: true })
    await loadFile(page, name, text)

    await page.getByRole('alert').getByText(problem).first().waitFor()
    expect(fake.state().accounts).toHaveLength(3)
  })

  test('the state is saved as a file that is a seed of the same world', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(CAROL).post(EVENTS, LUNCH)).status).toBe(200)
    const page = await open('world', { route: { zone: 'utc' } })
    const saved = page.waitForEvent('download')
    await button(page, 'Save the state as a file').click()
    const download = await saved

    expect(download.suggestedFilename()).toBe('default.json')
    const state = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(state).toEqual(JSON.parse(JSON.stringify(fake.state())))
    const again = fake.world('again')
    again.replace(state)
    expect((await as(`again~${CAROL}`).get(EVENTS)).body.items).toMatchObject([{ summary: MARKUP }])
  })

  test('Reset needs a confirmation, and returns the world to its seed', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    fake.clock.advance('1h')
    const page = await open('world', { route: { zone: 'utc' } })
    await button(page, 'Reset').click()
    await pressInDialog(page, 'Cancel')
    expect(fake.clock.state().now).not.toBe(new Date(NOW).toISOString())
    await button(page, 'Reset').click()
    await pressInDialog(page, 'Reset')

    await page.getByText(`The world is reset: ${PEOPLE.accounts?.length} accounts, 3 calendars, 0 events`).waitFor()
    await part(page, 'Clock')
      .getByText(/It shows 1 Mar,? 12:00:00 pm UTC/)
      .waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('axe finds nothing after the actions of the panel, light and dark', async () => {
    const { open, fake } = await inspected()
    fake.snapshot('before')
    const page = await open('world', { route: { zone: 'utc' } })
    await page.getByRole('button', { name: '+1 d' }).click()
    await button(page, 'Changes since before').click()
    await page.getByText('No changes.').waitFor()
    await expectAccessible(page)
  })

  test('at 400 pixels nothing is wider than the page', async () => {
    const { open, fake } = await inspected()
    fake.snapshot('before')
    fake.faults.add({ on: 'colors.get', account: ALICE, do: { fail: 'frontEndRateLimitExceeded429' } })
    const viewport = { width: 400, height: 800 }
    const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    const page = await open('world', { viewport })
    await button(page, 'Changes since before').click()
    await page.getByText('No changes.').waitFor()
    await expect.poll(() => isTooWide(page)).toBe(false)

    const faults = await open('faults', { viewport })
    await expect.poll(() => isTooWide(faults)).toBe(false)
  })
})
