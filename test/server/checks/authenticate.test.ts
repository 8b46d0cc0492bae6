import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND } from '../../support/sharing.ts'

const EXPECTED =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

/** Every method that needs a user, with its name in errors of the front end. */
const PRIVATE = [
  ['delete', '/calendars/primary/acl/default', 'Acl.Delete'],
  ['get', '/calendars/primary/acl/default', 'Acl.Get'],
  ['post', '/calendars/primary/acl', 'Acl.Insert'],
  ['get', '/calendars/primary/acl', 'Acl.List'],
  ['patch', '/calendars/primary/acl/default', 'Acl.Patch'],
  ['put', '/calendars/primary/acl/default', 'Acl.Update'],
  ['delete', '/users/me/calendarList/primary', 'CalendarList.Delete'],
  ['get', '/users/me/calendarList/primary', 'CalendarList.Get'],
  ['post', '/users/me/calendarList', 'CalendarList.Insert'],
  ['get', '/users/me/calendarList', 'CalendarList.List'],
  ['patch', '/users/me/calendarList/primary', 'CalendarList.Patch'],
  ['put', '/users/me/calendarList/primary', 'CalendarList.Update'],
  ['post', '/calendars/primary/clear', 'Calendars.Clear'],
  ['delete', '/calendars/primary', 'Calendars.Delete'],
  ['post', '/calendars', 'Calendars.Insert'],
  ['patch', '/calendars/primary', 'Calendars.Patch'],
  ['put', '/calendars/primary', 'Calendars.Update'],
  ['post', '/calendars/primary/transferOwnership', 'Calendars.TransferOwnership'],
  ['get', '/users/me/settings/locale', 'Settings.Get'],
  ['get', '/users/me/settings', 'Settings.List'],
] as const
const PUBLIC = [
  ['get', '/calendars/primary', 'Calendars.Get'],
  ['get', '/colors', 'Colors.Get'],
] as const

const frontEnd = (code: number, message: string, status: string, error: object, errorInfo: string, method: string) =>
  `${JSON.stringify(
    {
      error: {
        code,
        message,
        errors: [error],
        status,
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: errorInfo,
            domain: 'googleapis.com',
            metadata: { service: 'calendar-json.googleapis.com', method: `calendar.v3.${method}` },
          },
        ],
      },
    },
    null,
    2,
  )}\n`

test.each([...PRIVATE, ...PUBLIC])(
  '1.1, 2.1.2, 2.1.3, 2.2.10 %s %s without credentials is refused by the front end',
  async (verb, path, method) => {
    const { anonymous } = openCalendar()

    const reply = await anonymous[verb](path)

    expect(reply.status).toBe(401)
    expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer realm="https://accounts.google.com/"')
    expect(reply.text).toBe(
      frontEnd(
        401,
        `Request is missing required authentication credential. ${EXPECTED}`,
        'UNAUTHENTICATED',
        {
          message: 'Login Required.',
          domain: 'global',
          reason: 'required',
          location: 'Authorization',
          locationType: 'header',
        },
        'CREDENTIALS_MISSING',
        method,
      ),
    )
  },
)

test.each(PRIVATE)('1.1 %s %s refuses an API key alone', async (verb, path) => {
  const { anonymous } = openCalendar()

  expect(errorOf(await anonymous[verb](`${path}?key=x`))).toMatchObject({ status: 401, reason: 'required' })
})

test.each([...PRIVATE, ...PUBLIC])(
  '1.5, 2.2.10 %s %s refuses a token with an unrelated scope',
  async (verb, path, method) => {
    const scopes = ['https://www.googleapis.com/auth/tasks']
    const { fake, as } = openCalendar()
    fake.seed({ tokens: [{ token: 'secret', account: ALICE, scopes }] })

    const reply = await as('secret')[verb](path)

    expect(reply.status).toBe(403)
    expect(reply.text).toBe(
      frontEnd(
        403,
        'Request had insufficient authentication scopes.',
        'PERMISSION_DENIED',
        { message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' },
        'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        method,
      ),
    )
  },
)

test.each([
  ['calendar', 200, 200, 200],
  ['calendar.readonly', 200, 403, 403],
  ['calendar.calendarlist', 200, 200, 403],
  ['calendar.calendarlist.readonly', 200, 403, 403],
  ['calendar.acls', 403, 403, 200],
  ['calendar.app.created', 403, 403, 403],
])(
  'with only the scope %s a list read is %d, a list insert %d, and a read of the rules %d',
  async (scope, read, write, rules) => {
    const { fake, as } = openCalendar()
    fake.seed({ tokens: [{ token: 'secret', account: ALICE, scopes: [`https://www.googleapis.com/auth/${scope}`] }] })
    const client = as('secret')

    expect((await client.get('/users/me/calendarList')).status).toBe(read)
    expect((await client.post('/users/me/calendarList', { id: ALICE })).status).toBe(write)
    expect((await client.get('/calendars/primary/acl')).status).toBe(rules)
  },
)

test('1.1, 7.22 an API key reads only public calendars', async () => {
  const { as, anonymous } = openCalendar()
  await as(ALICE).post('/calendars/primary/acl', { role: 'freeBusyReader', scope: { type: 'default' } })

  expect((await anonymous.get(`/calendars/${ALICE}?key=x`)).body.id).toBe(ALICE)
  for (const id of [BOB, 'nobody@example.com', 'primary']) {
    expect(errorOf(await anonymous.get(`/calendars/${id}?key=x`))).toEqual(NOT_FOUND)
  }
})

test('an API key cannot read a calendar that is no longer public', async () => {
  const { as, anonymous } = openCalendar()
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })

  await as(ALICE).delete('/calendars/primary/acl/default')

  expect(errorOf(await anonymous.get(`/calendars/${ALICE}?key=x`))).toEqual(NOT_FOUND)
})

test('a rule for a domain does not admit an API key', async () => {
  const { as, anonymous } = openCalendar()
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'domain', value: 'example.com' } })

  expect(errorOf(await anonymous.get(`/calendars/${ALICE}?key=x`))).toEqual(NOT_FOUND)
})

test('2.1.3, 2.2.10 a strict world accepts only seeded tokens', async () => {
  const { fake, as } = openCalendar({ strict: true })
  fake.seed({ tokens: [{ token: 'secret', account: BOB }] })

  expect((await as('secret').get('/calendars/primary')).body.id).toBe(BOB)
  const reply = await as(ALICE).get('/calendars/primary')
  expect(reply.status).toBe(401)
  expect(reply.headers.get('WWW-Authenticate')).toBe(
    'Bearer realm="https://accounts.google.com/", error="invalid_token"',
  )
  expect(reply.text).toBe(
    `${JSON.stringify(
      {
        error: {
          code: 401,
          message: `Request had invalid authentication credentials. ${EXPECTED}`,
          errors: [
            {
              message: 'Invalid Credentials',
              domain: 'global',
              reason: 'authError',
              location: 'Authorization',
              locationType: 'header',
            },
          ],
          status: 'UNAUTHENTICATED',
        },
      },
      null,
      2,
    )}\n`,
  )
})

test('in an open world an address creates its account, and any other token acts as the first account', async () => {
  const { as } = openCalendar()

  expect((await as('Dora@example.com').get('/calendars/primary')).body.id).toBe('dora@example.com')
  expect((await as('ya29.whatever').get('/calendars/primary')).body.id).toBe(ALICE)
})

test.each(['access_token', 'oauth_token'])('11.12 a token can be sent as %s', async (name) => {
  const { anonymous } = openCalendar()

  expect((await anonymous.get(`/calendars/primary?${name}=${BOB}`)).body.id).toBe(BOB)
})

test('a request without credentials acts as the anonymous account, if one is set, and one with only an API key does not', async () => {
  const { as, anonymous } = openCalendar({ anonymous: CAROL })

  expect((await anonymous.get('/calendars/primary')).body.id).toBe(CAROL)
  expect((await anonymous.get('/users/me/settings?key=x')).status).toBe(401)
  expect((await as(BOB).get('/calendars/primary')).body.id).toBe(BOB)
})
