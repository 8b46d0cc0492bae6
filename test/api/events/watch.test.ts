import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, NOW, openCalendar } from '../../support/calendar.ts'
import { channel, EVENTS, openPush, openReceiver, summaryOf, write } from '../../support/push.ts'
import { NOT_FOUND, newCalendar, share } from '../../support/sharing.ts'

const WATCH = `${EVENTS}/watch`
const HOUR = 3_600_000
const DAY = 24 * HOUR
const now = Date.parse(NOW)

test.each([
  ['/calendars/primary/events/watch', '/calendars/primary/events?alt=json'],
  ['/calendars/alice%40example.com/events/watch', '/calendars/alice@example.com/events?alt=json'],
  [
    '/calendars/primary/events/watch?maxResults=10&singleEvents=true&eventTypes=default&eventTypes=focusTime&q=a%20b',
    '/calendars/primary/events?maxResults=10&eventTypes=default&eventTypes=focusTime&q=a%20b&singleEvents=true&alt=json',
  ],
  ['/calendars/primary/acl/watch', '/calendars/primary/acl?alt=json'],
  ['/users/me/calendarList/watch?showHidden=true', '/users/me/calendarList?showHidden=true&alt=json'],
  ['/users/me/settings/watch', '/users/me/settings?alt=json'],
])('1.6, 6.1.3, 6.1.8 a watch of %s has the resourceUri %s', async (path, uri) => {
  const { as } = openPush()

  expect((await as(ALICE).post(path, channel('mine'))).body.resourceUri).toBe(
    `http://fake-calendar.localhost/calendar/v3${uri}`,
  )
})

test.each([
  ['as a number', { expiration: now + HOUR }, now + HOUR],
  ['as text', { expiration: String(now + HOUR) }, now + HOUR],
  ['in whole seconds', { expiration: now + HOUR + 999 }, now + HOUR],
  ['by params.ttl', { params: { ttl: '3600' } }, now + HOUR],
  ['by expiration before params.ttl', { expiration: now + HOUR, params: { ttl: '60' } }, now + HOUR],
  ['for longer than a month, and reduced to a month', { expiration: now + 90 * DAY }, now + 30 * DAY],
  ['by a ttl longer than a month', { params: { ttl: '99999999' } }, now + 30 * DAY],
])('6.1.1, 6.1.5, 12.13 an expiration is requested %s', async (_, body, expected) => {
  const { as } = openPush()

  expect((await as(ALICE).post(WATCH, channel('mine', undefined, body))).body.expiration).toBe(String(expected))
})

const LONG = 'x'.repeat(64)
test.each([
  ['a missing body', {}, { reason: 'required', location: 'id' }],
  ['a missing id', { id: undefined }, { reason: 'required', location: 'id' }],
  ['a missing type', { type: undefined }, { reason: 'required', location: 'type' }],
  ['a missing address', { address: null }, { reason: 'required', location: 'address' }],
  ['an id over the maximum length', { id: `${LONG}x` }, { reason: 'invalid' }],
  ['an id with a space', { id: 'my channel' }, { reason: 'invalid' }],
  ['another type', { type: 'email' }, { reason: 'push.channelTypeUnknown', message: 'Unknown channel type: email' }],
  ['a token over the maximum length', { token: 'x'.repeat(257) }, { reason: 'invalid' }],
  ['a token with two lines', { token: 'a\r\nX-Goog-Forged: yes' }, { reason: 'invalid' }],
  ['a past expiration', { expiration: now }, { reason: 'invalid' }],
  ['an expiration within this second', { expiration: now + 999 }, { reason: 'invalid' }],
  ['an expiration that is not a number', { expiration: 'tomorrow' }, { reason: 'invalid' }],
  ['a ttl of 0', { params: { ttl: '0' } }, { reason: 'invalid' }],
  ['a ttl that is not a number', { params: { ttl: '1h' } }, { reason: 'invalid' }],
])('2.2.9, 6.1.1, 6.1.5, 6.1.6, 12.2 %s is refused, and no channel is opened', async (_, wrong, expected) => {
  const { as, fake } = openPush()
  const body = Object.keys(wrong).length === 0 ? {} : { ...channel('mine'), ...wrong }

  const reply = await as(ALICE).post(WATCH, body)

  expect(errorOf(reply)).toMatchObject({ status: 400, domain: 'global', ...expected })
  expect(fake.channels()).toEqual([])
})

test.each([
  ['an id of maximum length with every allowed character', { id: `${LONG.slice(0, 58)}-_+/=9` }],
  ['a token of maximum length', { token: 'x'.repeat(256) }],
  ['the type webhook', { type: 'webhook' }],
  ['an unsupported payload', { payload: true }],
])('6.1.1, 12.2 %s is accepted', async (_, fields) => {
  const { as } = openPush()

  expect((await as(ALICE).post(WATCH, { ...channel('mine'), ...fields })).status).toBe(200)
})

test.each([
  'http://hooks.example.com/push',
  'http://localhost.example.com/',
  'http://127.0.0.1.example.com/',
  'http://10.0.0.1/',
  'http://[::2]/',
  'ftp://localhost/',
  'hooks.example.com',
])('2.2.9, 6.1.6 the address %s is refused', async (address) => {
  const { as } = openPush()

  expect(errorOf(await as(ALICE).post(WATCH, channel('mine', address)))).toEqual({
    status: 400,
    domain: 'global',
    reason: 'push.webhookUrlNotHttps',
    message: `WebHook callback must be HTTPS: ${address}`,
  })
})

test.each([
  'https://hooks.example.com/push',
  'https://localhost/',
  'http://localhost:1/hook',
  'http://app.localhost:1/',
  'http://127.0.0.1:1/',
  'http://127.8.9.10:1/',
  'http://[::1]:1/',
])('the address %s is accepted', async (address) => {
  const { as, fake } = openPush()
  fake.notifications.hold()

  expect((await as(ALICE).post(WATCH, channel('mine', address))).status).toBe(200)
})

const LOCAL_NETWORK = [
  'http://app/hook',
  'http://web-1:3000/hook',
  'http://host.docker.internal:3000/',
  'http://10.0.0.1/',
  'http://172.16.0.1:1/',
  'http://172.31.255.254/',
  'http://192.168.1.20:8080/hook',
  'http://[fd00::1]:1/',
  'http://[fe80::1]/',
]

test.each(LOCAL_NETWORK)(
  'the address %s of the local network is accepted with webhooks: any alone',
  async (address) => {
    const status = async (webhooks: 'any' | 'loopback') => {
      const { as, fake } = openCalendar({ webhooks })
      fake.notifications.hold()
      return (await as(ALICE).post(WATCH, channel('mine', address))).status
    }

    expect([await status('any'), await status('loopback')]).toEqual([200, 400])
  },
)

test.each([
  'http://hooks.example.com/',
  'http://172.15.0.1/',
  'http://172.32.0.1/',
  'http://11.0.0.1/',
  'http://10.example.com/',
  'http://[2001:db8::1]/',
  'http://docker.internal/',
  'http://xhost.docker.internal/',
])('the address %s is refused with webhooks: any, and the hint names the option', async (address) => {
  const { as, fake } = openCalendar({ webhooks: 'any' })

  expect((await as(ALICE).post(WATCH, channel('mine', address))).status).toBe(400)
  expect(fake.calls()[0]?.hints.map(({ code }) => code)).toEqual(['FC211'])
})

const VIRTUAL = ['en.usa#holiday', 'addressbook#contacts'].map((name) => `${name}@group.v.calendar.google.com`)

test.each([...VIRTUAL, 'feed@import.calendar.google.com'])(
  '2.2.9, 6.1.6, 15.15, 15.16, 15.17 a virtual calendar cannot be watched: %s',
  async (id) => {
    const { as } = openPush({ seed: { accounts: [{ email: ALICE }], calendars: [{ id, owner: ALICE }] } })

    for (const list of ['events', 'acl']) {
      const reply = await as(ALICE).post(`/calendars/${encodeURIComponent(id)}/${list}/watch`, channel('mine'))
      expect(errorOf(reply)).toEqual({
        status: 400,
        domain: 'global',
        reason: 'pushNotSupportedForRequestedResource',
        message: 'Push notifications are not supported by this resource.',
      })
    }
  },
)

test('6.1.1 a sync token in the query is accepted', async () => {
  const { as } = openPush()
  const { nextSyncToken } = (await as(ALICE).get('/calendars/primary/events')).body

  const { status } = await as(ALICE).post(`${WATCH}?syncToken=${encodeURIComponent(nextSyncToken)}`, channel('mine'))

  expect(status).toBe(200)
})

test('a watch with only an API key is refused', async () => {
  const { anonymous } = openPush()

  expect((await anonymous.post(`${WATCH}?key=any`, channel('mine'))).status).toBe(401)
})

test('6.2.1, 6.2.2, 6.2.3, 6.2.4 a receiver gets the sequence of messages, with exactly the documented headers', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  const { body } = await as(ALICE).post(WATCH, channel('mine', receiver.address, { token: 'grüße' }))
  await write(as(ALICE))
  await fake.notifications.settled()

  expect(receiver.messages()).toEqual(['1 sync', '2 exists'])
  const [sync, exists] = receiver.received
  expect(sync).toMatchObject({ method: 'POST', url: '/hook', body: '' })
  const named = Object.fromEntries(
    (sync?.rawHeaders ?? []).flatMap((name, at, all) => (at % 2 ? [] : [[name, all[at + 1]]])),
  )
  expect(named).toEqual({
    Host: `127.0.0.1:${receiver.port}`,
    Connection: 'keep-alive',
    'Content-Type': 'application/json; utf-8',
    'Content-Length': '0',
    'User-Agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
    Accept: '*/*',
    'Accept-Encoding': 'gzip, deflate, br',
    'X-Goog-Channel-ID': 'mine',
    'X-Goog-Channel-Token': Buffer.from('grüße').toString('latin1'),
    'X-Goog-Channel-Expiration': 'Sun, 08 Mar 2026 12:00:00 GMT',
    'X-Goog-Resource-ID': body.resourceId,
    'X-Goog-Resource-URI': body.resourceUri,
    'X-Goog-Resource-State': 'sync',
    'X-Goog-Message-Number': '1',
  })
  expect(exists?.headers).toMatchObject({ 'x-goog-resource-id': body.resourceId })
})

test('6.2.2, 6.2.4, 6.2.7 the message numbers of a channel begin with 1 and rise by irregular steps, the same in every run', async () => {
  const run = async () => {
    const { as, fake } = openPush()
    await as(ALICE).post(WATCH, channel('mine'))
    for (let nth = 0; nth < 5; nth++) await write(as(ALICE))
    await fake.notifications.settled()
    return fake.notifications.list().map(({ number, headers }) => {
      expect(headers['X-Goog-Message-Number']).toBe(String(number))
      return number
    })
  }
  const numbers = await run()
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0))
  expect(numbers[0]).toBe(1)
  expect(Math.min(...steps)).toBeGreaterThan(0)
  expect(new Set(steps).size).toBe(5)
  expect(await run()).toEqual(numbers)
})

test('6.2.6 a request sends one message, however many records it wrote', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  await write(as(ALICE), 'primary', {
    id: 'series0',
    start: { dateTime: '2026-03-02T09:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2026-03-02T10:00:00Z', timeZone: 'UTC' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
  })
  for (const day of [2, 3, 4]) {
    await as(ALICE).patch(`${EVENTS}/series0_2026030${day}T090000Z`, { summary: 'Other' })
  }
  await as(ALICE).post(WATCH, channel('mine', receiver.address))

  await as(ALICE).delete(`${EVENTS}/series0`)
  await as(ALICE).post('/calendars/primary/clear')
  await fake.notifications.settled()

  expect(receiver.messages()).toEqual(['1 sync', '2 exists'])
})

test('concurrent writes send one message each while the receiver keeps up', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))

  for (let nth = 0; nth < 5; nth++) await write(as(ALICE))

  expect(received).toEqual(['mine 1 sync', ...[2, 3, 4, 5, 6].map((number) => `mine ${number} exists`)])
})

test('reads, rejected writes and writes without a change send no message', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await write(as(ALICE), 'primary', { id: 'first0' })
  await as(ALICE).post(WATCH, channel('mine'))

  await as(ALICE).get(EVENTS)
  await as(ALICE).patch(`${EVENTS}/first0`, {})
  expect((await write(as(ALICE), 'primary', { id: 'first0' })).status).toBe(409)
  await write(as(BOB))
  await as(ALICE).post(WATCH, channel('other'))

  expect(received).toEqual(['mine 1 sync', 'other 1 sync'])
})

test('6.1.1, 8.14 eventTypes limits the messages', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(`${WATCH}?eventTypes=focusTime&eventTypes=birthday`, channel('rare'))
  await as(ALICE).post(`${WATCH}?eventTypes=focusTime&eventTypes=default`, channel('common'))

  await write(as(ALICE))

  expect(received).toEqual(['rare 1 sync', 'common 1 sync', 'common 2 exists'])
})

test('6.2.6 a channel receives messages about writes of other accounts and for its owner, until access is lost', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  const team = await newCalendar(as(ALICE))
  await share(as(ALICE), team, BOB, 'freeBusyReader')
  await as(BOB).post(`/calendars/${team}/events/watch`, channel('bob'))
  await as(CAROL).post(WATCH, channel('carol'))

  await write(as(ALICE), team)
  await write(as(ALICE), 'primary', { attendees: [{ email: CAROL }] })
  await as(ALICE).delete(`/calendars/${team}/acl/user:${BOB}`)
  await write(as(ALICE), team)
  await share(as(ALICE), team, BOB, 'reader')
  await write(as(ALICE), team)

  expect(received).toEqual(['bob 1 sync', 'carol 1 sync', 'bob 2 exists', 'carol 2 exists', 'bob 3 exists'])
})

test('6.2.3 a deletion of a calendar sends not_exists once to each channel on its events', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  const team = await newCalendar(as(ALICE))
  await share(as(ALICE), team, BOB, 'reader')
  await as(ALICE).post(`/calendars/${team}/events/watch`, channel('events'))
  await as(ALICE).post(`/calendars/${team}/acl/watch`, channel('acl'))
  await as(BOB).post(`/calendars/${team}/events/watch`, channel('bob'))
  await as(CAROL).post(WATCH, channel('carol'))
  received.length = 0

  await as(ALICE).delete(`/calendars/${team}`)
  await write(as(ALICE))

  expect(received).toEqual(['events 2 not_exists', 'bob 2 not_exists', 'acl 2 not_exists'])
})

test('6.2.3 a deleted calendar cannot be watched, and a restored state has no live channel on it', async () => {
  const { as, fake } = openPush()
  const team = await newCalendar(as(ALICE))
  await as(ALICE).post(`/calendars/${team}/events/watch`, channel('events'))
  await as(ALICE).delete(`/calendars/${team}`)

  for (const list of ['events', 'acl'])
    expect(errorOf(await as(ALICE).post(`/calendars/${team}/${list}/watch`, channel('late')))).toEqual(NOT_FOUND)

  const again = openPush({ seed: fake.state() })
  const received = again.recordMessages()
  await write(again.as(ALICE))
  await again.as(BOB).post('/calendars', { summary: 'New' })
  expect(received).toEqual([])
})

test('a refused seed sends no messages', async () => {
  const { as, recordMessages, fake } = openPush()
  const received = recordMessages()
  await as(ALICE).post('/users/me/calendarList/watch', channel('mine'))
  await newCalendar(as(ALICE))
  const before = [...received]

  const bad = { id: 'late', start: { date: '2026-03-05' } }
  expect(() =>
    fake.seed({ calendars: [{ id: 'team@group.calendar.google.com', owner: ALICE, events: [bad] }] }),
  ).toThrow()
  await write(as(BOB))

  expect(before).toEqual(['mine 1 sync', 'mine 2 exists'])
  expect(received).toEqual(before)
})

test('an expired channel sends no messages, measured by the world’s clock', async () => {
  const { as, recordMessages, fake } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine', undefined, { params: { ttl: '60' } }))

  fake.clock.advance('59s')
  await write(as(ALICE))
  const fired = fake.clock.advance('1s')
  await write(as(ALICE))

  expect(received).toEqual(['mine 1 sync', 'mine 2 exists'])
  expect(fired).toEqual([{ what: 'channel mine expires', at: '2026-03-01T12:01:00.000Z' }])
  expect(fake.channels()).toMatchObject([{ id: 'mine', state: 'expired', messages: 2, delivered: 2 }])
})

test('6.1.7 a renewed channel neither loses nor repeats a change', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  const watch = async (id: string) => (await as(ALICE).post(WATCH, channel(id, receiver.address))).body
  const first = await watch('first')
  await write(as(ALICE))
  await fake.advance('6d')
  await write(as(ALICE))

  const second = await watch('second')
  await write(as(ALICE))
  await fake.notifications.settled()
  await as(ALICE).post('/channels/stop', first)
  await write(as(ALICE))
  await fake.advance('2d')
  await write(as(ALICE))
  await fake.notifications.settled()

  expect(second.resourceId).toBe(first.resourceId)
  const of = (id: string) =>
    receiver.received.filter(({ headers }) => headers['x-goog-channel-id'] === id).map(summaryOf)
  expect(of('first')).toEqual(['1 sync', '2 exists', '3 exists', '4 exists'])
  expect(of('second')).toEqual(['1 sync', '2 exists', '3 exists', '4 exists'])
})

test('a channel that is stopped with a pending message sends nothing, and its successor reports the change', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  const { body } = await as(ALICE).post(WATCH, channel('first', receiver.address))
  await as(ALICE).post(WATCH, channel('second', receiver.address))
  await fake.notifications.settled()
  fake.notifications.hold('first')

  await write(as(ALICE))
  await as(ALICE).post('/channels/stop', body)
  fake.notifications.release()
  await fake.notifications.settled()

  expect(fake.notifications.list({ channelId: 'first' }).map(({ progress }) => progress)).toEqual([
    'delivered',
    'silenced',
  ])
  expect(receiver.messages().sort()).toEqual(['1 sync', '1 sync', '2 exists'])
})
