import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, BOB, CAROL, hour, PEOPLE } from '../support/calendar.ts'
import { lacks } from '../support/programs.ts'
import { inBrowser } from './browser.ts'
import { eventNamed } from './grid.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-02', 9), attendees: [{ email: BOB }] }
const FILE = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:one@example.com'],
  ...['DTSTAMP:20260301T000000Z', 'DTSTART:20260302T150000Z', 'DTEND:20260302T160000Z', 'SUMMARY:Imported'],
  ...['END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

describe.skipIf(lacks('chromium'))('mail, files and the form in Chromium', () => {
  const { inspected } = inBrowser()

  test('an invitation is answered as its recipient, and links to the event', async () => {
    const { open, as } = await inspected()
    const made = await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)
    const page = await open('mail', { route: { item: '1', account: ALICE, date: '2026-03-02' } })
    const mail = page.getByRole('article', { name: 'Invitation: Lunch' })
    await mail.getByRole('group', { name: 'Going?' }).getByRole('button', { name: 'Yes' }).click()
    await page.getByText(`Responded Yes to “Lunch” as ${BOB}`).waitFor()
    const { attendees } = (await as(ALICE).get(`${EVENTS}/${made.body.id}`)).body
    expect(attendees).toContainEqual({ email: BOB, responseStatus: 'accepted' })
    // A mail has the state of its time.
    const moved = { ...hour('2026-03-04', 15), location: 'Elsewhere', summary: 'Dinner' }
    expect((await as(ALICE).patch(`${EVENTS}/${made.body.id}`, moved)).status).toBe(200)
    await expect.poll(() => mail.locator('dd').allTextContents()).toContain('Mon 2 Mar 2026, 9:00–10:00 am GMT-5')
    await mail.locator('summary', { hasText: 'invite.ics' }).click()
    await expect.poll(() => mail.locator('[data-snippet="invite.ics"]').innerText()).toContain('SUMMARY:Lunch')
    await mail.locator('summary', { hasText: 'Source' }).click()
    await expect
      .poll(() => mail.locator('[data-snippet=Source]').innerText())
      .toContain('Content-Type: multipart/mixed')
    expect(await mail.locator('button.primary').count()).toBe(0)

    await mail.getByRole('button', { name: 'Open the event' }).click()
    await page.getByRole('dialog', { name: 'Dinner' }).waitFor()
    await expect.poll(() => page.locator('#account').inputValue()).toBe(BOB)
  })

  test('mail to somebody without an account shows the event on the calendar of its sender, and is answered from the page', async () => {
    const { open, as } = await inspected()
    const guests = [{ email: 'client@example.net', displayName: 'A client' }, { email: BOB }]
    const event = { ...LUNCH, attendees: guests, location: 'Pier 4', description: 'Bring the plan' }
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, event)).status).toBe(200)
    const page = await open('mail', { route: { date: '2026-03-02' } })
    await page.getByLabel('Recipient').selectOption('client@example.net')
    await page.getByRole('button', { name: 'Invitation: Lunch' }).click()
    const mail = page.getByRole('article', { name: 'Invitation: Lunch' })
    for (const text of ['Mon 2 Mar 2026', 'Pier 4', `A client, ${BOB}`, 'Bring the plan'])
      await mail.locator('dd').getByText(text).waitFor()
    await page.getByText('1 unread').waitFor()
    await mail.getByRole('button', { name: 'Yes', exact: true, pressed: false }).click()
    await mail.getByRole('button', { name: 'Yes', exact: true, pressed: true }).waitFor()
    const [stored] = (await as(ALICE).get(EVENTS)).body.items
    expect(stored.attendees).toMatchObject([
      { email: 'client@example.net', responseStatus: 'accepted' },
      { email: BOB },
    ])

    await mail.getByRole('button', { name: 'Open the event' }).click()
    await page.getByRole('dialog', { name: 'Lunch' }).waitFor()
    await expect.poll(() => page.locator('#account').inputValue()).toBe(ALICE)
  })

  test('the list is shown if the mail in the address does not exist', async () => {
    const { open, as } = await inspected()
    expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)).status).toBe(200)
    const page = await open('mail', { route: { item: '99' }, viewport: { width: 400, height: 800 } })

    await page.getByRole('button', { name: 'Invitation: Lunch' }).waitFor()
  })

  test('an .ics file is imported, and a calendar is exported', async () => {
    const { open, as } = await inspected()
    const page = await open('calendar', {
      route: { date: '2026-03-02', view: 'week' },
      viewport: { width: 1300, height: 900 },
    })
    await page.getByLabel('Import an .ics file').setInputFiles({
      ...{ name: 'one.ics', mimeType: 'text/calendar', buffer: Buffer.from(FILE) },
    })
    await page.getByText('Imported 1 event').waitFor()
    await eventNamed(page, 'Imported').waitFor()
    expect((await as(ALICE).get(EVENTS)).body).toMatchObject({ summary: ALICE, items: [{ summary: 'Imported' }] })

    const saved = page.waitForEvent('download')
    await page
      .getByRole('button', { name: /^Export / })
      .first()
      .click()
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('SUMMARY:Imported')
  })

  test('Escape in a form with edits asks first, and guests are completed from the accounts', async () => {
    const { open } = await inspected({
      seed: { ...PEOPLE, accounts: [{ email: ALICE }, { email: BOB, displayName: 'Bob Birch' }] } as Seed,
    })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await page.locator('main [aria-busy=false] .fc-timegrid-col').first().waitFor()
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await expect.poll(() => form.locator('#accounts option').allTextContents()).toContain('Bob Birch')
    const guests = form.getByLabel('Guests', { exact: true })
    await expect.poll(() => guests.getAttribute('list')).toBe('accounts')
    const title = form.getByLabel('Title')
    await title.fill('Lunch')

    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => title.inputValue()).toBe('Lunch')
    await page.keyboard.press('Escape')
    await question.waitFor()
    // A browser can close the form below the question too.
    await form.evaluate((dialog: HTMLDialogElement) => dialog.close())
    await question.getByRole('button', { name: 'Keep editing' }).click({ timeout: 5000 })
    // Browsers close a dialog without an event that can be prevented after several Escapes in a row.
    for (let count = 0; count < 8; count++) await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog:not([open])').count()).toBe(0)
    await expect.poll(() => title.inputValue()).toBe('Lunch')
    if ((await question.count()) === 0) await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('guests and rooms are chips with their answers, and the form shows who is busy at its times', async () => {
    const ROOM = 'c_pier@resource.calendar.google.com'
    const lunch = {
      ...{ id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 9) },
      attendees: [
        { email: BOB, responseStatus: 'accepted' },
        { email: CAROL, optional: true },
        { email: ROOM, resource: true },
      ],
    }
    const { open, as } = await inspected({
      seed: {
        accounts: [{ email: ALICE }, { email: BOB, displayName: 'Bob Birch' }, { email: CAROL }],
        calendars: [
          {
            id: ROOM,
            owner: ALICE,
            summary: 'Pier room',
            autoAcceptInvitations: true,
            acl: [{ role: 'freeBusyReader', scope: { type: 'default' } }],
          },
          { id: ALICE, events: [lunch] },
          {
            id: BOB,
            acl: [{ role: 'freeBusyReader', scope: { type: 'default' } }],
            events: [{ summary: 'Taken', ...hour('2026-03-03', 9) }],
          },
        ],
      } as Seed,
    })
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' } })
    await eventNamed(page, 'Lunch').click()
    const details = page.getByRole('dialog', { name: 'Lunch' })
    const chips = details.getByRole('listitem')
    await expect
      .poll(() => chips.allTextContents())
      .toEqual(['Bob BirchYes', `${CAROL}no answer yet, optional`, 'Pier roomYes'])
    await details.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Lunch”' })
    const chip = (text: string) => form.getByRole('listitem').filter({ hasText: text })
    // The event itself is the one that makes Bob busy.
    await chip('Bob Birch').getByText('free', { exact: true }).waitFor()
    await chip(CAROL).getByText('not shared').waitFor()
    await form.getByLabel('Start').fill('2026-03-03T09:30')
    await chip('Bob Birch').getByText('busy', { exact: true }).waitFor()
    await chip('Pier room').getByText('free', { exact: true }).waitFor()

    await chip('Bob Birch').getByRole('button', { name: 'Optional' }).click()
    await form.getByRole('button', { name: `Remove ${CAROL}` }).click()
    await form.getByLabel('Guests', { exact: true }).fill('client@elsewhere.example')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await as(ALICE).get(`${EVENTS}/lunch`)).body.attendees).toMatchObject([
      { email: BOB, optional: true },
      { email: ROOM, resource: true, responseStatus: 'accepted' },
      { email: 'client@elsewhere.example', responseStatus: 'needsAction' },
    ])
  })

  test('mail about a shared calendar of an account names its owner', async () => {
    const { open, as } = await inspected({
      seed: { accounts: [{ email: ALICE, displayName: 'Alice Ash' }, { email: BOB }] } as Seed,
    })
    const rule = { role: 'reader', scope: { type: 'user', value: BOB } }
    expect((await as(ALICE).post('/calendars/primary/acl', rule)).status).toBe(200)
    const page = await open('mail')

    await page.getByRole('button', { name: 'Shared calendar: Alice Ash' }).waitFor()
    const invited = await as(BOB).post(`${EVENTS}?sendUpdates=all`, { ...LUNCH, attendees: [{ email: ALICE }] })
    expect(invited.status).toBe(200)
    await page.getByRole('button', { name: 'Invitation: Lunch' }).click()
    await page.locator('dd').getByText('Alice Ash', { exact: true }).waitFor()
  })

  test('a request whose response was lost says whether it was carried out, and links to the event', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'events.insert', do: { answerLost: true } })
    await as(ALICE)
      .post(EVENTS, { summary: 'Lost', ...hour('2026-03-02', 9) })
      .catch(() => undefined)
    const page = await open('requests', { route: { item: '1' } })
    await page.getByText('the request was carried out').waitFor()
    await page.getByRole('button', { name: /^Open the event on/ }).click()

    await page.getByRole('dialog', { name: 'Lost' }).waitFor()
  })

  test('an event of the page whose response was lost exists once, though browsers send its request again', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' }, expectsErrors: true })
    await page.locator('main [aria-busy=false] .fc-timegrid-col').first().waitFor()
    fake.faults.add({ on: 'events.insert', do: { answerLost: true } })
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Lost')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await eventNamed(page, 'Lost').waitFor()

    expect((await as(ALICE).get(EVENTS)).body.items).toMatchObject([{ summary: 'Lost' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('a fault with the reason duplicate is shown as an error of the service', async () => {
    const { open, as, fake } = await inspected()
    const page = await open('calendar', { route: { date: '2026-03-02', view: 'week' }, expectsErrors: true })
    await page.locator('main [aria-busy=false] .fc-timegrid-col').first().waitFor()
    fake.faults.add({ on: 'events.insert', do: { fail: 'duplicate' } })
    await page.getByRole('button', { name: 'New event' }).click()
    const form = page.getByRole('dialog', { name: 'New event' })
    await form.getByLabel('Title').fill('Refused')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText(/409/).waitFor()

    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  })

  test('the search lists the best match first', async () => {
    const { open, as } = await inspected()
    for (const summary of ['About mail', 'Mail day'])
      expect((await as(ALICE).post(EVENTS, { summary, ...hour('2026-03-02', 9) })).status).toBe(200)
    const page = await open('faults')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('mail')

    await expect
      .poll(async () =>
        (await page.getByRole('listbox').getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]),
      )
      .toEqual(['Mail', 'Mail day', 'About mail'])
  })

  test('the search lists recent events before old ones, with their whole titles', async () => {
    const { open, as } = await inspected()
    const summary = `Review of ${'a long title '.repeat(12)}`.trim()
    for (const day of ['2026-01-05', '2026-03-02', '2026-02-03'])
      expect((await as(ALICE).post(EVENTS, { summary, ...hour(day, 9) })).status).toBe(200)
    const page = await open('faults')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').last().fill('review')
    const options = page.getByRole('listbox').getByRole('option')

    await expect
      .poll(async () => (await options.allInnerTexts()).map((text) => /\d+ \w+ 2026/.exec(text)?.[0]))
      .toEqual(['2 Mar 2026', '3 Feb 2026', '5 Jan 2026'])
    const isCut = (one: Element) =>
      one.scrollWidth > one.clientWidth || getComputedStyle(one).textOverflow === 'ellipsis'
    await expect.poll(() => options.first().getByText(summary).evaluate(isCut)).toBe(false)
  })
})
