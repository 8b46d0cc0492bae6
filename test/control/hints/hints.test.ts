import { expect, test } from 'vitest'
import { HINTS } from '../../../src/control/hints/table.ts'
import { ALICE, allDay, BOB, type Client, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const lunch = { id: 'lunch001', summary: 'Lunch', ...hour('2026-03-02', 12) }
const zoneless = { start: { dateTime: '2026-03-02T09:00:00' }, end: { dateTime: '2026-03-02T10:00:00' } }

type SendRequest = (alice: Client, as: (token: string) => Client) => Promise<{ status: number; headers: Headers }>
type Row = { title: string; send: SendRequest; status: number; code: keyof typeof HINTS; message: string }

/** Each request has one mistake. `message` is part of the hint on it. */
const ROWS: Row[] = [
  {
    title: 'a date as a timestamp',
    send: (alice) => alice.get(`${EVENTS}?timeMin=2026-01-01`),
    status: 400,
    code: 'FC101',
    message: 'timeMin=2026-01-01 needs a time and an offset. Write timeMin=2026-01-01T00:00:00Z',
  },
  {
    title: 'an unknown parameter',
    send: (alice) => alice.get(`${EVENTS}?singleEvent=true`),
    status: 200,
    code: 'FC102',
    message: 'events.list has no parameter singleEvent. Did you mean singleEvents?',
  },
  {
    title: 'a parameter of another method',
    send: (alice) => alice.post(`${EVENTS}?destination=x`, { ...lunch }),
    status: 200,
    code: 'FC103',
    message: 'destination is a parameter of events.move, not of events.insert',
  },
  {
    title: 'a value that is not allowed',
    send: (alice) => alice.get(`${EVENTS}?orderBy=startime`),
    status: 400,
    code: 'FC104',
    message: 'Did you mean startTime?',
  },
  {
    title: 'startTime without singleEvents',
    send: (alice) => alice.get(`${EVENTS}?orderBy=startTime`),
    status: 400,
    code: 'FC105',
    message: 'Add singleEvents=true',
  },
  {
    title: 'a sync token with q',
    send: async (alice) => {
      const { body } = await alice.get(EVENTS)
      return alice.get(`${EVENTS}?q=x&syncToken=${encodeURIComponent(body.nextSyncToken)}`)
    },
    status: 400,
    code: 'FC106',
    message: 'q cannot be combined with syncToken',
  },
  {
    title: 'a sync token of a list with another singleEvents',
    send: async (alice) => {
      const { body } = await alice.get(EVENTS)
      return alice.get(`${EVENTS}?singleEvents=true&syncToken=${encodeURIComponent(body.nextSyncToken)}`)
    },
    status: 400,
    code: 'FC106',
    message: 'singleEvents differs from the list that the syncToken continues',
  },
  {
    title: 'a made-up page token',
    send: (alice) => alice.get(`${EVENTS}?pageToken=2`),
    status: 400,
    code: 'FC107',
    message: 'pageToken is not a valid token of this list',
  },
  {
    title: 'an unknown field, deep in a body',
    send: (alice) => alice.post(EVENTS, { ...lunch, start: { ...lunch.start, timezone: 'UTC' } }),
    status: 200,
    code: 'FC201',
    message: 'start.timezone is not a field of the service. Did you mean timeZone?',
  },
  {
    title: 'an unknown field of a guest',
    send: (alice) => alice.post(EVENTS, { ...lunch, attendees: [{ email: BOB, mail: BOB }] }),
    status: 200,
    code: 'FC201',
    message: 'attendees[].mail',
  },
  {
    title: 'a field that only the service writes',
    send: (alice) => alice.post(EVENTS, { ...lunch, htmlLink: 'https://example.com' }),
    status: 200,
    code: 'FC202',
    message: 'htmlLink is read-only',
  },
  {
    title: 'a field without effect',
    send: (alice) => alice.post(EVENTS, { ...lunch, anyoneCanAddSelf: true }),
    status: 200,
    code: 'FC203',
    message: 'anyoneCanAddSelf is stored, but has no effect',
  },
  {
    title: 'reminders that are stored with the limit',
    send: (alice) =>
      alice.post(EVENTS, { ...lunch, reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: -1 }] } }),
    status: 200,
    code: 'FC209',
    message: 'reminders.overrides: -1 minutes are stored as the limit',
  },
  {
    title: 'equal reminders',
    send: (alice) => {
      const one = { method: 'popup', minutes: 5 }
      return alice.post(EVENTS, { ...lunch, reminders: { useDefault: false, overrides: [one, one] } })
    },
    status: 200,
    code: 'FC209',
    message: 'reminders.overrides: popup at 5 minutes is stored once',
  },
  {
    title: 'a body that is not JSON',
    send: (alice) => alice.post(EVENTS, '{"summary": '),
    status: 400,
    code: 'FC204',
    message: 'The body is not JSON',
  },
  {
    title: 'a body that is a JSON text inside a JSON string',
    send: (alice) => alice.post(EVENTS, JSON.stringify(JSON.stringify(lunch))),
    status: 400,
    code: 'FC204',
    message: 'The body is not a JSON object, so it counts as empty',
  },
  {
    title: 'a value that is not accepted',
    send: (alice) => alice.post(EVENTS, { ...lunch, colorId: '99' }),
    status: 400,
    code: 'FC213',
    message: 'colorId: no color 99',
  },
  {
    title: 'a value of the wrong type',
    send: (alice) => alice.post(EVENTS, { ...lunch, attendees: [{ email: {} }] }),
    status: 400,
    code: 'FC210',
    message: 'attendees[0].email cannot have this value',
  },
  {
    title: 'a watch with an http address elsewhere',
    send: (alice) => alice.post(`${EVENTS}/watch`, { id: 'a', type: 'web_hook', address: 'http://app.example.com/' }),
    status: 400,
    code: 'FC211',
    message: 'neither https nor on this machine. Use https',
  },
  {
    title: 'a watch with an https address elsewhere',
    send: (alice) => alice.post(`${EVENTS}/watch`, { id: 'a', type: 'web_hook', address: 'https://app.example.com/' }),
    status: 200,
    code: 'FC212',
    message: 'not on this machine. Start with --webhooks any',
  },
  {
    title: 'a series without a zone',
    send: (alice) =>
      alice.post(EVENTS, {
        start: { dateTime: '2026-03-02T09:00:00Z' },
        end: { dateTime: '2026-03-02T10:00:00Z' },
        recurrence: ['RRULE:FREQ=DAILY'],
      }),
    status: 400,
    code: 'FC205',
    message: 'A series needs a time zone at its start, also if the time has an offset. Add start.timeZone',
  },
  {
    title: 'a series that a PUT makes of an event with offsets',
    send: async (alice) => {
      const times = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
      const { body } = await alice.post(EVENTS, times)
      return alice.put(`${EVENTS}/${body.id}`, { ...times, recurrence: ['RRULE:FREQ=DAILY'] })
    },
    status: 400,
    code: 'FC205',
    message: 'A series needs a time zone at its start',
  },
  {
    title: 'a time without an offset and a zone',
    send: (alice) =>
      alice.post(EVENTS, { start: { dateTime: '2026-03-02T09:00:00' }, end: { dateTime: '2026-03-02T10:00:00' } }),
    status: 400,
    code: 'FC205',
    message: 'start.dateTime=2026-03-02T09:00:00 has no offset and no zone. Write start.dateTime=2026-03-02T09:00:00Z',
  },
  {
    title: 'a dateTime that is a date',
    send: (alice) => alice.post(EVENTS, { start: { dateTime: '2026-03-02' }, end: { dateTime: '2026-03-03' } }),
    status: 400,
    code: 'FC206',
    message: 'start.dateTime=2026-03-02 is not a date and a time',
  },
  {
    title: 'a date as start and a dateTime as end',
    send: (alice) => alice.post(EVENTS, { start: allDay('2026-03-02', '2026-03-03').start, end: lunch.end }),
    status: 400,
    code: 'FC206',
    message: 'start and end have different forms',
  },
  {
    title: 'an unknown time zone',
    send: (alice) =>
      alice.post(EVENTS, { ...zoneless, start: { ...zoneless.start, timeZone: 'Europe/Belin' }, end: lunch.end }),
    status: 400,
    code: 'FC207',
    message: 'Europe/Belin is not a known time zone',
  },
  {
    title: 'an invalid recurrence rule',
    send: (alice) => alice.post(EVENTS, { ...lunch, recurrence: ['FREQ=DAILY'] }),
    status: 400,
    code: 'FC208',
    message: 'recurrence cannot be FREQ=DAILY',
  },
  {
    title: 'a calendar without access',
    send: (alice) => alice.get(`/calendars/${BOB}`),
    status: 404,
    code: 'FC301',
    message: `${BOB} exists, but ${ALICE} has no role on it`,
  },
  {
    title: 'a token without an account',
    send: (_, as) => as('some-token').get(EVENTS),
    status: 200,
    code: 'FC302',
    message: `The token belongs to no account, so the request acts as ${ALICE}`,
  },
  {
    title: 'an unknown calendar',
    send: (alice) => alice.get('/calendars/alic@example.com/events'),
    status: 404,
    code: 'FC303',
    message: `Did you mean ${ALICE}?`,
  },
  {
    title: 'an event of another calendar',
    send: async (alice, as) => {
      await as(BOB).post(EVENTS, lunch)
      return alice.get(`${EVENTS}/lunch001`)
    },
    status: 404,
    code: 'FC304',
    message: `lunch001 is an event of ${BOB}`,
  },
  {
    title: 'a write by a reader',
    send: async (alice, as) => {
      await as(BOB).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: ALICE } })
      return alice.post(`/calendars/${BOB}/events`, lunch)
    },
    status: 403,
    code: 'FC305',
    message: `The role of ${ALICE} on ${BOB} is reader`,
  },
  {
    title: 'an empty window',
    send: (alice) => alice.get(`${EVENTS}?timeMin=2026-03-03T00:00:00Z&timeMax=2026-03-02T00:00:00Z`),
    status: 400,
    code: 'FC110',
    message: 'timeMax is not after timeMin. Exchange them',
  },
  {
    title: 'an own id with capitals and hyphens',
    send: (alice) => alice.post(EVENTS, { ...lunch, id: 'Lunch-1' }),
    status: 400,
    code: 'FC214',
    message: 'id=Lunch-1 has characters that ids lack: L-. Write id=lunch1, or remove id',
  },
  {
    title: 'an all-day event that ends when it starts',
    send: (alice) => alice.post(EVENTS, allDay('2026-02-28', '2026-02-28')),
    status: 400,
    code: 'FC206',
    message:
      'end.date=2026-02-28 is the start, but the end of an all-day event is the day after its last. Write end.date=2026-03-01',
  },
  {
    title: 'a guest with a name in the address',
    send: (alice) => alice.post(EVENTS, { ...lunch, attendees: [{ email: `"Bob" <${BOB}>` }] }),
    status: 400,
    code: 'FC213',
    message: `is not one address. Write attendees[0].email=${BOB} and displayName=Bob`,
  },
  {
    title: 'a calendar of an account that no request has used',
    send: (alice) => alice.get('/calendars/dave@example.com/events'),
    status: 404,
    code: 'FC303',
    message:
      'dave@example.com does not exist: no seed has the account, and no request was sent as it. Seed the account',
  },
  {
    title: 'an unknown event',
    send: (alice) => alice.get(`${EVENTS}/nothing`),
    status: 404,
    code: 'FC310',
    message: 'No calendar has an event nothing. Send the id of a reply or of events.list',
  },
  {
    title: 'an event that is deleted twice',
    send: async (alice) => {
      await alice.post(EVENTS, lunch)
      await alice.delete(`${EVENTS}/lunch001`)
      return alice.delete(`${EVENTS}/lunch001`)
    },
    status: 410,
    code: 'FC311',
    message: 'The event is deleted already',
  },
  {
    title: 'a mistyped token',
    send: (_, as) => as('bob@exmaple.com').get(EVENTS),
    status: 200,
    code: 'FC312',
    message: `bob@exmaple.com was no account before this request. Did you mean ${BOB}?`,
  },
  {
    title: 'no token',
    send: (_, as) => as('').get(EVENTS),
    status: 401,
    code: 'FC307',
    message: 'The request has no access token',
  },
  {
    title: 'an id that is in use',
    send: async (alice) => {
      await alice.post(EVENTS, lunch)
      return alice.post(EVENTS, lunch)
    },
    status: 409,
    code: 'FC308',
    message: 'The id is in use',
  },
  {
    title: 'an outdated etag',
    send: async (alice) => {
      await alice.post(EVENTS, lunch)
      return alice.patch(`${EVENTS}/lunch001`, { summary: 'Tea' }, { 'If-Match': '"1"' })
    },
    status: 412,
    code: 'FC309',
    message: 'The etag in If-Match is not the current one',
  },
]

test.each(ROWS)('$code: $title', async ({ send, status, code, message }) => {
  const { as } = openCalendar()
  const reply = await send(as(ALICE), as)
  expect(reply.status).toBe(status)
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toMatch(new RegExp(`(^|\\| )${code} `))
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toContain(message)
})

test('an expired sync token, and too few scopes, are explained', async () => {
  const scopes = ['https://www.googleapis.com/auth/calendar.readonly']
  const seed = { accounts: [{ email: ALICE }], tokens: [{ token: 'read-only', account: ALICE, scopes }] }
  const { fake, as } = openCalendar({ seed })
  const { body } = await as(ALICE).get(EVENTS)
  fake.syncTokens.expire()
  const listed = await as(ALICE).get(`${EVENTS}?syncToken=${encodeURIComponent(body.nextSyncToken)}`)
  expect([listed.status, listed.headers.get('X-Fake-Calendar-Hint')]).toEqual([410, expect.stringMatching(/^FC108 /)])
  const inserted = await as('read-only').post(EVENTS, lunch)
  expect([inserted.status, inserted.headers.get('X-Fake-Calendar-Hint')]).toEqual([
    403,
    expect.stringMatching(/^FC306 /),
  ])
})

test('a correct request has no hint', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const { body, headers } = await alice.post(EVENTS, lunch)
  const echoed = await alice.put(`${EVENTS}/lunch001`, { ...body, summary: 'Tea' })
  const list = await alice.get(`${EVENTS}?singleEvents=true&orderBy=startTime&key=k&prettyPrint=false&alt=json`)
  expect([headers, echoed.headers, list.headers].map((one) => one.get('X-Fake-Calendar-Hint'))).toEqual([
    null,
    null,
    null,
  ])
})

test('a hint is ASCII even if the request is not', async () => {
  const { as } = openCalendar()
  const { headers } = await as(ALICE).get(`${EVENTS}?${encodeURIComponent('größe\r\nX: ☕')}=1`)
  expect(headers.get('X-Fake-Calendar-Hint')).toMatch(/^[ -~]+$/)
  expect(headers.get('X-Fake-Calendar-Hint')).toContain('gr\\u00f6\\u00dfe\\r\\nX: \\u2615')
})

test('strictSurface rejects unknown parameters and fields', async () => {
  const { fake, as } = openCalendar({ strictSurface: true })
  const parameter = await as(ALICE).get(`${EVENTS}?singleEvent=true`)
  expect([parameter.status, parameter.body.error.message]).toEqual([
    400,
    'events.list has no parameter singleEvent. Did you mean singleEvents? (fake-calendar, strict surface)',
  ])
  const field = await as(ALICE).post(EVENTS, { ...lunch, sumary: 'Lunch' })
  expect([field.status, field.body.error.message]).toEqual([
    400,
    'sumary is not a field of the service. Did you mean summary? (fake-calendar, strict surface)',
  ])
  expect(fake.state().calendars?.flatMap(({ events }) => events ?? [])).toEqual([])
})

const hintOn = ({ headers }: { headers: Headers }) => headers.get('X-Fake-Calendar-Hint')

test.each(['quota', 'fault'])('a retry right after a rate limit error gets a hint (%s)', async (by) => {
  const { fake, as } = openCalendar()
  if (by === 'quota') fake.quota({ perUserPerMinute: 0 })
  else fake.faults.add({ on: 'events.*', times: 'always', do: { fail: 'rateLimitExceeded429' } })
  const list = async (query = '') => {
    const reply = await as(ALICE).get(`${EVENTS}${query}`)
    return [reply.status, hintOn(reply)?.slice(0, 5)]
  }
  const status = by === 'quota' ? 403 : 429

  expect([await list(), await list(), await list('?q=x')]).toEqual([
    [status, undefined],
    [status, 'FC401'],
    [status, undefined],
  ])
  expect(fake.calls('events.list').map(({ hints }) => hints.map(({ code }) => code))).toEqual([[], ['FC401'], []])
})

test('an injected error has no hint', async () => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'events.list', do: [{ fail: 'notFound' }, { fail: 'fullSyncRequired' }] })
  const [first, second] = [await as(ALICE).get(EVENTS), await as(ALICE).get(EVENTS)]

  expect([first.status, hintOn(first), second.status, hintOn(second)]).toEqual([404, null, 410, null])
})

test('with strict tokens, hints distinguish unknown, expired and revoked tokens', async () => {
  const { fake, as } = openCalendar({ strict: true })
  const [expired, revoked] = [fake.oauth.mint({ account: ALICE }), fake.oauth.mint({ account: ALICE })]
  fake.oauth.expire(expired)
  fake.oauth.revoke(revoked)
  const replies = [await as(ALICE).get(EVENTS), await as(expired).get(EVENTS), await as(revoked).get(EVENTS)]

  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401])
  expect(replies.map(hintOn)).toEqual([
    expect.stringMatching(/^FC302 The token belongs to no account of this world\. Send a token/),
    expect.stringMatching(/^FC307 The token is expired\./),
    expect.stringMatching(/^FC307 The token is revoked\./),
  ])
  expect(fake.calls().map(({ hints: [hint] }) => hint?.code)).toEqual(['FC302', 'FC307', 'FC307'])
})

test('a hint lists the allowed values, and CORS exposes the header', async () => {
  const { as } = openCalendar()
  const { status, headers } = await as(ALICE).get(`${EVENTS}?orderBy=startime`, undefined, {
    Origin: 'http://localhost',
  })

  expect([status, headers.get('X-Fake-Calendar-Hint')]).toEqual([
    400,
    'FC104 orderBy cannot be startime. Did you mean startTime? (allowed: startTime, updated)',
  ])
  expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Fake-Calendar-Hint')
})

/** Hints on tools of MCP, whose tests are in test/server/mcp.test.ts. */
const TOOL_HINTS = ['FC501', 'FC502', 'FC503', 'FC504']

test('every hint has a test', () => {
  const tested = [...ROWS.map(({ code }) => code), 'FC108', 'FC109', 'FC306', 'FC401', ...TOOL_HINTS]
  expect(Object.keys(HINTS).filter((code) => !tested.includes(code))).toEqual([])
})
