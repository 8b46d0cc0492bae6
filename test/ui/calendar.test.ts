import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, allDay, BOB, hour, PEOPLE } from '../support/calendar.ts'
import { inBrowser, lack, skipped } from './browser.ts'
import { eventNamed, shownAs } from './grid.ts'

const MEET = {
  conferenceData: {
    conferenceId: 'abc-defg-hij',
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    entryPoints: [{ entryPointType: 'video', uri: 'https://meet.google.com/abc-defg-hij' }],
  },
}
const own = (responseStatus: string) => [{ email: ALICE, responseStatus }, { email: BOB }]

/** An event of each kind that a person is to tell apart. */
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

describe.skipIf(lack)(`the calendar in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  test('each kind of event is told by a word for who listens, and by a look or a sign', async () => {
    const { open } = await inspected({ seed: KINDS })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Born').waitFor()

    expect(await shownAs(page)).toEqual({
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
        const { backgroundColor, backgroundImage } = getComputedStyle(event)
        return { backgroundColor, hatched: backgroundImage !== 'none', signs: event.querySelectorAll('svg').length }
      })
    expect(await look('Plain')).toEqual({ backgroundColor: 'rgb(220, 33, 39)', hatched: false, signs: 0 })
    expect(await look('Refused')).toMatchObject({ backgroundColor: 'rgb(255, 255, 255)', hatched: false })
    expect(await look('Perhaps')).toMatchObject({ hatched: true })
    expect(await look('Secret')).toMatchObject({ signs: 1 })
  })

  test('text that tries to be markup stays text', async () => {
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

    expect(await dialog.getByRole('heading').textContent()).toBe(evil)
    await dialog.getByRole('tab', { name: 'JSON' }).click()
    expect(await dialog.getByLabel('The event as JSON').textContent()).toContain('<b>bold</b>')
    expect(await page.locator('img, b').count()).toBe(0)
  })

  test('a calendar is ticked and unticked on the account’s own list', async () => {
    const { open, as } = await inspected({ seed: 'team', now: '2026-01-07T13:00:00Z' })
    const page = await open('calendar')
    const box = page.getByLabel('Bob (Berlin)')
    await eventNamed(page, 'School run').waitFor()

    await box.uncheck()
    await eventNamed(page, 'School run').waitFor({ state: 'detached' })
    await page.getByText('Not shown: Bob (Berlin)').waitFor()

    const listed = await as(ALICE).get(`/users/me/calendarList/${BOB}`)
    expect(listed.body.selected ?? false).toBe(false)
    await box.check()
    await eventNamed(page, 'School run').waitFor()
    await page.getByText(/^Shown: Bob/).waitFor()
    expect((await as(ALICE).get(`/users/me/calendarList/${BOB}`)).body.selected).toBe(true)
  })

  test('the grid goes by the zone of the calendar, of the account, or of the browser', async () => {
    const { open } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [
          { id: ALICE, timeZone: 'Asia/Tokyo', events: [{ summary: 'Call', ...hour('2026-03-02', 9, 'UTC') }] },
        ],
      },
    })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'day' } })
    const zone = page.getByLabel('Zone of the grid')
    const time = () => eventNamed(page, 'Call').locator('.time').textContent()

    await expect.poll(time).toMatch(/^18:00/)
    await zone.selectOption('Account’s'.replace('’', "'"))
    await expect.poll(time).toMatch(/^04:00/)
    await zone.selectOption('Mine')
    await expect.poll(time).toMatch(/^09:00/)
  })

  test('what others write is there without being asked for', async () => {
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

  test('of more than a day has room for there is a word, and all of them behind it', async () => {
    const events = Array.from({ length: 9 }, (_, at) => ({ summary: `Number ${at}`, ...hour('2026-03-02', 8 + at) }))
    const { open } = await inspected({ seed: { ...PEOPLE, calendars: [{ id: ALICE, events }] } })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'month' } })
    await eventNamed(page, 'Number 0').waitFor()
    expect(await eventNamed(page, 'Number 8').count()).toBe(0)

    await page.getByText('more').click()

    await eventNamed(page, 'Number 8').waitFor()
  })
})
