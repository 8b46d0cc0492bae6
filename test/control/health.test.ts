import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

test('health says that the server answers, and which world, and asks for no credentials', async () => {
  const { as, anybody } = openCalendar()

  expect(await anybody.get('/_control/health')).toMatchObject({ status: 200, body: { status: 'ok', world: 'default' } })
  expect((await as(`blue~${ALICE}`).get('/_control/health')).body.world).toBe('blue')
})

test.each([
  ['get', '/_control/nothing'],
  ['get', '/_control/'],
  ['get', '/_control'],
  ['post', '/_control/health'],
  ['get', '/_control/reset'],
] as const)('%s %s is no control route: the page for 404', async (verb, path) => {
  const { anybody } = openCalendar()

  const reply = await anybody[verb](path)

  expect(reply.status).toBe(404)
  expect(reply.headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
  expect(reply.text).toContain('<title>Error 404 (Not Found)!!1</title>')
})
