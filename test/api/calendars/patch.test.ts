import { expect, test } from 'vitest'
import { openTeamCalendar, testCalendarWrites } from '../../support/calendars.writes.ts'

testCalendarWrites('patch')

test('an empty patch changes nothing', async () => {
  const { fake, before, write } = await openTeamCalendar('patch')
  const state = fake.state()

  expect((await write({})).body).toEqual(before)
  expect(fake.state()).toEqual(state)
})

test('a zone of null is ignored, because a calendar always has a zone', async () => {
  const { before, write } = await openTeamCalendar('patch')

  expect((await write({ timeZone: null })).body).toEqual(before)
})
