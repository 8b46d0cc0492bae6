import { expect, test } from 'vitest'
import { api } from '../../src/api/index.ts'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../support/calendar.ts'
import { captureErrors, failAtWrite } from './failing.ts'
import { openScene } from './scene.ts'
import { captureWorld, listDifferences } from './worldState.ts'

type World = Awaited<ReturnType<typeof openScene>>
type RequestParts = readonly [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object]

const EVENTS = '/calendars/primary/events'
const WATCH = { id: 'other', type: 'web_hook', address: 'http://127.0.0.1:9/' }
const BOBS_RULE = `user:${BOB}`

/** A valid request for each method. */
const REQUESTS: Record<string, (world: World) => RequestParts> = {
  'acl.delete': ({ team }) => ['delete', `/calendars/${team}/acl/${BOBS_RULE}`],
  'acl.get': () => ['get', `/calendars/primary/acl/user:${ALICE}`],
  'acl.insert': ({ team }) => [
    'post',
    `/calendars/${team}/acl`,
    { role: 'reader', scope: { type: 'user', value: CAROL } },
  ],
  'acl.list': () => ['get', '/calendars/primary/acl'],
  'acl.patch': ({ team }) => ['patch', `/calendars/${team}/acl/${BOBS_RULE}`, { role: 'reader' }],
  'acl.update': ({ team }) => [
    'put',
    `/calendars/${team}/acl/${BOBS_RULE}`,
    { role: 'reader', scope: { type: 'user', value: BOB } },
  ],
  'acl.watch': () => ['post', '/calendars/primary/acl/watch', WATCH],
  'calendarList.delete': ({ team }) => ['delete', `/users/me/calendarList/${team}`],
  'calendarList.get': () => ['get', '/users/me/calendarList/primary'],
  'calendarList.insert': ({ team }) => ['post', '/users/me/calendarList', { id: team, summaryOverride: 'Ours' }],
  'calendarList.list': () => ['get', '/users/me/calendarList?maxResults=1'],
  'calendarList.patch': () => ['patch', '/users/me/calendarList/primary', { summaryOverride: 'Mine' }],
  'calendarList.update': ({ team }) => ['put', `/users/me/calendarList/${team}`, { summaryOverride: 'Mine' }],
  'calendarList.watch': () => ['post', '/users/me/calendarList/watch', WATCH],
  'calendars.clear': () => ['post', '/calendars/primary/clear'],
  'calendars.delete': ({ team }) => ['delete', `/calendars/${team}`],
  'calendars.get': () => ['get', '/calendars/primary'],
  'calendars.insert': () => ['post', '/calendars', { summary: 'New' }],
  'calendars.patch': () => ['patch', '/calendars/primary', { summary: 'Mine' }],
  'calendars.transferOwnership': ({ team }) => [
    'post',
    `/calendars/${team}/transferOwnership?newDataOwner=${CAROL}&useAdminAccess=true`,
  ],
  'calendars.update': () => ['put', '/calendars/primary', { summary: 'Mine' }],
  'channels.stop': ({ resourceId }) => ['post', '/channels/stop', { id: 'mine', resourceId }],
  'colors.get': () => ['get', '/colors'],
  'events.delete': () => ['delete', `${EVENTS}/stand001?sendUpdates=all`],
  'events.get': () => ['get', `${EVENTS}/meet0001`],
  'events.import': () => ['post', `${EVENTS}/import`, { iCalUID: 'u@x', ...hour('2026-03-05', 9) }],
  'events.insert': () => [
    'post',
    `${EVENTS}?sendUpdates=all&conferenceDataVersion=1`,
    {
      attendees: [{ email: BOB }, { email: 'new@example.com' }],
      conferenceData: { createRequest: { requestId: 'r2' } },
      ...hour('2026-03-05', 9),
    },
  ],
  'events.instances': () => ['get', `${EVENTS}/stand001/instances?maxResults=1`],
  'events.list': () => ['get', `${EVENTS}?maxResults=1`],
  'events.move': ({ team }) => ['post', `${EVENTS}/stand001/move?destination=${team}&sendUpdates=all`],
  'events.patch': () => ['patch', `${EVENTS}/stand001?sendUpdates=all`, hour('2026-03-03', 11)],
  'events.quickAdd': () => ['post', `${EVENTS}/quickAdd?text=Lunch&sendUpdates=all`],
  'events.update': () => ['put', `${EVENTS}/meet0001?sendUpdates=all`, hour('2026-03-02', 10)],
  'events.watch': () => ['post', `${EVENTS}/watch`, WATCH],
  'freebusy.query': () => [
    'post',
    '/freeBusy',
    { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-09T00:00:00Z', items: [{ id: ALICE }] },
  ],
  'settings.get': () => ['get', '/users/me/settings/locale'],
  'settings.list': () => ['get', '/users/me/settings?maxResults=1'],
  'settings.watch': () => ['post', '/users/me/settings/watch', WATCH],
}

test('the table has a request for every method', () => {
  expect(Object.keys(REQUESTS)).toEqual(api.map(({ id }) => id.replace('calendar.', '')).sort())
})

/** The first request of a new account: a rollback also removes the account. */
const FIRST_USE = [
  'calendarList.list',
  'settings.get',
  'settings.list',
  'freebusy.query',
  'colors.get',
  'calendars.insert',
]

test.each(Object.keys(REQUESTS))('%s is rolled back if any of its writes fails', async (method) => {
  const lines = captureErrors()
  const received: unknown[] = []
  const set = await openScene()
  const { fake, as } = set
  const [verb, path, body] = REQUESTS[method]?.(set) ?? ['get', '/']
  const caller = FIRST_USE.includes(method) ? 'new@example.com' : method === 'calendarList.delete' ? BOB : ALICE
  fake.onNotification((message) => void received.push(message))
  const before = captureWorld(fake)

  for (let n = 1; ; n++) {
    const over = failAtWrite(n)
    const reply = await as(caller)[verb](path, body)
    if (!over()) {
      expect(reply.status).toBeLessThan(300)
      expect(lines).toHaveLength(n - 1)
      break
    }
    expect({ n, status: reply.status, body: reply.body }).toEqual({
      n,
      status: 500,
      body: {
        error: {
          errors: [{ domain: 'global', reason: 'backendError', message: 'Backend Error' }],
          code: 500,
          message: 'Backend Error',
        },
      },
    })
    await fake.notifications.settled()
    // The call itself stays in the journal.
    expect(listDifferences(captureWorld(fake), before).filter((part) => part !== 'calls')).toEqual([])
    expect(received).toEqual([])
  }
  for (const line of lines) {
    expect(line).toMatch(
      new RegExp(
        `^fake-calendar: calendar\\.${method} failed: Error: write \\d+ fails at .*: please report this line$`,
      ),
    )
  }
})

test('a failing due action is reported to the caller that advances the clock, is rolled back, and stops no other action', async () => {
  const lines = captureErrors()
  const { fake, as } = openCalendar()
  const insertRequest = (requestId: string, delay: string) => {
    fake.conferences.policy({ delay })
    const body = { id: `meet${requestId}`, conferenceData: { createRequest: { requestId } }, ...hour('2026-03-02', 9) }
    return as(ALICE).post(`${EVENTS}?conferenceDataVersion=1`, body)
  }
  await insertRequest('00001', '1h')
  await insertRequest('00002', '2h')
  const { calendars } = fake.state()

  const over = failAtWrite(1)
  const fired = fake.clock.advance('1h')
  over()

  const error = 'Error: write 1 fails'
  expect(fired).toEqual([{ what: 'conference 00001 of meet00001', at: '2026-03-01T13:00:00.000Z', error }])
  expect(lines).toEqual([expect.stringContaining(`conference 00001 of meet00001 failed: ${error}`)])
  expect(fake.state().calendars).toEqual(calendars)
  expect(fake.clock.advance('1h')).toEqual([{ what: 'conference 00002 of meet00002', at: '2026-03-01T14:00:00.000Z' }])
})

test('if one of two concurrent requests fails, it sends no channel message, and the other sends one to each channel', async () => {
  const lines = captureErrors()
  const { fake, as } = await openScene()
  const received: unknown[] = []
  fake.onNotification(({ channelId, state }) => void received.push([channelId, state]))
  const { length } = fake.notifications.list()

  const over = failAtWrite(2)
  const [failed, done] = await Promise.all([
    as(ALICE).patch(`${EVENTS}/meet0001`, { summary: 'Never' }),
    as(ALICE).patch(`${EVENTS}/stand001`, { summary: 'Stand-up' }),
  ])
  over()
  await fake.notifications.settled()

  expect([failed.status, done.status]).toEqual([500, 200])
  expect(received).toEqual([['mine', 'exists']])
  expect(fake.notifications.list()).toHaveLength(length + 1)
  expect(lines).toHaveLength(1)
})

test('only committed requests send channel messages', async () => {
  captureErrors()
  const { fake, as } = await openScene()
  fake.notifications.hold()
  await as(ALICE).patch(`${EVENTS}/meet0001`, { summary: 'Held' })
  await fake.notifications.settled()
  const before = [fake.notifications.list(), JSON.stringify(fake.state())]

  for (let n = 1; ; n++) {
    const over = failAtWrite(n)
    const { status } = await as(ALICE).delete(`${EVENTS}/stand001?sendUpdates=all`)
    if (!over()) {
      expect(status).toBe(204)
      break
    }
    expect(status).toBe(500)
    await fake.notifications.settled()
    expect([fake.notifications.list(), JSON.stringify(fake.state())]).toEqual(before)
  }
  expect(fake.notifications.list()).toHaveLength((before[0]?.length ?? 0) + 1)

  fake.reset()
  fake.onNotification(() => expect.fail('a message of before'))
  fake.notifications.release()
  await fake.notifications.settled()
  expect(fake.notifications.list()).toEqual([])
})
