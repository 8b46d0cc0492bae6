import { test } from 'fake-calendar/node-test'

const fault = { on: 'events.list', do: { fail: 'backendError503' } }

test('a fault that never fires', ({ fake }) => {
  fake.faults.add(fault)
})

test('a fault that fires', async ({ fake, calendar }) => {
  fake.faults.add(fault)
  await calendar.events.list({ calendarId: 'primary' })
})

test('an optional fault', ({ fake }) => {
  fake.faults.add({ ...fault, optional: true })
})
