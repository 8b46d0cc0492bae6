import { expect, test } from 'vitest'
import { OPERATIONS, RAW_ROUTES } from '../../src/control/operations/index.ts'
import { ALICE, errorOf, openCalendar } from '../support/calendar.ts'

test('health returns the world and needs no credentials', async () => {
  const { as, anonymous } = openCalendar()

  expect(await anonymous.get('/_control/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', world: 'default' },
  })
  expect((await as(`blue~${ALICE}`).get('/_control/health')).body.world).toBe('blue')
})

test.each([
  ['get', '/_control/heatlh', 'GET /_control/heatlh', 'GET /_control/health'],
  ['get', '/_control/clocks', 'GET /_control/clocks', 'GET /_control/clock'],
  ['post', '/_control/clock/advanced', 'POST /_control/clock/advanced', 'POST /_control/clock/advance'],
  ['post', '/_control/quota', 'POST /_control/quota', 'PUT /_control/quota'],
  ['put', '/_control/seed', 'PUT /_control/seed', 'GET /_control/state'],
  ['delete', '/_control/oauth', 'DELETE /_control/oauth', 'GET /_control/oauth'],
  ['post', '/_control/Reset', 'POST /_control/Reset', 'GET /_control/health'],
] as const)('%s %s is an unknown control route: 404 with the nearest route', async (verb, path, shownPath, nearest) => {
  const { anonymous } = openCalendar()

  expect(errorOf(await anonymous[verb](path))).toEqual({
    status: 404,
    domain: 'global',
    reason: 'notFound',
    message: `There is no control route ${shownPath}. The nearest is ${nearest}; GET /_control lists them.`,
  })
})

test.each(['/_control', '/_control/', '/w/blue/_control'])('%s lists the routes', async (path) => {
  const { routes } = await (await openCalendar().fake.request(path)).json()

  expect(routes).toContainEqual({
    verb: 'GET',
    path: '/_control/health',
    summary: 'Returns the status of the server and the name of the world.',
  })
  expect(routes).toHaveLength(OPERATIONS.length + RAW_ROUTES.length)
})

test('a null in the list of arguments of a function stands for one that is left out', async () => {
  const { anonymous } = openCalendar()
  const { status, body } = await anonymous.post('/_control/functions/clock.freeze', [null])

  expect([status, body.result]).toEqual([200, []])
})
