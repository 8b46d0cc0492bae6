import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf } from '../../support/calendar.ts'
import { channel, ELSEWHERE, EVENTS, openPush, openReceiver, summaryOf, write } from '../../support/push.ts'

const CONTROL = '/_control/notifications'
const WATCH = `${EVENTS}/watch`

/** Alice's calendar, watched by channels that one real receiver answers, each with its `sync` behind it. */
async function watched(...ids: string[]) {
  const { as, anonymous, fake } = openPush()
  const receiver = await openReceiver()
  for (const id of ids) await as(ALICE).post(WATCH, channel(id, receiver.address))
  await fake.notifications.settled()
  receiver.received.length = 0
  const order = async (name: string, body: object = {}) => (await anonymous.post(`${CONTROL}/${name}`, body)).body
  const write3 = async () => {
    for (let nth = 0; nth < 3; nth++) await write(as(ALICE))
    await fake.notifications.settled()
  }
  const list = async (query = '') => (await anonymous.get(`${CONTROL}${query}`)).body.notifications
  return { as, anonymous, fake, receiver, order, write3, list }
}

test('channels are listed with their message counts', async () => {
  const { anonymous, as } = await watched('mine')
  await as(BOB).post(`${WATCH}?eventTypes=default`, channel('elsewhere', ELSEWHERE, { token: 'secret' }))
  await as(BOB).post('/users/me/settings/watch', channel('settings'))

  const { body } = await anonymous.get('/_control/channels')

  expect(body.channels).toEqual([
    {
      id: 'mine',
      state: 'live',
      account: ALICE,
      resource: 'events',
      calendarId: ALICE,
      resourceId: expect.any(String),
      resourceUri: expect.stringContaining('/calendars/primary/events?'),
      address: expect.stringContaining('http://127.0.0.1:'),
      expiration: '2026-03-08T12:00:00.000Z',
      messages: 1,
      delivered: 1,
    },
    expect.objectContaining({ id: 'elsewhere', account: BOB, eventTypes: ['default'], token: 'secret', delivered: 0 }),
    expect.objectContaining({ id: 'settings', resource: 'settings', messages: 1 }),
  ])
})

test('messages are listed with headers and attempts, all or by channel or progress', async () => {
  const { as, list, fake } = await watched('mine')
  await as(ALICE).post(WATCH, channel('elsewhere'))
  await write(as(ALICE))
  await fake.notifications.settled()

  const all = await list()

  expect(all).toHaveLength(4)
  expect(all[0]).toEqual({
    id: 1,
    channelId: 'mine',
    number: 1,
    state: 'sync',
    address: expect.stringContaining('http://127.0.0.1:'),
    made: '2026-03-01T12:00:00.000Z',
    progress: 'delivered',
    attempts: [{ at: '2026-03-01T12:00:00.000Z', code: 200 }],
    headers: expect.objectContaining({ 'X-Goog-Channel-ID': 'mine', 'X-Goog-Resource-State': 'sync' }),
  })
  expect((await list('?channelId=elsewhere')).map(summaryOf)).toEqual(['1 sync', '2 exists'])
  expect((await list('?progress=delivered')).map(summaryOf)).toEqual(['1 sync', '2 exists'])
  expect(await list('?channelId=mine&progress=withheld')).toEqual([])
  expect(await list('?channelId=unknown')).toEqual([])
})

test('a wait ends with its last message', async () => {
  const { as, anonymous } = await watched('mine')
  const waiting = anonymous.post(`${CONTROL}/until`, { channelId: 'mine', count: 3 })
  await write(as(ALICE))
  await write(as(ALICE))

  const { status, body } = await waiting

  expect(status).toBe(200)
  expect(body.notifications.map(summaryOf)).toEqual(['1 sync', '2 exists', '3 exists'])
})

test('a wait that times out reports the delivered messages', async () => {
  const { anonymous, fake } = await watched('mine')

  expect(errorOf(await anonymous.post(`${CONTROL}/until`, { channelId: 'mine', count: 2, timeout: '10ms' }))).toEqual({
    status: 504,
    domain: 'global',
    reason: 'deadlineExceeded',
    message: 'channel mine: 1 of 2 messages were delivered in time',
  })
  await expect(fake.notifications.until('mine', 2, { timeout: 10 })).rejects.toThrow('channel mine: 1 of 2')
})

test('a wait for an unknown channel names the others at once, and before the first watch it waits', async () => {
  const { as, fake, anonymous } = openPush()
  const receiver = await openReceiver()
  const watch = (id: string, address = receiver.address) => as(ALICE).post(WATCH, channel(id, address))
  await expect(fake.notifications.until('mine', 1, { timeout: 1 })).rejects.toThrow('in time, and there is no channel')
  const early = fake.notifications.until('mine', 1)
  await watch('mine')
  await watch('other')

  expect(await early).toMatchObject([{ channelId: 'mine' }])
  const message = 'channelId: there is no channel "mien"; there is mine, other'
  await expect(fake.notifications.until('mien', 1, { timeout: '1m' })).rejects.toThrow(message)
  expect(errorOf(await anonymous.post(`${CONTROL}/until`, { channelId: 'mien', timeout: '1m' }))).toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  })
})

test('a wait ends once a message is withheld, unless a receiver in process takes the next', async () => {
  const { as, fake } = openPush()
  await as(ALICE).post(WATCH, channel('mine', ELSEWHERE))
  const waiting = () => fake.notifications.until('mine', 1, { timeout: '1m' })

  await expect(waiting()).rejects.toThrow('channel mine: 1 message is withheld: The address is not on this machine.')
  await write(as(ALICE))
  await expect(waiting()).rejects.toThrow('channel mine: 2 messages are withheld: The address')
  fake.onNotification(() => 200)
  const next = waiting()
  await write(as(ALICE))
  expect(await next).toMatchObject([{ id: 3, progress: 'delivered' }])
})

test('`settled` waits until no message is pending', async () => {
  const { as, receiver, order } = await watched('mine', 'other')
  await write(as(ALICE))

  expect(await order('settled')).toEqual({ done: true })

  expect(receiver.messages()).toEqual(['2 exists', '2 exists'])
})

test('`settled` fails if a receiver takes longer than the time-out', async () => {
  const { as, anonymous, fake } = openPush()
  const receiver = await openReceiver(() => undefined)
  await as(ALICE).post(WATCH, channel('mine', receiver.address))

  expect((await anonymous.post(`${CONTROL}/settled`, { timeout: '10ms' })).status).toBe(504)
  await expect(fake.notifications.settled({ timeout: 10 })).rejects.toThrow('still pending')
})

test('held messages are sent in order on release', async () => {
  const { receiver, order, write3, list } = await watched('mine')
  expect(await order('hold')).toEqual({ done: true })
  await write3()
  expect(receiver.messages()).toEqual([])
  expect(await list('?progress=held')).toHaveLength(3)

  expect(await order('release')).toEqual({ done: true })
  await order('settled')

  expect(receiver.messages()).toEqual(['2 exists', '3 exists', '4 exists'])
  expect(await list('?progress=held')).toEqual([])
})

test('one channel is held while another delivers', async () => {
  const { receiver, order, write3 } = await watched('mine', 'other')
  await order('hold', { channelId: 'mine' })
  await write3()
  expect(receiver.received.map(({ headers }) => headers['x-goog-channel-id'])).toEqual(['other', 'other', 'other'])

  await order('release', { channelId: 'mine' })
  await order('settled')

  expect(receiver.received.map(({ headers }) => headers['x-goog-channel-id']).slice(3)).toEqual([
    'mine',
    'mine',
    'mine',
  ])
})

test('one of several held channels is released', async () => {
  const { as, receiver, order, write3, list } = await watched('mine', 'other')
  await order('hold')
  await write3()
  const ids = () => receiver.received.map(({ headers }) => headers['x-goog-channel-id'])

  expect(await order('release', { channelId: 'mine' })).toEqual({ done: true })
  await order('settled')
  expect(ids()).toEqual(['mine', 'mine', 'mine'])
  expect(await list('?progress=held')).toHaveLength(3)

  await write(as(ALICE))
  await order('settled')
  expect(ids()).toEqual(['mine', 'mine', 'mine', 'mine'])
  await order('hold')
  await write(as(ALICE))
  await order('settled')
  expect(ids()).toHaveLength(4)
  await order('release')
  await order('settled')
  expect(ids().slice(4).sort()).toEqual(['mine', 'other', 'other', 'other', 'other', 'other'])
})

test.each([{ count: 0 }, { times: 0 }, { times: 1, count: 1 }])(
  'a drop of %j is a RangeError in process',
  async (next) => {
    const { fake } = await watched('mine')

    expect(() => fake.notifications.drop(next)).toThrow(RangeError)
    expect(() => fake.notifications.delay('1m', next)).toThrow(RangeError)
  },
)

const DELIVERY_RULES: [name: string, body: object, expected: string[]][] = [
  ['drop', {}, ['3 exists', '4 exists']],
  ['drop', { times: 2 }, ['4 exists']],
  ['drop', { channelId: 'mine', times: 3 }, []],
  ['drop', { channelId: 'another' }, ['2 exists', '3 exists', '4 exists']],
  ['duplicate', {}, ['2 exists', '2 exists', '3 exists', '4 exists']],
  ['duplicate', { times: 2 }, ['2 exists', '2 exists', '3 exists', '3 exists', '4 exists']],
  ['reorder', {}, ['3 exists', '2 exists', '4 exists']],
  ['reorder', { times: 3 }, ['4 exists', '3 exists', '2 exists']],
  ['delay', { by: '1m' }, ['3 exists', '4 exists']],
]

test.each(DELIVERY_RULES)('%s with %j: the receiver gets %j', async (name, body, expected) => {
  const { receiver, order, write3 } = await watched('mine')

  expect(await order(name, body)).toEqual({ done: true })
  await write3()

  expect(receiver.messages()).toEqual(expected)
})

test('dropped messages are listed, and the numbers of the channel continue', async () => {
  const { order, write3, list } = await watched('mine')
  await order('drop')
  await write3()

  const dropped = await list('?progress=dropped')
  expect(dropped).toMatchObject([{ attempts: [] }])
  expect(dropped.map(summaryOf)).toEqual(['2 exists'])
})

test('delayed messages arrive at their instant', async () => {
  const { anonymous, receiver, order, write3, list } = await watched('mine')
  await order('delay', { by: '1m' })
  await write3()
  const [delayed] = await list('?progress=delayed')
  expect(summaryOf(delayed)).toBe('2 exists')

  const { body } = await anonymous.post('/_control/clock/advance', { by: '1m' })

  expect(body.fired).toEqual([{ what: `message ${delayed.number} of channel mine`, at: '2026-03-01T12:01:00.000Z' }])
  expect(receiver.messages()).toEqual(['3 exists', '4 exists', '2 exists'])
})

test('a release sends an incomplete reordered group', async () => {
  const { as, receiver, order } = await watched('mine')
  await order('reorder', { times: 5 })
  await write(as(ALICE))
  await write(as(ALICE))
  await order('settled')
  expect(receiver.messages()).toEqual([])

  await order('release')
  await order('settled')
  await write(as(ALICE))
  await order('settled')

  expect(receiver.messages()).toEqual(['3 exists', '2 exists', '4 exists'])
})

test('a replayed message is sent unchanged', async () => {
  const { as, receiver, order, list } = await watched('mine')
  await write(as(ALICE))
  await order('settled')
  const [, { id, number, headers }] = await list()

  const { notification } = await order('replay', { id })
  await order('settled')

  expect(notification).toMatchObject({ channelId: 'mine', number, headers })
  expect(receiver.messages()).toEqual(['2 exists', '2 exists'])
  expect(await list()).toHaveLength(3)
})

const WRONG: [path: string, body: object, names: string][] = [
  ['until', {}, 'channelId'],
  ['until', { channelId: '' }, 'channelId'],
  ['until', { channelId: 'mine', count: 0 }, 'count'],
  ['until', { channelId: 'mine', timeout: 'soon' }, 'timeout'],
  ['until', { channelId: 'mine', timeout: '1h' }, 'timeout'],
  ['settled', { timeout: -1 }, 'timeout'],
  ['hold', { channelId: 7 }, 'channelId'],
  ['hold', { channel: 'mine' }, 'channel'],
  ['release', { channelId: null }, 'channelId'],
  ['drop', { times: 1.5 }, 'times'],
  ['drop', { times: 0 }, 'times'],
  ['drop', { count: 1 }, 'count'],
  ['duplicate', { times: '2' }, 'times'],
  ['delay', {}, 'by'],
  ['delay', { by: 'a while' }, 'by'],
  ['reorder', { times: 1 }, 'times'],
  ['replay', {}, 'id'],
  ['replay', { id: 4711 }, 'id'],
]

test.each(WRONG)('%s with %j is rejected with its field', async (path, body, names) => {
  const { anonymous } = await watched('mine')

  const reply = await anonymous.post(`${CONTROL}/${path}`, body)

  expect(reply.status).toBe(400)
  expect(reply.body.error.message).toContain(names)
})

test('an unknown progress is rejected with its field', async () => {
  const { anonymous } = openPush()

  const reply = await anonymous.get(`${CONTROL}?progress=lost`)

  expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'invalid', message: expect.stringContaining('progress') })
})

test('an in-process receiver needs no socket, and its result counts as the response', async () => {
  const { as, fake } = openPush()
  const codes = [503, undefined, Promise.resolve(404)]
  const received: string[] = []
  fake.onNotification((message) => {
    received.push(`${summaryOf(message)} ${message.headers['X-Goog-Channel-Token']}`)
    return codes.shift()
  })

  await as(ALICE).post(WATCH, channel('mine', undefined, { token: 't' }))
  expect(received).toEqual(['1 sync t'])
  await fake.advance('1s')
  await write(as(ALICE))
  await fake.notifications.settled()

  expect(received).toEqual(['1 sync t', '1 sync t', '2 exists t'])
  expect(fake.notifications.list()).toMatchObject([
    { progress: 'delivered', attempts: [{ code: 503 }, { code: 200 }] },
    { progress: 'failed', attempts: [{ code: 404 }] },
  ])
})

test('an exception of an in-process receiver is a connection error, and a removed receiver gets nothing', async () => {
  const { as, fake } = openPush()
  const received: number[] = []
  const stop = fake.onNotification(({ number }) => {
    received.push(number)
    throw new Error('no idea')
  })
  await as(ALICE).post(WATCH, channel('mine'))
  await fake.notifications.settled()
  expect(fake.notifications.list()).toMatchObject([{ progress: 'retrying', attempts: [{ error: 'no idea' }] }])

  stop()
  await write(as(ALICE))
  await fake.notifications.settled()

  expect(received).toEqual([1])
  expect(fake.notifications.list()[1]).toMatchObject({ progress: 'withheld' })
})
