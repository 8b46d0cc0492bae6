import { expect, test } from 'vitest'
import { errorOf, openCalendar } from '../../support/calendar.ts'

test('an API key suffices, and a request without credentials is refused', async () => {
  const { anonymous } = openCalendar()

  expect((await anonymous.get('/colors?key=x')).status).toBe(200)
  expect(errorOf(await anonymous.get('/colors')).reason).toBe('required')
})
