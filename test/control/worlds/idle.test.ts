import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions, type Seed } from '../../../src/index.ts'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('an idle world is deleted, and created again by its next request', async () => {
  const { fake, as } = openCalendar({ worldIdle: '1h' })
  await as(`blue~${ALICE}`).post('/calendars', { summary: 'Team' })
  await vi.advanceTimersByTimeAsync(59 * 60_000)
  expect(fake.worlds()).toEqual(['default', 'blue'])

  await vi.advanceTimersByTimeAsync(60_000)

  expect(fake.worlds()).toEqual(['default'])
  expect((await as(`blue~${ALICE}`).get('/users/me/calendarList')).body.items).toHaveLength(1)
  await fake.close()
})

test('requests and in-process calls reset the idle time; the first world is never deleted', async () => {
  const { fake, as } = openCalendar({ worldIdle: 3_600_000 })
  const before = fake.snapshot()
  fake.fork(before, 'red')
  for (const use of [() => as(`blue~${ALICE}`).get('/colors'), () => fake.world('green').clock.now()]) {
    for (let half = 0; half < 4; half++) {
      await use()
      await vi.advanceTimersByTimeAsync(30 * 60_000)
    }
  }

  expect(fake.worlds()).toEqual(['default', 'green'])
  await vi.advanceTimersByTimeAsync(100 * 3_600_000)
  expect(fake.worlds()).toEqual(['default'])
  await fake.close()
})

test('lists of worlds and the overview do not count as use', async () => {
  const { fake, as } = openCalendar({ worldIdle: '1h' })
  await as(`blue~${ALICE}`).get('/colors')
  for (const path of ['/_control/worlds', '/_control/overview', '/_control/worlds']) {
    await vi.advanceTimersByTimeAsync(20 * 60_000)
    expect((await as(ALICE).get(path)).status).toBe(200)
  }

  expect(fake.worlds()).toEqual(['default'])
  await fake.close()
})

test('a world with a waiting request is not deleted', async () => {
  const { fake, as } = openCalendar({ worldIdle: '1s' })
  const blue = as(`blue~${ALICE}`)
  await blue.get('/colors')
  fake.world('blue').onNotification(() => new Promise((resolve) => setTimeout(resolve, 3500)))
  await blue.post('/calendars/primary/events/watch', { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' })
  const settled = blue.post('/_control/notifications/settled', { timeout: '1m' })

  await vi.advanceTimersByTimeAsync(3600)

  expect((await settled).status).toBe(200)
  expect(fake.worlds()).toEqual(['default', 'blue'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(fake.worlds()).toEqual(['default'])
  await fake.close()
})

test('without the option no world is deleted', async () => {
  const { fake, as } = openCalendar()
  await as(`blue~${ALICE}`).get('/colors')

  await vi.advanceTimersByTimeAsync(1000 * 3_600_000)

  expect(fake.worlds()).toEqual(['default', 'blue'])
})

test.each([0, '0s', 'soon', {}, -1])('worldIdle: %j is a TypeError', (worldIdle) => {
  expect(() => createFakeCalendar({ worldIdle } as FakeCalendarOptions)).toThrow(
    new TypeError('createFakeCalendar: worldIdle must be a duration of a millisecond or more such as 1h'),
  )
})

test('due tasks of a seed run by themselves with a real clock, in the first world and in later ones', async () => {
  vi.setSystemTime('2026-03-02T08:00:00Z')
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] }
  const events = [{ summary: 'Lunch', reminders, ...hour('2026-03-02', 9, 'UTC') }]
  const seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] } as Seed
  const { fake } = openCalendar({ now: undefined, seed })
  const worlds = [fake, fake.world('w1'), fake.fork(fake.snapshot(), 'w2')]
  for (const world of worlds) expect(world.mail()).toEqual([])

  await vi.advanceTimersByTimeAsync(55 * 60_000)

  for (const world of worlds) expect(world.mail()).toMatchObject([{ kind: 'reminder', summary: 'Lunch' }])
  await fake.close()
})
