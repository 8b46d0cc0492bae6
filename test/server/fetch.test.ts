import { Request as NodeFetchRequest } from 'node-fetch'
import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

/** `fake.fetch` is a fetch. */
const COLORS = 'https://www.googleapis.com/calendar/v3/colors'
const CALENDARS = 'https://www.googleapis.com/calendar/v3/calendars'
const headers = { Authorization: `Bearer ${ALICE}` }
const WAIT = 'http://localhost/_control/notifications/until'
const waiting = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"channelId":"none"}' }

test.each(['gzip', 'gzip, deflate, br', 'identity', '*'])(
  'a body is returned decoded if %s is accepted',
  async (accepted) => {
    const { fake } = openCalendar()
    for (const { fetch } of [fake, fake.world('blue')]) {
      const reply = await fetch(COLORS, {
        headers: { ...headers, 'Accept-Encoding': accepted, 'User-Agent': 'x (gzip)' },
      })

      expect(reply.headers.has('Content-Encoding')).toBe(false)
      expect((await reply.json()).kind).toBe('calendar#colors')
    }
  },
)

test('fake.fetch accepts the arguments of fetch and returns a Response', async () => {
  const { fetch } = openCalendar().fake
  const calls: [Request | string | URL, RequestInit?][] = [
    [COLORS, { headers }],
    [new URL(COLORS), { headers: new Headers(headers) }],
    [new Request(COLORS, { headers })],
    [new Request(COLORS), { headers }],
  ]
  for (const call of calls) {
    const reply = await fetch(...call)
    expect(reply).toBeInstanceOf(Response)
    expect([reply.status, (await reply.clone().json()).kind]).toEqual([200, 'calendar#colors'])
  }
})

test('fake.fetch accepts a Request of node-fetch, with a null signal and a Node stream as the body', async () => {
  const { fetch, calls } = openCalendar().fake
  const json = { ...headers, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ summary: 'Team' })
  const read = new NodeFetchRequest(COLORS, { headers }) as unknown as Request
  const write = new NodeFetchRequest(CALENDARS, { method: 'POST', headers: json, body }) as unknown as Request

  expect((await fetch(read)).status).toBe(200)
  expect(await (await fetch(write)).json()).toMatchObject({ summary: 'Team' })
  expect(calls().map(({ method }) => method)).toEqual(['colors.get', 'calendars.insert'])
})

test('an invalid request rejects', async () => {
  await expect(openCalendar().fake.fetch('/calendar/v3/colors')).rejects.toThrow(TypeError)
})

test.each([
  ['its own reason', new Error('enough'), 'enough'],
  ['none', undefined, 'This operation was aborted'],
])('a signal that is aborted with %s rejects with it, before and during', async (_, reason, message) => {
  const { fake } = openCalendar()
  const before = AbortSignal.abort(reason)
  const during = new AbortController()
  const pending = fake.fetch(WAIT, { ...waiting, signal: during.signal })
  const asRequest = fake.fetch(new Request(COLORS, { headers, signal: before }))
  during.abort(reason)

  for (const call of [fake.fetch(COLORS, { headers, signal: before }), pending, asRequest]) {
    const error = await call.then(
      () => expect.unreachable(),
      (thrown) => thrown,
    )
    expect(error).toBe(reason ?? error)
    expect([error.name, error.message]).toEqual([reason ? 'Error' : 'AbortError', message])
  }
})

test('a call that is aborted before it starts does nothing', async () => {
  const { fake } = openCalendar()
  const before = fake.state()
  const init = { method: 'POST', headers, body: '{"summary":"Team"}', signal: AbortSignal.abort() }
  await expect(fake.fetch('http://localhost/calendar/v3/calendars', init)).rejects.toThrow()

  expect(fake.state()).toEqual(before)
})

test('an abort after the response has no effect', async () => {
  const { fake } = openCalendar()
  const later = new AbortController()
  const reply = await fake.fetch(COLORS, { headers, signal: later.signal })
  later.abort()

  expect((await reply.json()).kind).toBe('calendar#colors')
})

test('the Request and Response of the process are unchanged by a listening server', async () => {
  const before = Object.getOwnPropertyDescriptors(globalThis)
  const { fake } = openCalendar()
  const [one, other] = [await fake.listen(), await fake.listen()]
  const after = Object.getOwnPropertyDescriptors(globalThis)
  const reply = await fake.fetch(COLORS, { headers })

  expect([after.Request, after.Response]).toEqual([before.Request, before.Response])
  expect(reply.constructor).toBe(Response)
  expect((await fetch(`${one.url}/calendar/v3/colors`, { headers })).status).toBe(200)
  expect((await fetch(`${other.url}/calendar/v3/colors`, { headers })).status).toBe(200)
  await fake.close()
})
