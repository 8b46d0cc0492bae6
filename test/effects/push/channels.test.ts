import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB, errorOf } from '../../support/calendar.ts'
import { channel, EVENTS, openPush, openReceiver, write } from '../../support/push.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const WATCH = `${EVENTS}/watch`

test('a world restored from a state has its channels, and continues their messages', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  const { body } = await as(ALICE).post(WATCH, channel('mine', receiver.address))
  await as(ALICE).post('/users/me/settings/watch', channel('ended'))
  await as(ALICE).post('/channels/stop', { id: 'ended', resourceId: fake.channels()[1]?.resourceId })
  await write(as(ALICE))
  await fake.notifications.settled()

  const restored = createFakeCalendar({ seed: fake.state() })
  expect(restored.state()).toEqual(fake.state())
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  await restored.request(`/calendar/v3${EVENTS}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }),
  })
  await restored.notifications.settled()

  expect(receiver.messages()).toEqual(['1 sync', '2 exists', '3 exists'])
  expect(receiver.received[2]?.headers['x-goog-resource-id']).toBe(body.resourceId)
  await restored.close()
})

test('a reset ends the channels created since, and drops their pending messages', async () => {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))
  fake.notifications.hold()
  await write(as(ALICE))

  fake.reset()
  fake.notifications.release()
  await write(as(ALICE))

  expect(received).toEqual(['mine 1 sync'])
  expect(fake.channels()).toEqual([])
  expect(fake.notifications.list()).toEqual([])
  expect(fake.clock.advance('30d')).toEqual([])
  expect((await as(ALICE).post(WATCH, channel('mine'))).status).toBe(200)
})

test('an added seed sends one message, and a seed that replaces the world ends its channels', async () => {
  const { as, fake, anonymous, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))
  const day = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }

  fake.seed({ calendars: [{ id: ALICE, events: [day, day, day] }] })
  await fake.notifications.settled()
  expect(received).toEqual(['mine 1 sync', 'mine 2 exists'])

  await anonymous.post('/_control/replace', { accounts: [{ email: ALICE }] })
  await write(as(ALICE))
  expect(received).toHaveLength(2)
})

test('a seed that is not a state cannot open channels', () => {
  const channels = [
    {
      id: 'mine',
      account: ALICE,
      resource: 'settings' as const,
      resourceId: 'x',
      resourceUri: 'x',
      address: 'https://hooks.example.com/',
      expiration: 1,
    },
  ]

  expect(() => createFakeCalendar({ seed: { accounts: [{ email: ALICE }], channels } })).toThrow('channels')
})

test('a write in one world sends no message in another', async () => {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))

  await write(as(`other~${ALICE}`))
  expect((await as(`other~${ALICE}`).post(WATCH, channel('mine'))).status).toBe(200)

  expect(received).toEqual(['mine 1 sync'])
  expect(fake.world('other').channels()).toMatchObject([{ id: 'mine', messages: 1 }])
})

test('the same seed and requests send the same bytes', async () => {
  const run = async () => {
    const { as, fake } = openPush()
    const sent: unknown[] = []
    fake.onNotification((notification) => {
      sent.push(notification)
    })
    await as(ALICE).post(WATCH, channel('mine', undefined, { token: 'a' }))
    await as(BOB).post(`${WATCH}?eventTypes=default`, channel('yours'))
    await write(as(ALICE), 'primary', { summary: 'Same', attendees: [{ email: BOB }] })
    fake.clock.advance('1h')
    await as(ALICE).post('/calendars/primary/clear')
    return JSON.stringify([sent, fake.state()])
  }

  expect(await run()).toBe(await run())
})

test('6.2.3 a person without access receives no message when a calendar is deleted', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  const team = await newCalendar(as(ALICE))
  await share(as(ALICE), team, BOB, 'reader')
  await as(BOB).post(`/calendars/${team}/events/watch`, channel('bob'))
  await as(ALICE).post(`/calendars/${team}/events/watch`, channel('alice'))
  await as(ALICE).delete(`/calendars/${team}/acl/user:${BOB}`)
  await as(ALICE).delete(`/calendars/${team}`)
  await write(as(BOB))

  expect(received).toEqual(['bob 1 sync', 'alice 1 sync', 'alice 2 not_exists'])
})

test('6.2.6 a member of a group receives messages while a member', async () => {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  const group = 'crew@example.com'
  fake.seed({ groups: [{ email: group, members: [BOB] }] })
  const team = await newCalendar(as(ALICE))
  expect(
    (await as(ALICE).post(`/calendars/${team}/acl`, { role: 'reader', scope: { type: 'group', value: group } })).status,
  ).toBe(200)
  await as(BOB).post(`/calendars/${team}/events/watch`, channel('bob'))
  await write(as(ALICE), team)
  fake.seed({ groups: [{ email: group, members: [] }] })
  await write(as(ALICE), team)
  fake.seed({ groups: [{ email: group, members: [BOB] }] })
  await write(as(ALICE), team)

  expect(received).toEqual(['bob 1 sync', 'bob 2 exists', 'bob 3 exists'])
})

test('a filter of types applies to the written event, not to the former one', async () => {
  const { as, recordMessages } = openPush({ seed: { accounts: [{ email: ALICE, kind: 'workspace' }] } })
  const received = recordMessages()
  const times = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
  await as(ALICE).post(EVENTS, { eventType: 'focusTime', focusTimeProperties: {}, ...times })
  await as(ALICE).post(`${WATCH}?eventTypes=focusTime`, channel('focus'))
  await as(ALICE).post(`${WATCH}?eventTypes=default`, channel('plain'))
  await as(ALICE).post(`${WATCH}?eventTypes=default&eventTypes=focusTime`, channel('both'))
  received.length = 0

  await write(as(ALICE))
  await as(ALICE).post(EVENTS, { eventType: 'focusTime', focusTimeProperties: {}, ...times })

  expect(received).toEqual(['plain 2 exists', 'both 2 exists', 'focus 2 exists', 'both 3 exists'])
})

test('the id of a stopped channel can be used again: the new channel starts at 1, and the old expiration is ignored', async () => {
  const { as, fake, recordMessages } = openPush()
  const received = recordMessages()
  const { body } = await as(ALICE).post(WATCH, channel('mine', undefined, { params: { ttl: '60' } }))
  await write(as(ALICE))
  await as(ALICE).post('/channels/stop', body)
  await as(ALICE).post('/users/me/settings/watch', channel('mine', undefined, { params: { ttl: '120' } }))

  expect(fake.clock.advance('1m')).toEqual([])
  expect(fake.channels()).toMatchObject([{ id: 'mine', state: 'live', resource: 'settings', messages: 1 }])
  expect(fake.clock.advance('1m')).toEqual([{ what: 'channel mine expires', at: '2026-03-01T12:02:00.000Z' }])
  expect(received.map((one) => one.split(' ')[2])).toEqual(['sync', 'exists', 'sync'])
})

test('a restored channel expires at its original time, also if that is past', async () => {
  const { as, fake } = openPush()
  await as(ALICE).post(WATCH, channel('short', undefined, { params: { ttl: '60' } }))
  await as(ALICE).post(WATCH, channel('long', undefined, { params: { ttl: '120' } }))
  await as(ALICE).post(WATCH, channel('stopped'))
  const { resourceId } = fake.channels()[2] ?? { resourceId: '' }
  await as(ALICE).post('/channels/stop', { id: 'stopped', resourceId })
  fake.clock.advance('1m')
  const again = openPush({ seed: fake.state(), now: undefined })

  expect(again.fake.clock.advance('1h').map(({ what }) => what)).toEqual(['channel long expires'])
  expect(again.fake.channels().map(({ state }) => state)).toEqual(['expired', 'expired', 'stopped'])
})

test('a channel lasts a week by default and a month at most', async () => {
  const { as, fake } = openPush()
  await as(ALICE).post(WATCH, channel('week'))
  await as(ALICE).post(WATCH, channel('month', undefined, { params: { ttl: String(40 * 86_400) } }))

  expect(fake.clock.advance('60d')).toEqual([
    { what: 'channel week expires', at: '2026-03-08T12:00:00.000Z' },
    { what: 'channel month expires', at: '2026-03-31T12:00:00.000Z' },
  ])
})

test.each([
  [{ webhookTimeout: 1 }, true],
  [{ webhookTimeout: 2 ** 31 - 1 }, true],
  [{ webhookTimeout: 2 ** 31 }, false],
  [{ webhookTimeout: 0.5 }, false],
  [{ webhookCa: 'x -----BEGIN CERTIFICATE----- y' }, false],
])('the receiver options %j are valid: %s', (options, can) => {
  const make = () => createFakeCalendar(options)

  if (can) expect(make).not.toThrow()
  else expect(make).toThrow(TypeError)
})

test.each([
  [{ id: 'my channel' }, 'id', 'at most 64 of A-Z, a-z, 0-9, -_+/='],
  [{ token: 'x'.repeat(257) }, 'token', 'at most 256 characters'],
  [{ token: 'a\nb' }, 'token', 'no control characters'],
  [{ params: { ttl: '1h' } }, 'params.ttl', 'not seconds'],
  [{ params: { ttl: 'x60' } }, 'params.ttl', 'not seconds'],
  [{ params: { ttl: '60.5' } }, 'params.ttl', 'not seconds'],
  [{ params: { ttl: '0' } }, 'params.ttl', 'over'],
  [{ expiration: 1 }, 'expiration', 'over'],
])('6.1.6 %j is refused, and the error names the field and the problem', async (wrong, field, problem) => {
  const { as } = openPush()
  const { status, message } = errorOf(await as(ALICE).post(WATCH, { ...channel('mine'), ...wrong }))

  expect([status, message]).toEqual([400, expect.stringContaining(field)])
  expect(message).toContain(problem)
})

test('6.1.3, 6.1.4 each calendar is a resource of its own, and its resourceUri is escaped where necessary', async () => {
  const id = 'team#one@group.calendar.google.com'
  const { as } = openPush({ seed: { accounts: [{ email: ALICE }], calendars: [{ id, owner: ALICE }] } })
  const own = (await as(ALICE).post(WATCH, channel('own'))).body
  const team = (await as(ALICE).post(`/calendars/${encodeURIComponent(id)}/events/watch`, channel('team'))).body

  expect(team.resourceId).not.toBe(own.resourceId)
  expect(team.resourceUri).toContain('/calendars/team%23one@group.calendar.google.com/events?')
})

test('a write to a calendar’s own fields sends no message to a channel on its events', async () => {
  const { as, recordMessages } = openPush()
  const received = recordMessages()
  await as(ALICE).post(WATCH, channel('mine'))
  expect((await as(ALICE).patch('/calendars/primary', { description: 'Mine' })).status).toBe(200)

  expect(received).toEqual(['mine 1 sync'])
})

test('a fork has the channels of its origin with their message numbers, but no receiver and no held message', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  await as(ALICE).post(WATCH, channel('mine', receiver.address))
  await fake.notifications.settled()
  const inProcess: number[] = []
  fake.onNotification(({ number }) => {
    inProcess.push(number)
  })
  await write(as(ALICE))
  await fake.notifications.settled()
  fake.notifications.hold()
  await write(as(ALICE))

  const fork = fake.fork(fake.snapshot('before'), 'copy')
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
  await fork.request(`/calendar/v3${EVENTS}`, { method: 'POST', headers, body })
  await fork.notifications.settled()

  expect(inProcess).toHaveLength(1)
  expect(receiver.messages()).toEqual(['1 sync', '4 exists'])
  expect(receiver.received[1]?.headers['x-goog-resource-uri']).toContain('/w/copy/')
  expect(fake.notifications.list().map(({ progress }) => progress)).toEqual(['delivered', 'delivered', 'held'])
})
