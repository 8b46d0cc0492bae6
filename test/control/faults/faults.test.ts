import { describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../../src/index.ts'
import { ALICE, allDay, BOB, errorOf, openCalendar } from '../../support/calendar.ts'

const DAY = { id: 'lunch0', summary: 'Lunch', ...allDay('2026-03-02', '2026-03-03') }
const FULL = { fail: 'rateLimitExceeded' } as const

/** The statuses of so many requests for Alice's events, one after the other. */
async function statusesOf(alice: ReturnType<ReturnType<typeof openCalendar>['as']>, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < times; request++) statuses.push((await alice.get('/calendars/primary/events')).status)
  return statuses
}

describe('matching of requests', () => {
  test('a fault fires once by default, and the next request succeeds', async () => {
    const { fake, as } = openCalendar()
    const fault = fake.faults.add({ on: 'events.list', do: FULL })

    expect(await statusesOf(as(ALICE), 2)).toEqual([403, 200])
    expect(fault).toMatchObject({ id: 'fault-1', matched: 2, fired: 1 })
  })

  test.each([
    ['events.list', true],
    ['events.*', true],
    ['*', true],
    [['acl.list', 'events.list'], true],
    ['events.insert', false],
    ['calendars.*', false],
  ] as const)('a fault on %j matches events.list: %j', async (on, isMatch) => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on, do: FULL })

    expect(await statusesOf(as(ALICE), 1)).toEqual([isMatch ? 403 : 200])
  })

  test('a fault matches by account and calendar, and primary is the calendar of the caller', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: '*', account: BOB, times: 'always', do: FULL })
    const own = fake.faults.add({ on: '*', calendarId: 'primary', times: 'always', do: { fail: 'quotaExceeded' } })

    expect(errorOf(await as(BOB).get('/calendars/primary'))).toMatchObject({
      status: 403,
      message: 'Rate Limit Exceeded',
    })
    expect(errorOf(await as(ALICE).get(`/calendars/${ALICE}`))).toMatchObject({ status: 403, reason: 'quotaExceeded' })
    expect((await as(ALICE).get('/users/me/calendarList')).status).toBe(200)
    expect(own.fired).toBe(1)
  })

  test('a fault matches by parameters and body, with partial and deep criteria', async () => {
    const { fake, as } = openCalendar()
    const params = fake.faults.add({ on: '*', where: { params: { sendUpdates: 'all', maxAttendees: 2 } }, do: FULL })
    const body = fake.faults.add({
      on: 'events.insert',
      where: { body: { summary: expect.stringContaining('unch'), attendees: [{ email: BOB }] } },
      do: FULL,
    })
    const post = (query: string, more: object = {}) =>
      as(ALICE).post(`/calendars/primary/events${query}`, { ...DAY, ...more })

    expect((await post('?sendUpdates=all&maxAttendees=2')).status).toBe(403)
    expect((await post('?sendUpdates=none', { attendees: [{ email: ALICE }, { email: BOB }] })).status).toBe(403)
    expect((await post('')).status).toBe(200)
    expect([params.fired, body.fired]).toEqual([1, 1])
  })

  test('skip, every and times count matching requests', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: 'events.list', skip: 1, every: 2, times: 2, do: FULL })

    expect(await statusesOf(as(ALICE), 8)).toEqual([200, 200, 403, 200, 403, 200, 200, 200])
  })

  test('a list of effects is a sequence: 503, then 429, then success', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: 'events.list', do: [{ fail: 'backendError503' }, { fail: 'rateLimitExceeded429' }] })

    expect(await statusesOf(as(ALICE), 4)).toEqual([503, 429, 200, 200])
  })

  test('a sequence repeats if times exceeds its length', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({
      on: 'events.list',
      times: 3,
      do: [{ fail: 'backendError503' }, { fail: 'rateLimitExceeded429' }],
    })

    expect(await statusesOf(as(ALICE), 4)).toEqual([503, 429, 503, 200])
  })

  test('the first fault that fires applies; a used or skipped fault passes the request on', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: 'events.list', do: { fail: 'backendError503' } })
    fake.faults.add({ on: 'events.list', skip: 1, do: { fail: 'backendError' } })
    const last = fake.faults.add({ on: 'events.list', times: 'always', do: FULL })

    expect(await statusesOf(as(ALICE), 4)).toEqual([503, 403, 500, 403])
    expect(last).toMatchObject({ matched: 2, fired: 2 })
  })

  test('probability uses the random source of the world: equal seeds repeat it, a reset restarts it, and ids do not change', async () => {
    const drawn = async () => {
      const { fake, as } = openCalendar()
      const add = () => fake.faults.add({ on: 'events.list', probability: 0.5, times: 'always', do: FULL })
      add()
      const first = await statusesOf(as(ALICE), 20)
      fake.faults.clear()
      const { body } = await as(ALICE).post('/calendars/primary/events', allDay('2026-03-02', '2026-03-03'))
      fake.reset()
      add()
      return { first, id: body.id, again: await statusesOf(as(ALICE), 20) }
    }
    const [one, other] = [await drawn(), await drawn()]
    const { as } = openCalendar()
    const { body } = await as(ALICE).post('/calendars/primary/events', allDay('2026-03-02', '2026-03-03'))

    expect(one).toEqual(other)
    expect(one.again).toEqual(one.first)
    expect(new Set(one.first)).toEqual(new Set([200, 403]))
    expect(one.id).toBe(body.id)
  })

  test('each part of a batch is matched', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: 'events.insert', do: FULL })
    const part = (verb: string, path: string, body = '') =>
      `--b\r\nContent-Type: application/http\r\n\r\n${verb} /calendar/v3${path}\r\nContent-Type: application/json\r\n\r\n${body}\r\n`
    const insert = part('POST', '/calendars/primary/events', JSON.stringify(allDay('2026-03-02', '2026-03-03')))
    const response = await fake.request('/batch/calendar/v3', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b', Authorization: `Bearer ${ALICE}` },
      body: `${insert}${insert}--b--`,
    })

    expect((await response.text()).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200'])
    expect(await statusesOf(as(ALICE), 1)).toEqual([200])
  })

  test('the token endpoint matches like a method; batch and discovery only by name', async () => {
    const { fake } = openCalendar()
    const form = fake.faults.add({
      on: 'oauth.token',
      account: ALICE,
      where: { body: { grant_type: 'refresh_token' } },
      do: { fail: 'oauthUnavailable', retryAfter: '2s' },
    })
    const all = fake.faults.add({ on: '*', do: { fail: 'backendError503' } })
    fake.seed({ oauth: { grants: [{ client: 'app', account: ALICE, scopes: [], refreshToken: '1//r' }] } })
    fake.faults.add({ on: ['batch', 'discovery'], times: 2, do: { fail: 'frontEndBackendError503' } })
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: '1//r', client_id: 'app' })
    const token = () => fake.request('/token', { method: 'POST', body })
    const statuses = [
      (await fake.request('/batch', { method: 'POST' })).status,
      (await fake.request('/$discovery/rest?version=v3')).status,
      (await fake.request('/$discovery/rest?version=v3')).status,
    ]
    expect([...statuses, all.matched]).toEqual([503, 503, 200, 0])
    const [first, second, third] = [await token(), await token(), await token()]

    expect([first.status, first.headers.get('Retry-After'), second.status, third.status]).toEqual([503, '2', 503, 200])
    expect(await first.json()).toEqual({ error: 'temporarily_unavailable', error_description: 'Service Unavailable' })
    expect([form.fired, all.fired]).toEqual([1, 1])
  })

  test('the journal has faults of requests outside of methods, without a status if there was no response', async () => {
    const { fake, as } = openCalendar()
    await as(ALICE).get('/colors')
    fake.faults.add({ on: 'oauth.token', do: [{ fail: 'oauthUnavailable' }, { answerLost: true }] })
    fake.faults.add({ on: ['batch', 'discovery'], times: 3, do: { fail: 'frontEndBackendError503' } })
    fake.faults.add({ on: 'batch', account: BOB, do: { reset: true } })
    const post = (path: string, token = ALICE) =>
      fake.request(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
    await post('/token')
    await expect(post('/token')).rejects.toThrow()
    await post('/batch')
    await fake.request('/$discovery/rest?version=v3')
    await post('/batch')
    await expect(post('/batch', BOB)).rejects.toThrow()
    await post('/batch', BOB)

    expect(fake.calls('oauth.token')).toMatchObject([
      { fault: 'fault-1', status: 503, reason: 'temporarily_unavailable' },
      { fault: 'fault-1', status: undefined },
    ])
    expect(fake.calls('discovery')).toMatchObject([{ fault: 'fault-2', status: 503 }])
    expect(fake.calls('batch').map(({ account, fault, status }) => [account, fault, status])).toEqual([
      [ALICE, 'fault-2', 503],
      [ALICE, 'fault-2', 503],
      [BOB, 'fault-3', undefined],
      [BOB, undefined, 400],
    ])
  })

  test('a fault on a calendar matches free/busy queries with the calendar in the body', async () => {
    const { fake, as } = openCalendar()
    const fault = fake.faults.add({ on: 'freebusy.query', calendarId: BOB, do: FULL })
    const send = async (...ids: string[]) => {
      const range = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
      return (await as(ALICE).post('/freeBusy', { ...range, items: ids.map((id) => ({ id })) })).status
    }

    expect([await send(ALICE), await send('primary', BOB), await send(BOB)]).toEqual([200, 403, 200])
    expect(fault.matched).toBe(2)
    expect(fake.calls('freebusy.query', { calendarId: 'primary' }).map(({ n }) => n)).toEqual([1, 2])
  })

  test('a request that fails an earlier check fires no fault', async () => {
    const { fake, anonymous } = openCalendar()
    const fault = fake.faults.add({ on: '*', do: FULL })

    expect((await anonymous.get('/calendars/primary')).status).toBe(401)
    expect(fault.matched).toBe(0)
  })
})

describe('the list of faults', () => {
  test('a fault is removed by handle, by id, and with all others', async () => {
    const { fake, as } = openCalendar()
    const add = () => fake.faults.add({ on: '*', times: 'always', do: FULL })
    add().remove()
    fake.faults.remove(add().id)
    expect(await statusesOf(as(ALICE), 1)).toEqual([200])
    expect(() => fake.faults.remove('fault-2')).toThrow('there is no fault "fault-2"')
    add()
    add()
    expect(await statusesOf(as(ALICE), 1)).toEqual([403])
    expect(fake.faults.list()).toEqual([
      { id: 'fault-3', on: '*', times: 'always', do: FULL, matched: 1, fired: 1, spent: false },
      { id: 'fault-4', on: '*', times: 'always', do: FULL, matched: 0, fired: 0, spent: false },
    ])
    expect(fake.faults.clear()).toBe(2)
    expect(await statusesOf(as(ALICE), 1)).toEqual([200])
  })

  test.each<[string, Fault['do']]>([
    ['an error', FULL],
    ['a response', { status: 418, headers: { 'X-A': 'b' }, body: 'tea' }],
    ['a response without a body', { empty: true }],
    ['a truncated response', { truncate: 3 }],
    ['an empty page', { emptyPage: true }],
    ['a delay', { delay: 1 }],
  ])('%s names its fault in a header and in the log', async (_, effect) => {
    const lines: string[] = []
    const { fake } = openCalendar({ log: (line) => lines.push(line) })
    fake.faults.add({ on: 'colors.get', do: FULL })
    const { id } = fake.faults.add({ on: 'events.list', do: effect })
    const headers = { Authorization: `Bearer ${ALICE}`, Origin: 'https://example.com' }
    const send = () => fake.request('/calendar/v3/calendars/primary/events', { headers })
    const faulty = await send()

    expect(faulty.headers.get('X-Fake-Calendar-Fault')).toBe(id)
    expect(faulty.headers.get('Access-Control-Expose-Headers')).toContain('X-Fake-Calendar-Fault')
    expect(lines.at(-1)).toContain(' fault=fault-2')
    const next = await send()
    expect([next.status, next.headers.get('X-Fake-Calendar-Fault')]).toEqual([200, null])
    expect(next.headers.get('Access-Control-Expose-Headers')).not.toContain('X-Fake')
  })

  test('an empty response keeps its other headers, and HEAD has no body that a fault could cut', async () => {
    const { fake } = openCalendar()
    const send = (method: string) =>
      fake.request('/calendar/v3/colors', { method, headers: { Authorization: `Bearer ${ALICE}` } })
    const whole = await send('GET')
    fake.faults.add({ on: 'colors.get', do: [{ empty: true }, { truncate: 3 }, { truncate: 3 }] })
    const [empty, head, cut] = [await send('GET'), await send('HEAD'), await send('GET')]

    expect(whole.headers.get('Cache-Control')).not.toBeNull()
    expect(empty.headers.get('Cache-Control')).toBe(whole.headers.get('Cache-Control'))
    expect(empty.headers.get('Content-Type')).toBeNull()
    expect(await empty.text()).toBe('')
    expect([head.status, await head.text()]).toEqual([200, ''])
    await expect(cut.text()).rejects.toThrow()
  })

  test('the header is also sent over a socket, in a batch and by the token endpoint', async () => {
    const { fake } = openCalendar()
    const { url } = await fake.listen()
    fake.faults.add({ on: ['colors.get', 'oauth.token', 'discovery'], times: 'always', do: FULL })
    const headers = { Authorization: `Bearer ${ALICE}` }
    const batch = await fetch(`${url}/batch/calendar/v3`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'multipart/mixed; boundary=b' },
      body: '--b\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3/colors\r\n\r\n--b--\r\n',
    })
    expect(batch.headers.get('X-Fake-Calendar-Fault')).toBeNull()
    expect((await batch.text()).toLowerCase()).toContain('x-fake-calendar-fault: fault-1')
    for (const [path, init] of [
      ['/calendar/v3/colors', { headers }],
      ['/discovery/v1/apis/calendar/v3/rest', {}],
      ['/token', { method: 'POST', body: new URLSearchParams() }],
    ] as const)
      expect((await fetch(`${url}${path}`, init)).headers.get('X-Fake-Calendar-Fault')).toBe('fault-1')
    await fake.close()
  })

  test('the routes return the same list', async () => {
    const { fake, as, anonymous } = openCalendar()
    const added = await anonymous.post('/_control/faults', { on: 'events.list', do: FULL })
    expect(added.body).toEqual({ id: 'fault-1', matched: 0, fired: 0, spent: false, on: 'events.list', do: FULL })
    const unmet = await anonymous.get('/_control/faults/verify')
    expect(unmet.status).toBe(417)
    expect(unmet.body.error).toMatchObject({ code: 417, message: unmet.body.message })
    expect(unmet.body).toMatchObject({
      verified: false,
      message:
        'expected fault-1 (events.list: rateLimitExceeded) to fire once; it never fired, and there is no matching request\nNothing was called.',
    })
    expect(await statusesOf(as(ALICE), 1)).toEqual([403])
    expect((await anonymous.get('/_control/faults')).body.faults).toMatchObject([{ matched: 1, fired: 1 }])
    expect((await anonymous.get('/_control/faults/verify')).body).toEqual({ verified: true, faults: 1 })
    expect((await anonymous.delete('/_control/faults/fault-1')).body).toEqual({ done: true })
    expect((await anonymous.delete('/_control/faults')).body).toEqual({ cleared: 0 })
    await anonymous.post('/_control/faults', { on: 'events.list', do: FULL })
    expect((await anonymous.delete('/_control/faults/fault-2')).body).toEqual({ done: true })
    const again = await anonymous.delete('/_control/faults/fault-2')
    expect([again.status, again.body.error.message]).toEqual([
      400,
      expect.stringContaining('there is no fault "fault-2"'),
    ])
    expect(fake.faults.list()).toEqual([])
  })

  test('faults belong to one world and end with it', async () => {
    const { fake, as } = openCalendar()
    fake.world('other').faults.add({ on: '*', times: 'always', do: FULL })
    expect(await statusesOf(as(ALICE), 1)).toEqual([200])
    expect(await statusesOf(as(`other~${ALICE}`), 1)).toEqual([403])
    fake.world('other').reset()
    expect(await statusesOf(as(`other~${ALICE}`), 1)).toEqual([200])
  })
})

describe('verify', () => {
  test('names each fault that fired too rarely', async () => {
    const { fake, as } = openCalendar()
    fake.faults.add({ on: 'events.list', times: 2, do: FULL })
    fake.faults.add({ on: 'acl.*', times: 'always', do: { status: 418 } })
    fake.faults.add({ on: '*', optional: true, do: FULL })
    fake.faults.add({ on: '*', skip: 99, probability: 0.5, do: FULL })
    fake.faults.add({ on: 'events.list', do: { delay: 1 } })
    fake.faults.add({ on: 'events.get', do: { delay: 1, hang: true } })
    expect(await statusesOf(as(ALICE), 1)).toEqual([403])
    for (const status of [403, 200]) expect((await as(ALICE).get('/colors?access_token=x')).status).toBe(status)

    expect(() => fake.faults.verify()).toThrow(
      [
        'expected fault-1 (events.list: rateLimitExceeded) to fire 2 times; it fired once, and there is 1 matching request',
        'expected fault-2 (acl.*: 418) to fire; it never fired, and there is no matching request',
        'expected fault-5 (events.list: delay) to fire once; it never fired, and there is no matching request',
        'expected fault-6 (events.get: hang) to fire once; it never fired, and there is no matching request',
        'Called were:',
        '  events.list of alice@example.com calendarId=primary',
        '  colors.get of alice@example.com access_token=[redacted] (2 times)',
      ].join('\n'),
    )
  })

  test('passes if all faults fired, and without faults', async () => {
    const { fake, as } = openCalendar()
    fake.faults.verify()
    fake.faults.add({ on: 'events.list', times: 'always', do: FULL })
    expect(await statusesOf(as(ALICE), 1)).toEqual([403])

    expect(() => fake.faults.verify()).not.toThrow()
  })
})

test.each<[unknown, string]>([
  [{ on: 'events.insrt', do: FULL }, 'on: there is no method "events.insrt"; did you mean "events.insert"?'],
  [{ on: ['event.*'], do: FULL }, 'on: there is no method "event.*"; did you mean "events.*"?'],
  [
    { on: '*', do: { fail: 'ratelimitExceeded' } },
    'do.fail: there is no failure "ratelimitExceeded"; did you mean "rateLimitExceeded"?',
  ],
  [{ on: '*', tmes: 2, do: FULL }, 'there is no "tmes"; did you mean "times"?'],
  [{ on: '*', do: { rest: true } }, 'do: there is no "rest"; did you mean "reset"?'],
  [{ on: '*', do: [FULL, { truncat: 2 }] }, 'do[1]: there is no "truncat"; did you mean "truncate"?'],
  [{ on: '*', do: { hang: true, reset: true } }, 'do: give only one of hang and reset'],
  [{ on: '*', do: {} }, 'do: give an effect'],
  [{ on: '*', do: { delay: 'soon' } }, 'do.delay: not a duration: soon'],
  [{ on: '*', do: { status: 200, headers: { 'a b': '' } } }, 'do.headers: "a b" cannot be a header with this value'],
  [{ on: '*', do: { status: 200, headers: { a: 'b\r\nc: d' } } }, 'do.headers: "a" cannot be a header with this value'],
  ...['Content-Length', 'transfer-encoding', 'Connection', 'Trailer'].map((name): [unknown, string] => [
    { on: '*', do: { status: 200, headers: { [name]: '1' } } },
    `do.headers: ${name} is set by the server; leave it out`,
  ]),
  [
    { on: '*', do: { headers: { 'X-A': 'b' }, delay: 1 } },
    'do.headers: needs status, and cannot be combined with fail',
  ],
  [
    { on: '*', do: { fail: 'backendError', status: 503, body: 'x' } },
    'do.body: needs status, and cannot be combined with fail',
  ],
  [{ on: '*', do: { ...FULL, clock: 'world' } }, 'do.clock: needs a delay; add one, or remove clock'],
  [{ on: '*', do: { ...FULL, detached: true } }, 'do.detached: needs a delay; add one, or remove detached'],
  [
    { on: ['events.list', 'colors.get'], do: { delay: 1, detached: true } },
    'do.detached: applies only to writes; name one in on',
  ],
  [{ on: '*', do: { status: 503, retryAfter: 1 } }, 'do.retryAfter: needs fail; a fixed response has headers instead'],
  [{ on: '*', until: '2026-03-02T09:00:00Z', for: '1h', do: FULL }, 'for: give until or for, not both'],
  [{ on: '*', do: { ...FULL, retryAfter: '366d' } }, 'do.retryAfter: at most a year'],
  [{ on: '*', do: { ...FULL, retryAfter: 366 * 86_400 } }, 'do.retryAfter: '],
  [{ on: 'events.insert', do: { emptyPage: true } }, 'do.emptyPage: applies only to lists'],
  [{ on: 'freebusy.query', do: { emptyPage: true } }, 'do.emptyPage: applies only to lists'],
  [{ on: 'colors.*', do: { emptyPage: true } }, 'do.emptyPage: applies only to lists'],
  [{ on: ['events.get', 'acl.get'], do: { stale: '1h' } }, 'do.stale: applies only to lists and free/busy'],
  [{ on: 'events.*', do: { calendarListLag: true } }, 'do.calendarListLag: applies only to calendars.delete'],
  [{ on: 'events.instances', do: { deletedCopies: true } }, 'do.deletedCopies: applies only to events.list'],
  [{ on: 'events.instances', do: { trimmedSeries: true } }, 'do.trimmedSeries: applies only to events.list'],
  [{ on: '*', where: { body: { summary: { matches: '(' } } }, do: FULL }, 'where.body.summary.matches: '],
  [{ on: '*', times: 0, do: FULL }, 'times: '],
  [{ on: '*', probability: 2, do: FULL }, 'probability: '],
])('%j is rejected: %s', async (fault, message) => {
  const { fake, anonymous } = openCalendar()
  const error = vi.fn()
  try {
    fake.faults.add(fault as Fault)
  } catch (thrown) {
    error(thrown)
  }

  const [line] = error.mock.calls[0] ?? []
  expect(line).toBeInstanceOf(RangeError)
  const overRoute = errorOf(await anonymous.post('/_control/faults', fault))
  expect(overRoute.status).toBe(400)
  expect([`${line.message}`, overRoute.message]).toEqual([
    expect.stringContaining(
      message.replace(/^\w+(\[\d\])?(\.\w+)*: (?=headers|give only|has no|there is no method|where|not a)/, ''),
    ),
    expect.stringContaining(message),
  ])
  expect(fake.faults.list()).toEqual([])
})

test('a test can wait until a fault has fired n times, with a time-out', async () => {
  const { fake, as } = openCalendar()
  const fault = fake.faults.add({ on: 'colors.get', times: 2, do: { fail: 'backendError503' } })
  const twice = fault.until(2)
  const received: string[] = []
  twice.then(() => received.push('twice'))
  expect((await as(ALICE).get('/colors')).status).toBe(503)
  await fault.until()
  expect(received).toEqual([])
  await expect(fault.until(2, { timeout: 5 })).rejects.toThrow('fault-1: fired 1 of 2 times in time')

  expect((await as(ALICE).get('/colors')).status).toBe(503)
  await twice
  expect(received).toEqual(['twice'])
})

test.each(['365d', 365 * 86_400])('a fault can be retried after a year, %j', async (retryAfter) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: '*', do: { ...FULL, retryAfter } })
  const { status, headers } = await as(ALICE).get('/colors')

  expect([status, headers.get('Retry-After')]).toEqual([403, '31536000'])
})
