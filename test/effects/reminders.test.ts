import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, CAROL, hour, openCalendar } from '../support/calendar.ts'
import { newCalendar, share } from '../support/sharing.ts'

const popup = (minutes: number) => ({ useDefault: false, overrides: [{ method: 'popup', minutes }] })

/** A calendar of alice's that bob writes to and the public reads, with an event of hers. */
async function shared() {
  const calendar = openCalendar()
  const { as } = calendar
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'writer')
  await as(ALICE).post(`/calendars/${id}/acl`, { role: 'reader', scope: { type: 'default' } })
  const events = `/calendars/${id}/events`
  const event = (await as(ALICE).post(events, { ...hour('2026-03-02', 9), reminders: popup(77) })).body
  return { ...calendar, id, events, event, one: `${events}/${event.id}` }
}

test('7.12 readers of an event have their own reminders, by default those of their calendar list', async () => {
  const { as, events, one } = await shared()

  for (const account of [BOB, CAROL]) {
    expect((await as(account).get(one)).body.reminders).toEqual({ useDefault: true })
    expect((await as(account).get(events)).body.items[0].reminders).toEqual({ useDefault: true })
  }
  expect((await as(ALICE).get(one)).body.reminders).toEqual(popup(77))
})

test.each(['patch', 'put'] as const)(
  '7.12 a writer’s %s of reminders changes only their own, and changes only the etag',
  async (verb) => {
    const { as, events, event, one } = await shared()
    const { nextSyncToken } = (await as(BOB).get(events)).body

    const { body } = await as(BOB)[verb](one, { ...hour('2026-03-02', 9), reminders: popup(5) })

    expect(body.reminders).toEqual(popup(5))
    expect(body.updated).toBe(event.updated)
    expect(body.etag > event.etag).toBe(true)
    expect((await as(BOB).get(one)).body.reminders).toEqual(popup(5))
    expect((await as(BOB).get(`${events}?syncToken=${nextSyncToken}`)).body.items).toMatchObject([
      { reminders: popup(5) },
    ])
    expect((await as(ALICE).get(one)).body).toMatchObject({ reminders: popup(77), etag: body.etag })
    expect((await as(CAROL).get(one)).body.reminders).toEqual({ useDefault: true })
  },
)

test('7.12, 14.9 a second write of the same reminders changes nothing', async () => {
  const { as, one } = await shared()
  const { body } = await as(BOB).patch(one, { reminders: popup(5) })

  expect((await as(BOB).patch(one, { reminders: popup(5) })).body.etag).toBe(body.etag)
  expect((await as(BOB).patch(one, {})).body).toEqual(body)
})

test('7.12 an event that a writer creates has the writer’s reminders, and defaults for its owner', async () => {
  const { as, id } = await shared()
  await share(as(ALICE), 'primary', BOB, 'writer')
  for (const calendar of [ALICE, id]) {
    const events = `/calendars/${calendar}/events`
    const { body } = await as(BOB).post(events, { ...hour('2026-03-02', 9), reminders: popup(5) })

    expect(body.reminders).toEqual(popup(5))
    expect((await as(BOB).get(`${events}/${body.id}`)).body.reminders).toEqual(popup(5))
    expect((await as(ALICE).get(`${events}/${body.id}`)).body.reminders).toEqual({ useDefault: true })
  }
})

test('7.12 reminders of a series apply to its instances, and those of an instance to it alone', async () => {
  const { as, events } = await shared()
  const series = { ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const { id } = (await as(ALICE).post(events, series)).body
  await as(BOB).patch(`${events}/${id}`, { reminders: popup(5) })
  await as(BOB).patch(`${events}/${id}_20260303T140000Z`, { reminders: popup(9) })

  const remindersOf = async (account: string) =>
    (await as(account).get(`${events}/${id}/instances`)).body.items.map(
      ({ reminders }: { reminders: object }) => reminders,
    )
  expect(await remindersOf(BOB)).toEqual([popup(5), popup(9), popup(5)])
  expect(await remindersOf(ALICE)).toEqual(Array(3).fill({ useDefault: true }))
})

test('7.12 a caller without an account gets no reminders', async () => {
  const { anonymous, events, one } = await shared()

  expect((await anonymous.get(`${one}?key=k`)).body).not.toHaveProperty('reminders')
  const { items, defaultReminders } = (await anonymous.get(`${events}?key=k`)).body
  expect(items).toHaveLength(1)
  expect(items[0]).not.toHaveProperty('reminders')
  expect(defaultReminders).toEqual([])
})

test('3.3, 7.12 a list has the default reminders of the caller’s own list entry', async () => {
  const { as, id, events } = await shared()
  const defaultReminders = [{ method: 'popup', minutes: 30 }]
  await as(BOB).post('/users/me/calendarList', { id, defaultReminders })

  expect((await as(BOB).get(events)).body.defaultReminders).toEqual(defaultReminders)
  expect((await as(ALICE).get(events)).body.defaultReminders).toEqual([])
})

test('7.12 an all-day event has no reminders for its readers until they set some', async () => {
  const { as, events } = await shared()
  const { id } = (await as(ALICE).post(events, { ...allDay('2026-03-02', '2026-03-03'), reminders: popup(60) })).body

  expect((await as(BOB).get(`${events}/${id}`)).body.reminders).toEqual({ useDefault: false })
})

test('7.12 an instance that is timed in an all-day series has the reminders of its series', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
  const series = { id: 'series', ...allDay('2026-03-02', '2026-03-03'), recurrence }
  await alice.post('/calendars/primary/events', series)
  const path = '/calendars/primary/events/series_20260303'
  const { start, end } = hour('2026-03-03', 9)
  const timed = await alice.patch(path, { start: { ...start, date: null }, end: { ...end, date: null } })

  expect(timed.body.reminders).toEqual(popup(10))
  await alice.patch('/calendars/primary/events/series', { reminders: popup(7) })
  expect((await alice.get(path)).body.reminders).toEqual(popup(7))
})

test('7.12, 3.2.10 an instance that is all-day in a timed series takes over the default reminders of its calendar', async () => {
  const { as, events } = await shared()
  const alice = as(ALICE)
  const series = { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const { date } = { date: '2026-03-03' }
  const allDayTimes = {
    start: { date, dateTime: null, timeZone: null },
    end: { date: '2026-03-04', dateTime: null, timeZone: null },
  }
  await alice.post('/calendars/primary/events', series)
  const instance = 'series_20260303T140000Z'
  const { body } = await alice.patch(`/calendars/primary/events/${instance}`, allDayTimes)
  expect(body.reminders).toEqual(popup(10))

  await alice.post(events, series)
  await as(BOB).patch(`${events}/series`, { reminders: popup(5) })
  await as(BOB).patch(`${events}/series`, { reminders: { useDefault: true, overrides: [] } })
  await alice.patch(`${events}/${instance}`, allDayTimes)
  expect((await as(BOB).get(`${events}/series`)).body.reminders).toEqual({ useDefault: true })
  expect((await as(BOB).get(`${events}/${instance}`)).body.reminders).toEqual({ useDefault: false })
})

test('7.12, 14.48 the pages of a list have the reminders of the moment of its first page', async () => {
  const { as, events, one } = await shared()
  await as(ALICE).post(events, hour('2026-03-03', 9))
  await as(BOB).patch(one, { reminders: popup(5) })
  const second = (await as(ALICE).get(events)).body.items[1].id
  const first = (await as(BOB).get(`${events}?maxResults=1`)).body
  await as(BOB).patch(one, { reminders: popup(6) })
  await as(BOB).patch(`${events}/${second}`, { reminders: popup(7) })
  const { items } = (await as(BOB).get(`${events}?maxResults=9&pageToken=${first.nextPageToken}`)).body

  const pages = [...first.items, ...items] as { id: string; reminders: object }[]
  expect(pages.map(({ reminders }) => reminders)).toEqual([{ useDefault: true }, popup(5)])
})

test('7.7, 7.12 a move keeps the reminders of every account', async () => {
  const { as, one, event } = await shared()
  await as(BOB).patch(one, { reminders: popup(5) })
  await share(as(ALICE), 'primary', BOB, 'reader')

  await as(ALICE).post(`${one}/move?destination=${ALICE}`)

  expect((await as(BOB).get(`/calendars/${ALICE}/events/${event.id}`)).body.reminders).toEqual(popup(5))
  expect((await as(ALICE).get(`/calendars/${ALICE}/events/${event.id}`)).body.reminders).toEqual(popup(77))
})

test('7.12 reminders are part of the state of a world, and of seeds', async () => {
  const { as, fake, one, id, event } = await shared()
  await as(BOB).patch(one, { reminders: popup(5) })

  const again = openCalendar({ seed: fake.state() })
  expect((await again.as(BOB).get(one)).body.reminders).toEqual(popup(5))
  expect(again.fake.state()).toEqual(fake.state())

  fake.seed({ accounts: [{ email: CAROL, reminders: [{ calendarId: id, eventId: event.id, ...popup(3) }] }] })
  expect((await as(CAROL).get(one)).body.reminders).toEqual(popup(3))
  expect(() =>
    fake.seed({ accounts: [{ email: CAROL, reminders: [{ calendarId: id, eventId: 'nothing', ...popup(3) }] }] }),
  ).toThrow(`accounts[0].reminders[0]: Invalid value for: eventId: there is no event nothing on ${id}`)
})
