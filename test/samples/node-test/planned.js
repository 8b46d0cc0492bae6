import { test } from 'fake-calendar/node-test'

const fault = { on: 'events.list', do: { fail: 'backendError503' } }

test('a fault that never happens', ({ fake }) => {
  fake.faults.add(fault)
})

test('a fault that happens', async ({ fake, calendar }) => {
  fake.faults.add(fault)
  await calendar.events.list({ calendarId: 'primary' })
})

test('a fault that need not happen', ({ fake }) => {
  fake.faults.add({ ...fault, optional: true })
})
