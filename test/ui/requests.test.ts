import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { accessFaults } from './axe.ts'
import { inBrowser, lack, skipped } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const LUNCH = { summary: MARKUP, ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
const EVENTS = '/calendars/primary/events'

const rows = (page: Page) => page.getByRole('list', { name: 'Requests, the latest first' }).getByRole('listitem')
const row = (page: Page, n: number) =>
  rows(page)
    .filter({ has: page.locator(`#call-${n}`) })
    .getByRole('button')
const details = (page: Page, n: number) => page.getByRole('region', { name: `Request ${n}`, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(lack)(`the requests of a world, in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  /** A world of which four things were asked: well, with a guest, in two ways wrong, and into a fault. */
  async function asked() {
    const world = await inspected()
    const { as, fake } = world
    expect((await as(BOB).get('/colors')).status).toBe(200)
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
    expect((await as(ALICE).get(`${EVENTS}?timeMin=2026-01-01&singleEvent=true`)).status).toBe(400)
    fake.faults.add({ on: 'calendarList.list', do: { fail: 'backendError503' } })
    expect((await as(ALICE).get('/users/me/calendarList')).status).toBe(503)
    return world
  }

  test('each stands in a row with its number, status, method, account, and what is to be noted of it', async () => {
    const { open } = await asked()
    const page = await open('requests')

    await expect.poll(() => rows(page).count()).toBe(4)
    const [fourth = '', third = '', second = '', first = ''] = await rows(page).allInnerTexts()
    expect(fourth).toMatch(
      /4[\s\S]*503[\s\S]*calendarList\.list[\s\S]*alice@example\.com[\s\S]*backendError[\s\S]*fault/,
    )
    expect(third).toMatch(/3[\s\S]*400[\s\S]*events\.list[\s\S]*badRequest[\s\S]*FC101 FC102/)
    expect(second).toMatch(/2[\s\S]*200[\s\S]*events\.insert[\s\S]*POST \/calendars\/primary\/events[\s\S]*12:00:00/)
    expect(first).toMatch(/1[\s\S]*200[\s\S]*colors\.get[\s\S]*bob@example\.com/)
    expect(await page.getByRole('status').filter({ hasText: '4 requests' }).count()).toBe(1)
  })

  test('one that is made now comes in at the top, and so does what was made while the page was elsewhere', async () => {
    const { open, as } = await inspected()
    const page = await open('requests')
    await page.getByText('Nothing has been asked of the world “default” yet').waitFor()

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await row(page, 1).waitFor()
    await page.getByRole('button', { name: 'World', exact: true }).click()
    expect((await as(ALICE).get('/users/me/settings')).status).toBe(200)
    await page.getByRole('button', { name: 'Requests', exact: true }).click()

    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual([expect.stringContaining('settings.list'), expect.stringContaining('colors.get')])
  })

  test('they are chosen by method, account, status and text', async () => {
    const { open } = await asked()
    const page = await open('requests')
    const shown = async () => (await page.locator('.calls .n').allInnerTexts()).map(Number)
    await expect.poll(shown).toEqual([4, 3, 2, 1])

    await page.getByLabel('Method').fill('events.*')
    await expect.poll(shown).toEqual([3, 2])
    await page.getByLabel('Method').fill('events.insert, colors.get')
    await expect.poll(shown).toEqual([2, 1])
    await page.getByLabel('Method').fill('')
    await page.getByLabel('Account').selectOption(BOB)
    await expect.poll(shown).toEqual([1])
    await page.getByLabel('Account').selectOption('')
    await page.getByLabel('Status').selectOption('4xx: refused')
    await expect.poll(shown).toEqual([3])
    await page.getByLabel('Status').selectOption('With a hint')
    await expect.poll(shown).toEqual([3])
    await page.getByLabel('Status').selectOption('With a fault')
    await expect.poll(shown).toEqual([4])
    await page.getByLabel('Status').selectOption('Any')
    await page.getByLabel('Text').fill('ONERROR=ALERT')
    await expect.poll(shown).toEqual([2])
    await page.getByLabel('Text').fill('nobody said this')
    await page.getByText('0 of 4 requests: none is as you ask.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(shown).toEqual([4, 3, 2, 1])
  })

  test('one is shown in full, and what it says stays text', async () => {
    const { open } = await asked()
    const page = await open('requests')
    await row(page, 2).click()

    const shown = details(page, 2)
    await shown.getByRole('heading', { name: '2: events.insert' }).waitFor()
    expect(await shown.getByRole('region', { name: 'Parameters' }).innerText()).toContain('"sendUpdates": "all"')
    const body = JSON.parse(await shown.getByRole('region', { name: 'Body' }).innerText())
    expect(body).toEqual(LUNCH)
    const answer = JSON.parse(await shown.getByRole('region', { name: 'Answer' }).innerText())
    expect(answer).toMatchObject({ kind: 'calendar#event', summary: MARKUP, organizer: { email: ALICE } })
    expect(await shown.innerText()).toMatch(
      /Account\s+alice@example\.com[\s\S]*2026-03-01T12:00:00\.000Z, after [\d.]+ ms/,
    )
    expect(await page.locator('img').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('item')).toBe('2')
  })

  test('a hint says what, why and what instead, and leads to its line in the docs and back', async () => {
    const { open } = await asked()
    const page = await open('requests', { route: { item: '3' } })
    const hints = details(page, 3).getByRole('list', { name: 'Hints' }).getByRole('listitem')

    await expect
      .poll(() => hints.allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /timeMin=2026-01-01 needs a time and an offset[\s\S]*RFC 3339[\s\S]*Write timeMin=2026-01-01T00:00:00Z/,
        ),
        expect.stringMatching(
          /no parameter singleEvent[\s\S]*ignores[\s\S]*Did you mean singleEvents\?[\s\S]*Allowed:/,
        ),
      ])
    await page.getByRole('button', { name: 'FC102 in the docs' }).click()
    expect(await page.locator('dt[aria-current]').innerText()).toBe('FC102 An unknown parameter')
    await page.getByRole('button', { name: 'Back to the request' }).click()
    await details(page, 3).waitFor()
  })

  test('one with a fault names it, and leads to the faults', async () => {
    const { open } = await asked()
    const page = await open('requests', { route: { item: '4' } })

    await expect.poll(() => details(page, 4).innerText()).toMatch(/503\s+backendError[\s\S]*It met fault-1/)
    await details(page, 4).getByRole('button', { name: 'Show the faults' }).click()
    await page.getByRole('heading', { name: 'Faults' }).waitFor()
  })

  test('of one that had no answer it says so', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { reset: true } })
    await expect(as(ALICE).get('/colors')).rejects.toThrow()
    const page = await open('requests', { route: { item: '1' } })

    await expect.poll(() => details(page, 1).innerText()).toMatch(/Status\s+no answer/)
    expect(await row(page, 1).innerText()).toContain('no answer')
  })

  test('a part of a batch leads to all of its batch', async () => {
    const { open, fake, as } = await inspected()
    const part = (path: string) =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3${path} HTTP/1.1\r\n\r\n`
    const response = await fake.request('/batch/calendar/v3', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `${part('/colors')}${part('/users/me/settings')}--b--`,
    })
    expect(response.status).toBe(200)
    expect((await as(ALICE).get('/users/me/calendarList')).status).toBe(200)
    const page = await open('requests', { route: { item: '1' } })
    await details(page, 1).getByText('part of batch 1').waitFor()
    await details(page, 1).getByRole('button', { name: 'Show batch 1' }).click()

    await expect
      .poll(() => rows(page).locator('.method').allInnerTexts())
      .toEqual(['batch', 'settings.list', 'colors.get'])
    await page.getByRole('button', { name: 'Show more than batch 1' }).click()
    await expect.poll(() => rows(page).count()).toBe(4)
  })

  test('“fail the next one like this” makes a fault, which the next one meets and others do not', async () => {
    const { open, as, fake } = await asked()
    const page = await open('requests', { route: { item: '2' } })
    await details(page, 2).getByText('Fail the next one like this').click()
    const choice = details(page, 2).getByLabel('What happens')
    await expect.poll(() => choice.locator('option').count()).toBeGreaterThan(100)
    expect(await choice.locator('optgroup').first().locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['rateLimitExceeded', 'backendError', 'quotaExceeded']),
    )

    await choice.selectOption('rateLimitExceeded')
    await details(page, 2).getByLabel('Retry after').fill('2')
    await details(page, 2).getByRole('button', { name: 'Fail it' }).click()

    await page.getByText('fault-2: the next events.insert will fail').waitFor()
    expect(fake.faults.list()[1]).toMatchObject({
      ...{ on: 'events.insert', account: ALICE, calendarId: 'primary' },
      do: { fail: 'rateLimitExceeded', retryAfter: 2 },
    })
    expect((await as(BOB).post(EVENTS, LUNCH)).status).toBe(200)
    const met = await as(ALICE).post(EVENTS, LUNCH)
    expect([met.status, met.headers.get('Retry-After')]).toEqual([403, '2'])
    await expect.poll(() => row(page, 6).innerText()).toMatch(/403[\s\S]*rateLimitExceeded[\s\S]*fault/)
  })

  test('what cannot be failed is refused in the service’s words', async () => {
    const { open, as } = await inspected()
    expect((await as(ALICE).get('/nowhere')).status).toBe(404)
    const page = await open('requests', { route: { item: '1' }, refusals: true })
    await page.getByText('Fail the next one like this').click()
    await page.getByRole('button', { name: 'Fail it' }).click()

    expect(await page.getByRole('alert').innerText()).toContain('there is no method "unknown"')
  })

  test('“expect this” gives lines that hold in process and by curl, and says whether they hold', async () => {
    const { open, fake } = await asked()
    const page = await open('requests', { route: { item: '2' }, permissions: ['clipboard-read', 'clipboard-write'] })
    await details(page, 2).getByText('Expect this').click()
    const lines = details(page, 2).locator('dl[aria-label="Lines that expect this request"]')
    const [inProcess = '', curl = ''] = await lines.locator('pre').allInnerTexts()

    expect(inProcess).toMatch(
      /^fake\.calls\.verify\('events\.insert', \{\n {2}params: \{ calendarId: 'primary', sendUpdates: 'all' \}/,
    )
    new Function('fake', inProcess)(fake)
    expect(() => new Function('fake', inProcess.replace("'all'", "'none'"))(fake)).toThrow('wanted "none", was "all"')
    expect(curl).toContain('curl -s -X POST -H \'Content-Type: application/json\' -d \'{"method":"events.insert"')
    expect(curl).toMatch(/'http:\/\/127\.0\.0\.1:\d+\/_control\/calls\/verify'$/)
    await lines.getByRole('button', { name: 'Copy as In process' }).click()
    await lines.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(inProcess)
    await details(page, 2).getByRole('button', { name: 'Check it now' }).click()
    await details(page, 2).getByText('It holds: 2').waitFor()
  })

  test('where they do not hold it says so in the words of the verification', async () => {
    const { open } = await asked()
    const page = await open('requests', { route: { item: '2' }, refusals: true })
    await details(page, 2).getByText('Expect this').click()
    // As if it had been expected twice.
    await page.route('**/_control/calls/verify', (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), times: 2 } }),
    )
    await details(page, 2).getByRole('button', { name: 'Check it now' }).click()

    const said = details(page, 2).getByRole('alert')
    expect(await said.innerText()).toContain('events.insert: wanted 2 times, called as wanted once')
  })

  test('what was hidden is not expected', async () => {
    const { open, as, fake } = await inspected()
    const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook', token: 'a secret' }
    expect((await as(ALICE).post(`${EVENTS}/watch`, watch)).status).toBe(200)
    const page = await open('requests', { route: { item: '1' } })
    await details(page, 1).getByText('Expect this').click()
    const line = await details(page, 1).locator('.lines pre').first().innerText()

    expect(line).not.toMatch(/redacted|a secret/)
    new Function('fake', line)(fake)
  })

  test('clear asks first, and forgets them', async () => {
    const { open, fake } = await asked()
    const page = await open('requests')
    await row(page, 4).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await rows(page).count()).toBe(4)

    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog(page).getByRole('button', { name: 'Clear' }).click()

    await page.getByText('Forgot 4 requests').waitFor()
    await page.getByText('Nothing has been asked of the world “default” yet').waitFor()
    expect(fake.calls()).toEqual([])
  })

  test('what somebody else clears is gone here as well', async () => {
    const { open, as, fake } = await asked()
    const page = await open('requests')
    await row(page, 4).waitFor()
    fake.calls.clear()
    await page.getByText('Nothing has been asked of the world “default” yet').waitFor()

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await row(page, 5).waitFor()
  })

  test('what is asked while the page is hidden is there when it is seen again, each request once', async () => {
    const { open, as } = await asked()
    const page = await open('requests')
    const see = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await row(page, 4).waitFor()
    await see(true)
    await page.getByText('Not connected').waitFor()
    for (const path of ['/colors', '/users/me/settings']) expect((await as(BOB).get(path)).status).toBe(200)
    expect(await rows(page).count()).toBe(4)
    await see(false)

    await expect.poll(() => page.locator('.calls .n').allInnerTexts()).toEqual(['6', '5', '4', '3', '2', '1'])
  })

  test('a reset of the world empties it by itself', async () => {
    const { open, fake } = await asked()
    const page = await open('requests')
    await row(page, 4).waitFor()
    fake.reset()

    await page.getByText('Nothing has been asked of the world “default” yet').waitFor()
  })

  test('what was dropped for want of room is said', async () => {
    const { open, as } = await inspected({ journal: 3 })
    const page = await open('requests')
    for (let count = 0; count < 5; count++) expect((await as(ALICE).get('/colors')).status).toBe(200)

    await page.getByText('2 earlier requests were dropped from the journal for want of room (evicted)').waitFor()
    await expect.poll(() => page.locator('.calls .n').allInnerTexts()).toEqual(['5', '4', '3'])
  })

  test('of many a page of rows stands at a time, and the first takes in what comes', async () => {
    const { open, as } = await inspected()
    for (let count = 0; count < 450; count++) expect((await as(ALICE).get('/colors')).status).toBe(200)
    const page = await open('requests')
    const ends = async () => {
      const numbers = await page.locator('.calls .n').allInnerTexts()
      return [numbers.length, numbers.at(0), numbers.at(-1)]
    }
    await expect.poll(ends).toEqual([200, '450', '251'])

    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(ends).toEqual([200, '250', '51'])
    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await page.getByText('451 requests').waitFor()
    expect(await ends()).toEqual([200, '250', '51'])
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(ends).toEqual([200, '450', '251'])
    await page.getByRole('button', { name: 'Latest' }).click()
    await expect.poll(ends).toEqual([200, '451', '252'])
  })

  test('what the page reads itself is noted only when that is ticked', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    const page = await open('calendar', { route: { date: '2026-03-02' } })
    await expect.poll(() => page.locator('main').innerText()).toContain(MARKUP)
    expect(fake.calls().map(({ method }) => method)).toEqual(['events.insert'])
    await page.getByRole('button', { name: 'Requests', exact: true }).click()
    await page.getByLabel('Note what this page reads').check()
    await page.getByRole('button', { name: 'Calendar', exact: true }).click()

    await expect.poll(() => fake.calls().map(({ method }) => method)).toContain('events.list')
  })

  test('an empty journal says which world has the traffic, and leads there', async () => {
    const { open, as } = await inspected()
    expect((await as(`blue~${ALICE}`).get('/colors')).status).toBe(200)
    const page = await open('requests')
    await page.getByText('The traffic is in the world “blue”: 1 request.').waitFor()
    await page.getByRole('button', { name: 'Show blue' }).click()

    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('colors.get')])
  })

  test('a journal that is off says so', async () => {
    const { open } = await inspected({ journal: 0 })
    const page = await open('requests', { refusals: true, untold: true })

    expect(await page.getByRole('alert').innerText()).toContain('the journal is off')
  })

  test('by the keyboard the arrows lead from row to row, and the focus comes back to the one that was shown', async () => {
    const { open } = await asked()
    const page = await open('requests')
    await row(page, 4).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')

    await details(page, 2).getByRole('button', { name: 'Back to the list' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('call-2')
  })

  test.each(['light', 'dark'] as const)(
    'who reads by other means finds nothing seriously wrong, by %s',
    async (colorScheme) => {
      const { open } = await asked()
      const page = await open('requests', { colorScheme, route: { item: '3' } })
      for (const name of ['Fail the next one like this', 'Expect this']) await page.getByText(name).click()
      await expect.poll(() => page.getByLabel('What happens').locator('option').count()).toBeGreaterThan(100)
      expect(await accessFaults(page)).toEqual([])

      await page.getByRole('button', { name: 'FC101 in the docs' }).click()
      expect(await accessFaults(page)).toEqual([])
    },
  )

  test('at 400 pixels the details take the place of the list, and nothing is wider than the page', async () => {
    const { open } = await asked()
    const page = await open('requests', { viewport: { width: 400, height: 800 } })
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    await row(page, 3).click()
    await details(page, 3).waitFor()
    expect(await row(page, 3).isVisible()).toBe(false)
    for (const name of ['Fail the next one like this', 'Expect this']) await page.getByText(name).click()
    expect(await isTooWide()).toBe(false)

    await page.getByRole('button', { name: 'Back to the list' }).click()
    await row(page, 3).waitFor()
    expect(await isTooWide()).toBe(false)
  })
})
