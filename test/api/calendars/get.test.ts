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
