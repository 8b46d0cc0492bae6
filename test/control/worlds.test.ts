import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

test('worlds are listed in the order in which they were first named', async () => {
  const { as, anybody } = openCalendar()
  await as(`blue~${ALICE}`).get('/colors')
  await as(`red~${ALICE}`).get('/colors')

  expect((await anybody.get('/_control/worlds')).body).toEqual({ worlds: ['default', 'blue', 'red'] })
})

test('a deleted world is gone, and begins anew when it is next named', async () => {
  const { as, anybody } = openCalendar()
  const blue = as(`blue~${ALICE}`)
  await blue.post('/calendars', { summary: 'Team' })

  expect((await blue.delete('/_control/worlds')).body).toEqual({ deleted: 'blue' })
  expect((await anybody.get('/_control/worlds')).body).toEqual({ worlds: ['default'] })
  expect((await blue.get('/users/me/calendarList')).body.items).toHaveLength(1)
})

test('a world that is held on to is the new one after its deletion', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars', { summary: 'Team' })
  await as(ALICE).delete('/_control/worlds')

  fake.clock.set('2027-01-01T00:00:00Z')

  expect(fake.state().calendars).toHaveLength(3)
  expect((await as(ALICE).get('/_control/clock')).body.now).toBe('2027-01-01T00:00:00.000Z')
})
