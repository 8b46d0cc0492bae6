import { expect, test } from 'vitest'
import { ALICE, errorOf, openCalendar } from '../../support/calendar.ts'

test('worlds are listed in the order of their creation', async () => {
  const { as, anonymous } = openCalendar()
  await as(`blue~${ALICE}`).get('/colors')
  await as(`red~${ALICE}`).get('/colors')

  expect((await anonymous.get('/_control/worlds')).body).toEqual({ worlds: ['default', 'blue', 'red'] })
})

test('a deleted world is created again by its next request', async () => {
  const { as, anonymous } = openCalendar()
  const blue = as(`blue~${ALICE}`)
  await blue.post('/calendars', { summary: 'Team' })

  expect((await blue.delete('/_control/worlds')).body).toEqual({ done: true })
  expect((await anonymous.get('/_control/worlds')).body).toEqual({ worlds: ['default'] })
  expect((await blue.get('/users/me/calendarList')).body.items).toHaveLength(1)
})

test('the handle of a deleted world refers to its successor', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars', { summary: 'Team' })
  await as(ALICE).delete('/_control/worlds')

  fake.clock.set('2027-01-01T00:00:00Z')

  expect(fake.state().calendars).toHaveLength(3)
  expect((await as(ALICE).get('/_control/clock')).body.now).toBe('2027-01-01T00:00:00.000Z')
})

const ONLY = { worlds: ['blue', 'red'] }

test.each([
  [`green~${ALICE}`, 'green'],
  [ALICE, 'default'],
])('with the option `worlds`, a request of %s for the world %s gets the list of worlds', async (token, world) => {
  const { as } = openCalendar(ONLY)
  const unknown = {
    status: 404,
    domain: 'global',
    reason: 'notFound',
    message: `There is no world ${world}. This server was started only for blue, red; use one of these names.`,
  }

  expect((await as(`blue~${ALICE}`).get('/colors')).status).toBe(200)
  for (const path of ['/colors', '/_control/state', '/nothing']) {
    expect(errorOf(await as(token).get(path))).toEqual(unknown)
  }
  expect((await as('red').get('/_control')).status).toBe(200)
})

test('with the option `worlds`, tokens and batch parts reach no other world', async () => {
  const { fake } = openCalendar(ONLY)
  const token = await fake.request('/w/blue/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: 'green~1//x' }),
  })
  const batch = await fake.request('/w/red/batch', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    body: `--b\n\nGET /colors\nAuthorization: Bearer green~${ALICE}\n\n--b\n\nGET /colors\nAuthorization: Bearer red~${ALICE}\n\n--b--`,
  })

  expect(token.status).toBe(404)
  expect([...(await batch.text()).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['404', '200'])
  expect((await (await fake.request('/w/blue/_control/worlds')).json()).worlds).toEqual(['blue', 'red'])
  expect(() => fake.world('green').clock.now()).toThrow('There is no world green')
})
