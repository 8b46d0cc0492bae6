import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, newCalendar, share } from '../../support/sharing.ts'

test.each(['primary', ALICE, 'Alice@Example.com', 'alice%40example.com'])(
  '1.6, 3.5.1, 3.10, 15.3 the entry of a primary calendar is found by %s and returned whole',
  async (calendarId) => {
    const { as } = openCalendar()

    const reply = await as(ALICE).get(`/users/me/calendarList/${calendarId}`)

    expect(reply.status).toBe(200)
    expect(reply.body.etag).toMatch(/^"\d{16}"$/)
    expect(reply.headers.get('ETag')).toBe(reply.body.etag)
    expect(reply.text).toBe(`{
 "kind": "calendar#calendarListEntry",
 "etag": ${JSON.stringify(reply.body.etag)},
 "id": "alice@example.com",
 "summary": "alice@example.com",
 "timeZone": "America/New_York",
 "colorId": "1",
 "backgroundColor": "#ac725e",
 "foregroundColor": "#000000",
 "selected": true,
 "accessRole": "owner",
 "defaultReminders": [
  {
   "method": "popup",
   "minutes": 10
  }
 ],
 "notificationSettings": {
  "notifications": [
   {
    "type": "eventCreation",
    "method": "email"
   },
   {
    "type": "eventChange",
    "method": "email"
   },
   {
    "type": "eventCancellation",
    "method": "email"
   },
   {
    "type": "eventResponse",
    "method": "email"
   }
  ]
 },
 "primary": true,
 "conferenceProperties": {
  "allowedConferenceSolutionTypes": [
   "hangoutsMeet"
  ]
 }
}
`)
  },
)

test('3.5.1 an entry with every optional field has the order of the service', async () => {
  const { as } = openCalendar()
  const { id } = (await as(ALICE).post('/calendars', { summary: 'Team', description: 'Us', location: 'Here' })).body
  await as(ALICE).patch(`/users/me/calendarList/${id}`, {
    summaryOverride: 'Ours',
    notificationSettings: { notifications: [{ type: 'agenda', method: 'email' }] },
  })

  const { body } = await as(ALICE).get(`/users/me/calendarList/${id}`)

  expect(Object.keys(body)).toEqual([
    'kind',
    'etag',
    'id',
    'summary',
    'description',
    'location',
    'timeZone',
    'dataOwner',
    'summaryOverride',
    'colorId',
    'backgroundColor',
    'foregroundColor',
    'selected',
    'accessRole',
    'defaultReminders',
    'notificationSettings',
    'conferenceProperties',
  ])
  expect(body).toMatchObject({ summary: 'Team', dataOwner: ALICE, defaultReminders: [], selected: true })
})

test('an entry has the current fields of its calendar', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post('/users/me/calendarList', { id })

  await as(ALICE).patch(`/calendars/${id}`, { summary: 'Crew' })
  await share(as(ALICE), id, BOB, 'writer')

  const { body } = await as(BOB).get(`/users/me/calendarList/${id}`)
  expect(body).toMatchObject({ summary: 'Crew', accessRole: 'writer' })
})

test('a readable calendar without an entry is 404', async () => {
  const { as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')

  expect(errorOf(await as(BOB).get(`/users/me/calendarList/${ALICE}`))).toEqual(NOT_FOUND)
  expect(errorOf(await as(BOB).get('/users/me/calendarList/nobody@example.com'))).toEqual(NOT_FOUND)
})

test('a deleted calendar is on no list', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'reader')
  await as(BOB).post('/users/me/calendarList', { id })

  await as(ALICE).delete(`/calendars/${id}`)

  for (const account of [ALICE, BOB]) expect((await as(account).get(`/users/me/calendarList/${id}`)).status).toBe(404)
})

test('an account that leaves the group with access loses the entry', async () => {
  const { fake, as } = openCalendar()
  fake.seed({ groups: [{ email: 'staff@example.com', members: [BOB] }] })
  await as(ALICE).post('/calendars/primary/acl', {
    role: 'reader',
    scope: { type: 'group', value: 'staff@example.com' },
  })
  await as(BOB).post('/users/me/calendarList', { id: ALICE })

  fake.seed({ groups: [{ email: 'staff@example.com', members: [] }] })

  expect(errorOf(await as(BOB).get(`/users/me/calendarList/${ALICE}`))).toEqual(NOT_FOUND)
  const { items } = (await as(BOB).get('/users/me/calendarList')).body
  expect(items.map(({ id }: { id: string }) => id)).toEqual([BOB])
  const removed = (await as(BOB).get('/users/me/calendarList?showDeleted=true')).body.items
  expect(removed).toMatchObject([{ id: BOB }, { id: ALICE, deleted: true }])
  expect(removed[1]).not.toHaveProperty('summary')
})
