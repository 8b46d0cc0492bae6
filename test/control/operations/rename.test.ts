import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'

test('a renamed world keeps its data, tokens, snapshots, controls, journal, channels and result', async () => {
  const { fake, as } = openCalendar()
  const red = fake.world('red')
  red.onNotification(() => 200)
  const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
  expect((await as(`red~${ALICE}`).post(`${EVENTS}/watch`, watch)).status).toBe(200)
  const lunch = { id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) }
  expect((await as(`red~${ALICE}`).post(EVENTS, lunch)).status).toBe(200)
  const { nextSyncToken, nextPageToken } = (await as(`red~${ALICE}`).get(EVENTS)).body
  expect(nextPageToken).toBeUndefined()
  red.snapshot('before')
  red.faults.add({ on: 'events.delete', do: { fail: 'backendError503' } })
  const result = { task: 'Book', attempt: 1, passed: true, score: 1, missing: [], unexpected: [], calls: 2, errors: 0 }
  fake.worlds.setResult('red', result)
  const calls = red.calls().length

  expect((await as(ALICE).post('/_control/worlds/red/rename', { to: 'blue' })).body).toEqual({ done: true })

  const blue = fake.world('blue')
  expect(fake.worlds()).toEqual(['default', 'blue'])
  expect(blue.calls().map(({ world }) => world)).toEqual(Array(calls).fill('blue'))
  expect(blue.snapshots().map(({ name }) => name)).toEqual(['before'])
  expect(blue.faults.list()).toHaveLength(1)
  expect((await as(ALICE).get('/_control/overview')).body.worlds[1]).toMatchObject({ name: 'blue', result })
  expect((await as(`blue~${ALICE}`).patch(`${EVENTS}/lunch`, { location: 'Room 1' })).status).toBe(200)
  await blue.notifications.settled()
  const message = blue.notifications.list().at(-1)
  expect(message?.headers['X-Goog-Resource-URI']).toContain('/w/blue/')
  const synced = await as(`blue~${ALICE}`).get(`${EVENTS}?syncToken=${nextSyncToken}`)
  expect(synced.body.items).toMatchObject([{ id: 'lunch', location: 'Room 1' }])
  blue.restore('before')
  expect((await as(`blue~${ALICE}`).get(`${EVENTS}?syncToken=${nextSyncToken}`)).status).toBe(200)
})

test('the former name of a renamed world is that of a new world, which rejects the tokens of the former one', async () => {
  const { fake, as } = openCalendar()
  expect((await as(`red~${ALICE}`).post(EVENTS, { summary: 'Lunch', ...hour('2026-03-02', 12) })).status).toBe(200)
  const { nextSyncToken } = (await as(`red~${ALICE}`).get(EVENTS)).body
  fake.worlds.rename('red', 'blue')

  expect((await as(`red~${ALICE}`).get(EVENTS)).body.items).toEqual([])
  expect((await as(`red~${ALICE}`).get(`${EVENTS}?syncToken=${nextSyncToken}`)).status).toBe(410)
  expect(fake.worlds()).toEqual(['default', 'blue', 'red'])
})

test('the default world is renamed by its own request', async () => {
  const { fake, as } = openCalendar()
  expect((await as(ALICE).post(EVENTS, { summary: 'Lunch', ...hour('2026-03-02', 12) })).status).toBe(200)
  expect((await as(ALICE).post('/_control/worlds/default/rename', { to: 'blue' })).status).toBe(200)

  expect((await as(`blue~${ALICE}`).get(EVENTS)).body.items).toHaveLength(1)
  expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  expect(fake.worlds()).toEqual(['blue', 'default'])
})

test.each([
  { world: 'red', to: 'default', problem: 'to: there is already a world "default"' },
  { world: 'red', to: 'red', problem: 'to: there is already a world "red"' },
  { world: 'green', to: 'blue', problem: 'world: there is no world "green"' },
  { world: 'red', to: 'no spaces', problem: 'The name of a world' },
  { world: 'red', to: 'black', problem: 'black' },
])('a rename of $world to $to is refused', async ({ world, to, problem }) => {
  const { fake, as } = openCalendar({ worlds: ['default', 'red', 'blue', 'green'] })
  fake.world('red').clock.now()
  const { status, body } = await as(ALICE).post(`/_control/worlds/${world}/rename`, { to })

  expect([400, 404]).toContain(status)
  expect(body.error.message).toContain(problem)
  expect(() => fake.worlds.rename(world, to)).toThrow(RangeError)
  expect(fake.worlds()).toEqual(['default', 'red'])
})
