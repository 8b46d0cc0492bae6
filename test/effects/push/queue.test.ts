import { expect, test, vi } from 'vitest'
import { Queue } from '../../../src/effects/push/queue.ts'
import { ALICE, BOB, NOW } from '../../support/calendar.ts'
import { channel, EVENTS, openPush, summaryOf, write } from '../../support/push.ts'

const WATCH = `${EVENTS}/watch`

/** Opens channels on Alice's calendar at some addresses, with a receiver whose responses the test releases. */
async function watched(addresses: readonly string[]) {
  const { as, fake } = openPush()
  const waiting: { id: string; answer: (code?: number) => void }[] = []
  const started: { id: string; beside: number }[] = []
  fake.onNotification(({ channelId }) => {
    started.push({ id: channelId, beside: waiting.length })
    return new Promise<number | undefined>((resolve) => {
      const one = {
        id: channelId,
        answer: (code?: number) => {
          waiting.splice(waiting.indexOf(one), 1)
          resolve(code)
        },
      }
      waiting.push(one)
    })
  })
  fake.notifications.hold()
  for (const [nth, address] of addresses.entries()) await as(ALICE).post(WATCH, channel(`c${nth}`, address))
  fake.notifications.release()
  /**
   * Answers one message after the other until none is in flight, for which a thousand turns of the event loop are
   * enough.
   */
  const answerAll = async (code?: number) => {
    let settled = false
    fake.notifications.settled().then(
      () => {
        settled = true
      },
      () => undefined,
    )
    for (let turn = 0; turn < 1000 && !settled; turn++) {
      waiting[0]?.answer(code)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect(settled, 'messages are still on their way').toBe(true)
  }
  return { as, fake, waiting, begun: started, answerAll, alice: as(ALICE) }
}

const same = (count: number, address: string) => Array.from({ length: count }, () => address)

test('channels do not wait for each other, also those of one receiver', async () => {
  const addresses = [...same(6, 'https://one.example.com/'), ...same(2, 'https://two.example.com/')]
  const { waiting, answerAll } = await watched(addresses)

  expect(waiting.map(({ id }) => id)).toEqual(addresses.map((_, nth) => `c${nth}`))
  await answerAll()
})

test('the messages of a channel are sent one at a time, in order', async () => {
  const { fake, begun, waiting, answerAll, alice } = await watched(['https://one.example.com/'])
  await write(alice)
  await write(alice)

  expect(waiting).toHaveLength(1)
  await answerAll()
  expect(begun.map(({ beside }) => beside)).toEqual([0, 0, 0])
  expect(fake.notifications.list().map(summaryOf)).toEqual(['1 sync', '2 exists', '3 exists'])
  expect(fake.channels()).toMatchObject([{ messages: 3, delivered: 3 }])
})

test('a message behind fifty others is merged into the last of them, which reports the latest change', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  for (let nth = 0; nth < 52; nth++) await write(alice)
  const made = fake.notifications.list()

  // One is on its way, fifty wait.
  expect(made).toHaveLength(51)
  expect(made.at(-1)?.number).toBe(fake.state().channels?.[0]?.lastMessage)
  expect(fake.channels()).toMatchObject([{ messages: 53 }])
  await answerAll()
  expect(fake.channels()).toMatchObject([{ messages: 53, delivered: 51 }])
})

test('a delivery rule applies to a message of its own, with any number of pending messages', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  for (let nth = 0; nth < 51; nth++) await write(alice)
  fake.notifications.drop()
  await write(alice)

  expect(fake.notifications.list({ progress: 'dropped' })).toHaveLength(1)
  await answerAll()
})

test('a channel that ends while its message is in flight gets no retry and no further message', async () => {
  const { fake, begun, waiting, answerAll, alice } = await watched(['https://one.example.com/'])
  await write(alice)
  const [{ resourceId } = { resourceId: '' }] = fake.channels()
  expect((await alice.post('/channels/stop', { id: 'c0', resourceId })).status).toBe(204)
  expect(waiting).toHaveLength(1)
  await answerAll(503)
  await fake.advance('1h')

  expect(begun).toHaveLength(1)
  expect(fake.notifications.list().map(({ progress }) => progress)).toEqual(['silenced', 'silenced'])
})

test('a message is counted if it is answered after its channel ended', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  const [{ resourceId } = { resourceId: '' }] = fake.channels()
  expect((await alice.post('/channels/stop', { id: 'c0', resourceId })).status).toBe(204)
  await answerAll(200)

  expect(fake.notifications.list()).toMatchObject([{ progress: 'delivered' }])
  expect(fake.channels()).toMatchObject([{ state: 'stopped', delivered: 1 }])
})

test('a receiver whose channels all stopped gets the messages of a new channel', async () => {
  const { fake, begun, answerAll, alice } = await watched(same(2, 'https://one.example.com/'))
  await answerAll()
  for (const { id, resourceId } of fake.channels())
    expect((await alice.post('/channels/stop', { id, resourceId })).status).toBe(204)
  await alice.post(WATCH, channel('new', 'https://one.example.com/'))
  await answerAll()

  expect(begun.map(({ id }) => id)).toEqual(['c0', 'c1', 'new'])
})

test('delayed and retried messages wait for the clock, and are not in flight', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll(503)

  await fake.notifications.settled({ timeout: 1 })
  expect(fake.notifications.list()).toMatchObject([{ progress: 'retrying' }])
  expect(fake.clock.advance('1s')).toEqual([
    { what: 'message 1 of channel c0', at: new Date(Date.parse(NOW) + 1000).toISOString() },
  ])
  await answerAll(200)
  fake.notifications.delay('1m', { channelId: 'c0' })
  await write(alice)
  await fake.notifications.settled({ timeout: 1 })
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'delayed', attempts: [] })
})

test('a delayed message is not sent if its channel ends before', async () => {
  const { fake, begun, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll()
  fake.notifications.delay('1h')
  await write(alice)
  const [{ resourceId } = { resourceId: '' }] = fake.channels()
  expect((await alice.post('/channels/stop', { id: 'c0', resourceId })).status).toBe(204)
  await fake.advance('1h')

  expect(begun).toHaveLength(1)
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'silenced' })
})

test('a delayed message that falls due while its channel is held is held', async () => {
  const { fake, begun, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll()
  fake.notifications.delay('1h')
  await write(alice)
  fake.notifications.hold('c0')
  await fake.advance('1h')
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'held' })
  expect(begun).toHaveLength(1)

  fake.notifications.release('c0')
  await answerAll()
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'delivered' })
})

test('messages that are collected for reordering are sent only when their channel is released', async () => {
  const { fake, begun, answerAll, alice } = await watched(same(2, 'https://one.example.com/'))
  await answerAll()
  fake.notifications.reorder({ channelId: 'c0', times: 3 })
  fake.notifications.drop({ channelId: 'c1', times: 9 })
  await write(alice)
  await write(alice)
  const of = (id: string) => fake.notifications.list({ channelId: id }).map(({ progress }) => progress)

  fake.notifications.release('c1')
  await answerAll()
  expect(of('c0')).toEqual(['delivered', 'held', 'held'])
  fake.notifications.release('c0')
  await answerAll()
  expect(of('c0')).toEqual(['delivered', 'delivered', 'delivered'])
  // The release removed the reorder rule with its messages; the drop rule remains.
  await write(alice)
  await answerAll()
  expect(of('c0').at(-1)).toBe('delivered')
  expect(of('c1')).toEqual(['delivered', 'dropped', 'dropped', 'dropped'])
  expect(begun.filter(({ id }) => id === 'c0')).toHaveLength(4)
})

test('messages of a reorder rule for all channels are sent only when all channels are released', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll()
  fake.notifications.reorder({ times: 3 })
  await write(alice)
  fake.notifications.release('c0')
  await answerAll()
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'held' })

  fake.notifications.release()
  await answerAll()
  expect(fake.notifications.list().at(-1)).toMatchObject({ progress: 'delivered' })
})

test('the oldest rule that matches a channel applies first', async () => {
  const { fake, answerAll, alice } = await watched(same(2, 'https://one.example.com/'))
  await answerAll()
  fake.notifications.drop({ channelId: 'c1' })
  fake.notifications.delay('1h', { times: 3 })
  await write(alice)
  await write(alice)
  await answerAll()
  const of = (id: string) => fake.notifications.list({ channelId: id }).map(({ progress }) => progress)

  expect(of('c0')).toEqual(['delivered', 'delayed', 'delayed'])
  expect(of('c1')).toEqual(['delivered', 'dropped', 'delayed'])
})

test('a reset drops held, retried, delayed and reordered messages', async () => {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))
  await as(BOB).post(WATCH, channel('yours'))
  fake.notifications.delay('1h')
  await write(as(ALICE))
  fake.reset()
  fake.clock.advance('2h')
  await fake.notifications.settled()

  expect(received).toEqual(['mine 1 sync', 'yours 1 sync'])
  expect(fake.notifications.list()).toEqual([])
})

test('a replayed message keeps its state, with any number of pending messages before it', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll()
  fake.notifications.hold()
  for (let nth = 0; nth < 50; nth++) await write(alice)
  fake.notifications.replay(1)
  await write(alice)
  const [again, last] = fake.notifications.list().slice(-2)
  fake.notifications.release()
  await answerAll()

  expect([again, last]).toMatchObject([
    { state: 'sync', number: 1 },
    { state: 'exists', number: fake.state().channels?.[0]?.lastMessage },
  ])
})

test('a failure of one channel is logged to stderr, and other channels receive their messages', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { fake, answerAll, alice } = await watched(same(3, 'https://one.example.com/'))
  await answerAll()
  vi.spyOn(Queue.prototype, 'notify').mockImplementationOnce(() => {
    throw new Error('it is broken')
  })
  await write(alice)
  await answerAll()

  expect(fake.channels().map(({ messages }) => messages)).toEqual([1, 2, 2])
  expect(consoleError.mock.calls).toEqual([
    [expect.stringContaining('notifying channel c0 of a change failed: Error: it is broken')],
  ])
})

test('successful deliveries print nothing to stderr', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { fake, answerAll, alice } = await watched(same(2, 'https://one.example.com/'))
  for (const order of ['drop', 'duplicate', 'reorder'] as const) fake.notifications[order]()
  for (let nth = 0; nth < 4; nth++) await write(alice)
  await answerAll()

  expect(consoleError).not.toHaveBeenCalled()
})

test('of several receivers in process, the first returned status counts', async () => {
  const { as, fake } = openPush()
  fake.onNotification(() => undefined)
  fake.onNotification(() => 404)
  fake.onNotification(() => 503)
  await as(ALICE).post(WATCH, channel('mine'))
  await fake.notifications.settled()

  expect(fake.notifications.list()).toMatchObject([{ progress: 'failed', attempts: [{ code: 404 }] }])
})

test('messages that were held when the world was restored are dropped, and listed as dropped', async () => {
  const { fake, begun, answerAll, alice } = await watched(['https://one.example.com/'])
  await answerAll()
  fake.snapshot('before')
  fake.notifications.hold()
  await write(alice)
  fake.restore('before')
  fake.notifications.release()
  await answerAll()

  expect(begun).toHaveLength(1)
  expect(fake.notifications.list().map(({ progress }) => progress)).toEqual(['delivered', 'dropped'])
})

test('messages of a held channel are listed as held, and as waiting after its release', async () => {
  const { fake, answerAll, alice } = await watched(['https://one.example.com/'])
  await write(alice)
  await write(alice)
  const progress = () => fake.notifications.list().map((one) => one.progress)
  fake.notifications.hold()
  expect(progress()).toEqual(['waiting', 'held', 'held'])
  fake.notifications.release()
  expect(progress()).toEqual(['waiting', 'waiting', 'waiting'])
  await answerAll()
})
