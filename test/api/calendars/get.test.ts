import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, newCalendar, share } from '../../support/sharing.ts'

test.each(['primary', ALICE, 'ALICE@example.com', 'alice%40example.com'])(
  '1.6, 3.4.1, 15.3 a primary calendar is found by %s, and has its address as summary and its account’s zone',
  async (calendarId) => {
    const { as } = openCalendar()

    const reply = await as(ALICE).get(`/calendars/${calendarId}`)

    expect(reply.status).toBe(200)
    expect(reply.headers.get('ETag')).toBe(reply.body.etag)
    expect(JSON.stringify(reply.body)).toBe(
      JSON.stringify({
        kind: 'calendar#calendar',
        etag: reply.body.etag,
        id: ALICE,
        summary: ALICE,
        timeZone: 'America/New_York',
        conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
      }),
    )
  },
)

test('1.6 a googlemail address identifies the same account as its gmail one', async () => {
  const { as } = openCalendar()

  const { body } = await as('dora@googlemail.com').get('/calendars/primary')

  expect(body.id).toBe('dora@gmail.com')
  expect((await as('dora@gmail.com').get('/calendars/Dora@GoogleMail.com')).body).toEqual(body)
})

test.each(['freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'])(
  'a %s can read a calendar, and gets the fields that the owner gets',
  async (role) => {
    const { as } = openCalendar()
    const id = await newCalendar(as(ALICE))
    await share(as(ALICE), id, BOB, role)

    const reply = await as(BOB).get(`/calendars/${id}`)

    expect(reply.status).toBe(200)
    expect(reply.text).toBe((await as(ALICE).get(`/calendars/${id}`)).text)
  },
)

test('a calendar without a role for the caller is 404, as is an unknown one', async () => {
  const { as } = openCalendar()

  expect(errorOf(await as(BOB).get(`/calendars/${ALICE}`))).toEqual(NOT_FOUND)
  expect(errorOf(await as(BOB).get('/calendars/nobody@example.com'))).toEqual(NOT_FOUND)
})

test('a matching If-None-Match returns 304', async () => {
  const { as } = openCalendar()
  const { etag } = (await as(ALICE).get('/calendars/primary')).body
  const get = (version: string) => as(ALICE).get('/calendars/primary', undefined, { 'If-None-Match': version })

  expect(await get(etag)).toMatchObject({ status: 304, text: '' })
  await as(ALICE).patch('/calendars/primary', { summary: 'Mine' })
  expect((await get(etag)).body.summary).toBe('Mine')
})

test('3.10.2 the etag of a calendar is 27 url-safe characters, and changes with each write', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  const path = `/calendars/${id}`

  const { body: before, headers } = await as(ALICE).get(path)
  const { body: after } = await as(ALICE).patch(path, { location: 'Berlin' }, { 'If-Match': before.etag })

  expect(before.etag).toMatch(/^"[\w-]{27}"$/)
  expect(headers.get('ETag')).toBe(before.etag)
  expect(after.etag).toMatch(/^"[\w-]{27}"$/)
  expect(after.etag).not.toBe(before.etag)
  expect((await as(ALICE).get(path)).body.etag).toBe(after.etag)
  expect((await as(ALICE).get(path, undefined, { 'If-None-Match': after.etag })).status).toBe(304)
  expect((await as(ALICE).put(path, { summary: 'Other' }, { 'If-Match': before.etag })).status).toBe(412)
  expect((await as(ALICE).delete(path, undefined, { 'If-Match': before.etag })).status).toBe(412)
  expect((await as(ALICE).delete(path, undefined, { 'If-Match': after.etag })).status).toBe(204)
})
