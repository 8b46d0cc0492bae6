import { expect, test } from 'vitest'
import { assertEvent } from '../../src/runners/assertions.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

test('a message lists at most 20 events, and the number of the others', async () => {
  const { fake, as } = openCalendar()
  for (let n = 0; n < 30; n++)
    await as(ALICE).post('/calendars/primary/events', {
      ...{ summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
    })

  const check = () => assertEvent(fake, { summary: 'Lunch' }, { times: 1 })

  expect(check).toThrow(/^[^\n]+(?:\n {2}"Lunch"[^\n]+){20}\nand 10 more$/)
})
