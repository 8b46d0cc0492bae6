import { describe, expect, test } from 'vitest'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { serve } from '../support/command.ts'
import { lacks } from '../support/programs.ts'
import { expectAccessible } from './axe.ts'
import { inBrowser } from './browser.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }

describe.skipIf(lacks('chromium'))('the page of the inspector in Chromium', () => {
  const { inspected, openPage } = inBrowser()

  test('the sidebar lists the panels with counts, and the address names the shown one', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
    const page = await open('world')
    const panels = page.getByRole('navigation', { name: 'Panels' }).getByRole('button')
    await expect
      .poll(() => panels.allTextContents())
      .toEqual([...['Calendar', 'Side by side', 'Requests1', 'Faults1', 'Mail1'], ...['Clock and state', 'All worlds']])
    await panels.filter({ hasText: 'Mail' }).click()

    await expect.poll(() => new URL(page.url()).searchParams.get('panel')).toBe('mail')
    await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Clock and state', level: 1 }).waitFor()
  })

  test('the page acts as the first account, or as the chosen one', async () => {
    const { open } = await inspected()
    const page = await open('world')
    const account = page.locator('#account')
    await expect.poll(() => account.inputValue()).toBe(ALICE)
    await account.selectOption(BOB)

    await expect.poll(() => new URL(page.url()).searchParams.get('account')).toBe(BOB)
  })

  test('a control token in the fragment gives access, and its absence is explained', async () => {
    const { open, base } = await inspected({ controlToken: 'a token & more' })
    const page = await open('world', { expectsErrors: true })
    await expect.poll(() => page.locator('#account').inputValue()).toBe(ALICE)

    await page.goto('about:blank')
    await page.goto(base.replace(/#.*/, ''))
    await page.getByRole('alert').getByText('X-Fake-Control-Token').waitFor()
  })

  test('the address of a world shows that world', async () => {
    const { open, fake } = await inspected()
    fake.world('blue').seed({ accounts: [{ email: 'dana@example.com' }] })
    const page = await open('world', { world: 'blue' })

    await expect.poll(() => page.locator('#account').locator('option').allTextContents()).toContain('dana@example.com')
    await expect.poll(() => page.getByLabel('World', { exact: true }).inputValue()).toBe('blue')
  })

  test('a world that does not exist is not created when it is shown', async () => {
    const { open, fake } = await inspected()
    for (const panel of ['calendar', 'requests', 'world', 'mail']) {
      const page = await open(panel, { route: { world: 'green' }, status: 'No such world' })
      await page.getByText('There is no world “green” yet.').waitFor()
      await page.close()
    }
    expect(fake.worlds()).toEqual(['default'])
  })

  test.each([
    { button: 'Create', email: 'alice@example.com' },
    { button: 'Load the company demo', email: 'Nora Vance (nora@lumen.example.com)' },
  ])('“$button” creates a missing world', async ({ button, email }) => {
    const { open, fake } = await inspected()
    const page = await open('calendar', { route: { world: 'green' }, status: 'No such world' })
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()

    await expect
      .poll(() => page.locator('#account').locator('option').allTextContents())
      .toContainEqual(expect.stringContaining(email))
    expect(fake.worlds()).toEqual(['default', 'green'])
  })

  test('after a change of the world no data of the old one is shown, even if its responses come late', async () => {
    const { open, as, fake } = await inspected()
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
    fake.world('blue').replace({ accounts: [{ email: 'dana@example.com' }] })
    const page = await open('mail')
    await page.getByRole('button', { name: /Invitation: Lunch/ }).waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/127\.0\.0\.1:\d+\/_control\/mail/, async (route) => {
      const response = await route.fetch()
      await held
      // The page may have aborted the request meanwhile.
      await route.fulfill({ response }).catch(() => undefined)
    })
    fake.clock.advance('1m')
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    await page.getByLabel('World', { exact: true }).selectOption('blue')
    await page.getByText('No mail yet.').waitFor()
    release()
    await expect.poll(() => page.locator('#account').inputValue()).toBe('dana@example.com')
    await expect.poll(() => page.getByText('Lunch').count()).toBe(0)
  })

  test('a slow server gets one read at a time, and the page shows the last change', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('world')
    await page.clock.install()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const reads: string[] = []
    page.on('request', (request) => request.url().endsWith('/_control/overview') && reads.push(request.url()))
    await page.route('**/_control/overview', async (route) => {
      await held
      await route.continue()
    })
    for (let count = 0; count < 3; count++) {
      expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
      await page.clock.runFor(500)
      await expect.poll(() => reads.length).toBe(1)
    }
    release()
    await page.clock.runFor(500)
    await expect.poll(() => page.getByRole('button', { name: /^Mail/ }).textContent()).toBe('Mail3')
    expect(fake.mail()).toHaveLength(3)
  })

  test('the header shows the clock with its mode in every panel, and advances it', async () => {
    const { open, fake } = await inspected()
    const page = await open('mail', { route: { account: BOB } })
    const clock = page.getByRole('group', { name: 'World clock' })
    await clock.getByText('Sun 1 Mar 2026, 1:00 pm CET').waitFor()
    await clock.getByText('Frozen').waitFor()
    for (const [name, now] of [
      ['+1 h', '2026-03-01T13:00:00.000Z'],
      ['+1 d', '2026-03-02T13:00:00.000Z'],
      ['+1 w', '2026-03-09T13:00:00.000Z'],
    ] as const) {
      await clock.getByRole('button', { name }).click()
      await expect.poll(() => fake.clock.state().now).toBe(now)
    }
    await clock.getByText('Mon 9 Mar 2026, 2:00 pm CET').waitFor()
  })

  test('times follow the settings of the account and the zone of the page', async () => {
    const { open } = await inspected()
    const page = await open('mail', { route: { account: BOB } })
    const time = page.getByRole('group', { name: 'World clock' }).getByRole('time')
    await time.getByText('1:00 pm CET').waitFor()
    await page.getByLabel('Time zone').selectOption({ label: 'UTC' })
    await time.getByText('12:00 pm GMT').or(time.getByText('12:00 pm UTC')).waitFor()
    await page.getByLabel('Time zone').selectOption('browser')
    await time.getByText(/12:00 pm/).waitFor()
  })

  test('the search opens panels, and finds events', async () => {
    const { open, as } = await inspected()
    expect((await as(ALICE).post(EVENTS, LUNCH)).status).toBe(200)
    const page = await open('mail')
    const run = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill(text)
      await page.getByRole('option', { name: option, selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' })
    }
    await run('requests', /Requests/)
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await run('lunch', /Lunch/)
    await page.getByRole('dialog', { name: 'Lunch' }).waitFor()
  })

  test('the search says that nothing is found only after the search for events has ended', async () => {
    const { open } = await inspected()
    const page = await open('mail')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const requested = page.waitForRequest(/\/events\?timeMin=/)
    await page.route(/\/events\?timeMin=/, async (route) => {
      await released
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').fill('no such event')
    await requested

    expect(await palette.getByText('Nothing found.').count()).toBe(0)
    release()
    await palette.getByText('Nothing found.').waitFor()
  })

  test('a toast leaves after five seconds, unless it is an error', async () => {
    const { open } = await inspected()
    const page = await open('calendar', { expectsErrors: true, viewport: { width: 1300, height: 900 } })
    await page.clock.install()
    await page.getByRole('button', { name: '+1 h' }).click()
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await toasts.getByText('Nothing became due.').waitFor()
    await page.mouse.move(300, 300)
    await page.clock.runFor(5500)
    await toasts.getByText('Nothing became due.').waitFor({ state: 'detached' })
    const file = { name: 'no.ics', mimeType: 'text/calendar', buffer: Buffer.from('no calendar') }
    await page.getByLabel('Import an .ics file').setInputFiles(file)
    await toasts.getByText('Not imported: no.ics').waitFor()
    await page.clock.runFor(20_000)
    await expect.poll(() => toasts.getByText('Not imported: no.ics').count()).toBe(1)
  })

  test.each([
    { width: 1440, rows: 1 },
    { width: 1300, rows: 1 },
    { width: 1200, rows: 1 },
    { width: 1024, rows: 1 },
    { width: 1001, rows: 1 },
    { width: 800, rows: 1 },
    { width: 400, rows: 2 },
  ])('at $width pixels the header has $rows rows, and nothing in it is cut or covered', async ({ width, rows }) => {
    const timeZone = 'America/Argentina/Buenos_Aires'
    const accounts = [{ email: ALICE, timeZone, settings: { format24HourTime: 'false' } }]
    const { open } = await inspected({ seed: { accounts }, now: '2026-09-30T15:35:00Z' })
    for (const panel of ['world', 'sideBySide']) {
      const page = await open(panel, { viewport: { width, height: 800 } })
      await page.getByText('Wed 30 Sept 2026, 12:35 pm GMT-3').waitFor()
      const header = page.getByRole('banner')
      await expect
        .poll(() => header.evaluate((one) => Math.round(one.clientHeight / 48)), { message: panel })
        .toBe(rows)
      const problems = await header.evaluate((one) => {
        const shown = [...one.querySelectorAll('h1, time, button, label, [title], [role=status]')]
          .filter((part) => part.checkVisibility({ visibilityProperty: true }))
          .map((part) => ({ part, box: part.getBoundingClientRect(), name: part.textContent }))
        const cut = shown.filter(
          ({ part, box }) => part.scrollWidth > part.clientWidth + 1 || box.left < 0 || box.right > innerWidth,
        )
        const covered = shown.flatMap(({ part, box, name }, at) =>
          shown.slice(at + 1).flatMap((other) => {
            const isApart =
              box.right <= other.box.left + 1.5 ||
              other.box.right <= box.left + 1.5 ||
              box.bottom <= other.box.top + 1 ||
              other.box.bottom <= box.top + 1
            return isApart || part.contains(other.part) || other.part.contains(part) ? [] : [`${name} / ${other.name}`]
          }),
        )
        return [...cut.map(({ name }) => `cut: ${name}`), ...covered]
      })
      expect(problems).toEqual([])
    }
  })

  test.each(['calendar', 'requests', 'faults', 'mail', 'world'])(
    'toasts leave the end of the panel %s free',
    async (panel) => {
      const { open, as, fake } = await inspected()
      for (let count = 0; count < 30; count++) {
        expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
        fake.faults.add({ on: 'acl.list', do: { fail: 'backendError' } })
      }
      const page = await open(panel, { viewport: { width: 1200, height: 600 }, route: { date: '2026-03-02' } })
      await expect.poll(() => page.locator('main progress, main [aria-busy=true]').count()).toBe(0)
      for (let count = 0; count < 4; count++) await page.getByRole('button', { name: '+1 h' }).click()
      const toasts = page.getByRole('region', { name: 'Notifications' })
      await expect.poll(() => toasts.getByText('Nothing became due.').count()).toBe(1)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))

      const gap = () =>
        page.evaluate(() => {
          const [shown, main] = [document.querySelector('[aria-label=Notifications]'), document.querySelector('main')]
          const bottoms = [...(main?.querySelectorAll('*') ?? [])].map((one) => one.getBoundingClientRect().bottom)
          const inner = [...(main?.querySelectorAll('*') ?? [])].filter((one) =>
            /auto|scroll/.test(getComputedStyle(one).overflowY),
          )
          const visible = inner.length > 0 ? inner.map((one) => one.getBoundingClientRect().bottom) : bottoms
          return (shown?.getBoundingClientRect().top ?? 0) - Math.max(...visible)
        })
      await expect.poll(gap).toBeGreaterThanOrEqual(0)
    },
  )

  test('a fault that has fired as often as it may is not counted', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    fake.faults.add({ on: 'colors.get', times: 3, do: { fail: 'backendError' } })
    fake.faults.add({ on: 'colors.get', times: 'always', do: { delay: 1 } })
    expect((await as(ALICE).get('/colors')).status).toBe(500)
    const page = await open('faults')
    await expect.poll(() => page.getByRole('button', { name: /^Faults/ }).textContent()).toBe('Faults2')

    const states = page.getByRole('table', { name: 'Faults' }).locator('td:nth-child(2)')
    await expect.poll(() => states.allInnerTexts()).toEqual(['active', 'active', 'spent'])
  })

  test('at 400 pixels the sidebar is a menu', async () => {
    const { open } = await inspected()
    const page = await open('mail', { viewport: { width: 400, height: 800 } })
    await expect.poll(() => page.getByRole('navigation', { name: 'Panels' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Faults' }).click()
    await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Panels' }).waitFor({ state: 'hidden' })
  })

  test('the page shows the captions of a story, holds it, and plays its next step', async () => {
    const { url, stop } = await serve(['--play', '--now', '2026-06-10T12:00:00Z'])
    const page = await openPage(new URL(`${url}/_ui/?account=lena@lumen.example.com`))
    const story = page.getByRole('region', { name: 'Story' })
    await story.getByRole('button', { name: 'Pause' }).click()
    await story.getByRole('button', { name: 'Play' }).waitFor()
    const caption = () => story.locator('strong').textContent()
    const seen = [await caption()]
    for (let step = 0; step < 3; step++) {
      await story.getByRole('button', { name: 'Next' }).click()
      await expect.poll(caption).not.toBe(seen.at(-1))
      seen.push(await caption())
    }
    expect(seen).toContain('Yusuf declines')
    await expectAccessible(page, 'the story')
    await story.getByRole('button', { name: 'Calendar of Yusuf' }).click()
    await expect.poll(() => page.locator('#account').inputValue()).toBe('yusuf@lumen.example.com')
    await story.getByRole('button', { name: 'Play' }).click()
    await expect.poll(caption).toBe('Lena accepts')

    await page.close()
    expect((await stop()).code).toBe(0)
  })
})
