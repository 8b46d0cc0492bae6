import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'

test('3.7, 3.10.2 an unset setting is returned whole, with the service’s fixed etag', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).get('/users/me/settings/weekStart')

  expect(reply.status).toBe(200)
  expect(reply.headers.get('ETag')).toBe('"1589814000000000"')
  expect(reply.text).toBe(`{
 "kind": "calendar#setting",
 "etag": "\\"1589814000000000\\"",
 "id": "weekStart",
 "value": "0"
}
`)
})

test('each account has its own settings', async () => {
  const { fake, as } = openCalendar()

  fake.seed({ accounts: [{ email: ALICE, settings: { weekStart: '1' } }] })

  const { body } = await as(ALICE).get('/users/me/settings/weekStart')
  expect(body).toEqual({
    kind: 'calendar#setting',
    etag: expect.stringMatching(/^"\d{16}"$/),
    id: 'weekStart',
    value: '1',
  })
  expect((await as(BOB).get('/users/me/settings/weekStart')).body.value).toBe('0')
  expect((await as(BOB).get('/users/me/settings/timezone')).body.value).toBe('Europe/Berlin')
})

test('3.7 settings cannot be written with the API', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).put('/users/me/settings/weekStart', { value: '1' })

  expect(reply.status).toBe(404)
  expect(reply.text).toContain('<title>Error 404 (Not Found)!!1</title>')
})
