import { RegExpRouter } from 'hono/router/reg-exp-router'
import { TrieRouter } from 'hono/router/trie-router'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../src/api/index.ts'
import { OPERATIONS } from '../../src/control/operations/index.ts'
import { app } from '../../src/server/app.ts'
import { controlApp } from '../../src/server/control.ts'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'

const BEARER = { Authorization: `Bearer ${ALICE}` }

afterEach(() => vi.restoreAllMocks())

test.each([
  ['the server', app.router, RegExpRouter, '/GET/calendar/v3/colors'],
  ['control', controlApp.router, TrieRouter, '/_control/health'],
])('the router of %s is the configured one, before and after its first match', (_, router, Router, path) => {
  expect(router).toBeInstanceOf(Router)
  expect(() => router.match('GET', path)).not.toThrow()
  expect(router.name).toBe(Router.name)
})

const limited = { accounts: [{ email: ALICE }], tokens: [{ token: 'limited', account: ALICE, scopes: [] }] }

test.each(api)('$id has a route that leads to itself', async ({ id, verb, path }) => {
  const { fake } = openCalendar({ seed: limited })
  const called = path.replace(/\{(\w+)\}/g, 'any')
  const reply = await fake.request(`/calendar/v3${called}`, {
    method: verb,
    headers: { Authorization: 'Bearer limited' },
  })
  const { details } = (await reply.json()).error

  // A token without scopes is refused by whichever method it was shown to, which gives its name.
  expect(details[0].metadata.method.toLowerCase()).toBe(id.replace('calendar.', 'calendar.v3.').toLowerCase())
})

test('a path with invalid percent-encoding is accepted', async () => {
  const { fake } = openCalendar()

  for (const path of ['/calendars/%zz', '/calendars/%E0%A4%A/events', '/calendars/%']) {
    const reply = await fake.request(`/calendar/v3${path}`, { headers: BEARER })
    expect((await reply.json()).error.code).toBe(404)
  }
})

type Acting = { run(): unknown; handle(): unknown }
const secret = () => {
  throw new Error('secret')
}
const thrown = () => {
  throw 'secret'
}
test.each([
  ['a method', api, 'calendar.colors.get', '/calendar/v3/colors', secret],
  ['a method that throws a value other than an error', api, 'calendar.colors.get', '/calendar/v3/colors', thrown],
  ['control', OPERATIONS, 'control.health', '/_control/health', secret],
  [
    'a control operation that throws a value other than an error',
    OPERATIONS,
    'control.health',
    '/_control/health',
    thrown,
  ],
])('an unexpected exception in %s is a 500 without details', async (_, table, id, path, fail) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const row = table.find((one: { id: string }) => one.id === id)
  if (!row) return expect.unreachable()
  vi.spyOn(row as unknown as Acting, 'run' in row ? 'run' : 'handle').mockImplementation(fail)
  const { fake } = openCalendar()
  const { url } = await fake.listen()
  const [inside, outside] = [
    await fake.request(path, { headers: BEARER }),
    await fetch(url + path, { headers: BEARER }),
  ]
  await fake.close()

  const error = { errors: [{ domain: 'global', reason: 'backendError', message: 'Backend Error' }], code: 500 }
  for (const reply of [inside, outside])
    expect(await reply.json()).toEqual({ error: { ...error, message: 'Backend Error' } })
  expect(logged).toHaveBeenCalledTimes(2)
})

/** The head of a reply is written after every catch of its request. */
test.each<Record<string, string>>([
  {},
  { 'Accept-Encoding': 'gzip', 'User-Agent': 'x (gzip)' },
  { Origin: 'http://page.example' },
])('an exception after the response is a 500, and the server continues: %j', async (headers) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const [row] = api.filter(({ id }) => id === 'calendar.calendars.get')
  if (!row) return expect.unreachable()
  vi.spyOn(row, 'handle').mockImplementation(() => ({ kind: 'calendar#calendar', etag: '"☕"' }))
  const { fake } = openCalendar()
  const { url } = await fake.listen()
  const send = (path: string) => fetch(`${url}/calendar/v3${path}`, { headers: { ...BEARER, ...headers } })

  const replies = [await send('/calendars/primary'), await send('/calendars/primary')]
  const next = await send('/colors')
  const bodies = await Promise.all(replies.map((reply) => reply.json()))
  await fake.close()

  const error = { errors: [{ domain: 'global', reason: 'backendError', message: 'Backend Error' }], code: 500 }
  expect(replies.map(({ status }) => status)).toEqual([500, 500])
  expect(bodies).toEqual([1, 2].map(() => ({ error: { ...error, message: 'Backend Error' } })))
  expect(next.status).toBe(200)
  expect(logged).toHaveBeenCalledTimes(2)
  expect(logged.mock.calls[0]?.[0]).toMatch(/^fake-calendar: .*calendars\/primary failed.*report/)
})

test('an unexpected exception is printed with its method and how to report it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const [row] = api.filter(({ id }) => id === 'calendar.colors.get')
  if (!row) return expect.unreachable()
  vi.spyOn(row, 'handle').mockImplementation(secret)
  const { fake } = openCalendar()

  const { status } = await fake.request('/calendar/v3/colors', { headers: BEARER })

  expect(status).toBe(500)
  expect(logged.mock.calls).toHaveLength(1)
  expect(logged.mock.calls[0]?.[0]).toMatch(
    /^fake-calendar: calendar\.colors\.get failed: Error: secret at [^\n]*please report this line$/,
  )
})

test.each(['foo://x/$discovery/rest', 'foo://x/calendar/v3/colors', 'data:,x', 'foo:x', 'file:///_control/state'])(
  'the invalid address %s matches no route',
  async (address) => {
    const { fake } = openCalendar()

    expect((await fake.fetch(address, { headers: BEARER })).status).toBe(404)
  },
)

test('an unexpected exception in a part of a batch affects only that part', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const [row] = api.filter(({ id }) => id === 'calendar.colors.get')
  if (!row) return expect.unreachable()
  vi.spyOn(row, 'handle').mockImplementation(secret)
  const { fake } = openCalendar()
  const reply = await fake.request('/batch', {
    method: 'POST',
    headers: { Authorization: `Bearer ${BOB}`, 'Content-Type': 'multipart/mixed; boundary=b' },
    body: '--b\n\nGET /colors\n\n--b\n\nGET /calendars/primary\n\n--b--',
  })

  expect([...(await reply.text()).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['500', '200'])
})
