import { expect, test } from 'vitest'
import { Outdated, Taken } from './bookings.ts'
import { Disconnected } from './client.ts'
import { BOB, CAROL, DANA, hourFrom, openService, wish } from './opened.ts'
import { HOUR, MINUTE, SECOND } from './time.ts'

const TEN = '2026-03-09T10:00:00Z'
const NOON = '2026-03-09T12:00:00Z'

test('a booking is an event in the host’s calendar, with the customer as a guest', async () => {
  const { fake, service, before } = await openService()
  await service.bookings.book(wish('Massage', TEN))

  fake.diff(before).verify([
    {
      ...{ change: 'added', kind: 'event', account: DANA },
      where: { summary: 'Massage', start: { dateTime: TEN }, attendees: [{ email: BOB }] },
    },
  ])
  fake.calls.verify('events.insert', { params: { sendUpdates: 'all' }, body: { attendees: [{ email: BOB }] } })
  expect(fake.mail(BOB)).toHaveLength(1)
})

test('an insert with a lost response is repeated, and results in one booking', async () => {
  const { fake, service, before } = await openService()
  fake.faults.add({ on: 'events.insert', do: { answerLost: true } })
  const booking = await service.bookings.book(wish('Massage', TEN))

  expect(booking.status).toBe('held')
  fake.calls.verify('events.insert', { body: { id: booking.id } }, { times: 2 })
  fake.calls.verify('events.insert', { status: 409, reason: 'duplicate' }, { times: 1 })
  fake.diff(before).verify([{ change: 'added', kind: 'event', id: booking.id, where: { summary: 'Massage' } }])
  fake.faults.verify()
})

test.each([
  ['is reset', { reset: true }],
  ['is cut off', { truncate: 20 }],
  ['is empty', { empty: true }],
  ['is an error', { fail: 'backendError' }],
  ['is a page of a proxy', { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }],
] as const)('a booking whose response %s results in one booking', async (_, effect) => {
  const { fake, service, before } = await openService()
  fake.faults.add({ on: 'events.insert', do: effect })
  await service.bookings.book(wish('Massage', TEN))

  fake.diff(before).verify([{ change: 'added', kind: 'event', where: { summary: 'Massage' } }])
  fake.calls.verify('events.insert', {}, { times: 2 })
  fake.faults.verify()
})

test('after rate limit errors the service waits for Retry-After, or for doubled pauses', async () => {
  const { fake, service, before } = await openService()
  fake.faults.add({
    on: 'events.insert',
    do: [{ fail: 'rateLimitExceeded' }, { fail: 'rateLimitExceeded429', retryAfter: 7 }, { fail: 'backendError503' }],
  })
  await service.bookings.book(wish('Massage', TEN))

  const calls = fake.calls('events.insert')
  expect(calls.map(({ status, reason }) => `${status} ${reason ?? 'ok'}`)).toEqual([
    ...['403 rateLimitExceeded', '429 rateLimitExceeded', '503 backendError', '200 ok'],
  ])
  const times = calls.map(({ at }) => Date.parse(at))
  expect(times.slice(1).map((time, nth) => time - (times[nth] ?? 0))).toEqual([1 * SECOND, 7 * SECOND, 4 * SECOND])
  fake.diff(before).verify([{ change: 'added', kind: 'event' }])
  fake.faults.verify()
})

test('a spent quota is waited for', async () => {
  const { fake, service, before } = await openService()
  fake.quota({ perUserPerMinute: 4 })
  await service.bookings.book(wish('Massage', TEN))
  await service.bookings.book(wish('Facial', NOON))

  fake.calls.verify('*', { reason: 'rateLimitExceeded' }, { times: { min: 1, max: 7 } })
  fake.diff(before).verify([{ kind: 'event', times: 2 }])
})

test('a hanging request is aborted after ten seconds and repeated', async () => {
  const { fake, service, advance, before } = await openService()
  const hang = fake.faults.add({ on: 'events.insert', do: { hang: true } })
  const booked = service.bookings.book(wish('Massage', TEN))
  await hang.until()
  await advance(10 * SECOND)

  expect(await booked).toMatchObject({ status: 'held' })
  fake.diff(before).verify([{ change: 'added', kind: 'event', where: { summary: 'Massage' } }])
  fake.calls.verify('events.insert', {}, { times: 2 })
  fake.faults.verify()
})

test('a host who revokes consent gets no bookings, and keeps earlier ones after a new consent', async () => {
  const { fake, service, dana, settled, advance, reconnect } = await openService()
  const { id } = await service.bookings.book(wish('Massage', TEN))
  await settled()
  const before = fake.snapshot()
  fake.oauth.revoke('1//first')
  await expect(service.bookings.book(wish('Facial', NOON))).rejects.toThrow(Disconnected)
  await advance(HOUR)
  expect(service.database.host(DANA).connected).toBe(false)
  fake.diff(before).verify([])

  await dana.move(id, hourFrom(NOON))
  await reconnect()
  expect(service.database.booking(id)).toMatchObject(hourFrom(NOON))
})

test('of two concurrent moves of a booking the second is rejected, and nothing is overwritten', async () => {
  const { fake, service } = await openService()
  const { id, etag } = await service.bookings.book(wish('Massage', TEN))
  const before = fake.snapshot()
  const slow = fake.faults.add({ on: 'events.patch', do: { delay: '5s', clock: 'world' } })
  const late = service.bookings.reschedule(id, hourFrom('2026-03-09T15:00:00Z'), etag)
  const outcome = late.then(
    () => expect.unreachable('was not told'),
    (error) => error,
  )
  await slow.until()
  await service.bookings.reschedule(id, hourFrom(NOON), etag)
  fake.clock.advance('5s')

  expect(await outcome).toBeInstanceOf(Outdated)
  expect((await outcome).booking).toMatchObject(hourFrom(NOON))
  fake.calls.verify('events.patch', { status: 412, reason: 'conditionNotMet' }, { times: 1 })
  fake.diff(before).verify([{ change: 'changed', id, fields: { 'start.dateTime': [TEN, NOON] } }])
})

test('a move with a lost response is done', async () => {
  const { fake, service } = await openService()
  const { id, etag } = await service.bookings.book(wish('Massage', TEN))
  const before = fake.snapshot()
  fake.faults.add({ on: 'events.patch', do: { answerLost: true } })
  await service.bookings.reschedule(id, hourFrom(NOON), etag)

  fake.diff(before).verify([{ change: 'changed', id, fields: { 'start.dateTime': [TEN, NOON] } }])
  fake.faults.verify()
})

test('a cancellation without a response is done', async () => {
  const { fake, service } = await openService()
  const { id } = await service.bookings.book(wish('Massage', TEN))
  const before = fake.snapshot()
  fake.faults.add({ on: 'events.delete', do: { answerLost: true } })
  await service.bookings.cancel(id)

  fake.diff(before).verify([{ change: 'deleted', kind: 'event', id }])
  fake.calls.verify('events.delete', {}, { times: 2 })
})

test('stale free/busy times do not lead to a double booking', async () => {
  const { fake, service, dana, before, advance } = await openService()
  await advance(5 * MINUTE)
  await dana.enter('Dentist', hourFrom(TEN))
  await advance(SECOND)
  fake.faults.add({ on: 'freebusy.query', do: { stale: '60s' } })
  await expect(service.bookings.book(wish('Massage', TEN))).rejects.toThrow(Taken)

  fake.diff(before).verify([{ change: 'added', kind: 'event', where: { summary: 'Dentist' } }])
  fake.calls.verify('events.delete', {}, { times: 1 })
  fake.faults.verify()
})

test('two concurrent requests for one hour never both get it', async () => {
  const { fake, service, before } = await openService()
  const slow = fake.faults.add({
    on: 'events.insert',
    where: { body: { summary: 'Massage' } },
    do: { delay: '2s', clock: 'world' },
  })
  const first = service.bookings.book(wish('Massage', TEN))
  const lost = expect(first).rejects.toThrow(Taken)
  await slow.until()
  await service.bookings.book(wish('Facial', TEN, { customer: CAROL }))
  fake.clock.advance('2s')
  await lost

  fake
    .diff(before)
    .verify([{ change: 'added', kind: 'event', where: { summary: 'Facial', attendees: [{ email: CAROL }] } }])
})
