import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, NOW, PEOPLE } from '../support/calendar.ts'
import { accessFaults } from './axe.ts'
import { inBrowser, lack, skipped } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const LUNCH = { summary: MARKUP, ...hour('2026-03-02', 12) }
const EVENTS = '/calendars/primary/events'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const rows = async (page: Page, caption: string) => {
  const found = await page.getByRole('table', { name: caption }).locator('tbody tr').allInnerTexts()
  return found.map((text) => text.split(/\s*\t\s*/))
}
/** Presses a button of the question that is asked first. */
const answer = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** A file that is dropped onto the page. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    ([name = '', text = '']) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    [name, text],
  )
const DANA = JSON.stringify({ accounts: [{ email: 'dana@example.com' }] })

describe.skipIf(lack)(`the World panel, in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  test('the clock is shown as it stands, and moves by the buttons', async () => {
    const { open, fake } = await inspected()
    const page = await open('world')
    const clock = part(page, 'Clock')
    await clock.getByText('2026-03-01 12:00:00 UTC').waitFor()
    await clock.getByText('frozen: it stands still').waitFor()

    for (const [step, shown] of [
      ['1m', '2026-03-01 12:01:00 UTC'],
      ['15m', '2026-03-01 12:16:00 UTC'],
      ['1h', '2026-03-01 13:16:00 UTC'],
      ['1d', '2026-03-02 13:16:00 UTC'],
      ['1w', '2026-03-09 13:16:00 UTC'],
    ] as const) {
      await button(page, `Advance by ${step}`).click()
      await clock.locator('time').first().filter({ hasText: shown }).waitFor()
    }
    expect(fake.clock.state()).toEqual({ mode: 'frozen', now: '2026-03-09T13:16:00.000Z' })
    await page.getByText('The call: POST /_control/clock/advance').waitFor()
  })

  test('it is advanced by a duration, set to a date, and advanced to one, and says why not', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { refusals: true })
    await page.getByLabel('By', { exact: true }).fill('1h30m')
    await page.getByLabel('By', { exact: true }).press('Enter')
    await expect.poll(() => fake.clock.state().now).toBe('2026-03-01T13:30:00.000Z')

    await page.getByLabel('To (UTC)').fill('2026-03-05T08:15')
    await button(page, 'Advance to').click()
    await expect.poll(() => fake.clock.state().now).toBe('2026-03-05T08:15:00.000Z')
    await page.getByLabel('To (UTC)').fill('2026-03-02T08:15')
    await button(page, 'Advance to').click()
    expect(await page.getByRole('alert').innerText()).toContain('cannot advance back to 2026-03-02T08:15:00.000Z')
    await button(page, 'Set').first().click()
    await part(page, 'Clock').getByText('2026-03-02 08:15:00 UTC').waitFor()
    expect(fake.clock.state().now).toBe('2026-03-02T08:15:00.000Z')

    await page.getByLabel('By', { exact: true }).fill('a while')
    await button(page, 'Advance').click()
    await page.getByText('not a duration: a while').waitFor()
  })

  test('it is run, frozen, and follows the machine', async () => {
    const { open, fake } = await inspected()
    const page = await open('world')
    await button(page, 'Run').click()
    await page.getByText('running, from where it was set').waitFor()
    expect(fake.clock.state().mode).toBe('set')
    // The page shows it going on without asking.
    await part(page, 'Clock').getByText('2026-03-01 12:00:02 UTC').waitFor()
    await button(page, 'Freeze').click()
    await page.getByText('frozen: it stands still').waitFor()
    expect(fake.clock.state().mode).toBe('frozen')
    await button(page, 'Follow the machine').click()
    await page.getByText("running with the machine's time").waitFor()
    expect(fake.clock.state().mode).toBe('real')
  })

  test('what fell due is told, and that nothing did', async () => {
    const { open, as } = await inspected()
    const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
    expect((await as(ALICE).post(EVENTS, { ...LUNCH, reminders })).status).toBe(200)
    const page = await open('world')
    await button(page, 'Advance by 1h').click()
    const told = part(page, 'Clock').getByRole('status')
    await expect.poll(() => told.innerText()).toMatch(/What fell due\s+Nothing/)
    await button(page, 'Advance by 1w').click()

    await expect.poll(() => told.innerText()).toMatch(/2026-03-02 16:50:00 UTC .*remind/i)
    expect(await page.locator('img').count()).toBe(0)
  })

  test('faults stand with what they match and how often they fired, as it happens', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', skip: 1, do: [{ fail: 'backendError503' }, { fail: 'rateLimitExceeded' }] })
    fake.faults.add({ on: ['events.insert', 'events.patch'], account: BOB, times: 'always', do: { hang: true } })
    const page = await open('world')
    await expect
      .poll(() => rows(page, 'What fails on cue'))
      .toEqual([
        [
          'fault-1',
          'colors.get',
          'anybody',
          'backendError503, then rateLimitExceeded',
          '2 times, after 1',
          '0',
          '0',
          'Remove',
        ],
        ['fault-2', 'events.insert, events.patch', BOB, 'hang', 'always', '0', '0', 'Remove'],
      ])

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    expect((await as(ALICE).get('/colors')).status).toBe(503)
    await expect.poll(async () => (await rows(page, 'What fails on cue'))[0]?.slice(5, 7)).toEqual(['2', '1'])
  })

  test('a fault is added by the form, is met, and is taken away', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('world')
    await page.getByText('Add a fault').click()
    const form = page.getByRole('form', { name: 'Add a fault' })
    await form.getByLabel('On', { exact: true }).fill('events.list')
    await expect.poll(() => form.locator('datalist option[value="events.quickAdd"]').count()).toBe(1)
    await form.getByLabel('What happens').selectOption('quotaExceeded')
    await form.getByRole('combobox', { name: 'Account' }).selectOption(ALICE)
    await form.getByLabel('How often').fill('2')
    await form.getByLabel('Skip first').fill('1')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect
      .poll(() => rows(page, 'What fails on cue'))
      .toEqual([['fault-1', 'events.list', ALICE, 'quotaExceeded', '2 times, after 1', '0', '0', 'Remove']])

    expect((await as(ALICE).get(EVENTS)).status).toBe(200)
    expect((await as(ALICE).get(EVENTS)).status).toBe(403)
    await button(page, 'Remove fault-1').click()
    await page.getByText('Nothing is to fail.').waitFor()
    expect(fake.faults.list()).toEqual([])
  })

  test('other effects take an amount, and what cannot be is refused with its field', async () => {
    const { open, fake } = await inspected()
    const page = await open('world', { refusals: true })
    await page.getByText('Add a fault').click()
    const form = page.getByRole('form', { name: 'Add a fault' })
    const add = async (on: string, what: string, amount?: string) => {
      await form.getByLabel('On', { exact: true }).fill(on)
      await form.getByLabel('What happens').selectOption({ label: what })
      if (amount !== undefined) await form.getByLabel('By').fill(amount)
      await form.getByRole('button', { name: 'Add' }).click()
    }
    await add('events.insert, events.update', 'The answer is late', '3s')
    await expect
      .poll(() => fake.faults.list())
      .toMatchObject([{ on: ['events.insert', 'events.update'], do: { delay: '3s' } }])
    await add('*', 'The connection is reset')
    await expect.poll(() => fake.faults.list()).toMatchObject([{}, { on: '*', do: { reset: true } }])

    await add('events.lst', 'The connection is reset')
    expect(await form.getByRole('alert').innerText()).toContain(
      'there is no method "events.lst"; did you mean "events.list"?',
    )
    expect(fake.faults.list()).toHaveLength(2)
  })

  test('verify says which fault did not fire, and that all did', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    const page = await open('world', { refusals: true })
    await button(page, 'Verify').click()
    expect(await page.getByRole('alert').innerText()).toContain('fault-1 (colors.get: backendError) fired 0 of 1 times')

    expect((await as(ALICE).get('/colors')).status).toBe(500)
    await button(page, 'Verify').click()
    await page.getByText('The fault fired as often as it was to').waitFor()
  })

  test('clear asks first, and takes all faults away', async () => {
    const { open, fake } = await inspected()
    for (const on of ['colors.get', 'events.*']) fake.faults.add({ on, do: { fail: 'backendError' } })
    const page = await open('world')
    await button(page, 'Clear').click()
    await answer(page, 'Cancel')
    expect(fake.faults.list()).toHaveLength(2)
    await button(page, 'Clear').click()
    await answer(page, 'Clear')

    await page.getByText('Took 2 faults away').waitFor()
    expect(fake.faults.list()).toEqual([])
  })

  test('the quota is set, shows what is used, and is lifted', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('world')
    await page.getByText('Nothing is limited.').waitFor()
    await page.getByLabel('A minute, of all').fill('10')
    await page.getByLabel('A minute, of each user').fill('2')
    await page.getByLabel('A minute, of each user').press('Enter')
    const used = 'Asked in the minute of 12:00 UTC'
    await expect.poll(() => rows(page, used)).toEqual([['all', '0', '10']])

    for (const status of [200, 200, 403]) expect((await as(ALICE).get('/colors')).status).toBe(status)
    await expect
      .poll(() => rows(page, used))
      .toEqual([
        ['all', '2', '10'],
        [ALICE, '2', '2'],
      ])
    await button(page, 'Lift').click()
    await page.getByText('Nothing is limited.').waitFor()
    expect(fake.quota.state().limits).toBeNull()
  })

  test('a snapshot is taken by name, says what has changed since as sentences, and is restored', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('world')
    await page.getByLabel('Name', { exact: true }).fill('before lunch')
    await button(page, 'Take').click()
    await button(page, 'What has changed since before lunch').click()
    const since = page.getByRole('region', { name: 'Since before lunch' })
    await since.getByText('Nothing has changed.').waitFor()

    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    await expect
      .poll(() => since.getByRole('listitem').allInnerTexts())
      .toEqual(fake.diff('before lunch').text.split('\n'))
    expect(await since.innerText()).toContain(MARKUP)
    expect(await page.locator('img').count()).toBe(0)

    await button(page, 'Restore before lunch').click()
    await page.getByRole('dialog', { name: 'Restore “before lunch”? All that was written since is lost.' }).waitFor()
    await answer(page, 'Restore')
    await since.getByText('Nothing has changed.').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('one without a name is given one, and is deleted once that is meant', async () => {
    const { open, fake } = await inspected()
    const page = await open('world')
    await button(page, 'Take').click()
    const name = 'snapshot-1'
    await expect
      .poll(async () => (await rows(page, 'Taken of this world'))[0]?.slice(0, 2))
      .toEqual([name, '2026-03-01 12:00:00 UTC'])
    await button(page, `Delete ${name}`).click()
    await answer(page, 'Cancel')
    expect(fake.snapshots()).toHaveLength(1)
    await button(page, `Delete ${name}`).click()
    await answer(page, 'Delete')

    await page.getByText('No snapshot has been taken.').waitFor()
    expect(fake.snapshots()).toEqual([])
  })

  test('a world is forked from a snapshot, and shown', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    fake.snapshot('fed')
    const page = await open('world')
    await button(page, 'Fork a world from fed').click()
    await page.getByLabel('Its name').fill('default')
    await page.getByText('There is a world of this name: all that is in it is lost.').waitFor()
    await page.getByLabel('Its name').fill('w1')
    await answer(page, 'Fork')
    await page.getByText('The world “w1” begins with “fed” of “default”').waitFor()
    expect((await as(`w1~${ALICE}`).get(EVENTS)).body.items).toMatchObject([{ summary: MARKUP }])

    await button(page, 'Show w1').click()
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('w1')
  })

  test('a name that cannot be a world’s is refused where it was said', async () => {
    const { open, fake } = await inspected()
    fake.snapshot('fed')
    const page = await open('world', { refusals: true })
    await button(page, 'Fork a world from fed').click()
    await page.getByLabel('Its name').fill('no spaces here')
    await answer(page, 'Fork')

    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toContain('404 The name of a world is')
  })

  test('sync tokens expire: of an account alone, and then all', async () => {
    const { open, as } = await inspected()
    const token = async (who: string) => (await as(who).get(EVENTS)).body.nextSyncToken
    const [alices, bobs] = [await token(ALICE), await token(BOB)]
    const again = async (who: string, token: string) => (await as(who).get(`${EVENTS}?syncToken=${token}`)).status
    const page = await open('world')
    const form = page.getByRole('form', { name: 'Expire sync tokens' })
    await form.getByRole('combobox', { name: 'Account' }).selectOption(ALICE)
    await form.getByRole('button', { name: 'Expire' }).click()
    await page.getByText(`All sync tokens of ${ALICE} answer 410`).waitFor()
    expect([await again(ALICE, alices), await again(BOB, bobs)]).toEqual([410, 200])

    await form.getByRole('combobox', { name: 'Account' }).selectOption('')
    await form.getByRole('button', { name: 'Expire' }).click()
    await page.getByText('All sync tokens so far answer 410').waitFor()
    expect(await again(BOB, bobs)).toBe(410)
  })

  test('sync tokens expire of a calendar, of a list, and after some uses', async () => {
    const { open, as } = await inspected()
    const page = await open('world')
    const form = page.getByRole('form', { name: 'Expire sync tokens' })
    await form.getByRole('textbox', { name: 'Calendar' }).fill(BOB)
    await form.getByLabel('Of lists of').selectOption('events')
    await form.getByLabel('After uses').fill('1')
    await form.getByRole('button', { name: 'Expire' }).click()
    await page.getByText(`Sync tokens of the calendar ${BOB}, of events answer 410 after 1 uses`).waitFor()

    const { nextSyncToken } = (await as(BOB).get(EVENTS)).body
    const again = async () => (await as(BOB).get(`${EVENTS}?syncToken=${nextSyncToken}`)).status
    expect([await again(), await again()]).toEqual([200, 410])
  })

  test('a seed from a file is added once that is said, and not before', async () => {
    const { open, fake } = await inspected()
    const page = await open('world')
    const choose = () =>
      page.getByLabel('A seed from a file').setInputFiles({
        ...{ name: 'dana.json', mimeType: 'application/json', buffer: Buffer.from(DANA) },
      })
    await choose()
    await page.getByRole('dialog', { name: 'Seed the world “default” with dana.json?' }).waitFor()
    await answer(page, 'Cancel')
    expect(fake.state().accounts).toHaveLength(3)
    await choose()
    await answer(page, 'Add')

    await page.getByText('dana.json: added 1 account, 0 calendars, 0 events').waitFor()
    expect(fake.state().accounts).toHaveLength(4)
    await expect.poll(() => page.getByLabel('Act as').locator('option').allInnerTexts()).toContain('dana@example.com')
  })

  test('one that is dropped onto the page takes the place of all, if that is said', async () => {
    const { open, fake } = await inspected()
    const page = await open('world')
    await part(page, 'Clock').waitFor()
    await drop(page, 'dana.json', DANA)
    await answer(page, 'Replace')

    await page.getByText('dana.json: the world is now 1 account, 0 calendars, 0 events').waitFor()
    expect(fake.state().accounts).toMatchObject([{ email: 'dana@example.com' }])
  })

  test('what takes long shows that it goes on', async () => {
    const { open } = await inspected()
    const page = await open('world')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/_control/seed', async (route) => {
      await held
      await route.continue()
    })
    await drop(page, 'dana.json', DANA)
    await answer(page, 'Add')
    await page.getByRole('status').filter({ hasText: 'Reading dana.json' }).waitFor()
    release()

    await page.getByText('dana.json: added 1 account').waitFor()
    expect(await page.getByText('Reading dana.json').count()).toBe(0)
  })

  test.each([
    ['broken.json', '{ "accounts": [,] }', 'broken.json: line 1, column 16: not JSON: expected a value'],
    ['team.ics', 'BEGIN:VCALENDAR', 'npx fake-calendar --seed team.ics'],
    ['no.json', '{ "accounts": [{ "email": "dana" }] }', 'accounts[0].email'],
    ['much.json', '{ "acounts": [] }', 'acounts'],
  ])(
    'what is no seed (%s) is refused with what is wrong in it, and nothing is changed',
    async (name, text, problem) => {
      const { open, fake } = await inspected()
      const page = await open('world', { refusals: true })
      await part(page, 'Clock').waitFor()
      await drop(page, name, text)
      await answer(page, 'Add')

      expect(await page.getByRole('alert').innerText()).toContain(problem)
      expect(fake.state().accounts).toHaveLength(3)
    },
  )

  test('the state comes out as a file that is a seed of the same world', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(CAROL).post(EVENTS, LUNCH)).status).toBe(200)
    const page = await open('world')
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

  test('reset asks first, and takes the world back to its beginning', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    fake.clock.advance('1h')
    const page = await open('world')
    await button(page, 'Reset').click()
    await answer(page, 'Cancel')
    expect(fake.clock.state().now).not.toBe(new Date(NOW).toISOString())
    await button(page, 'Reset').click()
    await answer(page, 'Reset')

    await page
      .getByText(`The world is as it began: ${PEOPLE.accounts?.length} accounts, 3 calendars, 0 events`)
      .waitFor()
    await part(page, 'Clock').getByText('2026-03-01 12:00:00 UTC').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('an address leads to a part of it', async () => {
    const { open } = await inspected()
    const page = await open('world', { route: { item: 'faults' } })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Faults')
  })

  test.each(['light', 'dark'] as const)(
    'who reads by other means finds nothing seriously wrong, by %s',
    async (colorScheme) => {
      const { open, fake } = await inspected()
      fake.snapshot('before')
      fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
      fake.quota({ perMinute: 10 })
      const page = await open('world', { colorScheme })
      await page.getByText('Add a fault').click()
      await button(page, 'Advance by 1d').click()
      await button(page, 'What has changed since before').click()
      await page.getByText('Nothing has changed.').waitFor()
      expect(await accessFaults(page)).toEqual([])

      await button(page, 'Fork a world from before').click()
      expect(await accessFaults(page)).toEqual([])
    },
  )

  test('at 400 pixels nothing is wider than the page', async () => {
    const { open, fake } = await inspected()
    fake.snapshot('before')
    fake.faults.add({ on: 'colors.get', account: ALICE, do: { fail: 'frontEndRateLimitExceeded429' } })
    const page = await open('world', { viewport: { width: 400, height: 800 } })
    await page.getByText('Add a fault').click()
    await button(page, 'What has changed since before').click()
    await page.getByText('Nothing has changed.').waitFor()

    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  })
})
