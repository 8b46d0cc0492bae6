import { expect, onTestFinished, test, vi } from 'vitest'
import { openReceiver } from '../support/push.ts'
import { createEvent, get, localTest, post, removeLater, unusedId, urlOf, useCalendar } from './calendar.ts'
import { type Answer, absent, exactKeys, expectError, expectOk, expectShape, expectStatus, text } from './expect.ts'

/** Messages to this reserved host reach nobody. */
const HOOK = { type: 'web_hook', address: 'https://example.com/fake-calendar-conformance' }

/** Opens a channel on a list, given by its path. It is stopped after the test. */
async function openChannel(list: string, ending: string, body: object = {}): Promise<Answer> {
  const answer = await post(`${list}/watch`, { id: unusedId(ending), ...HOOK, ...body })
  const { id, resourceId } = answer.body
  if (answer.status === 200)
    onTestFinished(async () => {
      await post('/channels/stop', { id, resourceId })
    })
  return answer
}

/** Returns the lifetime of a channel in seconds, by the server's clock. */
const getLifetimeSeconds = ({ body, headers }: Answer): number =>
  (Number(body.expiration) - Date.parse(headers.get('Date') ?? '')) / 1000

const WAIT = { timeout: 20_000, interval: 10 }

useCalendar()

test('6.1.1, 6.1.2, 11.15, 1.8 a watch returns its channel', async () => {
  const answer = await openChannel('events', 'w1')
  await expectOk(answer, exactKeys('kind', 'id', 'resourceId', 'resourceUri', 'expiration'))
  await expectOk(answer, { kind: 'api#channel', id: unusedId('w1'), expiration: /^\d{13}$/, token: absent })
})

test('6.1.2 the token of a channel is returned', async () => {
  await expectOk(openChannel('events', 'w2', { token: 'target=conform' }), { token: 'target=conform' })
})

test('6.1.3, 1.6 the resourceUri of a watch of primary contains primary', async () => {
  const { resourceUri } = await expectOk(openChannel('/calendars/primary/events', 'w4'))
  expect(String(resourceUri)).toMatch(/\/calendars\/primary\/events\?/)
})

test('6.1.4, 6.1.7 channels of one list have one resourceId of 27 characters', async () => {
  const { resourceId } = await expectOk(openChannel('events', 'w5'), { resourceId: /^[\w-]{27}$/ })
  await expectOk(openChannel('events', 'w6'), { resourceId })
})

test('6.1.5, 12.13 a channel expires after seven days', async () => {
  const seconds = getLifetimeSeconds(await openChannel('events', 'w7'))
  expect(seconds / (7 * 86_400)).toBeCloseTo(1, 3)
})

test('6.1.1, 6.1.5 a channel with a ttl expires after it', async () => {
  const seconds = getLifetimeSeconds(await openChannel('events', 'w8', { params: { ttl: '3600' } }))
  expect(seconds / 3600).toBeCloseTo(1, 1)
})

test('6.1.6 a channel id that is in use is rejected', async () => {
  await expectOk(openChannel('events', 'w9'))
  const id = unusedId('w9')
  await expectError(post('events/watch', { id, ...HOOK }), 400, {
    reason: 'channelIdNotUnique',
    message: 'Channel id not unique',
  })
})

test('6.3.1, 1.8 stop of a channel is 204, and its id can be used again', async () => {
  const { id, resourceId } = await expectOk(openChannel('events', 'wa'))
  await expectStatus(post('/channels/stop', { id, resourceId }), 204)
  await expectOk(openChannel('events', 'wa'))
})

test('6.1.6, 2.2.9 a receiver whose address is not https is rejected', () =>
  expectError(post('events/watch', { id: unusedId('a'), type: 'web_hook', address: 'http://example.com/hook' }), 400, {
    reason: 'push.webhookUrlNotHttps',
    message: /^WebHook callback must be HTTPS: /,
  }))

test('6.1.6, 2.2.9 a channel of an unknown type is rejected', () =>
  expectError(post('events/watch', { id: unusedId('b'), type: 'pigeon', address: 'https://example.com/hook' }), 400))

test('6.1.6, 1.25 a channel without an id is rejected', () =>
  expectError(post('events/watch', { ...HOOK }), 400, {
    reason: 'required',
  }))

test('6.1.1, 12.2 a channel id above 64 characters is rejected', () =>
  expectError(post('events/watch', { id: 'x'.repeat(65), ...HOOK }), 400))

test('6.3.2, 2.2.9 a channel that does not exist cannot be stopped', () =>
  expectError(post('/channels/stop', { id: unusedId('c'), resourceId: 'nothing' }), 404, {
    reason: 'notFound',
    message: /^Channel '.*' not found/,
  }))

test('6.3.1, 1.25 stop without a resourceId is rejected', () =>
  expectError(post('/channels/stop', { id: unusedId('d') }), 400, { reason: 'required' }))

test('6.1.6 a calendar that does not exist cannot be watched', () =>
  expectError(
    post('/calendars/fake-calendar-nobody@group.calendar.google.com/events/watch', {
      id: unusedId('e'),
      ...HOOK,
    }),
    404,
    { reason: 'notFound' },
  ))

test('6.3.2 stop requires the resourceId of the channel, and succeeds once', async () => {
  const { id, resourceId } = await expectOk(openChannel('events', 'h'), { resourceId: text })
  const expected = { reason: 'notFound', message: /^Channel '.*' not found/ }
  await expectError(post('/channels/stop', { id, resourceId: 'A'.repeat(27) }), 404, expected)
  await expectStatus(post('/channels/stop', { id, resourceId }), 204)
  await expectError(post('/channels/stop', { id, resourceId }), 404, expected)
})

test('6.1.1, 12.2 a channel id with a space is rejected', () =>
  expectError(openChannel('events', 'g', { id: 'fake calendar!' }), 400))

test('6.1.1, 12.2 a channel token above 256 characters is rejected', () =>
  expectError(openChannel('events', 'g', { token: 'x'.repeat(257) }), 400))

test('6.1.5 a channel with an expiration in the past is rejected', () =>
  expectError(openChannel('events', 'g', { expiration: 1_000_000_000_000 }), 400))

test('1.25 a channel without an address is rejected', () =>
  expectError(openChannel('events', 'g', { address: undefined }), 400))

test('1.25, 6.1.6 a channel without a type is rejected', () =>
  expectError(openChannel('events', 'g', { type: undefined }), 400))

test.each([
  ['6.1.6, 15.15 holidays cannot be watched', 'en.usa%23holiday@group.v.calendar.google.com'],
  ['6.1.6, 15.16 birthdays of contacts cannot be watched', 'addressbook%23contacts@group.v.calendar.google.com'],
])('%s', async (_, id) => {
  const entry = `/users/me/calendarList/${id}`
  if ((await get(entry)).status !== 200) {
    removeLater(entry)
    await expectOk(post('/users/me/calendarList', { id: decodeURIComponent(id) }))
  }
  await expectError(post(`/calendars/${id}/events/watch`, { id: unusedId('f'), ...HOOK }), 400, {
    reason: 'pushNotSupportedForRequestedResource',
  })
})

test('6.1.3, 6.1.8 the resourceUri is the URL of the list with alt=json', async () => {
  const { resourceUri } = await expectOk(openChannel('events', 'w3'))
  expect(new URL(resourceUri).pathname).toBe(new URL(urlOf('events')).pathname)
  expect(new URL(resourceUri).search).toBe('?alt=json')
})

localTest('6.2.1, 6.2.2, 6.2.4 a channel sends sync as number 1, and then rising numbers', async () => {
  const { address, received } = await openReceiver()
  const { body } = await openChannel('events', 'w9', { address, token: 'secret' })
  const arrives = (count: number) => vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), WAIT)
  await arrives(1)
  for (let count = 2; count < 5; count++) {
    await createEvent()
    await arrives(count)
  }
  expect(received.map(({ state }) => state)).toEqual(['sync', 'exists', 'exists', 'exists'])
  const numbers = received.map(({ number }) => number)
  expect(numbers[0]).toBe(1)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  for (const { headers } of received)
    expectShape(headers, {
      'x-goog-channel-id': body.id,
      'x-goog-channel-token': 'secret',
      'x-goog-resource-id': body.resourceId,
      'x-goog-resource-uri': body.resourceUri,
      'content-length': '0',
    })
})
