import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, allDay, BOB, hour, PEOPLE } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import team from '../support/team.json' with { type: 'json' }
import { inBrowser, visit } from './browser.ts'
import { cutTitles, eventNamed, overflowing, tornWords, traitsByTitle } from './grid.ts'

const MEET = {
  conferenceData: {
    conferenceId: 'abc-defg-hij',
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    entryPoints: [{ entryPointType: 'video', uri: 'https://meet.google.com/abc-defg-hij' }],
  },
}
const own = (responseStatus: string) => [{ email: ALICE, responseStatus }, { email: BOB }]

/** An event of each kind that a user must recognize. */
const KINDS: Seed = {
  ...PEOPLE,
  calendars: [
    {
      id: ALICE,
      events: [
        { summary: 'Plain', colorId: '11', ...hour('2026-03-02', 8) },
        { summary: 'Daily', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'], ...hour('2026-03-02', 9) },
        { summary: 'Secret', visibility: 'private', ...hour('2026-03-02', 10) },
        { summary: 'Perhaps', status: 'tentative', ...hour('2026-03-03', 10) },
        { summary: 'Refused', attendees: own('declined'), ...hour('2026-03-03', 11) },
        { summary: 'Called', ...hour('2026-03-03', 12), ...MEET },
        {
          ...{ summary: 'Attached', ...hour('2026-03-04', 8) },
          attachments: [{ fileUrl: 'https://drive.google.com/open?id=1', title: 'Minutes' }],
        },
        { eventType: 'outOfOffice', outOfOfficeProperties: {}, summary: 'Away', ...hour('2026-03-04', 10) },
        { eventType: 'focusTime', focusTimeProperties: {}, summary: 'Focus', ...hour('2026-03-04', 12) },
        {
          ...{ eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' },
          ...{
            workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
            ...allDay('2026-03-05', '2026-03-06'),
          },
        },
        {
          ...{
            eventType: 'birthday',
            birthdayProperties: { type: 'birthday' },
            summary: 'Born',
            visibility: 'private',
            transparency: 'transparent',
          },
          ...{ recurrence: ['RRULE:FREQ=YEARLY'], ...allDay('2026-03-06', '2026-03-07') },
        },
      ],
    },
  ],
} as Seed

/** The element that scrolls the hours. */
const scroller = (page: Page) => page.locator('.fc-scroller', { has: page.locator('.fc-timegrid-body') })

describe.skipIf(lacks('chromium'))('the calendar in Chromium', () => {
  const { inspected } = inBrowser()

  test('each kind of event has words for screen readers, and a style or an icon', async () => {
    const { open } = await inspected({ seed: KINDS })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Born').waitFor()

    await expect
      .poll(() => traitsByTitle(page))
      .toEqual({
        Plain: [],
        Daily: ['recurring'],
        Secret: ['private'],
        Perhaps: ['tentative'],
        Refused: ['declined'],
        Called: ['with a video call'],
        Attached: ['with attachments'],
        Away: ['out of office'],
        Focus: ['focus time'],
        Home: ['working location'],
        Born: ['birthday', 'recurring', 'private'],
      })
    const look = (name: string) =>
      eventNamed(page, name).evaluate((event) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(event.querySelector('.event-content') as Element)
        return { backgroundColor, hatched: backgroundImage !== 'none', icons: event.querySelectorAll('svg').length }
      })
    await expect.poll(() => look('Plain')).toEqual({ backgroundColor: 'rgb(213, 0, 0)', hatched: false, icons: 0 })
    await expect.poll(() => look('Refused')).toMatchObject({ backgroundColor: 'rgb(255, 255, 255)', hatched: false })
    await expect.poll(() => look('Perhaps')).toMatchObject({ hatched: true })
    await expect.poll(() => look('Secret')).toMatchObject({ icons: 1 })
  })

  test('an event without an answer of the account is an outline in every view, with words for screen readers', async () => {
    const events = [
      { summary: 'Asked', attendees: own('needsAction'), ...hour('2026-03-02', 9) },
      { summary: 'Asked all day', attendees: own('needsAction'), ...allDay('2026-03-02', '2026-03-03') },
    ]
    const { open } = await inspected({ seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as Seed })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    const dot = '.fc-daygrid-event-dot, .fc-list-event-dot'
    const backgroundOf = (title: string) =>
      eventNamed(page, title).evaluate(
        (event, marks) =>
          getComputedStyle((event.querySelector(marks) ?? event.querySelector('.event-content')) as Element)
            .backgroundColor,
        dot,
      )
    for (const view of ['Week', 'Month', 'List']) {
      await page.getByRole('toolbar').getByRole('button', { name: view, exact: true }).click()
      for (const title of ['Asked', 'Asked all day'])
        await expect.poll(() => backgroundOf(title), { message: `${view}, ${title}` }).toBe('rgb(255, 255, 255)')
      await expect
        .poll(() => traitsByTitle(page))
        .toEqual({ Asked: ['not answered yet'], 'Asked all day': ['not answered yet'] })
    }
  })

  test('HTML in texts is shown as text', async () => {
    const evil = '<img src=x onerror="document.title=1"><b>bold</b>'
    const seed: Seed = {
      ...PEOPLE,
      calendars: [
        { id: ALICE, events: [{ summary: evil, description: evil, location: evil, ...hour('2026-03-02', 9) }] },
      ],
    }
    const { open } = await inspected({ seed })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'day' } })
    await eventNamed(page, evil).click()
    const dialog = page.getByRole('dialog')

    await dialog.getByRole('heading', { name: evil, exact: true }).waitFor()
    await dialog.getByText('JSON', { exact: true }).click()
    await expect.poll(() => dialog.getByLabel('The event as JSON').textContent()).toContain('<b>bold</b>')
    await expect.poll(() => page.locator('img, b').count()).toBe(0)
  })

  test('a checkbox shows a calendar, and is stored on the account’s list', async () => {
    const { open, as } = await inspected({ seed: team as Seed, now: '2026-01-07T13:00:00Z' })
    const page = await open('calendar', { viewport: { width: 1300, height: 900 } })
    const box = page.getByRole('checkbox', { name: 'Bob (Berlin)' })
    await eventNamed(page, 'School run').waitFor()

    await box.uncheck()
    await eventNamed(page, 'School run').waitFor({ state: 'detached' })
    await page.getByText('Hidden: Bob (Berlin)').waitFor()

    const listed = await as(ALICE).get(`/users/me/calendarList/${BOB}`)
    expect(listed.body.selected ?? false).toBe(false)
    await box.check()
    await eventNamed(page, 'School run').waitFor()
    await page.getByText(/^Shown: Bob/).waitFor()
    expect((await as(ALICE).get(`/users/me/calendarList/${BOB}`)).body.selected).toBe(true)
  })

  test('times are in the zone of the calendar, the account, UTC, or the browser', async () => {
    const { open } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [
          { id: ALICE, timeZone: 'Asia/Tokyo', events: [{ summary: 'Call', ...hour('2026-03-02', 9, 'UTC') }] },
        ],
      },
    })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'day' } })
    const zone = page.getByLabel('Time zone')
    const time = () => eventNamed(page, 'Call').textContent()

    await expect.poll(time).toContain('6:00 pm')
    await zone.selectOption('account')
    await expect.poll(time).toContain('4:00 am')
    await zone.selectOption('utc')
    await expect.poll(time).toContain('9:00 am')
    await zone.selectOption('browser')
    await expect.poll(time).toContain('9:00 am')
  })

  test('changes by other clients appear without a reload', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await as(ALICE).post('/calendars/primary/events', { summary: 'By a client', ...hour('2026-03-02', 9) })
    await eventNamed(page, 'By a client').waitFor()
    fake.seed({ calendars: [{ id: ALICE, events: [{ summary: 'By the test', ...hour('2026-03-03', 9) }] }] })
    await eventNamed(page, 'By the test').waitFor()
    expect(fake.calls().map(({ method }) => method)).toEqual(['events.insert'])
    fake.reset()

    await eventNamed(page, 'By a client').waitFor({ state: 'detached' })
  })

  test('an open page follows a clock that the test advances in its process', async () => {
    const { open, fake } = await inspected({ now: '2026-03-02T12:00:00Z' })
    const page = await open('calendar')
    const today = page.locator('.fc-col-header-cell.fc-day-today')
    await expect.poll(() => today.getAttribute('data-date')).toBe('2026-03-02')
    fake.clock.advance('2d')
    await expect.poll(() => today.getAttribute('data-date')).toBe('2026-03-04')
    fake.clock.advanceTo('2026-03-06T12:00:00Z')

    await expect.poll(() => today.getAttribute('data-date')).toBe('2026-03-06')
  })

  test('a crowded day has a button that shows all of its events', async () => {
    const events = Array.from({ length: 9 }, (_, at) => ({ summary: `Number ${at}`, ...hour('2026-03-02', 8 + at) }))
    const { open } = await inspected({ seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'month' } })
    await eventNamed(page, 'Number 0').waitFor()
    await expect.poll(() => eventNamed(page, 'Number 8').isVisible()).toBe(false)

    await page.locator('[data-date="2026-03-02"] .fc-daygrid-more-link').click()

    await page.locator('.fc-popover').getByText('Number 8', { exact: true }).waitFor()
  })

  /** Events of the lengths and overlaps that are hard to print. */
  const SHORT: Seed = {
    ...PEOPLE,
    calendars: [
      {
        id: ALICE,
        events: [
          ['Quarter', '09:00', '09:15'],
          ['Half', '10:00', '10:30'],
          ['Hour', '11:00', '12:00'],
          ['First', '13:00', '14:00'],
          ['Second', '13:00', '14:00'],
          ['Third', '13:30', '14:30'],
        ].map(([summary, from, to]) => ({
          summary,
          start: { dateTime: `2026-03-02T${from}:00`, timeZone: 'America/New_York' },
          end: { dateTime: `2026-03-02T${to}:00`, timeZone: 'America/New_York' },
        })),
      },
    ],
  } as Seed

  test('every event shows its title first, on whole lines', async () => {
    const { open } = await inspected({ seed: SHORT })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Third').waitFor()
    const shown = await page.locator('[data-event]').evaluateAll((events) =>
      events.map((event) => {
        const box = event.getBoundingClientRect()
        const title = event.querySelector('[data-event-title]') as HTMLElement
        const { top, bottom, height } = (event.querySelector('.event-text') as Element).getBoundingClientRect()
        const isCut = top < box.top || bottom > box.bottom || height % 16 !== 0
        const isFirst = (event.textContent ?? '').startsWith(title.textContent ?? '')
        return [title.textContent, { isCut, isFirst, isVisible: title.getBoundingClientRect().width > 20 }]
      }),
    )
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        ['Quarter', 'Half', 'Hour', 'First', 'Second', 'Third'].map((title) => [
          title,
          { isCut: false, isFirst: true, isVisible: true },
        ]),
      ),
    )
    await expect.poll(() => eventNamed(page, 'Half').textContent()).toMatch(/^Half 10:00 am/)
  })

  test.each([1440, 1200, 1024, 700, 390])(
    'no title is cut in a letter or a line, and no word is torn, at %s pixels',
    async (width) => {
      const { open } = await inspected({ seed: 'team', now: '2026-01-07T13:00:00Z' })
      for (const view of ['week', 'day', 'month']) {
        const page = await open('calendar', { route: { view }, viewport: { width, height: 900 } })
        await eventNamed(page, 'Kitchen duty: Bob').waitFor()
        await expect.poll(() => cutTitles(page), { message: view }).toEqual([])
        await expect.poll(() => tornWords(page), { message: view }).toEqual([])
        await expect
          .poll(() => overflowing(page.locator('.fc-col-header-cell-cushion, .fc-daygrid-more-link')), {
            message: view,
          })
          .toEqual([])
      }
    },
  )

  test('an event that begins above the visible hours shows its title', async () => {
    const events = [
      { summary: 'Long', ...hour('2026-03-02', 4), end: hour('2026-03-02', 11).start },
      { summary: 'Later', ...hour('2026-03-02', 12) },
    ]
    const { open } = await inspected({ seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as Seed })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    const title = eventNamed(page, 'Long').locator('[data-event-title]')
    await title.waitFor()
    const topOf = (target: Locator) => target.evaluate((one) => one.getBoundingClientRect().top)
    await expect.poll(() => scroller(page).evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
    await scroller(page).evaluate((one) => one.scrollTo(0, 8 * 48))

    await expect.poll(async () => (await topOf(title)) - (await topOf(scroller(page)))).toBeGreaterThanOrEqual(0)
  })

  test('the year opens at the current month, with weekdays, and marks the days that have events', async () => {
    const events = [{ summary: 'Tea', ...hour('2026-11-18', 9) }]
    const { open } = await inspected({
      now: '2026-11-20T12:00:00Z',
      seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as Seed,
    })
    const page = await open('calendar', { route: { view: 'year' }, viewport: { width: 600, height: 700 } })
    const month = page.locator('.fc-multimonth-month[data-date="2026-11"]')
    await month.locator('[data-date="2026-11-18"] .fc-bg-event').waitFor()

    await expect.poll(() => month.locator('th').allInnerTexts()).toEqual(['S', 'M', 'T', 'W', 'T', 'F', 'S'])
    await expect.poll(() => page.getByRole('toolbar').getByRole('heading').textContent()).toBe('2026')
    await expect
      .poll(() =>
        month.evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }),
      )
      .toBe(true)
    await month.getByText('18', { exact: true }).click()
    await eventNamed(page, 'Tea').waitFor()
  })

  test('the list opens at today', async () => {
    const events = [5, 20, 21].map((day) => ({
      summary: `Day ${day}`,
      ...hour(`2026-11-${String(day).padStart(2, '0')}`, 9),
    }))
    const { open } = await inspected({
      now: '2026-11-20T12:00:00Z',
      seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as Seed,
    })
    const page = await open('calendar', { route: { view: 'list' } })
    await eventNamed(page, 'Day 21').waitFor()

    await expect.poll(() => page.locator('[data-event-title]').allTextContents()).toEqual(['Day 20', 'Day 21'])
  })

  test('the month uses its height', async () => {
    const { open } = await inspected()
    const page = await open('calendar', { route: { view: 'month' }, viewport: { width: 1200, height: 1200 } })
    const bottom = () =>
      page
        .locator('.fc-daygrid-day')
        .last()
        .evaluate((one) => one.getBoundingClientRect().bottom)

    await expect.poll(bottom).toBeGreaterThan(1150)
    await expect.poll(bottom).toBeLessThanOrEqual(1200)
  })

  test('an event on several shown calendars is one item', async () => {
    const { open, as } = await inspected()
    const alice = as(ALICE)
    const calendar = await alice.post('/calendars', { summary: 'Team' })
    const event = { ...hour('2026-03-02', 9), iCalUID: 'shared@example.com', summary: 'Shared' }
    for (const id of ['primary', calendar.body.id])
      expect((await alice.post(`/calendars/${id}/events/import`, event)).status).toBe(200)
    await alice.patch(`/users/me/calendarList/${calendar.body.id}`, { selected: true })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Shared').waitFor()

    await expect.poll(() => page.locator('[data-event]').filter({ hasText: 'Shared' }).count()).toBe(1)
  })

  test('ten thousand events in five weeks are drawn as few nodes, and all are counted and can be reached', async () => {
    const first = Date.UTC(2026, 2, 1, 12)
    const events = Array.from({ length: 10_000 }, (_, n) => {
      const start = first + (n % 35) * 86_400_000 + (Math.floor(n / 35) % 60) * 60_000
      const at = (ms: number) => ({ dateTime: new Date(ms).toISOString() })
      return { summary: `Event ${n}`, start: at(start), end: at(start + 1_800_000) }
    })
    const { open } = await inspected({ seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } as Seed })
    const page = await open('calendar', { route: { date: '2026-03-01', view: 'month' } })
    const countNodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    const day = page.locator('.fc-daygrid-day[data-date="2026-03-10"]')
    await day.locator('[data-event]').first().waitFor()
    const shown = async () => {
      const drawn = await day
        .locator('[data-event]')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).length)
      const [, more = '0'] = /\+(\d+)/.exec((await day.locator('.fc-daygrid-more-link').textContent()) ?? '') ?? []
      return drawn + Number(more)
    }
    await expect.poll(shown).toBe(286)
    expect(await countNodes()).toBeLessThan(8000)

    await day.locator('.fc-daygrid-more-link').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('day')
    await visit(page, { view: 'list', date: '2026-03-01' })
    await page.getByText('Event 0', { exact: true }).waitFor()
    expect(await countNodes()).toBeLessThan(8000)
    const list = page.locator('.fc-list .fc-scroller')
    const before = await page.locator('[data-event]').count()
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(() => page.locator('[data-event]').count()).toBeGreaterThan(before)
  })

  test('a load of more than 200 ms has a sign', async () => {
    const { open } = await inspected({ seed: SHORT })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Third').waitFor()
    let release = () => {}
    const waiting = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/events\?/, async (route) => {
      await waiting
      await route.continue()
    })
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    const sign = page.getByText('Loading events')
    await expect
      .poll(() => sign.evaluate((element) => getComputedStyle(element.parentElement as Element).opacity))
      .toBe('1')
    release()
    await sign.waitFor({ state: 'detached' })
  })

  test('single keys change the view and the date, open the search and a new event, and are listed', async () => {
    const { open } = await inspected({ seed: SHORT })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Third').waitFor()
    const address = (name: string) => new URL(page.url()).searchParams.get(name)
    for (const [key, view] of [
      ['d', 'day'],
      ['m', 'month'],
      ['w', 'week'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => address('view')).toBe(view)
    }
    for (const [key, date] of [
      ['j', '2026-03-09'],
      ['k', '2026-03-02'],
      ['t', '2026-03-01'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => address('date')).toBe(date)
    }
    for (const [key, name] of [
      ['c', 'New event'],
      ['/', 'Search'],
      ['?', 'Keys'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name, exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('a calendar that cannot be read is named, and the others are shown', async () => {
    const { open, as } = await inspected()
    const alice = as(ALICE)
    const id = (await alice.post('/calendars', { summary: 'Team' })).body.id
    expect((await alice.patch(`/users/me/calendarList/${id}`, { selected: true })).status).toBe(200)
    const lunch = { summary: 'Lunch', ...hour('2026-03-02', 12) }
    expect((await alice.post('/calendars/primary/events', lunch)).status).toBe(200)
    const page = await open('requests', { expectsErrors: true })
    const json = { error: { code: 403, message: 'Forbidden', errors: [{ reason: 'forbidden' }] } }
    await page.route(`**/calendars/${encodeURIComponent(id)}/events?*`, (route) => route.fulfill({ status: 403, json }))
    await visit(page, { panel: 'calendar', view: 'week', date: '2026-03-02' })

    await page.getByRole('alert').getByText(`403 ${id}: Forbidden`).waitFor()
    await eventNamed(page, 'Lunch').waitFor()
  })

  test('the week starts on the day, and times have the hours, that the account has set', async () => {
    const seed = {
      ...PEOPLE,
      accounts: [{ email: ALICE, timeZone: 'UTC', settings: { weekStart: '1', format24HourTime: 'true' } }],
      calendars: [{ id: ALICE, events: [{ summary: 'Tea', ...hour('2026-03-02', 15, 'UTC') }] }],
    } as Seed
    const { open } = await inspected({ seed })
    const page = await open('calendar', { route: { date: '2026-03-04', view: 'week' } })

    await expect.poll(() => eventNamed(page, 'Tea').innerText()).toContain('15:00–16:00')
    await expect
      .poll(() => page.locator('.calendar-view .fc-col-header-cell').first().getAttribute('data-date'))
      .toBe('2026-03-02')
  })
})
