import { expect, test } from 'vitest'
import { BOB, DANA, hourFrom, openService, wish } from './opened.ts'
import { HOUR, MINUTE, SECOND } from './time.ts'

const TEN = '2026-03-09T10:00:00Z'
const NOON = '2026-03-09T12:00:00Z'
const DAY = 24 * HOUR

test('moves and deletions by the host arrive by push, and are read from the delta alone', async () => {
  const { fake, service, dana, settled } = await openService()
  const [massage, facial] = [
    await service.bookings.book(wish('Massage', TEN)),
    await service.bookings.book(wish('Facial', NOON)),
  ]
  await settled()
  const before = fake.snapshot()
  fake.calls.clear()
  await dana.move(massage.id, hourFrom('2026-03-10T10:00:00Z'))
  await dana.delete(facial.id)
  await settled()

  expect(massage).toMatchObject({ status: 'held', ...hourFrom('2026-03-10T10:00:00Z') })
  expect(facial.status).toBe('cancelled')
  fake.calls.verify('events.list', { params: { syncToken: expect.any(String) } }, { times: { min: 1, max: 2 } })
  fake.calls.verify('events.list', { params: { syncToken: null } }, { times: 0 })
  fake.diff(before).verify([
    { change: 'changed', id: massage.id, fields: { 'start.dateTime': [TEN, '2026-03-10T10:00:00Z'] } },
    { change: 'deleted', id: facial.id },
  ])
})

test('a change with a lost message is found within the hour', async () => {
  const { fake, service, dana, settled, advance } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  await settled()
  fake.notifications.drop()
  await dana.move(booking.id, hourFrom(NOON))
  await settled()
  expect(booking).toMatchObject(hourFrom(TEN))

  await advance(HOUR)
  expect(booking).toMatchObject(hourFrom(NOON))
})

test('a message that arrives during a sync starts another one', async () => {
  const { fake, service, dana, settled } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  await settled()
  const slow = fake.faults.add({ on: 'events.list', do: { delay: '2s', clock: 'world', stale: '1s' } })
  await dana.move(booking.id, hourFrom(NOON))
  await slow.until()
  fake.clock.advance('1500ms')
  await dana.delete(booking.id)
  await fake.notifications.settled()
  fake.clock.advance('500ms')
  await settled()

  expect(booking.status).toBe('cancelled')
  fake.faults.verify()
})

test('a message without the token of the channel is rejected', async () => {
  const { fake, service } = await openService()
  const [channel] = fake.channels()
  const forge = (token: string) => {
    const headers = { 'X-Goog-Channel-Id': channel?.id ?? '', 'X-Goog-Channel-Token': token }
    return fetch(channel?.address ?? '', { method: 'POST', headers: { ...headers, 'X-Goog-Resource-State': 'exists' } })
  }
  const answers = [await forge('guessed'), await forge(channel?.token ?? '')]
  await service.idle()

  expect(answers.map(({ status }) => status)).toEqual([404, 200])
  fake.calls.verify('events.list', {}, { times: 1 })
})

test('late, duplicate and reordered messages change nothing', async () => {
  const { fake, service, dana, settled, advance } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  await settled()
  fake.notifications.reorder()
  fake.notifications.duplicate({ times: 2 })
  await dana.move(booking.id, hourFrom(NOON))
  await dana.delete(booking.id)
  await settled()
  await advance(MINUTE)

  expect(booking.status).toBe('cancelled')
  expect(service.troubles).toEqual([])
})

test('after a 410 between pages the list is read again, and deletions in between are noticed', async () => {
  const { fake, service, dana, settled } = await openService()
  const bookings = []
  for (const hour of ['08', '09', '10'])
    bookings.push(await service.bookings.book(wish(hour, `2026-03-09T${hour}:00:00Z`)))
  await settled()
  const before = fake.snapshot()
  fake.notifications.hold()
  await dana.delete(bookings[0]?.id ?? '')
  for (let nth = 0; nth < 120; nth++) await dana.enter(`Note ${nth}`, { start: nth * DAY, end: nth * DAY + HOUR })
  fake.calls.clear()
  fake.faults.add({ on: 'events.list', where: { params: { pageToken: /./ } }, do: { fail: 'fullSyncRequired' } })
  await service.sync(DANA)

  expect(bookings.map(({ status }) => status)).toEqual(['cancelled', 'held', 'held'])
  fake.faults.verify()
  fake.calls.verify('events.list', { status: 410 }, { times: 1 })
  fake.calls.verify('events.list', { params: { syncToken: null, pageToken: null, singleEvents: null } }, { times: 1 })
  fake.diff(before).verify([
    { change: 'deleted', title: '08' },
    { change: 'added', title: { matches: '^Note' }, times: 120 },
  ])
})

test('after all sync tokens expired, the next sync is full', async () => {
  const { fake, service, dana, settled } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  await settled()
  fake.notifications.drop()
  await dana.move(booking.id, hourFrom(NOON))
  fake.syncTokens.expire({ account: DANA, collection: 'events' })
  await service.sync(DANA)

  expect(booking).toMatchObject(hourFrom(NOON))
  fake.calls.verify('events.list', { reason: 'fullSyncRequired' }, { times: 1 })
})

test('a calendar that is restored to an hour ago is read again, and later bookings are removed', async () => {
  const { fake, service, settled, advance } = await openService()
  const massage = await service.bookings.book(wish('Massage', TEN))
  await settled()
  const before = fake.snapshot()
  await advance(HOUR)
  const lost = await service.bookings.book(wish('Facial', NOON))
  await settled()
  fake.restore(before)
  await service.sync(DANA)

  expect([massage.status, lost.status]).toEqual(['held', 'cancelled'])
  fake.diff(before).verify([])
})

test('a stale full list does not remove a new booking', async () => {
  const { fake, service, advance } = await openService()
  await advance(5 * MINUTE)
  fake.notifications.hold()
  const booking = await service.bookings.book(wish('Massage', TEN))
  const before = fake.snapshot()
  fake.syncTokens.expire()
  fake.faults.add({ on: 'events.list', skip: 1, do: { stale: '60s' } })
  await service.sync(DANA)

  expect(booking.status).toBe('held')
  fake.faults.verify()
  fake.diff(before).verify([])
})

test('empty pages do not end a list', async () => {
  const { fake, service, dana } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  fake.notifications.drop()
  await dana.delete(booking.id)
  fake.faults.add({ on: 'events.list', do: { emptyPage: true }, times: 3 })
  await service.sync(DANA)

  expect(booking.status).toBe('cancelled')
  fake.faults.verify()
})

test('an event of the host over a booking is a conflict until it is moved', async () => {
  const { service, dana, settled } = await openService()
  const booking = await service.bookings.book(wish('Massage', TEN))
  const dentist = await dana.enter('Dentist', hourFrom('2026-03-09T10:30:00Z'))
  await settled()
  expect(booking.clashes).toEqual([dentist.id])

  await dana.move(dentist.id, hourFrom(NOON))
  await settled()
  expect(booking.clashes).toEqual([])
})

test('the channel is renewed before it expires, so changes after a week arrive at once', async () => {
  const { fake, service, dana, settled, advance, before } = await openService()
  await advance(8 * DAY)
  const booking = await service.bookings.book(wish('Massage', '2026-03-19T10:00:00Z'))
  await settled()
  await dana.move(booking.id, hourFrom('2026-03-19T12:00:00Z'))
  await settled()

  expect(booking).toMatchObject(hourFrom('2026-03-19T12:00:00Z'))
  expect(service.troubles).toEqual([])
  fake.calls.verify('events.watch', {}, { times: 1 })
  expect(fake.channels().filter(({ state }) => state === 'live')).toHaveLength(1)
  fake.diff(before).verify([
    { change: 'added', kind: 'event', where: { summary: 'Massage', attendees: [{ email: BOB }] } },
    { change: 'added', kind: 'channel' },
    { change: 'deleted', kind: 'channel' },
  ])
})

test('a Meet link is added when it is ready', async () => {
  const { fake, service, settled, before } = await openService()
  fake.conferences.policy({ mode: 'manual' })
  const booking = await service.bookings.book(wish('Call', TEN, { meet: true }))
  expect(booking.meet).toEqual({ status: 'pending' })

  fake.conferences.settle()
  await settled()
  expect(booking.meet).toEqual({ status: 'ready', link: expect.stringMatching(/^https:\/\/meet\.google\.com\//) })
  fake.diff(before).verify([{ change: 'added', where: { summary: 'Call', hangoutLink: booking.meet?.link } }])
})

test('a failed Meet link leaves the booking unchanged', async () => {
  const { fake, service, settled } = await openService()
  fake.conferences.expect({ times: 1, delay: '5s', outcome: 'failure' })
  const booking = await service.bookings.book(wish('Call', TEN, { meet: true }))
  await fake.advance(5 * SECOND)
  await settled()

  expect(booking).toMatchObject({ status: 'held', meet: { status: 'failed' } })
})
