import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, at, BOB, hour, PEOPLE } from '../support/calendar.ts'
import { run } from '../support/command.ts'
import { inBrowser, lack, skipped } from './browser.ts'
import { drag, eventNamed, slot } from './grid.ts'

const DAY = { route: { date: '2026-03-02', view: 'week' } }
const EVENTS = '/calendars/primary/events'
const one = (event: object): Seed => ({ ...PEOPLE, calendars: [{ id: ALICE, events: [event] }] }) as Seed
const LUNCH = one({ id: 'lunch', summary: 'Lunch', location: 'Room 1', ...hour('2026-03-02', 9) })
const SERIES = one({
  ...{ id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
  ...hour('2026-03-02', 9),
})
const told = (page: Page) => page.getByRole('region', { name: 'What was done' })

describe.skipIf(lack)(`writing in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  test('an event is made by dragging over its hours, and undone', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await page.getByRole('checkbox', { name: ALICE }).waitFor()
    await drag(page, await slot(page, '2026-03-03', '09:00'), await slot(page, '2026-03-03', '10:30'))
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Dragged')
    await form.getByRole('button', { name: 'Save' }).click()
    await eventNamed(page, 'Dragged').waitFor()

    const { items } = (await as(ALICE).get(EVENTS)).body
    expect(items).toMatchObject([
      {
        summary: 'Dragged',
        start: at('2026-03-03T09:00:00-05:00'),
        end: at('2026-03-03T11:00:00-05:00'),
      },
    ])
    await told(page).getByRole('button', { name: 'Undo' }).click()
    await eventNamed(page, 'Dragged').waitFor({ state: 'detached' })
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('an event is moved by dragging, and undone: what it was before it is again', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    const before = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    await drag(page, await eventNamed(page, 'Lunch').boundingBox(), await slot(page, '2026-03-04', '12:00'))
    await told(page).getByText('Moved “Lunch” to Wed 4 Mar 2026, 12:00–13:00').waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({
      start: at('2026-03-04T12:00:00-05:00'),
      end: at('2026-03-04T13:00:00-05:00'),
    })
    await told(page).getByRole('button', { name: 'Undo' }).click()
    await told(page).getByText('Undone').waitFor()
    const { start, end } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect({ start, end }).toEqual({ start: before.start, end: before.end })
  })

  test('an event is made longer by dragging its end', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').hover()
    const box = await eventNamed(page, 'Lunch').boundingBox()
    const end = box && { ...box, y: box.y + box.height - 3, height: 2 }
    await drag(page, end, await slot(page, '2026-03-02', '10:30'))
    await told(page).getByText('Moved “Lunch”').waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.end).toEqual(at('2026-03-02T11:00:00-05:00'))
  })

  test.each([
    { scope: 'This event', days: [2, 3, 4, 5, 6], hours: ['09', '11', '09', '09', '09'], series: 1 },
    { scope: 'This and following events', days: [2, 3, 4, 5, 6], hours: ['09', '11', '11', '11', '11'], series: 2 },
    { scope: 'All events', days: [2, 3, 4, 5, 6], hours: ['11', '11', '11', '11', '11'], series: 1 },
  ])('a series asks what is meant: $scope', async ({ scope, days, hours, series }) => {
    const { open, as } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    const second = page.locator('.event').filter({ hasText: 'Standup' }).nth(1)
    await second.waitFor()
    await drag(page, await second.boundingBox(), await slot(page, '2026-03-03', '11:00'))
    await page.getByRole('dialog').getByRole('button', { name: scope, exact: true }).click()
    await told(page).getByText('Moved “Standup”').waitFor()

    const single = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body.items
    expect(single.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toEqual(
      days.map((day, index) => `2026-03-0${day}T${hours[index]}:00:00-05:00`),
    )
    const masters = (await as(ALICE).get(EVENTS)).body.items.filter((event: object) => 'recurrence' in event)
    expect(masters).toHaveLength(series)
    await told(page).getByRole('button', { name: 'Undo' }).click()
    await told(page).getByText('Undone').waitFor()
    const again = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body.items
    expect(again.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(11, 13))).toEqual(
      days.map(() => '09'),
    )
  })

  test('a question about a series that is not answered changes nothing', async () => {
    const { open, fake } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    await drag(page, await eventNamed(page, 'Standup').boundingBox(), await slot(page, '2026-03-02', '11:00'))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await eventNamed(page, 'Standup').locator('.time').textContent()).toContain('09:00')
    expect(fake.calls()).toEqual([])
  })

  test('all of an event is written with the keyboard alone', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await page.getByRole('checkbox', { name: ALICE }).waitFor()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').waitFor()
    await page.keyboard.type('Review')
    await form.getByLabel('Starts on').fill('2026-03-04')
    await form.getByLabel('Starts at').fill('14:00')
    await form.getByLabel('Ends at').fill('14:45')
    await form.getByLabel('Time zone').fill('Europe/Berlin')
    await form.getByLabel('Repeats').selectOption('Every week')
    await form.getByLabel('Where', { exact: true }).fill('Room 2')
    await form.getByLabel('Description').fill('Bring <numbers>')
    await form.getByLabel('Guests, one').fill(`${BOB}\ncarol@example.org optional`)
    await form.getByLabel('Reminders of the calendar').press('Space')
    await form.getByLabel('Reminders, one').fill('popup 10\nemail 60')
    await form.getByLabel('Colour').selectOption('Tomato')
    await form.getByLabel('Visibility').selectOption('Private')
    await form.getByLabel('Shown as').selectOption('Free')
    await form.getByLabel('Title').press('Enter')
    await told(page).getByText('Made “Review”').waitFor()

    const [made] = (await as(ALICE).get(EVENTS)).body.items
    expect(made).toMatchObject({
      ...{ summary: 'Review', location: 'Room 2', description: 'Bring <numbers>', colorId: '11' },
      ...{ visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=WE'] },
      start: { dateTime: '2026-03-04T08:00:00-05:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-04T08:45:00-05:00' },
      reminders: { useDefault: false },
    })
    expect(made.reminders.overrides).toEqual(
      expect.arrayContaining([
        { method: 'popup', minutes: 10 },
        { method: 'email', minutes: 60 },
      ]),
    )
    expect(made.attendees).toMatchObject([{ email: BOB }, { email: 'carol@example.org', optional: true }])
  })

  test('an event is made one of whole days in the form, and back', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    const save = async (allDay: boolean) => {
      await eventNamed(page, 'Lunch').click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Change “Lunch”' })
      await form.getByLabel('All day').setChecked(allDay)
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      return (await as(ALICE).get(`${EVENTS}/lunch`)).body
    }

    expect(await save(true)).toMatchObject({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
    expect(await save(false)).toMatchObject({ start: { dateTime: '2026-03-02T09:00:00-05:00' }, location: 'Room 1' })
  })

  test('what the service refuses is said in its words, with the hint, and the form stays', async () => {
    const { open } = await inspected()
    const page = await open('calendar', { ...DAY, refusals: true })
    await page.getByRole('checkbox', { name: ALICE }).waitFor()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Starts at').fill('14:00')
    await form.getByLabel('Ends at').fill('13:00')
    await form.getByRole('button', { name: 'Save' }).click()

    const alert = form.getByRole('alert')
    expect(await alert.textContent()).toMatch(/400 The specified time range is empty/)
    expect(await form.getByLabel('Ends at').inputValue()).toBe('13:00')
  })

  test('a guest answers an invitation, and the organizer sees it', async () => {
    const { open, as } = await inspected({
      seed: one({ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) }),
    })
    const page = await open('calendar', { route: { ...DAY.route, account: BOB } })
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Maybe' }).click()
    await told(page).getByText('Answered “Lunch”: Maybe').waitFor()

    const { attendees } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect(attendees).toContainEqual({ email: BOB, responseStatus: 'tentative' })
  })

  test('an event is deleted, and undone', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await told(page).getByText('Deleted “Lunch”').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])

    await told(page).getByRole('button', { name: 'Undo' }).click()
    await eventNamed(page, 'Lunch').waitFor()
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({ status: 'confirmed', location: 'Room 1' })
  })

  test('what somebody else wrote since is not undone, unless that is said', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, refusals: true })
    await drag(page, await eventNamed(page, 'Lunch').boundingBox(), await slot(page, '2026-03-04', '12:00'))
    await told(page).getByText('Moved “Lunch”').waitFor()
    await as(ALICE).patch(`${EVENTS}/lunch`, { summary: 'Brunch' })
    await told(page).getByRole('button', { name: 'Undo' }).click()
    await told(page).getByText('It was written to since').waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.start).toEqual(at('2026-03-04T12:00:00-05:00'))
    await told(page).getByText('The call: events.patch').click()
    expect(
      await told(page)
        .getByText(/^curl /)
        .textContent(),
    ).toContain('"dateTime":"2026-03-02T09:00:00-05:00"')
    await told(page).getByRole('button', { name: 'Undo all the same' }).click()
    await told(page).getByText('Undone').waitFor()
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({
      summary: 'Brunch',
      start: at('2026-03-02T09:00:00-05:00'),
    })
  })

  test('every write shows the call that it made, in lines that make it again', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await page.getByRole('checkbox', { name: ALICE }).waitFor()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill("Alice's")
    await form.getByRole('button', { name: 'Save' }).click()
    await told(page).getByText('The call: events.insert').click()
    const lines = await told(page).locator('dd pre').allTextContents()
    const [method, curl = '', node = '', python] = lines

    expect(method).toBe('events.insert')
    expect(python).toMatch(/^requests\.request\("POST", "http:.*json=\{/)
    expect((await run(['-c', curl], { command: 'sh' })).code).toBe(0)
    expect((await run(['--input-type=module', '-e', node])).code).toBe(0)
    const { items } = (await as(ALICE).get(EVENTS)).body
    expect(items.map(({ summary }: { summary: string }) => summary)).toEqual(["Alice's", "Alice's", "Alice's"])
  })
})
