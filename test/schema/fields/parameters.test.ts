import { expect, test } from 'vitest'
import {
  ALICE,
  allDay,
  BOB,
  type Client,
  hour,
  openCalendar,
  PEOPLE_WITH_ADMIN,
  type Reply,
} from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LIST = '/users/me/calendarList'
const GUESTS = [{ email: ALICE }, { email: BOB }]
const FILE = { fileUrl: 'https://files.example.com/a', title: 'A' }
const LABEL = '0b0a1c2d-0000-4000-8000-000000000001'

type World = { fake: ReturnType<typeof openCalendar>['fake']; alice: Client; team: string }

/** A calendar with a dinner, guests at lunch, a day off, and a standup on three days, and another calendar. */
async function open(): Promise<World> {
  const { fake, as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const alice = as(ALICE)
  const properties = { private: { a: '1' }, shared: { b: '2' } }
  const made = [
    { id: 'lunch001', summary: 'Lunch', ...hour('2026-03-02', 12), attendees: GUESTS, extendedProperties: properties },
    { id: 'off00', summary: 'Off', ...allDay('2026-03-03', '2026-03-04') },
    { id: 'standup', ...hour('2026-03-04', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    { id: 'dinner', summary: 'Dinner', ...hour('2026-03-02', 10) },
  ]
  for (const event of made) expect((await alice.post(EVENTS, event)).status).toBe(200)
  const { body } = await alice.post('/calendars', { summary: 'Team' })
  await alice.patch(EVENTS.replace('/events', ''), {
    labelProperties: { eventLabels: [{ id: LABEL, name: 'Red', backgroundColor: '#ff0000' }] },
  })
  return { fake, alice, team: body.id }
}

const idsOf = ({ body }: Reply): string[] => body.items.map(({ id }: { id: string }) => id)
const listIds = (query: string) => async ({ alice }: World) => idsOf(await alice.get(`${EVENTS}?${query}`)) // biome-ignore format: one line
const ALL = ['lunch001', 'off00', 'standup', 'dinner']
const DAYS = ['standup_20260304T140000Z', 'standup_20260305T140000Z', 'standup_20260306T140000Z']

/** A parameter, a request with it, and the result. */
type Row = [name: string, act: (world: World) => Promise<unknown>, result: unknown]

const ROWS: Row[] = [
  ['calendarId', async ({ alice }) => (await alice.get(`/calendars/${ALICE}`)).body.id, ALICE],
  ['eventId', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001`)).body.summary, 'Lunch'],
  ['ruleId', async ({ alice }) => (await alice.get(`/calendars/primary/acl/user:${ALICE}`)).body.role, 'owner'],
  ['setting', async ({ alice }) => (await alice.get('/users/me/settings/timezone')).body.value, 'America/New_York'],
  ['timeMin', listIds('timeMin=2026-03-02T18:00:00Z'), ['off00', 'standup']],
  ['timeMax', listIds('timeMax=2026-03-02T16:00:00Z'), ['dinner']],
  ['timeZone', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001?timeZone=UTC`)).body.start.dateTime, '2026-03-02T17:00:00Z'],
  ['q', listIds('q=lunch'), ['lunch001']],
  ['singleEvents', listIds('singleEvents=true'), ['lunch001', 'off00', ...DAYS, 'dinner']],
  ['orderBy', listIds('singleEvents=true&orderBy=startTime'), ['dinner', 'lunch001', 'off00', ...DAYS]],
  ['eventTypes', listIds('eventTypes=focusTime'), []],
  ['iCalUID', listIds('iCalUID=off00%40google.com'), ['off00']],
  ['privateExtendedProperty', listIds('privateExtendedProperty=a%3D1'), ['lunch001']],
  ['sharedExtendedProperty', listIds('sharedExtendedProperty=b%3D2'), ['lunch001']],
  ['showHiddenInvitations', listIds('showHiddenInvitations=true'), ALL],
  ['updatedMin', listIds('updatedMin=2026-03-01T12:00:01Z'), []],
  ['maxResults', listIds('maxResults=2'), ALL.slice(0, 2)],
  ['pageToken', async (world) => {
    const { body } = await world.alice.get(`${EVENTS}?maxResults=2`)
    return listIds(`maxResults=2&pageToken=${encodeURIComponent(body.nextPageToken)}`)(world)
  }, ALL.slice(2)],
  ['syncToken', async (world) => {
    const { body } = await world.alice.get(EVENTS)
    await world.alice.patch(`${EVENTS}/off00`, { summary: 'Away' })
    return listIds(`syncToken=${encodeURIComponent(body.nextSyncToken)}`)(world)
  }, ['off00']],
  ['showDeleted', async (world) => {
    await world.alice.delete(`${EVENTS}/dinner`)
    return [(await listIds('')(world)).includes('dinner'), (await listIds('showDeleted=true')(world)).includes('dinner')]
  }, [false, true]],
  ['originalStart', async ({ alice }) => idsOf(await alice.get(`${EVENTS}/standup/instances?originalStart=2026-03-05T14:00:00Z`)), DAYS.slice(1, 2)],
  ['maxAttendees', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001?maxAttendees=1`)).body.attendees.length, 1],
  ['alwaysIncludeEmail', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001?alwaysIncludeEmail=true`)).body.attendees.length, 2],
  ['conferenceDataVersion', async ({ alice }) => (await alice.patch(`${EVENTS}/lunch001?conferenceDataVersion=1`, { conferenceData: { createRequest: { requestId: 'r1' } } })).body.conferenceData.createRequest.requestId, 'r1'],
  ['supportsAttachments', async ({ alice }) => (await alice.patch(`${EVENTS}/lunch001?supportsAttachments=true`, { attachments: [FILE] })).body.attachments, [{ ...FILE, iconLink: '' }]],
  ['eventLabelVersion', async ({ alice }) => (await alice.patch(`${EVENTS}/lunch001?eventLabelVersion=1`, { eventLabelId: LABEL })).body.eventLabelId, LABEL],
  ['sendUpdates', async ({ alice, fake }) => {
    await alice.patch(`${EVENTS}/lunch001?sendUpdates=all`, hour('2026-03-02', 13))
    return fake.mail().length > 0
  }, true],
  ['sendNotifications', async ({ alice, fake }) => {
    await alice.patch(`${EVENTS}/lunch001?sendNotifications=true`, hour('2026-03-02', 13))
    return fake.mail().length > 0
  }, true],
  ['destination', async ({ alice, team }) => (await alice.post(`${EVENTS}/dinner/move?destination=${encodeURIComponent(team)}`)).body.organizer.email === team, true],
  ['text', async ({ alice }) => (await alice.post(`${EVENTS}/quickAdd?text=Tennis%20tomorrow%20at%209am`)).body.summary, 'Tennis'],
  ['colorRgbFormat', async ({ alice, team }) => (await alice.patch(`${LIST}/${team}?colorRgbFormat=true`, { backgroundColor: '#0088aa', foregroundColor: '#ffffff' })).body.backgroundColor, '#0088aa'],
  ['minAccessRole', async ({ alice }) => idsOf(await alice.get(`${LIST}?minAccessRole=owner`)).length, 2],
  ['showHidden', async ({ alice, team }) => {
    await alice.patch(`${LIST}/${team}`, { hidden: true })
    return [idsOf(await alice.get(LIST)).length, idsOf(await alice.get(`${LIST}?showHidden=true`)).length]
  }, [1, 2]],
  ['showOwnOrganizationOnly', async ({ alice }) => {
    await alice.post(LIST, { id: 'en.usa#holiday@group.v.calendar.google.com' })
    return [idsOf(await alice.get(LIST)).length, idsOf(await alice.get(`${LIST}?showOwnOrganizationOnly=true`)).length]
  }, [3, 2]],
  ['newDataOwner', async ({ alice, team }) => {
    const { status } = await alice.post(`/calendars/${team}/transferOwnership?newDataOwner=${BOB}&useAdminAccess=true`)
    return [status, (await alice.get(`/calendars/${team}`)).body.dataOwner]
  }, [204, BOB]],
  ['useAdminAccess', async ({ alice, team }) => (await alice.post(`/calendars/${team}/transferOwnership?newDataOwner=${BOB}`)).status, 400],
  ['alt', async ({ alice }) => [(await alice.get(`${EVENTS}?alt=json`)).status, (await alice.get(`${EVENTS}?alt=media`)).status], [200, 400]],
  ['fields', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001?fields=id,summary`)).body, { id: 'lunch001', summary: 'Lunch' }],
  ['prettyPrint', async ({ alice }) => (await alice.get(`${EVENTS}/lunch001?fields=id&prettyPrint=false`)).text, '{"id":"lunch001"}\n'],
  ['quotaUser', async ({ alice }) => [(await alice.get(`${EVENTS}?quotaUser=me`)).status, (await alice.get(`${EVENTS}?quotaUser=${'x'.repeat(41)}`)).status], [200, 400]],
  ['userIp', listIds('userIp=127.0.0.1'), ALL],
] // biome-ignore format: a table

test.each(ROWS.map(([name, act, result]) => [`Parameter.${name}`, act, result] as const))('1.6, 1.10, 1.11, 1.15, 1.16, 1.17, 1.18, 1.19, 1.20, 1.21, 1.22, 1.23, 1.24 %s: has its effect', async (_, act, result) => {
  expect(await act(await open())).toEqual(result)
}) // biome-ignore format: a table

test('1.1, 1.10 Parameter.key: suffices for public data', async () => {
  expect((await openCalendar().anonymous.get('/colors?key=x')).status).toBe(200)
})

test('1.10 Parameter.oauth_token: identifies the caller', async () => {
  const reply = await openCalendar().anonymous.get(`${LIST}/primary?oauth_token=${ALICE}`)
  expect([reply.status, reply.body.id]).toEqual([200, ALICE])
})
