import { expect, test } from 'vitest'
import { errorOf } from '../../support/calendar.ts'
import { calendarWrites, team } from '../../support/calendars.writes.ts'
import { invalid } from '../../support/sharing.ts'

calendarWrites('put')

test('3.4.5 a PUT takes back what it does not name, but for the zone, the owner and the conferences', async () => {
  const { before, write } = await team('put')

  const { body } = await write({ summary: 'Crew' })

  const { description: _, location: __, ...unchanged } = before
  expect(body).toEqual({ ...unchanged, etag: body.etag, summary: 'Crew' })
})

test('3.4.5 a PUT without a title is refused', async () => {
  const { write } = await team('put')

  expect(errorOf(await write({ timeZone: 'UTC' }))).toEqual(invalid('Missing summary', undefined, 'required'))
})
