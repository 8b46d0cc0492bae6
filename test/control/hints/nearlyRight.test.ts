import { expect, test } from 'vitest'
import type { FakeCalendar } from '../../../src/index.ts'
import { ALICE, allDay, BOB, CAROL, type Client, hour, openCalendar } from '../../support/calendar.ts'
import { post, toolCall } from '../../support/mcp.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const TIMES = hour('2026-03-02', 9)
type Fake = { fake: FakeCalendar; as: (token: string) => Client }
type Send = (alice: Client, fake: Fake) => Promise<{ status: number; headers: Headers }>

const IN_UTC = Object.fromEntries(Object.entries(TIMES).map(([side, time]) => [side, { ...time, timeZone: 'UTC' }]))
/** Calls a tool of MCP as Alice. */
const callTool = (fake: FakeCalendar, name: string, args: object) => post(fake, toolCall(name, args), { token: ALICE })
const TOOL_TIMES = { startTime: '2026-03-02T09:00:00', endTime: '2026-03-02T10:00:00' }
/** A client of Alice with a token that has one scope. */
const withScope = ({ fake, as }: Fake, scope: string): Client =>
  as(fake.oauth.mint({ account: ALICE, scopes: [`https://www.googleapis.com/auth/${scope}`] }))
const syncTokenOf = async (alice: Client): Promise<string> => (await alice.get(EVENTS)).body.nextSyncToken

/** Requests with the hint of one in hints.test.ts that are right but for one thing: it must be true of them too. */
const ROWS: [title: string, send: Send, hint: string][] = [
  [
    'a new event with the iCalUID of another',
    async (alice) => {
      await alice.post(EVENTS, { iCalUID: 'a@example.net', ...TIMES })
      return alice.post(EVENTS, { iCalUID: 'a@example.net', ...TIMES })
    },
    'FC308 The iCalUID is in use by an event of the calendar',
  ],
  [
    'a move to an id that was in use',
    async (alice) => {
      const team = await newCalendar(alice)
      for (const path of [EVENTS, `/calendars/${team}/events`]) await alice.post(path, { id: 'event1', ...TIMES })
      return alice.post(`${EVENTS}/event1/move?destination=${team}`)
    },
    'FC308 The destination has had another event with this id',
  ],
  [
    'a move to a calendar that the caller reads',
    async (alice, { as }) => {
      const team = await newCalendar(as(BOB))
      await share(as(BOB), team, ALICE, 'reader')
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.post(`${EVENTS}/event1/move?destination=${team}`)
    },
    ' is reader. Grant the role writer',
  ],
  [
    'a change of an event that moved away',
    async (alice) => {
      const team = await newCalendar(alice)
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      await alice.post(`${EVENTS}/event1/move?destination=${team}`)
      return alice.patch(`${EVENTS}/event1`, { summary: 'Lunch' })
    },
    'FC206 The event has no content, because it moved to another calendar',
  ],
  [
    'a date for an event with a dateTime',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.patch(`${EVENTS}/event1`, allDay('2026-03-02', '2026-03-03'))
    },
    'FC206 start is not one valid time, either a date or a dateTime',
  ],
  [
    'a rule for one instance',
    async (alice) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return alice.patch(`${EVENTS}/series_20260302T140000Z`, { recurrence: ['RRULE:FREQ=DAILY'] })
    },
    'FC208 An instance of a series has no recurrence of its own. Write it to the series series',
  ],
  [
    'a page token of another list',
    async (alice) => {
      for (const id of ['event1', 'event2']) await alice.post(EVENTS, { id, ...TIMES })
      const { nextPageToken } = (await alice.get(`${EVENTS}?maxResults=1`)).body
      return alice.get(`/users/me/calendarList?pageToken=${nextPageToken}`)
    },
    'FC107 pageToken is not a valid token of this list',
  ],
  [
    'a timestamp without an offset',
    (alice) => alice.get(`${EVENTS}?timeMin=2026-03-02T00:00:00`),
    'Write timeMin=2026-03-02T00:00:00Z',
  ],
  [
    'an offset whose + is a space',
    (alice) => alice.get(`${EVENTS}?timeMin=2026-03-02T00:00:00+01:00`),
    'FC101 timeMin=2026-03-02T00:00:00 01:00 needs a time and an offset (a + in a URL is a space: write %2B)',
  ],
  [
    'a parameter in capitals',
    (alice) => alice.get(`${EVENTS}?MaxResults=5`),
    'FC102 events.list has no parameter MaxResults',
  ],
  [
    'a parameter of another list',
    (alice) => alice.get('/users/me/calendarList?timeMin=x'),
    'FC103 timeMin is a parameter of events.',
  ],
  [
    'a switch for a list of values',
    (alice) => alice.post(`${EVENTS}?sendUpdates=true`, TIMES),
    'FC104 sendUpdates cannot be true',
  ],
  [
    'an order with the other singleEvents',
    (alice) => alice.get(`${EVENTS}?singleEvents=false&orderBy=startTime`),
    'FC105 orderBy=startTime requires singleEvents=true',
  ],
  [
    'a window beside a sync token',
    async (alice) => alice.get(`${EVENTS}?syncToken=${await syncTokenOf(alice)}&timeMin=2026-03-02T00:00:00Z`),
    'FC106 timeMin cannot be combined with syncToken',
  ],
  [
    'a sync token of another calendar',
    async (alice) => alice.get(`/calendars/${await newCalendar(alice)}/events?syncToken=${await syncTokenOf(alice)}`),
    'FC107 syncToken was not issued for this list',
  ],
  [
    'a sync token as a page token',
    async (alice) => alice.get(`${EVENTS}?pageToken=${await syncTokenOf(alice)}`),
    'FC107 pageToken is not a valid token of this list',
  ],
  [
    'a field in lower case',
    (alice) => alice.post(EVENTS, { start: { datetime: '2026-03-02T09:00:00Z' }, end: TIMES.end }),
    'FC201 start.datetime is not a field of the service. Did you mean dateTime?',
  ],
  [
    'one changed field of a fetched event',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      const { kind, etag, ...event } = (await alice.get(`${EVENTS}/event1`)).body
      return alice.put(`${EVENTS}/event1`, { ...event, htmlLink: 'x' })
    },
    'FC202 htmlLink is read-only',
  ],
  ['a list of one event', (alice) => alice.post(EVENTS, [TIMES] as never), 'FC204 The body is not a JSON object'],
  [
    'an offset at the start alone',
    (alice) => alice.post(EVENTS, { ...TIMES, end: { dateTime: '2026-03-02T16:00:00' } }),
    'FC205 end.dateTime=2026-03-02T16:00:00 has no offset and no zone',
  ],
  [
    'a zone of Windows',
    (alice) => alice.post(EVENTS, { ...TIMES, end: { ...TIMES.end, timeZone: 'W. Europe Standard Time' } }),
    'FC207 end.timeZone W. Europe Standard Time is not a known time zone',
  ],
  [
    'a reminder one minute too early',
    (alice) => {
      const overrides = [40_320, 40_321].map((minutes) => ({ method: 'popup', minutes }))
      return alice.post(EVENTS, { ...TIMES, reminders: { useDefault: false, overrides } })
    },
    'FC209 reminders.overrides: 40321 minutes are stored as the limit',
  ],
  [
    'guests as texts',
    (alice) => alice.post(EVENTS, { ...TIMES, attendees: [BOB] }),
    'FC210 attendees[0] cannot have this value. Send an object',
  ],
  [
    'a rule outside of a list',
    (alice) => alice.post(EVENTS, { ...IN_UTC, recurrence: 'RRULE:FREQ=DAILY' }),
    'FC210 recurrence cannot have this value. Send a list',
  ],
  [
    'an own id with a letter after v',
    (alice) => alice.post(EVENTS, { id: 'workshop', ...TIMES }),
    'FC214 id=workshop has characters that ids lack: w. Write 5 to 1024 characters of a to v and 0 to 9, or remove id',
  ],
  [
    'an own id of four letters',
    (alice) => alice.post(EVENTS, { id: 'abcd', ...TIMES }),
    'FC214 id=abcd has 4 characters',
  ],
  [
    'an own id with another iCalUID',
    (alice) => alice.post(EVENTS, { id: 'event1', iCalUID: 'a@example.net', ...TIMES }),
    'FC214 iCalUID is not that of the id. Write iCalUID=event1@google.com',
  ],
  [
    'a rule without its type',
    (alice) => alice.get(`/calendars/primary/acl/${BOB}`),
    `FC214 ruleId=${BOB} has no type. Write user:bob@example.com`,
  ],
  [
    'an entry that is updated as primary',
    (alice) => alice.put('/users/me/calendarList/primary', {}),
    `FC214 An update does not accept primary. Write calendarId=${ALICE}`,
  ],
  [
    'a new end before the stored start',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.patch(`${EVENTS}/event1`, { end: { dateTime: '2026-03-01T10:00:00Z' } })
    },
    'FC206 The end 2026-03-01T10:00:00Z is before the start 2026-03-02T',
  ],
  [
    'an empty window of a query',
    (alice) => alice.post('/freeBusy', { timeMin: '2026-03-03T00:00:00Z', timeMax: '2026-03-02T00:00:00Z' }),
    'FC110 timeMax is not after timeMin',
  ],
  [
    'two guests in one text',
    (alice) => alice.post(EVENTS, { ...TIMES, attendees: [{ email: ALICE }, { email: `${BOB}, ${CAROL}` }] }),
    `FC213 attendees[1].email=${BOB}, ${CAROL} is not one address. Write an entry for each address`,
  ],
  [
    'a guest without an address',
    (alice) => alice.post(EVENTS, { ...TIMES, attendees: [{ displayName: 'Bob' }] }),
    'FC213 attendees[0].email is missing',
  ],
  [
    'a rule for a name and an address',
    (alice) => alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: `Bob <${BOB}>` } }),
    `FC213 scope.value=Bob <${BOB}> is not one address. Write scope.value=${BOB}`,
  ],
  [
    'a rule for a domain with its sign',
    (alice) => alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'domain', value: '@a.com' } }),
    'FC213 scope.value=@a.com is not a domain. Write scope.value as example.com',
  ],
  [
    'a query for an account that nobody has used',
    (alice) => {
      const window = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
      return alice.post('/freeBusy', { ...window, items: [{ id: 'primary' }, { id: 'Dave@example.com' }] })
    },
    'FC303 The calendar dave@example.com does not exist: no seed has the account',
  ],
  [
    'a calendar by its name',
    (alice) => alice.get('/calendars/Team/events'),
    'FC303 The calendar team does not exist. Send primary, or an id of calendarList.list',
  ],
  [
    'an iCalUID as an id',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.get(`${EVENTS}/event1@google.com`)
    },
    'FC310 No calendar has an event event1@google.com. Send its id event1, not its iCalUID',
  ],
  [
    'an instance at a time without any',
    async (alice) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return alice.get(`${EVENTS}/series_20260312T140000Z`)
    },
    'FC310 No calendar has an event series_20260312T140000Z. Send an id of events.instances: series has no instance',
  ],
  [
    'a misspelled id',
    async (alice) => {
      await alice.post(EVENTS, { id: 'dinner', ...TIMES })
      return alice.get(`${EVENTS}/diner`)
    },
    'FC310 No calendar has an event diner. Did you mean dinner?',
  ],
  [
    'an event that was deleted elsewhere',
    async (alice, { as }) => {
      await as(BOB).post(EVENTS, { id: 'event1', ...TIMES })
      await as(BOB).delete(`${EVENTS}/event1`)
      return alice.get(`${EVENTS}/event1`)
    },
    `FC311 event1 was deleted from ${BOB}`,
  ],
  [
    'an event of another account, asked for by a new one',
    async (alice, { as }) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return as('dave@example.com').get(`${EVENTS}/event1`)
    },
    `FC304 event1 is an event of ${ALICE}`,
  ],
  [
    'a new account whose request fails',
    (_, { as }) => as('alice@exmaple.com').get(`${EVENTS}/nothing`),
    `FC312 alice@exmaple.com was no account before this request. Did you mean ${ALICE}?`,
  ],
  ['the name of an account', (_, { as }) => as('alice').get(EVENTS), 'FC302 The token belongs to no account'],
  [
    'a sync token of before a reset',
    async (alice, { fake }) => {
      const token = await syncTokenOf(alice)
      fake.reset()
      return alice.get(`${EVENTS}?syncToken=${token}`)
    },
    'FC108 syncToken is no longer valid. Start a full list',
  ],
  [
    'a sync token of a former role',
    async (alice, { as }) => {
      await share(as(BOB), 'primary', ALICE, 'reader')
      const { nextSyncToken } = (await alice.get(`/calendars/${BOB}/events`)).body
      await share(as(BOB), 'primary', ALICE, 'owner')
      return alice.get(`/calendars/${BOB}/events?syncToken=${nextSyncToken}`)
    },
    'FC108 syncToken is no longer valid. Start a full list',
  ],
  [
    'an empty gadget',
    (alice) => alice.post(EVENTS, { ...TIMES, gadget: {} }),
    'FC203 gadget is stored, but has no effect',
  ],
  [
    'a move to a calendar that does not exist',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES, attendees: [{ email: BOB }] })
      return alice.post(`${EVENTS}/event1/move?destination=bobb@example.com`)
    },
    'FC303 The calendar bobb@example.com does not exist. Did you mean bob@example.com?',
  ],
  [
    'a move to a calendar without access',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES, attendees: [{ email: BOB }] })
      return alice.post(`${EVENTS}/event1/move?destination=${CAROL}`)
    },
    `FC301 ${CAROL} exists, but ${ALICE} has no role on it`,
  ],
  [
    'an entry of the calendar list without access',
    (alice) => alice.get(`/users/me/calendarList/${BOB}`),
    `FC301 ${BOB} exists, but ${ALICE} has no role on it`,
  ],
  [
    'a shared calendar with a scope for own calendars',
    async (_, fake) => {
      await share(fake.as(BOB), 'primary', ALICE, 'writer')
      return withScope(fake, 'calendar.events.owned').get(`/calendars/${BOB}/events`)
    },
    `FC306 ${ALICE} has the role writer on ${BOB}, but none with the scopes of the token. Request one of the scopes without`,
  ],
  [
    'a primary calendar with a scope for calendars of the client',
    (_, fake) => withScope(fake, 'calendar.app.created').post(EVENTS, TIMES),
    `FC306 ${ALICE} has the role owner on ${ALICE}, but none with the scopes of the token`,
  ],
  [
    'a write with a scope for reading',
    (_, fake) => withScope(fake, 'calendar.events.readonly').post(EVENTS, TIMES),
    'FC306 The token has none of the scopes that the method accepts',
  ],
  [
    'an event of a calendar without access and of one with access',
    async (alice, { as }) => {
      const team = await newCalendar(as(CAROL), 'Team')
      await share(as(CAROL), team, ALICE, 'reader')
      await as(BOB).post(EVENTS, { id: 'event1', ...TIMES })
      await as(CAROL).post(`/calendars/${team}/events`, { id: 'event1', ...TIMES })
      return alice.get(`${EVENTS}/event1`)
    },
    '@group.calendar.google.com. Send that calendarId',
  ],
  [
    'an instance of a series of another calendar',
    async (alice) => {
      const team = await newCalendar(alice)
      const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
      await alice.post(`/calendars/${team}/events`, { id: 'series', ...TIMES, recurrence })
      return alice.get(`${EVENTS}/series_20260302T140000Z`)
    },
    'FC304 series_20260302T140000Z is an event of ',
  ],
  [
    'the id of an instance in lower case',
    async (alice) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return alice.get(`${EVENTS}/series_20260302t140000z`)
    },
    'FC304 series_20260302t140000z is in lower case. Write series_20260302T140000Z',
  ],
  [
    'a change of access rules by a writer',
    async (alice, { as }) => {
      await share(as(BOB), 'primary', ALICE, 'writer')
      return share(alice, BOB, CAROL, 'reader')
    },
    `FC305 The role of ${ALICE} on ${BOB} is writer. Grant the role owner`,
  ],
  [
    'a token of a revoked account',
    async (alice, { fake }) => {
      fake.oauth.revoke(ALICE)
      return alice.get(EVENTS)
    },
    'FC307 The token is revoked. Send another token: oauth.mint issues one',
  ],
  [
    'a token of a service account that expired',
    (_, { fake, as }) => {
      fake.clock.real()
      const claims = { iss: 'robot@project.iam.gserviceaccount.com', exp: 1 }
      return as(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`).get(EVENTS)
    },
    'FC307 The token is expired',
  ],
  [
    'an etag without its quotes',
    async (alice) => {
      const { etag } = (await alice.post(EVENTS, { id: 'event1', ...TIMES })).body
      return alice.patch(`${EVENTS}/event1`, { summary: 'Lunch' }, { 'If-Match': etag.slice(1, -1) })
    },
    'FC309 The etag in If-Match is not the current one. Read the record again, then repeat the write with its etag and the quotes around it',
  ],
  [
    'an etag of another event',
    async (alice) => {
      const { etag } = (await alice.post(EVENTS, TIMES)).body
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.patch(`${EVENTS}/event1`, { summary: 'Lunch' }, { 'If-Match': etag })
    },
    'FC309 The etag in If-Match is not the current one',
  ],
  [
    'the same request with the same quota user',
    async (alice, { fake }) => {
      fake.quota({ perUserPerMinute: 0 })
      expect((await alice.get(`${EVENTS}?quotaUser=x`)).status).toBe(403)
      return alice.get(`${EVENTS}?quotaUser=x`)
    },
    'FC401 The same request got a rate limit error less than half a second ago',
  ],
  [
    'a level of notifications that is null',
    (_, { fake }) =>
      callTool(fake, 'create_event', { ...TOOL_TIMES, attendeeEmails: [BOB], summary: 'x', notificationLevel: null }),
    'FC501 create_event has no notificationLevel',
  ],
  [
    'the removal of the only guest',
    async (alice, { fake }) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES, attendees: [{ email: BOB }] })
      return callTool(fake, 'update_event', { eventId: 'event1', removedAttendeeEmails: [BOB] })
    },
    'FC501 update_event has no notificationLevel',
  ],
  [
    'a window of empty texts',
    (_, { fake }) => callTool(fake, 'list_events', { startTime: '', endTime: null }),
    'FC502 list_events has no startTime and no endTime',
  ],
  [
    'the deletion of a series',
    async (alice, { fake }) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return callTool(fake, 'delete_event', { eventId: 'series' })
    },
    'FC503 delete_event changes a whole series',
  ],
  [
    'a name in snake case',
    (_, { fake }) => callTool(fake, 'list_events', { start_time: '2026-03-02', end_time: '2026-03-03' }),
    'FC504 startTime is not written as the schema of list_events has it',
  ],
]

test.each(ROWS)('the hint on %s is true', async (_, send, hint) => {
  const { fake, as } = openCalendar()
  const { status, headers } = await send(as(ALICE), { fake, as })

  expect(status).toBeLessThan(500)
  expect(headers.get('X-Fake-Calendar-Hint')).toContain(hint)
})

/** Requests that a hint would be false of, with the code of that hint. */
const OTHERS: [title: string, code: string, send: Send][] = [
  ['an own id with digits', 'FC214', (alice) => alice.post(EVENTS, { id: 'dinner1', ...TIMES })],
  ['an all-day event of one day', 'FC206', (alice) => alice.post(EVENTS, allDay('2026-03-02', '2026-03-03'))],
  ['an event whose end is its start', 'FC206', (alice) => alice.post(EVENTS, { start: TIMES.start, end: TIMES.start })],
  [
    'a guest with a name of his own',
    'FC213',
    (alice) => alice.post(EVENTS, { ...TIMES, attendees: [{ email: BOB, displayName: `Bob <${BOB}>` }] }),
  ],
  [
    'a deleted event that is read on its calendar',
    'FC31[01]',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      await alice.delete(`${EVENTS}/event1`)
      return alice.get(`${EVENTS}/event1`)
    },
  ],
  ['a new account with an address of its own', 'FC312', (_, { as }) => as('dave@example.com').get(EVENTS)],
  [
    'a second request of a new account',
    'FC312',
    async (_, { as }) => {
      await as('bob@exmaple.com').get(EVENTS)
      return as('bob@exmaple.com').get(EVENTS)
    },
  ],
  [
    'a new account like another that a request made',
    'FC312',
    async (_, { as }) => {
      await as('dave@example.com').get(EVENTS)
      return as('dane@example.com').get(EVENTS)
    },
  ],
  [
    'the next of a row of accounts',
    'FC312',
    (_, { fake, as }) => {
      fake.seed({ accounts: [{ email: 'user1@example.com' }] })
      return as('user2@example.com').get(EVENTS)
    },
  ],
  [
    'a query for a calendar that is shared',
    'FC30[13]',
    async (alice, { as }) => {
      await share(as(BOB), 'primary', ALICE, 'freeBusyReader')
      const window = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
      return alice.post('/freeBusy', { ...window, items: [{ id: BOB }] })
    },
  ],
  [
    'a field without effect that is false',
    'FC203',
    (alice) => alice.post(EVENTS, { ...TIMES, anyoneCanAddSelf: false }),
  ],
  ['a field without effect of a refused event', 'FC203', (alice) => alice.post(EVENTS, { anyoneCanAddSelf: true })],
  [
    'an unknown field of a calendar that events have',
    'FC203',
    (alice) => alice.post('/calendars', { summary: 'Team', gadget: {} }),
  ],
  [
    'reminders of a refused event',
    'FC209',
    (alice) => {
      const overrides = [{ method: 'popup', minutes: -1 }]
      return alice.post(EVENTS, { ...TIMES, reminders: { useDefault: true, overrides } })
    },
  ],
  [
    'a calendar that was deleted and has a similar id',
    'FC303 .*mean [0-9a-f]{64}',
    async (alice) => {
      const team = await newCalendar(alice)
      await alice.delete(`/calendars/${team}`)
      return alice.get(`/calendars/${team}/events`)
    },
  ],
  [
    'a watch with a receiver on this machine',
    'FC212',
    (alice) => alice.post(`${EVENTS}/watch`, { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' }),
  ],
  [
    'a watch with a receiver in process',
    'FC212',
    (alice, { fake }) => {
      fake.onNotification(() => 200)
      return alice.post(`${EVENTS}/watch`, { id: 'mine', type: 'web_hook', address: 'https://app.example.com/' })
    },
  ],
  [
    'a fetched event without kind and etag',
    'FC202',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      const { kind, etag, ...event } = (await alice.get(`${EVENTS}/event1`)).body
      return alice.put(`${EVENTS}/event1`, { ...event, summary: 'Lunch' })
    },
  ],
  [
    'an event of a calendar that was deleted',
    'FC304',
    async (alice) => {
      const team = await newCalendar(alice)
      await alice.post(`/calendars/${team}/events`, { id: 'event1', ...TIMES })
      await alice.delete(`/calendars/${team}`)
      return alice.get(`${EVENTS}/event1`)
    },
  ],
  [
    'an id in lower case of no instance',
    'FC304',
    async (alice) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return alice.get(`${EVENTS}/series_20260312t140000z`)
    },
  ],
  [
    'the same request of another account',
    'FC401',
    async (alice, { fake, as }) => {
      fake.quota({ perUserPerMinute: 0 })
      expect((await alice.get(`/calendars/${ALICE}/events`)).status).toBe(403)
      return as(BOB).get(`/calendars/${ALICE}/events`)
    },
  ],
  [
    'a new event without guests',
    'FC501',
    (_, { fake }) => callTool(fake, 'create_event', { ...TOOL_TIMES, summary: 'Lunch' }),
  ],
  [
    'a refused change of guests',
    'FC501',
    (_, { fake }) => callTool(fake, 'update_event', { eventId: 'nothing', removedAttendeeEmails: [BOB] }),
  ],
  ['a list until a time', 'FC502', (_, { fake }) => callTool(fake, 'list_events', { endTime: '2026-03-02T10:00:00' })],
  [
    'arguments as the schema has them',
    'FC504',
    (_, { fake }) => callTool(fake, 'list_events', { startTime: '2026-03-02', pageSize: 10, eventType: ['DEFAULT'] }),
  ],
  [
    'a change of one instance',
    'FC503',
    async (alice, { fake }) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return callTool(fake, 'update_event', { eventId: 'series_20260302T140000Z', summary: 'Lunch' })
    },
  ],
]

test.each(OTHERS)('%s gets no %s', async (_, code, send) => {
  const { fake, as } = openCalendar()
  const { status, headers } = await send(as(ALICE), { fake, as })

  expect(status).toBeLessThan(500)
  expect(headers.get('X-Fake-Calendar-Hint') ?? '').not.toMatch(new RegExp(code))
})
