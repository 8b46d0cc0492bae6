import { expect, test } from 'vitest'
import { errorOf } from '../../support/calendar.ts'
import { openTeamCalendar, testCalendarWrites } from '../../support/calendars.writes.ts'
import { invalid } from '../../support/sharing.ts'

testCalendarWrites('put')

test('3.4.5 a PUT removes missing fields, except the zone, the owner and the conferences', async () => {
  const { before, write } = await openTeamCalendar('put')

  const { body } = await write({ summary: 'Crew' })

  const { description: _, location: __, ...unchanged } = before
  expect(body).toEqual({ ...unchanged, etag: body.etag, summary: 'Crew' })
})

test('3.4.5 a PUT without a title is refused', async () => {
  const { write } = await openTeamCalendar('put')

  expect(errorOf(await write({ timeZone: 'UTC' }))).toEqual(invalid('Missing summary', undefined, 'required'))
})
