import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { post, toolCall } from '../support/mcp.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const LUNCH = { summary: MARKUP, ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
const EVENTS = '/calendars/primary/events'

const rows = (page: Page) => page.getByRole('table', { name: 'Requests, the newest first' }).locator('tbody tr')
const row = (page: Page, n: number) => rows(page).filter({ has: page.locator(`#item-${n}`) })
const link = (page: Page, n: number) => page.locator(`#item-${n}`)
/** The numbers of the listed requests. */
const numbers = async (page: Page) =>
  (await rows(page).locator('td:first-child').allInnerTexts()).map((text) => Number.parseInt(text, 10))
const details = (page: Page, n: number) => page.getByRole('article', { name: `Request ${n}`, exact: true })
const selectStatus = (page: Page, name: string) => page.getByLabel('Status', { exact: true }).selectOption(name)
const dialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(lacks('chromium'))('the Requests panel in Chromium', () => {
  const { inspected } = inBrowser()

  /** Makes four requests: two succeed, one has two errors, and one gets a fault. */
  async function startWithRequests() {
    const world = await inspected()
    const { as, fake } = world
    expect((await as(BOB).get('/colors')).status).toBe(200)
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
    expect((await as(ALICE).get(`${EVENTS}?timeMin=2026-01-01&singleEvent=true`)).status).toBe(400)
    fake.faults.add({ on: 'calendarList.list', do: { fail: 'backendError503' } })
    expect((await as(ALICE).get('/users/me/calendarList')).status).toBe(503)
    return world
  }

  test('each request is a row with its number, status, method, account, error, fault and hints', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests')

    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual(
        [
          /^4 calendarList\.list\s+503 backendError fault\s+alice@example\.com/,
          /^3 events\.list\s+400 badRequest[\s\S]*needs a time and an offset[\s\S]*no parameter singleEvent/,
          /^2 events\.insert\s+200[\s\S]*POST \/calendars\/primary\/events[\s\S]*1 Mar 7:00:00 am GMT-5/,
          /^1 colors\.get\s+200\s+bob@example\.com/,
        ].map((pattern) => expect.stringMatching(pattern)),
      )
    await expect.poll(() => page.getByRole('status').filter({ hasText: '4 requests' }).count()).toBe(1)
  })

  test('a new request appears at the top, also if it was made while another panel was shown', async () => {
    const { open, as } = await inspected()
    const page = await open('requests')
    await page.getByText('No requests to the world “default” yet.').waitFor()

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await row(page, 1).waitFor()
    await page.getByRole('button', { name: 'Clock and state', exact: true }).click()
    expect((await as(ALICE).get('/users/me/settings')).status).toBe(200)
    await page.getByRole('button', { name: /^Requests/ }).click()

    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual([expect.stringContaining('settings.list'), expect.stringContaining('colors.get')])
  })

  test('a call of a tool shows its arguments and its result, and the requests of REST lead to it', async () => {
    const { fake, open } = await inspected()
    const lunch = { summary: MARKUP, startTime: '2026-03-02T12:00:00', endTime: '2026-03-02T13:00:00' }
    await post(fake, toolCall('create_event', lunch), { token: ALICE })
    await post(fake, toolCall('get_event', { eventId: '' }), { token: ALICE })
    const page = await open('requests')

    await link(page, 2).click()
    await details(page, 2).getByRole('button', { name: 'Show request 1' }).click()
    const call = details(page, 1)
    await expect.poll(() => page.locator('body').innerText()).toContain('1: mcp.create_event')
    const shown = () => call.innerText()
    for (const text of [lunch.startTime, 'structuredContent', '"method":"tools/call"'])
      await expect.poll(shown).toContain(text)

    await link(page, 3).click()
    await expect.poll(() => details(page, 3).innerText()).toContain('Missing required field: eventId')
  })

  test('the filters are one row at 1,200 pixels', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { viewport: { width: 1200, height: 900 } })
    await row(page, 4).waitFor()
    const controls = page.getByRole('search', { name: 'Filter requests' }).locator('input, select')
    const boxes = await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    const tops = boxes.map(({ top }) => top)
    expect(boxes).toHaveLength(5)
    expect(Math.max(...tops) - Math.min(...tops), 'less than the height of a field').toBeLessThan(32)
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(1200)
    for (const { width } of boxes.slice(0, 4)) expect(width).toBeGreaterThan(80)
  })

  test('requests are filtered by method, account, status and text', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests')
    const shown = () => numbers(page)
    await expect.poll(shown).toEqual([4, 3, 2, 1])

    await page.getByLabel('Method').fill('events.*')
    await expect.poll(shown).toEqual([3, 2])
    await page.getByLabel('Method').fill('events.insert, colors.get')
    await expect.poll(shown).toEqual([2, 1])
    await page.getByLabel('Method').fill('')
    await page.getByRole('search', { name: 'Filter requests' }).getByLabel('Account').selectOption(BOB)
    await expect.poll(shown).toEqual([1])
    await page.getByRole('search', { name: 'Filter requests' }).getByLabel('Account').selectOption('')
    await selectStatus(page, '4xx')
    await expect.poll(shown).toEqual([3])
    await selectStatus(page, 'Hints')
    await expect.poll(shown).toEqual([3])
    await selectStatus(page, 'Faults')
    await expect.poll(shown).toEqual([4])
    await selectStatus(page, 'All')
    await page.getByLabel('Text').fill('ONERROR=ALERT')
    await expect.poll(shown).toEqual([2])
    await page.getByLabel('Text').fill('no request has this')
    await page.getByText('0 of 4 requests').waitFor()
    await page.getByLabel('Text').fill('')
    await expect.poll(shown).toEqual([4, 3, 2, 1])
  })

  test('a request is shown in full, and HTML in its texts is shown as text', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests')
    await link(page, 2).click()

    const shown = details(page, 2)
    await shown.getByRole('heading', { name: '2: events.insert' }).waitFor()
    await expect
      .poll(() => shown.getByRole('region', { name: 'Parameters' }).innerText())
      .toContain('"sendUpdates": "all"')
    const body = JSON.parse(await shown.getByRole('region', { name: 'Body', exact: true }).innerText())
    expect(body).toEqual(LUNCH)
    const answer = JSON.parse(await shown.getByRole('region', { name: 'Response body' }).innerText())
    expect(answer).toMatchObject({ kind: 'calendar#event', summary: MARKUP, organizer: { email: ALICE } })
    await expect
      .poll(() => shown.innerText())
      .toMatch(/Account\s+alice@example\.com[\s\S]*1 Mar 7:00:00 am GMT-5, [\d.]+ ms/)
    await expect.poll(() => shown.locator('[data-snippet=curl]').innerText()).toContain(`Bearer ${ALICE}`)
    await expect.poll(() => page.locator('img').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe('2')
  })

  test('a hint has its code and its text', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { route: { item: '3' } })
    const hints = details(page, 3).getByRole('list', { name: 'Hints' }).getByRole('listitem')

    await expect
      .poll(() => hints.allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /FC101: timeMin=2026-01-01 needs a time and an offset[\s\S]*RFC 3339[\s\S]*Write timeMin=2026-01-01T00:00:00Z/,
        ),
        expect.stringMatching(
          /FC102: .*no parameter singleEvent[\s\S]*ignores[\s\S]*Did you mean singleEvents\?[\s\S]*Allowed:/,
        ),
      ])
  })

  test('a request with a fault names it, and links to the faults', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { route: { item: '4' } })

    await expect.poll(() => details(page, 4).innerText()).toMatch(/503[\s\S]*backendError[\s\S]*Caused by fault-1/)
    await details(page, 4).getByRole('button', { name: 'Show the faults' }).click()
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor()
  })

  test('a request without a response is marked', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { reset: true } })
    await expect(as(ALICE).get('/colors')).rejects.toThrow()
    const page = await open('requests', { route: { item: '1' } })

    await expect.poll(() => details(page, 1).innerText()).toMatch(/No response\s+GET/)
    await expect.poll(() => row(page, 1).innerText()).toContain('No response')
  })

  test('a batch and its parts show its number', async () => {
    const { open, fake } = await inspected()
    const part = (path: string) =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3${path} HTTP/1.1\r\n\r\n`
    const response = await fake.request('/batch/calendar/v3', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `${part('/colors')}${part('/users/me/settings')}--b--`,
    })
    expect(response.status).toBe(200)
    const page = await open('requests', { route: { item: '1' } })
    await expect.poll(() => details(page, 1).innerText()).toMatch(/Batch\s+1/)

    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual(['batch', 'settings.list', 'colors.get'].map((name) => expect.stringMatching(`${name}[^]*batch 1`)))
  })

  test('Clear needs a confirmation, and removes the requests', async () => {
    const { open, fake } = await startWithRequests()
    const page = await open('requests')
    await row(page, 4).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => rows(page).count()).toBe(4)

    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog(page).getByRole('button', { name: 'Clear' }).click()

    await page.getByText('Cleared 4 requests').waitFor()
    await page.getByText('No requests to the world “default” yet.').waitFor()
    expect(fake.calls()).toEqual([])
  })

  test('requests disappear when another client clears the journal', async () => {
    const { open, as, fake } = await startWithRequests()
    const page = await open('requests')
    await row(page, 4).waitFor()
    fake.calls.clear()
    await page.getByText('No requests to the world “default” yet.').waitFor()

    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await row(page, 5).waitFor()
  })

  test('requests that are made while the page is hidden appear afterwards, each once', async () => {
    const { open, as } = await startWithRequests()
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
    await expect.poll(() => rows(page).count()).toBe(4)
    await see(false)

    await expect.poll(() => numbers(page)).toEqual([6, 5, 4, 3, 2, 1])
  })

  test('a reset of the world empties the list', async () => {
    const { open, fake } = await startWithRequests()
    const page = await open('requests')
    await row(page, 4).waitFor()
    fake.reset()

    await page.getByText('No requests to the world “default” yet.').waitFor()
  })

  test('the number of dropped requests is shown', async () => {
    const { open, as } = await inspected({ journal: 3 })
    const page = await open('requests')
    for (let count = 0; count < 5; count++) expect((await as(ALICE).get('/colors')).status).toBe(200)

    await page.getByText('2 earlier requests were dropped, because the journal is full.').waitFor()
    await expect.poll(() => numbers(page)).toEqual([5, 4, 3])
  })

  test('a recorded request is sent again by the page, as its account', async () => {
    const { open, as, fake } = await inspected()
    expect(
      (await as(BOB).post('/calendars/primary/events', { summary: 'Again', ...hour('2026-03-02', 9) })).status,
    ).toBe(200)
    const page = await open('requests', { route: { item: '1' } })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Sent events.insert again').waitFor()

    expect(fake.calls().map(({ method, account, status }) => [method, account, status])).toEqual([
      ['events.insert', BOB, 200],
      ['events.insert', BOB, 200],
    ])
  })

  test('of many requests the latest 200 are listed, and more on demand', async () => {
    const { open, as } = await inspected()
    for (let count = 0; count < 450; count++) expect((await as(ALICE).get('/colors')).status).toBe(200)
    const page = await open('requests')
    const ends = async () => {
      const listed = await numbers(page)
      return [listed.length, listed.at(0), listed.at(-1)]
    }
    await expect.poll(ends).toEqual([200, 450, 251])
    await page.getByRole('button', { name: 'Show 200 more of 450' }).click()
    await expect.poll(ends).toEqual([400, 450, 51])
    await page.getByRole('button', { name: 'Show 50 more of 450' }).click()
    await expect.poll(ends).toEqual([450, 450, 1])
  })

  test('an empty journal has a curl line', async () => {
    const { open } = await inspected()
    const page = await open('requests')
    await page
      .locator('[data-snippet="Or make a request"]')
      .getByText(/^curl -H 'Authorization: Bearer alice@example.com' http/)
      .waitFor()
  })

  test('a journal that is off is explained', async () => {
    const { open } = await inspected({ journal: 0 })
    const page = await open('requests', { expectsErrors: true, status: 'Not connected' })

    await page.getByRole('alert').getByText('the journal is off').waitFor()
  })

  test('the focus returns to the row of the request', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests')
    await link(page, 4).focus()
    await page.keyboard.press('Enter')

    await details(page, 4).getByRole('button', { name: 'Back to the list' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('item-4')
  })

  test('the inspector’s own requests are marked, and hidden by default', async () => {
    const { open, as } = await startWithRequests()
    const page = await open('calendar', { route: { date: '2026-03-02' }, viewport: { width: 1300, height: 900 } })
    await page.getByRole('checkbox', { name: ALICE }).uncheck()
    await page.getByText(`Hidden: ${ALICE}`).waitFor()
    await page.getByRole('button', { name: /^Requests/ }).click()
    await page.getByText('4 requests', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Requests/ }).innerText()).toMatch(/^Requests\s*4$/)
    await expect.poll(() => rows(page).count()).toBe(4)
    await page.getByLabel("Inspector's requests (1)").check()

    await expect.poll(() => row(page, 5).innerText()).toMatch(/calendarList\.patch[\s\S]*inspector/)
    expect((await as(ALICE).get('/colors')).status).toBe(200)
    await row(page, 6).waitFor()
  })

  test('the reason of the last failure is in its row, and at the top of its details', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests')
    await row(page, 4).getByText('backendError').waitFor()
    await link(page, 4).click()
    await details(page, 4).getByText('503 Backend Error').waitFor()
  })

  test('copying works without the clipboard API, and a failure is explained', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { route: { item: '2' } })
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    const copy = details(page, 2).getByRole('button', { name: 'Copy: curl' })
    await copy.click()
    await details(page, 2).getByText('Copied', { exact: true }).waitFor()
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await copy.click()
    await details(page, 2)
      .getByText(/does not allow copying on this host/)
      .waitFor()
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toMatch(/^curl /)
  })

  test('axe finds nothing in a request with hints', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { route: { item: '3' } })
    await expectAccessible(page)
  })

  test('at 400 pixels the details replace the list, and nothing is wider than the page', async () => {
    const { open } = await startWithRequests()
    const page = await open('requests', { viewport: { width: 400, height: 800 } })
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    await link(page, 3).click()
    await details(page, 3).waitFor()
    await expect.poll(() => row(page, 3).isVisible()).toBe(false)
    await expect.poll(() => isTooWide()).toBe(false)

    await page.getByRole('button', { name: 'Back to the list' }).click()
    await row(page, 3).waitFor()
    await expect.poll(() => isTooWide()).toBe(false)
  })
})
