import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, at, BOB, CAROL, type Client, hour, PEOPLE } from '../support/calendar.ts'
import { run } from '../support/command.ts'
import { lacks } from '../support/programs.ts'
import { inBrowser } from './browser.ts'
import { dragEnd, dragEvent, dragHours, eventNamed } from './grid.ts'

const DAY = { route: { date: '2026-03-02', view: 'week' } }
const EVENTS = '/calendars/primary/events'
const one = (event: object): Seed => ({ ...PEOPLE, calendars: [{ id: ALICE, events: [event] }] }) as Seed
const LUNCH = one({ id: 'lunch', summary: 'Lunch', location: 'Room 1', ...hour('2026-03-02', 9) })
const SERIES = one({
  ...{ id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
  ...hour('2026-03-02', 9),
})
const SERIES_OF_FOCUS_TIME = one({
  ...{ id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
  ...{ ...hour('2026-03-02', 9), eventType: 'focusTime', focusTimeProperties: { chatStatus: 'doNotDisturb' } },
})
const dayEvents = (day: string) => `.fc-timegrid-col[data-date="2026-03-${day}"] [data-event]`
/** As `02T09:00`, with the titles of changed instances. */
const listStarts = async (as: (email: string) => Client): Promise<string[]> =>
  (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body.items.map(
    ({ start, summary }: { start: { dateTime: string }; summary: string }) =>
      `${start.dateTime.slice(8, 16)}${summary === 'Standup' ? '' : ` ${summary}`}`,
  )
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Waits until the calendars of the account are loaded, so that events can be created. */
const ready = (page: Page) => page.locator('main [aria-busy=false] .fc-timegrid-col').first().waitFor()

const MAX_TABS = 100

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let count = 0; count < MAX_TABS; count++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

describe.skipIf(lacks('chromium'))('writing events in Chromium', () => {
  const { inspected } = inBrowser()

  test('an event is created by dragging over its hours, and undone', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
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
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await eventNamed(page, 'Dragged').waitFor({ state: 'detached' })
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('a write that a fault refused names the fault, and succeeds after its removal', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'events.insert', times: 'always', do: { fail: 'backendError503' } })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Refused')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('The fault fault-1 fired on this request.').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])

    await form.getByRole('button', { name: 'Remove fault-1' }).click()
    await form.getByText('The fault fault-1 fired on this request and is removed.').waitFor()
    expect(fake.faults.list()).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await eventNamed(page, 'Refused').waitFor()
  })

  test('the start can be changed while the end is empty', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Corrected')
    await form.getByLabel('End', { exact: true }).fill('')
    await form.getByLabel('Start').fill('2026-03-04T09:00')
    await form.getByLabel('End', { exact: true }).fill('2026-03-04T11:00')
    await form.getByRole('button', { name: 'Save' }).click()
    await eventNamed(page, 'Corrected').waitFor()

    const { items } = (await as(ALICE).get(EVENTS)).body
    expect(items).toMatchObject([{ start: at('2026-03-04T09:00:00-05:00'), end: at('2026-03-04T11:00:00-05:00') }])
  })

  test.each(['Start', 'End'])('an empty %s is an error of its field', async (label) => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel(label, { exact: true }).fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() =>
        form
          .getByLabel(label, { exact: true })
          .evaluate((input: HTMLInputElement) => [input.validity.valueMissing, document.activeElement === input]),
      )
      .toEqual([true, true])

    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('an event is moved by dragging, and undone', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    const before = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await toasts(page).getByText('Moved “Lunch” to Wed 4 Mar 2026, 12:00–1:00 pm GMT-5').waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({
      start: at('2026-03-04T12:00:00-05:00'),
      end: at('2026-03-04T13:00:00-05:00'),
    })
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByText('Undone').waitFor()
    const { start, end } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect({ start, end }).toEqual({ start: before.start, end: before.end })
  })

  test('an event is resized by dragging its end', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await dragEnd(page, eventNamed(page, 'Lunch'), '2026-03-02', '11:00')
    await toasts(page).getByText('Resized “Lunch”').waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.end).toEqual(at('2026-03-02T11:00:00-05:00'))
  })

  test.each([
    { scope: 'This event', days: [2, 3, 4, 5, 6], hours: ['09', '11', '09', '09', '09'], series: 1 },
    { scope: 'This and following events', days: [2, 3, 4, 5, 6], hours: ['09', '11', '11', '11', '11'], series: 2 },
    { scope: 'All events', days: [2, 3, 4, 5, 6], hours: ['11', '11', '11', '11', '11'], series: 1 },
  ])('a move of an instance asks for its scope: $scope', async ({ scope, days, hours, series }) => {
    const { open, as } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    const second = page.locator('[data-event]').filter({ hasText: 'Standup' }).nth(1)
    await second.waitFor()
    await dragEvent(page, second, '2026-03-03', '11:00')
    await page.getByRole('dialog').getByRole('button', { name: scope, exact: true }).click()
    await toasts(page).getByText('Moved “Standup”').waitFor()

    const single = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body.items
    expect(single.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toEqual(
      days.map((day, index) => `2026-03-0${day}T${hours[index]}:00:00-05:00`),
    )
    const masters = (await as(ALICE).get(EVENTS)).body.items.filter((event: object) => 'recurrence' in event)
    expect(masters).toHaveLength(series)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByText('Undone').waitFor()
    const again = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body.items
    expect(again.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(11, 13))).toEqual(
      days.map(() => '09'),
    )
  })

  test('a cancelled choice of the scope changes nothing', async () => {
    const { open, fake } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    await dragEvent(page, eventNamed(page, 'Standup'), '2026-03-02', '11:00')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => eventNamed(page, 'Standup').innerText()).toContain('9:00 am')
    expect(fake.calls()).toEqual([])
  })

  test('all fields of an event are written with the keyboard', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').waitFor()
    await page.keyboard.type('Review')
    await form.getByLabel('Start').fill('2026-03-04T14:00')
    await form.getByLabel('End', { exact: true }).fill('2026-03-04T14:45')
    await form.getByLabel('Time zone').selectOption('Europe/Berlin')
    await form.getByLabel('Repeat').selectOption('Weekly')
    await form.getByLabel('Location').fill('Room 2')
    await form.getByLabel('Description').fill('Bring <numbers>')
    await form.getByLabel('Guests', { exact: true }).fill(BOB)
    await form.getByLabel('Guests', { exact: true }).press(',')
    await form.getByLabel('Guests', { exact: true }).fill('carol@example.org')
    await form.getByLabel('Guests', { exact: true }).press('Enter')
    await form.getByRole('listitem').filter({ hasText: 'carol' }).getByRole('button', { name: 'Optional' }).click()
    await form.getByLabel("Calendar's reminders").press('Space')
    await form.getByLabel('Reminders', { exact: true }).fill('popup 10, email 60')
    await form.getByLabel('Color').selectOption('Tomato')
    await form.getByLabel('Visibility').selectOption('Private')
    await form.getByLabel('Show as').selectOption('Free')
    await form.getByLabel('Title').press('Enter')
    await toasts(page).getByText('Created “Review”').waitFor()

    const [made] = (await as(ALICE).get(EVENTS)).body.items
    expect(made).toMatchObject({
      ...{ summary: 'Review', location: 'Room 2', description: 'Bring <numbers>', colorId: '11' },
      ...{ visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=WEEKLY'] },
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

  test('an event becomes an all-day event in the form, and back', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    const save = async (allDay: boolean) => {
      await eventNamed(page, 'Lunch').click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit “Lunch”' })
      await form.getByLabel('All day').setChecked(allDay)
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'detached' })
      return (await as(ALICE).get(`${EVENTS}/lunch`)).body
    }

    expect(await save(true)).toMatchObject({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
    expect(await save(false)).toMatchObject({ start: { dateTime: '2026-03-02T09:00:00-05:00' }, location: 'Room 1' })
  })

  test('errors are shown at their field before anything is sent', async () => {
    const { open, fake } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Start').fill('2026-03-02T14:00')
    await expect
      .poll(() => form.getByLabel('End', { exact: true }).inputValue(), { message: 'the end moves with the start' })
      .toBe('2026-03-02T15:00')
    await form.getByLabel('End', { exact: true }).fill('2026-03-02T13:00')
    await form.getByLabel('Guests', { exact: true }).fill('nobody')
    await form.getByLabel("Calendar's reminders").uncheck()
    await form.getByLabel('Reminders', { exact: true }).fill('10 minutes')
    await form.getByRole('button', { name: 'Save' }).click()

    const problem = (label: string) =>
      form
        .getByLabel(label, { exact: true })
        .evaluate(({ validity }: HTMLInputElement) =>
          (['rangeUnderflow', 'typeMismatch', 'patternMismatch'] as const).filter((name) => validity[name]),
        )
    await expect.poll(() => problem('End')).toEqual(['rangeUnderflow'])
    await expect.poll(() => problem('Guests')).toEqual(['typeMismatch'])
    await expect.poll(() => problem('Reminders')).toEqual(['patternMismatch'])
    expect(fake.calls()).toEqual([])
    await form.getByLabel('End', { exact: true }).fill('2026-03-02T16:00')
    await expect.poll(() => problem('End')).toEqual([])
  })

  test('an error of the service is shown with its message, and the form stays', async () => {
    const { open } = await inspected()
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await ready(page)
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel("Calendar's reminders").uncheck()
    const tooMany = 'popup 1, popup 2, popup 3, popup 4, popup 5, popup 6'
    await form.getByLabel('Reminders', { exact: true }).fill(tooMany)
    await form.getByRole('button', { name: 'Save' }).click()

    await form.getByRole('alert').getByText(/400/).waitFor()
    await expect.poll(() => form.getByLabel('Reminders', { exact: true }).inputValue()).toBe(tooMany)
  })

  /** Opens the form of lunch, with another location that is not saved. */
  async function openFilledForm() {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Lunch”' })
    await form.getByLabel('Location').fill('Room 2')
    return { page, form, as }
  }

  test('the form writes the changed fields alone, and keeps later changes of others', async () => {
    const { page, form, as } = await openFilledForm()
    const changed = { summary: 'Brunch', location: 'Room 3' }
    expect((await as(ALICE).patch(`${EVENTS}/lunch`, changed)).status).toBe(200)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save anyway' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({ summary: 'Brunch', location: 'Room 2' })
  })

  test('a form of an event that was changed since stays filled, and can be reloaded', async () => {
    const { page, form, as } = await openFilledForm()
    const changed = await as(ALICE).patch(`${EVENTS}/lunch`, { summary: 'Brunch', location: 'Room 3' })
    expect(changed.status).toBe(200)
    await form.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'The event has changed since you opened it' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => form.getByLabel('Location').inputValue()).toBe('Room 2')
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toEqual(changed.body)

    await form.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Reload' }).click()
    const current = page.getByRole('dialog', { name: 'Edit “Brunch”' })
    await expect.poll(() => current.getByLabel('Location').inputValue()).toBe('Room 3')
    await current.getByLabel('Location').fill('Room 4')
    await current.getByRole('button', { name: 'Save' }).click()
    await current.waitFor({ state: 'detached' })
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({ summary: 'Brunch', location: 'Room 4' })
  })

  test('a form of an event that was deleted since stays filled', async () => {
    const { form, as } = await openFilledForm()
    expect((await as(ALICE).delete(`${EVENTS}/lunch`)).status).toBe(204)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('The event was deleted since you opened it.').waitFor()
    await expect.poll(() => form.getByLabel('Location').inputValue()).toBe('Room 2')
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.status).toBe('cancelled')
  })

  test.each(['This event', 'This and following events', 'All events'])(
    'a change of another instance meanwhile is a conflict of a series: %s',
    async (scope) => {
      const { open, as } = await inspected({ seed: SERIES })
      const page = await open('calendar', { ...DAY, expectsErrors: true })
      await page.locator(dayEvents('03')).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit “Standup”' })
      await form.getByLabel('Title').fill('Daily')
      expect((await as(ALICE).patch(`${EVENTS}/standup_20260305T140000Z`, { summary: 'Retro' })).status).toBe(200)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').getByRole('button', { name: scope, exact: true }).click()
      const question = page.getByRole('dialog', { name: 'The event has changed since you opened it' })
      await question.waitFor()
      expect(await listStarts(as)).toEqual(['02T09:00', '03T09:00', '04T09:00', '05T09:00 Retro', '06T09:00'])

      await question.getByRole('button', { name: 'Save anyway' }).click()
      await page.getByRole('dialog').getByRole('button', { name: scope, exact: true }).click()
      await form.waitFor({ state: 'detached' })
      await expect.poll(async () => (await listStarts(as)).includes('03T09:00 Daily')).toBe(true)
      expect(await listStarts(as)).toContain('05T09:00 Retro')
    },
  )

  test.each(['a move', 'a resize'])('%s of an event that was changed since is refused', async (kind) => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await eventNamed(page, 'Lunch').waitFor()
    // The calendar shows the former times until these reads end.
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/events\?timeMin/, (read) => released.then(() => read.continue()))
    const times = hour('2026-03-03', 11)
    const changed = await as(ALICE).patch(`${EVENTS}/lunch`, times)
    expect(changed.status).toBe(200)
    if (kind === 'a move') await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    else await dragEnd(page, eventNamed(page, 'Lunch'), '2026-03-02', '11:00')
    await toasts(page).getByRole('alert').getByText('The event was changed since it was loaded.').waitFor()
    release()
    await page.locator(dayEvents('03')).filter({ hasText: '11:00' }).waitFor()
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toEqual(changed.body)
  })

  test('a split keeps changed instances, the conference and the attachments', async () => {
    const { open, as } = await inspected({ conferences: 'immediate' })
    const alice = as(ALICE)
    const created = await alice.post(`${EVENTS}?conferenceDataVersion=1&supportsAttachments=true`, {
      ...{ id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'], ...hour('2026-03-02', 9) },
      ...{ status: 'tentative', anyoneCanAddSelf: true },
      conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
      attachments: [{ fileUrl: 'https://drive.google.com/open?id=1', title: 'Minutes' }],
    })
    expect(created.status).toBe(200)
    expect((await alice.patch(`${EVENTS}/standup_20260305T140000Z`, { summary: 'Retro' })).status).toBe(200)
    expect((await alice.delete(`${EVENTS}/standup_20260306T140000Z`)).status).toBe(204)
    const page = await open('calendar', DAY)
    await page.locator('[data-event]').filter({ hasText: 'Standup' }).nth(1).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Standup”' })
    await form.getByLabel('Title').fill('Daily')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'This and following events' }).click()

    await toasts(page).getByText('Changed “Daily”').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    const { items } = (await alice.get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    expect(items.map(({ summary }: { summary: string }) => summary)).toEqual(['Standup', 'Daily', 'Daily', 'Retro'])
    const series = (await alice.get(`${EVENTS}/${items[1].recurringEventId}`)).body
    expect(series).toMatchObject({
      ...{ status: 'tentative', anyoneCanAddSelf: true },
      attachments: [{ title: 'Minutes' }],
      conferenceData: { conferenceId: created.body.conferenceData.conferenceId },
    })
  })

  test('a split with a changed instance is undone', async () => {
    const { open, as } = await inspected({ seed: SERIES })
    expect((await as(ALICE).patch(`${EVENTS}/standup_20260306T140000Z`, { summary: 'Retro' })).status).toBe(200)
    const page = await open('calendar', DAY)
    await dragEvent(page, page.locator(dayEvents('04')), '2026-03-04', '09:15')
    await page.getByRole('dialog').getByRole('button', { name: 'This and following events' }).click()
    await toasts(page).getByText('Moved “Standup”').waitFor()
    expect(await listStarts(as)).toEqual(['02T09:00', '03T09:00', '04T09:15', '05T09:15', '06T09:15 Retro'])

    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByText('Undone').waitFor()
    expect(await listStarts(as)).toEqual(['02T09:00', '03T09:00', '04T09:00', '05T09:00', '06T09:00 Retro'])
  })

  test('the first half of a split with a changed instance is split again', async () => {
    const { open, as } = await inspected({ seed: SERIES })
    expect((await as(ALICE).patch(`${EVENTS}/standup_20260306T140000Z`, { summary: 'Retro' })).status).toBe(200)
    const page = await open('calendar', DAY)
    for (const day of ['04', '03']) {
      await dragEvent(page, page.locator(dayEvents(day)), `2026-03-${day}`, '09:15')
      await page.getByRole('dialog').getByRole('button', { name: 'This and following events' }).click()
      await toasts(page).getByText(`Mar 2026, 9:15`).first().waitFor()
      await expect.poll(async () => (await listStarts(as)).includes(`${day}T09:15`)).toBe(true)
    }

    expect(await listStarts(as)).toEqual(['02T09:00', '03T09:15', '04T09:15', '05T09:15', '06T09:15 Retro'])
    expect((await as(ALICE).get(EVENTS)).body.items.filter((event: object) => 'recurrence' in event)).toHaveLength(3)
  })

  test('a move of the following events splits a series into two of the same type', async () => {
    const { open, as } = await inspected({ seed: SERIES_OF_FOCUS_TIME })
    const page = await open('calendar', DAY)
    const second = page.locator('[data-event]').filter({ hasText: 'Standup' }).nth(1)
    await dragEvent(page, second, '2026-03-03', '09:15')
    const scope = page.getByRole('dialog').getByRole('button', { name: 'This and following events' })
    await scope.focus()
    await page.keyboard.press('Enter')
    await toasts(page).getByText('Moved “Standup”').waitFor()

    const { items } = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    expect(items.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(8, 16))).toEqual([
      ...['02T09:00', '03T09:15', '04T09:15', '05T09:15', '06T09:15'],
    ])
    for (const { eventType, focusTimeProperties } of items)
      expect({ eventType, focusTimeProperties }).toMatchObject({
        eventType: 'focusTime',
        focusTimeProperties: { chatStatus: 'doNotDisturb' },
      })
  })

  test.each([
    {
      fact: 'a rule that ended before the split keeps its UNTIL',
      recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260304T140000Z', 'RDATE:20260306T140000Z'],
      moved: '06',
      scope: 'This and following events',
      starts: ['02T09:00', '03T09:00', '04T09:00', '06T09:15'],
    },
    {
      fact: 'UNTIL moves with the instances after the split',
      recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260306T140000Z'],
      moved: '05',
      scope: 'This and following events',
      starts: ['02T09:00', '03T09:00', '04T09:00', '05T09:15', '06T09:15'],
    },
    {
      fact: 'COUNT of an EXRULE is not counted again after the split',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=10', 'EXRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=1'],
      moved: '05',
      scope: 'This and following events',
      starts: [
        '02T09:00',
        '03T09:00',
        '05T09:15',
        '06T09:15',
        '07T09:15',
        '08T09:15',
        '09T09:15',
        '10T09:15',
        '11T09:15',
      ],
    },
    {
      fact: 'an EXRULE excludes the same days after the split',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=8', 'EXRULE:FREQ=DAILY;INTERVAL=2'],
      moved: '05',
      scope: 'This and following events',
      starts: ['03T09:00', '05T09:15', '07T09:15', '09T09:15'],
    },
    {
      fact: 'an EXDATE moves with the instances after the split',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260305T140000Z'],
      moved: '03',
      scope: 'This and following events',
      starts: ['02T09:00', '03T09:15', '04T09:15', '06T09:15'],
    },
    {
      fact: 'UNTIL and EXDATE move with all instances',
      recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260306T140000Z', 'EXDATE:20260305T140000Z'],
      moved: '03',
      scope: 'All events',
      starts: ['02T09:15', '03T09:15', '04T09:15', '06T09:15'],
    },
  ])('$fact', async ({ recurrence, moved, scope, starts }) => {
    const { open, as } = await inspected({
      seed: one({ id: 'standup', summary: 'Standup', recurrence, ...hour('2026-03-02', 9) }),
    })
    const page = await open('calendar', DAY)
    const instance = page.locator(`.fc-timegrid-col[data-date="2026-03-${moved}"] [data-event]`)
    await dragEvent(page, instance, `2026-03-${moved}`, '09:15')
    await page.getByRole('dialog').getByRole('button', { name: scope, exact: true }).click()
    await toasts(page).getByText('Moved “Standup”').waitFor()

    const { items } = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    expect(items.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(8, 16))).toEqual(starts)
  })

  test('an event is created, opened and edited with the keyboard alone', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await tabTo(page, page.getByRole('button', { name: 'New event' }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.waitFor()
    await page.keyboard.type('Review')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })

    const event = eventNamed(page, 'Review')
    await tabTo(page, event)
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: 'Review', exact: true })
    await tabTo(page, details.getByRole('button', { name: 'Edit' }))
    await page.keyboard.press('Enter')
    const edit = page.getByRole('dialog', { name: 'Edit “Review”' })
    await edit.waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' of plans')
    await page.keyboard.press('Enter')
    await edit.waitFor({ state: 'detached' })

    // The focus is on the event again.
    const edited = eventNamed(page, 'Review of plans')
    await expect.poll(() => edited.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await as(ALICE).get(EVENTS)).body.items).toMatchObject([{ summary: 'Review of plans' }])
  })

  test('an instance is edited with the keyboard alone, which splits its series', async () => {
    const { open, as } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    await tabTo(page, page.locator('[data-event]').filter({ hasText: 'Standup' }).nth(1))
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: 'Standup', exact: true })
    await tabTo(page, details.getByRole('button', { name: 'Edit' }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit “Standup”' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Daily')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'This and following events' }))
    await page.keyboard.press('Enter')

    await toasts(page).getByText('Changed “Daily”').waitFor()
    const { items } = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    expect(items.map(({ summary }: { summary: string }) => summary)).toEqual([
      ...['Standup', 'Daily', 'Daily', 'Daily', 'Daily'],
    ])
  })

  test('a guest who drags a meeting is told that only the own copy moves, before it is written', async () => {
    const { open, as, fake } = await inspected({
      seed: one({ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) }),
    })
    const page = await open('calendar', { route: { ...DAY.route, account: BOB } })
    const zone = page.getByLabel('Time zone')
    await zone.selectOption('utc')
    const question = page.getByRole('dialog', { name: 'Move only your copy of “Lunch”?' })
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await question.getByText(ALICE).waitFor()
    await question.getByText('No mail is sent.').waitFor()
    expect(fake.calls()).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('.fc-timegrid-col[data-date="2026-03-02"] [data-event]').count()).toBe(1)
    expect(fake.calls()).toEqual([])

    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await question.getByRole('button', { name: 'Move my copy' }).click()
    await toasts(page).getByText('Moved “Lunch”').waitFor()
    expect((await as(BOB).get(`${EVENTS}/lunch`)).body.start).toEqual(at('2026-03-04T13:00:00+01:00'))
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.start).toEqual(at('2026-03-02T09:00:00-05:00'))
    expect(fake.mail()).toEqual([])
  })

  test('a new event proposes the next full hour of today', async () => {
    const { open } = await inspected({ now: '2026-03-02T15:20:00Z' })
    const page = await open('calendar')
    await ready(page)
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })

    await expect.poll(() => form.getByLabel('Start').inputValue()).toBe('2026-03-02T11:00')
    await expect.poll(() => form.getByLabel('End', { exact: true }).inputValue()).toBe('2026-03-02T12:00')
  })

  test('a custom repeat is a form of frequency, interval, weekdays and end', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Sprint')
    await form.getByLabel('Repeat').selectOption('Custom')
    await form.getByLabel('Interval').fill('2')
    await form.getByLabel('Tuesday').check()
    await form.getByLabel('Thursday').check()
    await form.getByLabel('Ends').selectOption('On a date')
    await form.getByLabel('Last day').fill('2026-03-19')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    const [made] = (await as(ALICE).get(EVENTS)).body.items
    expect(made.recurrence).toEqual(['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20260320T035959Z'])
    const { items } = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    expect(items.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(5, 10))).toEqual([
      ...['03-03', '03-05', '03-17', '03-19'],
    ])
  })

  test('the interval of a custom repeat is retyped, and Start is cleared meanwhile', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await dragHours(page, '2026-03-03', '09:00', '11:00')
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Sprint')
    await form.getByLabel('Repeat').selectOption('Custom')
    const interval = form.getByLabel('Interval')
    await interval.press('Backspace')
    await expect.poll(() => interval.inputValue()).toBe('')
    await interval.press('3')
    await expect.poll(() => interval.inputValue()).toBe('3')
    await form.getByLabel('Start').fill('')
    await form.getByLabel('Ends').selectOption('On a date')
    await form.getByLabel('Start').fill('2026-03-04T09:00')
    await form.getByLabel('End', { exact: true }).fill('2026-03-04T11:00')
    await form.getByLabel('Ends').selectOption('After some events')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    const [made] = (await as(ALICE).get(EVENTS)).body.items
    expect(made).toMatchObject({
      recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=3;COUNT=10'],
      start: at('2026-03-04T09:00:00-05:00'),
    })
  })

  test('an instance changes the repeat of its series', async () => {
    const { open, as } = await inspected({ seed: SERIES })
    const page = await open('calendar', DAY)
    await page.locator('[data-event]').filter({ hasText: 'Standup' }).nth(2).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Standup”' })
    await expect.poll(() => form.getByLabel('Events').inputValue()).toBe('5')
    await form.getByLabel('Frequency').selectOption('Weekly')
    await form.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'Change “Standup”: which events of the series?' })
    await question.getByRole('button', { name: 'This and following events' }).waitFor()
    await expect.poll(() => question.getByRole('button', { name: 'This event' }).count()).toBe(0)
    await question.getByRole('button', { name: 'All events' }).click()
    await toasts(page).getByText('Changed “Standup”').waitFor()

    const { recurrence } = (await as(ALICE).get(`${EVENTS}/standup`)).body
    expect(recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=5'])
  })

  test('a guest responds with the keyboard alone', async () => {
    const { open, as } = await inspected({
      seed: one({ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) }),
    })
    const page = await open('calendar', { route: { ...DAY.route, account: BOB } })
    await tabTo(page, eventNamed(page, 'Lunch'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'No', exact: true }))
    await page.keyboard.press('Space')
    await toasts(page).getByText('Responded No to “Lunch”').waitFor()

    const { attendees } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect(attendees).toContainEqual({ email: BOB, responseStatus: 'declined' })
  })

  test('a guest responds to an invitation, and the organizer sees it', async () => {
    const { open, as } = await inspected({
      seed: one({ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 9) }),
    })
    const page = await open('calendar', { route: { ...DAY.route, account: BOB } })
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Maybe' }).click()
    await toasts(page).getByText('Responded Maybe to “Lunch”').waitFor()

    const { attendees } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect(attendees).toContainEqual({ email: BOB, responseStatus: 'tentative' })
  })

  test('a response to all events keeps the guests of the series and of a changed instance', async () => {
    const series = {
      id: 'meeting',
      summary: 'Team',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
      ...hour('2026-03-02', 9),
    }
    const changed = {
      recurringEventId: 'meeting',
      originalStartTime: hour('2026-03-03', 9).start,
      summary: 'Team, changed',
    }
    const { open, as } = await inspected({
      seed: {
        ...PEOPLE,
        calendars: [
          {
            id: ALICE,
            events: [
              { ...series, attendees: [{ email: ALICE, responseStatus: 'accepted' }, { email: BOB }] },
              { ...changed, attendees: [{ email: ALICE, responseStatus: 'accepted' }, { email: CAROL }] },
            ],
          },
        ],
      },
    })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Team, changed').click()
    await page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Maybe' }).click()
    await page.getByRole('button', { name: 'All events' }).click()
    await toasts(page).getByText('Responded Maybe to “Team, changed”').waitFor()

    const { items } = (await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    const guests = items.map(({ attendees }: { attendees: { email: string; responseStatus: string }[] }) =>
      attendees.map(({ email, responseStatus }) => `${email} ${responseStatus}`).sort(),
    )
    const [tentative, bob, carol] = [`${ALICE} tentative`, `${BOB} needsAction`, `${CAROL} needsAction`]
    expect(guests).toEqual([
      [tentative, bob],
      [tentative, carol],
      [tentative, bob],
      [tentative, bob],
    ])
  })

  test('a response to all events writes no cancelled instance, and none that has it', async () => {
    const attendees = [{ email: ALICE, responseStatus: 'accepted' }, { email: BOB }]
    const { open, as, fake } = await inspected({
      seed: one({
        ...{ id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'], attendees },
        ...hour('2026-03-02', 9),
      }),
    })
    const alice = as(ALICE)
    expect((await alice.delete(`${EVENTS}/standup_20260303T140000Z`)).status).toBe(204)
    const tentative = [{ email: ALICE, responseStatus: 'tentative' }, { email: BOB }]
    const changes = { '04': { attendees: tentative }, '05': { summary: 'Retro' } }
    for (const [day, change] of Object.entries(changes))
      expect((await alice.patch(`${EVENTS}/standup_202603${day}T140000Z`, change)).status).toBe(200)
    const known = fake.calls().length
    const page = await open('calendar', DAY)
    await page.locator(dayEvents('02')).click()
    await page.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Maybe' }).click()
    await page.getByRole('button', { name: 'All events' }).click()
    await toasts(page).getByText('Responded Maybe').waitFor()

    expect(
      fake
        .calls()
        .slice(known)
        .filter(({ method }) => method === 'events.patch')
        .map(({ path }) => path.split('/').at(-1)?.split('?')[0]),
    ).toEqual(['standup', 'standup_20260305T140000Z'])
  })

  test.each([
    { write: 'a move', change: { summary: 'Brunch' } },
    { write: 'a deletion', change: { status: 'confirmed', summary: 'Brunch', ...hour('2026-03-03', 9) } },
    { write: 'a new calendar', change: { location: 'Room 2' } },
  ])('undo of $write does not overwrite a later change', async ({ write, change }) => {
    const { open, as, fake } = await inspected({ seed: LUNCH })
    const team = (await as(ALICE).post('/calendars', { summary: 'Team' })).body.id
    const page = await open('calendar', DAY)
    if (write === 'a move') await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    else await eventNamed(page, 'Lunch').click()
    if (write === 'a deletion') await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    if (write === 'a new calendar') {
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit “Lunch”' })
      await form.getByLabel('Title').fill('Team lunch')
      await form.getByLabel('Calendar', { exact: true }).selectOption('Team')
      await form.getByRole('button', { name: 'Save' }).click()
    }
    await toasts(page).getByRole('button', { name: 'Undo' }).waitFor()
    const path = `/calendars/${write === 'a new calendar' ? team : 'primary'}/events/lunch`
    const changed = await as(ALICE).patch(path, change)
    expect(changed.status).toBe(200)
    const known = fake.calls().length
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByRole('alert').getByText('Not undone, because the event was changed since.').waitFor()

    expect(fake.calls()).toHaveLength(known)
    expect((await as(ALICE).get(path)).body).toEqual(changed.body)
  })

  test('a change of the title and the calendar is undone', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const team = (await as(ALICE).post('/calendars', { summary: 'Team' })).body.id
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Lunch”' })
    await form.getByLabel('Title').fill('Team lunch')
    await form.getByLabel('Calendar', { exact: true }).selectOption('Team')
    await form.getByRole('button', { name: 'Save' }).click()
    await toasts(page).getByText('Changed “Team lunch”').waitFor()
    expect((await as(ALICE).get(`/calendars/${team}/events/lunch`)).body.summary).toBe('Team lunch')

    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByText('Undone').waitFor()
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({ status: 'confirmed', summary: 'Lunch' })
  })

  test('undo does not overwrite a change that is made while it reads the event', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await toasts(page).getByText('Moved “Lunch”').waitFor()
    await page.route(/\/events\/lunch$/, async (request) => {
      if (request.request().method() === 'PATCH') await as(ALICE).patch(`${EVENTS}/lunch`, { summary: 'Brunch' })
      await request.continue()
    })
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByRole('alert').getByText('Not undone, because the event was changed since.').waitFor()

    const { summary, start } = (await as(ALICE).get(`${EVENTS}/lunch`)).body
    expect({ summary, start }).toEqual({ summary: 'Brunch', start: at('2026-03-04T12:00:00-05:00') })
  })

  test('an undo that failed can be repeated', async () => {
    const { open, as, fake } = await inspected({ seed: LUNCH })
    const page = await open('calendar', { ...DAY, expectsErrors: true })
    await dragEvent(page, eventNamed(page, 'Lunch'), '2026-03-04', '12:00')
    await toasts(page).getByText('Moved “Lunch”').waitFor()
    fake.faults.add({ on: 'events.patch', do: { fail: 'backendError503' } })
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page).getByRole('alert').getByText(/503/).waitFor()
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await toasts(page)
      .getByText(/^Undone/)
      .waitFor()

    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.start).toEqual(at('2026-03-02T09:00:00-05:00'))
  })

  test('an event is deleted, and undone', async () => {
    const { open, as } = await inspected({ seed: LUNCH })
    const page = await open('calendar', DAY)
    await eventNamed(page, 'Lunch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await toasts(page).getByText('Deleted “Lunch”').waitFor()
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])

    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await eventNamed(page, 'Lunch').waitFor()
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body).toMatchObject({ status: 'confirmed', location: 'Room 1' })
  })

  test.skipIf(lacks('curl'))('every write shows its request, as a command that makes it again', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', DAY)
    await ready(page)
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill("Alice's")
    await form.getByRole('button', { name: 'Save' }).click()
    await toasts(page).getByText('Request: events.insert').click()
    const [curl = ''] = await toasts(page).locator('pre').allTextContents()

    expect((await run(['-c', curl], { command: 'sh' })).code).toBe(0)
    const { items } = (await as(ALICE).get(EVENTS)).body
    expect(items.map(({ summary }: { summary: string }) => summary)).toEqual(["Alice's", "Alice's"])
  })
})
