import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { ALICE, BOB } from '../support/calendar.ts'
import { channel, EVENTS, openPush, openReceiver, write } from '../support/push.ts'

const WATCH = `${EVENTS}/watch`

test('a state holds its channels, and a world restored from it goes on where they stood', async () => {
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

  expect(receiver.told()).toEqual(['1 sync', '2 exists', '3 exists'])
  expect(receiver.received[2]?.headers['x-goog-resource-id']).toBe(body.resourceId)
  await restored.close()
})

test('a reset ends the channels made since, and what they had on its way', async () => {
  const { as, fake, hear } = openPush()
  const heard = hear()
  await as(ALICE).post(WATCH, channel('mine'))
  fake.notifications.hold()
  await write(as(ALICE))

  fake.reset()
  fake.notifications.release()
  await write(as(ALICE))

  expect(heard).toEqual(['mine 1 sync'])
  expect(fake.channels()).toEqual([])
  expect(fake.notifications.list()).toEqual([])
  expect(fake.clock.advance('30d')).toEqual([])
  expect((await as(ALICE).post(WATCH, channel('mine'))).status).toBe(200)
})

test('what a seed adds is told of once, and a seed that replaces the world ends its channels', async () => {
  const { as, fake, anybody, hear } = openPush()
  const heard = hear()
  await as(ALICE).post(WATCH, channel('mine'))
  const day = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }

  fake.seed({ calendars: [{ id: ALICE, events: [day, day, day] }] })
  await fake.notifications.settled()
  expect(heard).toEqual(['mine 1 sync', 'mine 2 exists'])

  await anybody.put('/_control/seed', { accounts: [{ email: ALICE }] })
  await write(as(ALICE))
  expect(heard).toHaveLength(2)
})

test('a seed that is no state cannot open channels', () => {
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

test('worlds do not hear of each other', async () => {
  const { as, fake, hear } = openPush()
  const heard = hear()
  await as(ALICE).post(WATCH, channel('mine'))

  await write(as(`other~${ALICE}`))
  expect((await as(`other~${ALICE}`).post(WATCH, channel('mine'))).status).toBe(200)

  expect(heard).toEqual(['mine 1 sync'])
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
