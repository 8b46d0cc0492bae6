import { expect, onTestFinished, test, vi } from 'vitest'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'
import { callerOf } from '../support/mcp.ts'

type StreamMessage = { id?: string; event: string; data: Record<string, unknown> }

/** Opens the stream of a fake on a socket, and reads its messages one by one. */
async function listening(path = '', headers: Record<string, string> = {}, options = {}) {
  const opened = openCalendar(options)
  const { url } = await opened.fake.listen()
  onTestFinished(() => opened.fake.close())
  const open = async (more = path, also = headers) => {
    const reply = await fetch(`${url}/_control/calls/stream${more}`, { headers: also })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Content-Type')).toContain('text/event-stream')
    return reader(reply)
  }
  return { ...opened, open }
}

function reader({ body }: Response) {
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<StreamMessage | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = (await chunks?.read().catch(() => undefined)) ?? { done: true }
        if (done) return undefined
        text += value
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      if (lines.every((line) => line.startsWith(':'))) continue
      const id = of('id')
      return { ...(id && { id }), event: of('event') ?? '', data: JSON.parse(of('data') ?? '{}') }
    }
  }
  return { next, close: () => chunks?.cancel() }
}

test('each call is streamed with its response, and its number is the id', async () => {
  const { as, open } = await listening()
  await as(ALICE).get('/colors')
  const { next } = await open()
  await as(ALICE).get('/users/me/settings')
  await as(BOB).get('/colors')

  expect(await next()).toMatchObject({
    id: '2',
    event: 'call',
    data: { n: 2, method: 'settings.list', account: ALICE },
  })
  expect(await next()).toMatchObject({ id: '3', event: 'call', data: { n: 3, account: BOB, status: 200 } })
})

test.each([
  ['a number', '?since=1', {}],
  ['Last-Event-ID', '?since=0', { 'Last-Event-ID': '1' }],
])('the stream continues after %s', async (_, path, headers) => {
  const { as, open } = await listening(path, headers as Record<string, string>)
  for (let nth = 0; nth < 3; nth++) await as(ALICE).get('/colors')
  const { next } = await open()
  await as(ALICE).get('/colors')

  expect([await next(), await next(), await next()].map((message) => message?.id)).toEqual(['2', '3', '4'])
})

test('the stream filters by method and account, and reports resets', async () => {
  const { fake, as, open } = await listening(`?method=colors.get,settings.*&account=${ALICE}`)
  const { next } = await open()
  await as(BOB).get('/colors')
  await as(ALICE).get('/users/me/calendarList')
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ event: 'call', data: { method: 'colors.get', account: ALICE } })
  fake.reset()

  expect(await next()).toEqual({ event: 'reset', data: { world: 'default' } })
})

test('the stream reports restores, and numbers continue across resets and restores', async () => {
  const { fake, as, open } = await listening()
  const { next } = await open()
  const before = fake.snapshot()
  fake.restore(before)
  expect(await next()).toEqual({ event: 'restored', data: { world: 'default' } })
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ event: 'call', id: '1' })
  fake.reset()
  expect(await next()).toMatchObject({ event: 'reset' })
  await as(ALICE).get('/colors')

  expect(await next()).toMatchObject({ event: 'call', id: '2' })
})

test('the stream reports that the journal was cleared', async () => {
  const { fake, as, open } = await listening()
  const { next } = await open()
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ event: 'call' })
  fake.calls.clear()

  expect(await next()).toEqual({ event: 'cleared', data: { world: 'default' } })
})

test('the stream reports the number of dropped calls', async () => {
  const { as, open } = await listening('?since=0', {}, { journal: 2 })
  for (let nth = 0; nth < 5; nth++) await as(ALICE).get('/colors')
  const { next } = await open()

  expect(await next()).toEqual({ event: 'evicted', data: { evicted: 3 } })
  expect(await next()).toMatchObject({ id: '4' })
  const later = await open('?since=2')
  expect(await later.next()).toEqual({ event: 'evicted', data: { evicted: 1 } })
  const latest = await open('?since=3')
  expect(await latest.next()).toMatchObject({ event: 'call', id: '4' })
})

test('the stream ends with the server, also with gzip; a client may disconnect', async () => {
  const { fake, as, open } = await listening()
  const abandoned = await open()
  await abandoned.close()
  const { next } = await open('', { 'User-Agent': 'some (gzip)', 'Accept-Encoding': 'gzip' })
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ id: '1' })
  const end = next()
  await fake.close()

  expect(await end).toBeUndefined()
})

test('the stream works in process, and ends with the world', async () => {
  const { fake, as } = openCalendar()
  const { next } = reader(await fake.request('/_control/calls/stream'))
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ event: 'call', data: { method: 'colors.get' } })
  const end = next()
  fake.delete()

  expect(await end).toBeUndefined()
})

const CALLS = 'method=colors.get,calendarList.list,mcp.*'

/** Makes call 2 by a tool, which is recorded after its own request, call 3. Returns the first three messages of a stream. */
async function recordedOutOfOrder({ fake, as }: Pick<Awaited<ReturnType<typeof listening>>, 'fake' | 'as'>) {
  const { next } = reader(await fake.request(`/_control/calls/stream?${CALLS}`))
  await as(ALICE).get('/colors')
  await callerOf(fake, ALICE)('list_calendars')
  return [await next(), await next(), await next()]
}

test('a client that continues after the last event misses no call that was recorded later with a smaller number', async () => {
  const { open, ...opened } = await listening()
  const [first, second, third] = await recordedOutOfOrder(opened)
  expect([first, second, third].map((message) => message?.data.n)).toEqual([1, 3, 2])
  expect([first, second, third].map((message) => message?.id)).toEqual(['1', '2', '3'])

  const resumed = await open(`?${CALLS}`, { 'Last-Event-ID': second?.id ?? '' })
  expect((await resumed.next())?.data.n).toBe(2)
  const since = await open(`?${CALLS}&since=3`)
  expect((await since.next())?.data.n).toBe(2)
  const between = await open(`?${CALLS}&since=1`)
  expect([await between.next(), await between.next()].map((message) => message?.data.n)).toEqual([3, 2])
})

test('the list after a number contains each call that was recorded later, in the order of their numbers', async () => {
  const opened = await listening()
  await recordedOutOfOrder(opened)
  const numbersAfter = async (since: number) => {
    const { body } = await opened.anonymous.get(`/_control/calls?${CALLS}&since=${since}`)
    return body.calls.map(({ n }: { n: number }) => n)
  }

  expect(await numbersAfter(0)).toEqual([1, 2, 3])
  expect(await numbersAfter(1)).toEqual([2, 3])
  expect(await numbersAfter(3)).toEqual([2])
  expect(await numbersAfter(2)).toEqual([])
  expect(await numbersAfter(9)).toEqual([])
})

test('the list after a dropped number contains a call that was recorded after it', async () => {
  const opened = await listening('', {}, { journal: 1 })
  await recordedOutOfOrder(opened)

  expect((await opened.anonymous.get(`/_control/calls?${CALLS}&since=3`)).body.calls).toMatchObject([{ n: 2 }])
})

test('an event id beyond the journal is from an earlier server, so the stream starts with the first call', async () => {
  const { as, open } = await listening()
  await as(ALICE).get('/colors')
  const { next } = await open('', { 'Last-Event-ID': '7' })

  expect(await next()).toMatchObject({ id: '1', data: { n: 1 } })
})

test('an invalid number is rejected', async () => {
  const { anonymous } = openCalendar()

  expect((await anonymous.get('/_control/calls/stream?since=x')).status).toBe(400)
  expect((await anonymous.get('/_control/calls?since=-1')).status).toBe(400)
})

test('with changes=true the stream reports changes by requests and by the test, but no rollbacks', async () => {
  const { fake, as, open } = await listening('?changes=true')
  const { next } = await open()
  const event = { summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
  const refused = await as(ALICE).post('/calendars/primary/events', { ...event, id: 'not an id' })
  expect(refused.status).toBe(400)
  expect(await next()).toMatchObject({ event: 'call', data: { status: 400 } })

  await as(ALICE).post('/calendars/primary/events', event)
  expect(await next()).toEqual({ event: 'changed', data: { world: 'default' } })
  expect(await next()).toMatchObject({ event: 'call', data: { method: 'events.insert' } })
  await fake.advance('1h')
  expect(await next()).toEqual({ event: 'changed', data: { world: 'default' } })
  fake.faults.add({ on: '*', do: { fail: 'backendError' } })
  expect(await next()).toEqual({ event: 'changed', data: { world: 'default' } })
})

test('the stream has the change that a delivered message makes after its request', async () => {
  const { fake, as, open } = await listening('?changes=true&method=colors.get')
  let deliver = (_: number) => {}
  fake.onNotification(
    () =>
      new Promise<number>((resolve) => {
        deliver = resolve
      }),
  )
  const { next } = await open()
  const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
  expect((await as(ALICE).post('/calendars/primary/events/watch', watch)).status).toBe(200)
  expect(await next()).toMatchObject({ event: 'changed' })
  await as(ALICE).get('/colors')
  expect(await next()).toMatchObject({ event: 'call' })
  expect(fake.notifications.list()[0]?.progress).toBe('waiting')
  deliver(200)

  expect(await next()).toMatchObject({ event: 'changed' })
  expect(fake.notifications.list()[0]?.progress).toBe('delivered')
})

test('a stream without calls gets a comment every 15 seconds, so that proxies keep it open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const { body } = await fake.request('/_control/calls/stream')
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = await chunks?.read()
  vi.advanceTimersByTime(14_999)
  const comment = chunks?.read()
  vi.advanceTimersByTime(1)

  expect(first?.value).toBe(': the journal\n\n')
  expect((await comment)?.value).toBe(': keep-alive\n\n')
  await chunks?.cancel()
})
