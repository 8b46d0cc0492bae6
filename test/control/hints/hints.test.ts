import { expect, test } from 'vitest'
import { HINTS } from '../../../src/control/hints/table.ts'
import { ALICE, allDay, BOB, type Client, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const lunch = { id: 'lunch001', summary: 'Lunch', ...hour('2026-03-02', 12) }
const zoneless = { start: { dateTime: '2026-03-02T09:00:00' }, end: { dateTime: '2026-03-02T10:00:00' } }

type Ask = (alice: Client, as: (token: string) => Client) => Promise<{ status: number; headers: Headers }>
type Row = { title: string; ask: Ask; status: number; code: keyof typeof HINTS; says: string }

/** A request that is odd in one way, and what its hint says of it. */
const ROWS: Row[] = [
  {
    title: 'a day is no timestamp',
    ask: (alice) => alice.get(`${EVENTS}?timeMin=2026-01-01`),
    status: 400,
    code: 'FC101',
    says: 'timeMin=2026-01-01 needs a time and an offset. Write timeMin=2026-01-01T00:00:00Z',
  },
  {
    title: 'a plus that became a space',
    ask: (alice) => alice.get(`${EVENTS}?timeMax=2026-01-01T09:30:00+01:00`),
    status: 400,
    code: 'FC101',
    says: 'write %2B',
  },
  {
    title: 'an unknown parameter',
    ask: (alice) => alice.get(`${EVENTS}?singleEvent=true`),
    status: 200,
    code: 'FC102',
    says: 'events.list has no parameter singleEvent. Did you mean singleEvents?',
  },
  {
    title: 'a parameter of another method',
    ask: (alice) => alice.post(`${EVENTS}?destination=x`, { ...lunch }),
    status: 200,
    code: 'FC103',
    says: 'destination is a parameter of events.move and not of events.insert',
  },
  {
    title: 'a value that is not allowed',
    ask: (alice) => alice.get(`${EVENTS}?orderBy=startime`),
    status: 400,
    code: 'FC104',
    says: 'Did you mean startTime?',
  },
  {
    title: 'startTime without singleEvents',
    ask: (alice) => alice.get(`${EVENTS}?orderBy=startTime`),
    status: 400,
    code: 'FC105',
    says: 'Add singleEvents=true',
  },
  {
    title: 'a sync token with q',
    ask: async (alice) => {
      const { body } = await alice.get(EVENTS)
      return alice.get(`${EVENTS}?q=x&syncToken=${encodeURIComponent(body.nextSyncToken)}`)
    },
    status: 400,
    code: 'FC106',
    says: 'q stands beside syncToken',
  },
  {
    title: 'a made-up page token',
    ask: (alice) => alice.get(`${EVENTS}?pageToken=2`),
    status: 400,
    code: 'FC107',
    says: 'pageToken was not given out for this list',
  },
  {
    title: 'an unknown field, deep in a body',
    ask: (alice) => alice.post(EVENTS, { ...lunch, start: { ...lunch.start, timezone: 'UTC' } }),
    status: 200,
    code: 'FC201',
    says: 'start.timezone is no field of the service. Did you mean timeZone?',
  },
  {
    title: 'an unknown field of a guest',
    ask: (alice) => alice.post(EVENTS, { ...lunch, attendees: [{ email: BOB, mail: BOB }] }),
    status: 200,
    code: 'FC201',
    says: 'attendees[].mail',
  },
  {
    title: 'a field that only the service writes',
    ask: (alice) => alice.post(EVENTS, { ...lunch, htmlLink: 'https://example.com' }),
    status: 200,
    code: 'FC202',
    says: 'Only the service writes htmlLink',
  },
  {
    title: 'a field without effect',
    ask: (alice) => alice.post(EVENTS, { ...lunch, anyoneCanAddSelf: true }),
    status: 200,
    code: 'FC203',
    says: 'anyoneCanAddSelf is kept, with no effect',
  },
  {
    title: 'a body that is not JSON',
    ask: (alice) => alice.post(EVENTS, '{"summary": '),
    status: 400,
    code: 'FC204',
    says: 'The body is not JSON',
  },
  {
    title: 'a series without a zone',
    ask: (alice) =>
      alice.post(EVENTS, {
        start: { dateTime: '2026-03-02T09:00:00Z' },
        end: { dateTime: '2026-03-02T10:00:00Z' },
        recurrence: ['RRULE:FREQ=DAILY'],
      }),
    status: 400,
    code: 'FC205',
    says: 'Add start.timeZone',
  },
  {
    title: 'a day beside a time',
    ask: (alice) => alice.post(EVENTS, { start: allDay('2026-03-02', '2026-03-03').start, end: lunch.end }),
    status: 400,
    code: 'FC206',
    says: 'start and end are of two forms',
  },
  {
    title: 'a zone that there is not',
    ask: (alice) =>
      alice.post(EVENTS, { ...zoneless, start: { ...zoneless.start, timeZone: 'Europe/Belin' }, end: lunch.end }),
    status: 400,
    code: 'FC207',
    says: 'Europe/Belin is no zone',
  },
  {
    title: 'a rule that is none',
    ask: (alice) => alice.post(EVENTS, { ...lunch, recurrence: ['FREQ=DAILY'] }),
    status: 400,
    code: 'FC208',
    says: 'recurrence cannot be FREQ=DAILY',
  },
  {
    title: 'a calendar of somebody else',
    ask: (alice) => alice.get(`/calendars/${BOB}`),
    status: 404,
    code: 'FC301',
    says: `${BOB} exists, and ${ALICE} has no role on it`,
  },
  {
    title: 'a token that is nobody’s',
    ask: (_, as) => as('some-token').get(EVENTS),
    status: 200,
    code: 'FC302',
    says: `The token stands for no account, and ${ALICE} was taken`,
  },
  {
    title: 'a calendar that there is not',
    ask: (alice) => alice.get('/calendars/alic@example.com/events'),
    status: 404,
    code: 'FC303',
    says: `Did you mean ${ALICE}?`,
  },
  {
    title: 'an event of another calendar',
    ask: async (alice, as) => {
      await as(BOB).post(EVENTS, lunch)
      return alice.get(`${EVENTS}/lunch001`)
    },
    status: 404,
    code: 'FC304',
    says: `lunch001 is an event of ${BOB}`,
  },
  {
    title: 'a reader who writes',
    ask: async (alice, as) => {
      await as(BOB).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: ALICE } })
      return alice.post(`/calendars/${BOB}/events`, lunch)
    },
    status: 403,
    code: 'FC305',
    says: `${ALICE} is reader on ${BOB}`,
  },
  {
    title: 'no token at all',
    ask: (_, as) => as('').get(EVENTS),
    status: 401,
    code: 'FC307',
    says: 'The request brings no access token',
  },
  {
    title: 'an id that is taken',
    ask: async (alice) => {
      await alice.post(EVENTS, lunch)
      return alice.post(EVENTS, lunch)
    },
    status: 409,
    code: 'FC308',
    says: 'The id is taken',
  },
  {
    title: 'an etag of before',
    ask: async (alice) => {
      await alice.post(EVENTS, lunch)
      return alice.patch(`${EVENTS}/lunch001`, { summary: 'Tea' }, { 'If-Match': '"1"' })
    },
    status: 412,
    code: 'FC309',
    says: 'The etag in If-Match is not the latest',
  },
]

test.each(ROWS)('$code: $title', async ({ ask, status, code, says }) => {
  const { as } = openCalendar()
  const reply = await ask(as(ALICE), as)
  expect(reply.status).toBe(status)
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toMatch(new RegExp(`(^|\\| )${code} `))
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toContain(says)
})

test('an expired sync token, and too few scopes, are explained', async () => {
  const scopes = ['https://www.googleapis.com/auth/calendar.readonly']
  const seed = { accounts: [{ email: ALICE }], tokens: [{ token: 'reading', account: ALICE, scopes }] }
  const { fake, as } = openCalendar({ seed })
  const { body } = await as(ALICE).get(EVENTS)
  fake.syncTokens.expire()
  const gone = await as(ALICE).get(`${EVENTS}?syncToken=${encodeURIComponent(body.nextSyncToken)}`)
  expect([gone.status, gone.headers.get('X-Fake-Calendar-Hint')]).toEqual([410, expect.stringMatching(/^FC108 /)])
  const refused = await as('reading').post(EVENTS, lunch)
  expect([refused.status, refused.headers.get('X-Fake-Calendar-Hint')]).toEqual([403, expect.stringMatching(/^FC306 /)])
})

test('a request with nothing odd about it has no hint', async () => {
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

test('a hint is ASCII, whatever was sent', async () => {
  const { as } = openCalendar()
  const { headers } = await as(ALICE).get(`${EVENTS}?${encodeURIComponent('größe\r\nX: ☕')}=1`)
  expect(headers.get('X-Fake-Calendar-Hint')).toMatch(/^[ -~]+$/)
  expect(headers.get('X-Fake-Calendar-Hint')).toContain('gr\\u00f6\\u00dfe\\u000d\\u000aX: \\u2615')
})

test('a strict surface refuses what the service would ignore, and says so', async () => {
  const { fake, as } = openCalendar({ strictSurface: true })
  const parameter = await as(ALICE).get(`${EVENTS}?singleEvent=true`)
  expect([parameter.status, parameter.body.error.message]).toEqual([
    400,
    'events.list has no parameter singleEvent. Did you mean singleEvents? (fake-calendar, strict surface)',
  ])
  const field = await as(ALICE).post(EVENTS, { ...lunch, sumary: 'Lunch' })
  expect([field.status, field.body.error.message]).toEqual([
    400,
    'sumary is no field of the service. Did you mean summary? (fake-calendar, strict surface)',
  ])
  expect(fake.state().calendars?.flatMap(({ events }) => events ?? [])).toEqual([])
})

const hintOn = ({ headers }: { headers: Headers }) => headers.get('X-Fake-Calendar-Hint')

test.each(['quota', 'fault'])(
  'a retry at once of what was refused for its rate is told to wait (by a %s)',
  async (by) => {
    const { fake, as } = openCalendar()
    if (by === 'quota') fake.quota({ perUserPerMinute: 0 })
    else fake.faults.add({ on: 'events.*', times: 'always', do: { fail: 'rateLimitExceeded429' } })
    const ask = async (query = '') => {
      const reply = await as(ALICE).get(`${EVENTS}${query}`)
      return [reply.status, hintOn(reply)?.slice(0, 5)]
    }
    const refused = by === 'quota' ? 403 : 429

    expect([await ask(), await ask(), await ask('?q=x')]).toEqual([
      [refused, undefined],
      [refused, 'FC401'],
      [refused, undefined],
    ])
    expect(fake.calls('events.list').map(({ hints }) => hints.map(({ code }) => code))).toEqual([[], ['FC401'], []])
  },
)

test('of what fails on cue nothing is explained by what it says', async () => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'events.list', do: [{ fail: 'notFound' }, { fail: 'fullSyncRequired' }] })
  const [first, second] = [await as(ALICE).get(EVENTS), await as(ALICE).get(EVENTS)]

  expect([first.status, hintOn(first), second.status, hintOn(second)]).toEqual([404, null, 410, null])
})

test('where only known tokens are taken it is told which are not: unknown, expired, revoked', async () => {
  const { fake, as } = openCalendar({ strict: true })
  const [expired, revoked] = [fake.oauth.mint({ account: ALICE }), fake.oauth.mint({ account: ALICE })]
  fake.oauth.expire(expired)
  fake.oauth.revoke(revoked)
  const replies = [await as(ALICE).get(EVENTS), await as(expired).get(EVENTS), await as(revoked).get(EVENTS)]

  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401])
  expect(replies.map(hintOn)).toEqual([
    expect.stringMatching(/^FC302 The token stands for no account of this world\. Send a token/),
    expect.stringMatching(/^FC307 The token is expired\./),
    expect.stringMatching(/^FC307 The token is revoked\./),
  ])
  expect(fake.calls().map(({ hints: [hint] }) => hint?.code)).toEqual(['FC302', 'FC307', 'FC307'])
})

test('the values that would do are listed, and a page of another origin may read the hint', async () => {
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

test('every hint is given by some request here', () => {
  const given = [...ROWS.map(({ code }) => code), 'FC108', 'FC306', 'FC401']
  expect(Object.keys(HINTS).filter((code) => !given.includes(code))).toEqual([])
})
