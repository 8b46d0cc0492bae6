const { test, expect } = require('fake-calendar/jest')

const lunch = {
  summary: 'Lunch',
  start: { dateTime: '2026-03-02T12:00:00Z' },
  end: { dateTime: '2026-03-02T13:00:00Z' },
}

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
  expect(fake).toHaveChanged([])
})

test.for(['Breakfast', 'Dinner'])('%s', async (summary, { fake, calendar }) => {
  await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, summary } })

  expect(fake).toHaveEvent({ summary })
  expect(fake).toHaveEvent({}, { times: 1 })
})

const team = test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z', account: 'dana@example.com' })

team('a seed, an instant and an account', async ({ fake, calendar }) => {
  const { data } = await calendar.calendarList.list()

  expect(data.items).toContainEqual(expect.objectContaining({ summaryOverride: 'Trails!' }))
  expect(fake.clock.now()).toBe(Date.parse('2026-03-02T09:00:00Z'))
})

test('a program can reach the world on a port', async ({ listen, fake }) => {
  const url = await listen()
  const headers = { Authorization: 'Bearer alice@example.com' }
  const { status } = await fetch(`${url}/calendar/v3/colors`, { headers })

  expect(status).toBe(200)
  expect(fake).toHaveReceived('colors.get')
})

test.failing('a fault that did not fire fails the test', ({ fake }) => {
  fake.faults.add({ on: 'events.list', do: { fail: 'backendError503' } })
})

test.extend({ followTimers: true })('a world follows the timers of jest', async ({ fake, calendar }) => {
  jest.useFakeTimers({
    now: new Date('2026-03-02T09:00:00Z'),
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'],
  })
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 30 }] }
  await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, reminders } })
  jest.advanceTimersByTime(3 * 3_600_000)
  jest.useRealTimers()

  expect(fake).toHaveSent({ kind: 'reminder', sentAt: '2026-03-02T11:30:00.000Z' })
})
