import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar, refusal } from '../support/calendar.ts'
import { NOT_FOUND } from '../support/sharing.ts'

// behaviour 3.7, 3.10
test('a setting is shown whole, with an etag of zero while nobody set it', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).get('/users/me/settings/weekStart')

  expect(reply.status).toBe(200)
  expect(reply.headers.get('ETag')).toBe('"0"')
  expect(reply.text).toBe(`{
 "kind": "calendar#setting",
 "etag": "\\"0\\"",
 "id": "weekStart",
 "value": "0"
}
`)
})

test('each account has its own', async () => {
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

test('a version that the client has is answered with 304', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).get('/users/me/settings/locale', undefined, { 'If-None-Match': '"0"' })

  expect(reply).toMatchObject({ status: 304, text: '' })
})

// behaviour 3.7
test('a setting that there is not is 404, and ids are taken to the letter', async () => {
  const { as } = openCalendar()

  expect(refusal(await as(ALICE).get('/users/me/settings/mood'))).toEqual(NOT_FOUND)
  expect(refusal(await as(ALICE).get('/users/me/settings/weekstart'))).toEqual(NOT_FOUND)
})

// behaviour 3.7
test('settings are not written over the API', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).put('/users/me/settings/weekStart', { value: '1' })

  expect(reply.status).toBe(404)
  expect(reply.text).toContain('<title>Error 404 (Not Found)!!1</title>')
})
