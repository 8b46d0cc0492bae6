import { test } from 'vitest'
import { post, useCalendar } from '../calendar.ts'
import { expectError, expectOk } from '../expect.ts'

useCalendar()

test('7.9 quickAdd of a text with a date and times creates a timed event', async () => {
  const query = { text: 'Interview on June 3rd 2031 10am-10:25am' }
  const made = await post('events/quickAdd', undefined, { query })
  await expectOk(made, {
    summary: /Interview/,
    start: { dateTime: '2031-06-03T10:00:00Z' },
    end: { dateTime: '2031-06-03T10:25:00Z' },
    sequence: 0,
    reminders: { useDefault: true },
  })
})

test('7.9, 11.14 quickAdd accepts its text in a form', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const made = await post('events/quickAdd', 'text=Tea+on+June+6+2031+at+4pm', { headers })
  await expectOk(made, { summary: /Tea/, start: { dateTime: '2031-06-06T16:00:00Z' } })
})

test('7.9, 1.24, 2.2.1 quickAdd without a text is rejected', () =>
  expectError(post('events/quickAdd'), 400, {
    reason: 'required',
    location: 'text',
    message: 'Required parameter: text',
  }))
