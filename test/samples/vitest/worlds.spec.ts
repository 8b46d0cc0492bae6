import { expect, test } from 'fake-calendar/vitest'
import { afterEach, describe, vi } from 'vitest'

const lunch = {
  summary: 'Lunch',
  start: { dateTime: '2026-03-02T12:00:00Z' },
  end: { dateTime: '2026-03-02T13:00:00Z' },
}

describe('a world for each test', () => {
  test('a test finds the event that it wrote', async ({ fake, calendar }) => {
    await calendar.events.insert({
      calendarId: 'primary',
      sendUpdates: 'all',
      requestBody: { ...lunch, attendees: [{ email: 'bob@example.com' }] },
    })

    expect(fake).toHaveReceived('events.insert', { params: { sendUpdates: 'all' }, body: { summary: 'Lunch' } })
    expect(fake).toHaveEvent({ summary: 'Lunch', attendees: [{ email: 'bob@example.com' }] })
    expect(fake).toHaveSent({ to: 'bob@example.com', kind: 'eventCreation' })
    expect(fake).toHaveChanged([{ change: 'added', kind: 'event', title: expect.stringContaining('Lunch') }])
  })

  test('a test does not find the event of another test', async ({ fake, calendar }) => {
    const { data } = await calendar.events.list({ calendarId: 'primary' })

    expect(data.items).toEqual([])
    expect(fake).not.toHaveEvent({ summary: 'Lunch' })
    expect(fake).not.toHaveReceived('events.insert')
    expect(fake).not.toHaveSent({ to: 'bob@example.com' })
    expect(fake).toHaveChanged([])
  })

  test.concurrent.for(['Breakfast', 'Dinner'])('%s', async (summary, { fake, calendar, expect }) => {
    await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, summary } })

    expect(fake).toHaveEvent({ summary })
    expect(fake).toHaveEvent({}, { times: 1 })
  })
})

test('the message lists the differences', async ({ fake, calendar }) => {
  await calendar.events.insert({ calendarId: 'primary', requestBody: lunch })

  expect(() => expect(fake).toHaveReceived('events.insert', { body: { summary: 'Dinner' } })).toThrow(
    'body.summary: expected "Dinner", got "Lunch"',
  )
  expect(() => expect(fake).toHaveEvent({ summary: 'Dinner' })).toThrow('summary: expected "Dinner", got "Lunch"')
  expect(() => expect(fake).not.toHaveEvent({ summary: 'Lunch' })).toThrow(
    'expected no event with {"summary":"Lunch"}; there is 1 event',
  )
  expect(() => expect(fake).toHaveSent({ to: 'bob@example.com' })).toThrow('there is no mail')
  expect(() => expect(fake).toHaveChanged([])).toThrow('expected no other change')
  expect(() => expect(lunch).toHaveEvent({})).toThrow('expected a fake')
})

describe('with a seed, an instant and an account', () => {
  test.override({ seed: 'team', now: '2026-03-02T09:00:00Z', account: 'dana@example.com' })

  test('the world has the seed, the instant and the account', async ({ fake, calendar, calendarFor }) => {
    const { data } = await calendar.calendarList.list()
    const { data: bobs } = await calendarFor('bob@example.com').calendars.get({ calendarId: 'primary' })

    expect(data.items).toContainEqual(expect.objectContaining({ summaryOverride: 'Trails!' }))
    expect(bobs.id).toBe('bob@example.com')
    expect(new Date(fake.clock.now()).toISOString()).toBe('2026-03-02T09:00:00.000Z')
    expect(fake).toHaveEvent({}, { calendarId: 'bob@example.com' })
    expect(fake).toHaveChanged([])
  })
})

describe('with other options', () => {
  test.override({ options: { strict: true } })

  test('the client has a valid token', async ({ fake, calendar }) => {
    const headers = { Authorization: 'Bearer alice@example.com' }
    const stranger = await fake.request('/calendar/v3/users/me/calendarList', { headers })

    expect(stranger.status).toBe(401)
    expect((await calendar.calendarList.list()).status).toBe(200)
  })
})

const planned = test.extend<{ booked: string }>({
  booked: async ({ calendar }, use) => {
    const { data } = await calendar.events.insert({ calendarId: 'primary', requestBody: lunch })
    await use(data.id ?? '')
  },
})

planned('a fixture on top', async ({ booked, fake }) => {
  expect(fake).toHaveEvent({ id: booked })
})

test('a program can reach the world on a port', async ({ listen, fake }) => {
  const url = await listen()
  const headers = { Authorization: 'Bearer alice@example.com' }
  const { status } = await fetch(`${url}/calendar/v3/colors`, { headers })

  expect(status).toBe(200)
  expect(fake).toHaveReceived('colors.get')
})

test.fails('a fault that did not fire fails the test', ({ fake }) => {
  fake.faults.add({ on: 'events.list', do: { fail: 'backendError503' } })
})

test('a fault that fired does not fail the test', async ({ fake, calendar }) => {
  fake.faults.add({ on: 'events.list', do: { fail: 'backendError503' } })
  const { status } = await calendar.events.list({ calendarId: 'primary' })

  expect(status).toBe(200)
})

describe('clocks', () => {
  test.override({ followTimers: true })
  afterEach(() => void vi.useRealTimers())

  test('a world follows the timers of vitest', async ({ fake, calendar }) => {
    vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 30 }] }
    await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, reminders } })
    expect(fake).not.toHaveSent({ kind: 'reminder' })

    vi.advanceTimersByTime(3 * 3_600_000)
    expect(fake).toHaveSent({ kind: 'reminder', sentAt: '2026-03-02T11:30:00.000Z' })
    expect(new Date(fake.clock.now()).toISOString()).toBe('2026-03-02T12:00:00.000Z')

    vi.setSystemTime('2026-04-01T00:00:00Z')
    const { data } = await calendar.events.quickAdd({ calendarId: 'primary', text: 'Dinner' })
    expect(data.created).toBe('2026-04-01T00:00:00.000Z')
  })

  describe('with its own instant', () => {
    test.override({ now: '2026-03-02T09:00:00Z' })

    test('a world shows the time of the test', ({ fake }) => {
      vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') })
      vi.advanceTimersByTime(60_000)

      expect(new Date(fake.clock.now()).toISOString()).toBe('2026-03-02T09:01:00.000Z')
    })
  })
})

test('by default a frozen clock stays frozen', ({ fake }) => {
  fake.clock.freeze('2026-03-02T09:00:00Z')
  vi.useFakeTimers()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()

  expect(fake.clock.now()).toBe(Date.parse('2026-03-02T09:00:00Z'))
})
