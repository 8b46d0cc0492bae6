import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, type RemoteWorld } from '../src/connect.ts'
import { createFakeCalendar, type FakeCalendar, VerificationError } from '../src/index.ts'
import { ALICE, hour, NOW } from './support/calendar.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-02', 12) }

test('a group of a remote world is no promise, and an unknown function is refused by its name', async () => {
  const fake = createFakeCalendar()
  onTestFinished(() => fake.close())
  const world = connect('http://localhost', { fetch: (input, init) => fake.fetch(input as string, init) })

  expect(await world.clock).toBe(world.clock)
  const refused = (world as unknown as Record<string, () => Promise<unknown>>).resett?.()
  await expect(refused).rejects.toThrow('there is no function "resett"; did you mean "reset"?')
})

test('a call of a world that is not allowed rejects with a RangeError', async () => {
  const fake = createFakeCalendar({ worlds: ['ci'] })
  onTestFinished(() => fake.close())
  const world = connect('http://localhost', {
    world: 'other',
    fetch: (input, init) => fake.fetch(input as string, init),
  })

  await expect(world.health()).rejects.toBeInstanceOf(RangeError)
})

test.each([
  ['http://127.0.0.1:8787', undefined, '/_control/functions/health'],
  ['http://127.0.0.1:8787/', 'ci', '/w/ci/_control/functions/health'],
  ['http://127.0.0.1:8787/calendar/v3', undefined, '/_control/functions/health'],
  ['http://127.0.0.1:8787/w/ci/calendar/v3/', undefined, '/w/ci/_control/functions/health'],
  ['http://127.0.0.1:8787/w/ci', 'other', '/w/other/_control/functions/health'],
  ['http://127.0.0.1:8787/google/w/ci/_control', undefined, '/google/w/ci/_control/functions/health'],
])('connect(%s, { world: %s }) reads %s', async (url, world, path) => {
  const requested: string[] = []
  const record = async (target: unknown) => {
    requested.push(new URL(String(target)).pathname)
    return Response.json({})
  }
  await connect(url, { world, fetch: record }).health()

  expect(requested).toEqual([path])
})

describe('a running server and a fake in process', () => {
  let fake: FakeCalendar
  let url = ''
  beforeAll(async () => {
    fake = createFakeCalendar({ now: NOW, controlToken: 'secret' })
    url = (await fake.listen()).url
  })
  afterAll(() => fake.close())

  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const insert = (world: RemoteWorld) => world.request(EVENTS, { method: 'POST', headers, body: JSON.stringify(LUNCH) })

  test('a fork is a separate world, and requests reach the world that sends them', async () => {
    const world = connect(url, { world: 'origin', controlToken: 'secret' })
    onTestFinished(() => fake.world('origin').delete())
    await world.snapshot('empty')
    const copy = await world.fork('empty', 'copy')
    onTestFinished(() => fake.world('copy').delete())
    expect((await insert(copy)).status).toBe(200)
    const listed = await world.fetch(`https://www.googleapis.com${EVENTS}`, { headers })

    expect((await listed.json()).items).toEqual([])
    expect(copy.name).toBe('copy')
    expect((await copy.diff(world as unknown as object)).map(({ kind }) => kind)).toContain('event')
    expect(await copy.ui()).toBe(`${url}/w/copy/_ui/#token=secret`)
  })

  test.each(['a/b', '\u202e', '%2e', '%', 'a?b#c', '...', 'fünf'])(
    'a snapshot named %j can be restored and deleted',
    async (name) => {
      const world = connect(url, { world: 'origin', controlToken: 'secret' })
      onTestFinished(() => fake.world('origin').delete())
      await world.snapshot(name)
      await insert(world)
      await world.restore(name)

      expect((await world.diff(name)).map(({ kind }) => kind)).toEqual([])
      expect((await world.deleteSnapshot(name)).name).toBe(name)
      expect(await world.snapshots()).toEqual([])
    },
  )

  test.each(['.', '..', 'a\nb', '\u0000', ''])('a snapshot named %j is refused when it is taken', async (name) => {
    const world = connect(url, { world: 'origin', controlToken: 'secret' })
    onTestFinished(() => fake.world('origin').delete())

    await expect(world.snapshot(name)).rejects.toThrow(/^name: .+$/)
    expect(() => fake.world('origin').snapshot(name)).toThrow(/^name: .+$/)
    await expect(world.restore(name)).rejects.toThrow(RangeError)
    expect(await world.snapshots()).toEqual([])
  })

  test('1,000 calls at once are all answered', async () => {
    const world = connect(url, { world: 'origin', controlToken: 'secret' })
    onTestFinished(() => fake.world('origin').delete())
    const added = await Promise.all(
      Array.from({ length: 1000 }, () => world.faults.add({ on: 'colors.get', optional: true, do: { hang: true } })),
    )

    expect(new Set(added.map(({ id }) => id)).size).toBe(1000)
    expect(await world.faults.list()).toHaveLength(1000)
  })

  test('a deleted world is created again by the next call', async () => {
    const world = connect(url, { world: 'origin', controlToken: 'secret' })
    onTestFinished(() => fake.world('origin').delete())
    await insert(world)
    await world.delete()

    expect(await world.worlds()).not.toContain('origin')
    expect(await world.calls()).toEqual([])
    expect(await world.worlds()).toContain('origin')
  })

  test('a wrong control token is rejected', async () => {
    const world = connect(url, { world: 'origin', controlToken: 'wrong' })

    await expect(world.reset()).rejects.toThrow(/X-Fake-Control-Token/)
    expect(fake.worlds()).not.toContain('origin')
  })

  test('an aborted request rejects with the reason of its signal', async () => {
    const world = connect(url, { world: 'origin', controlToken: 'secret' })
    onTestFinished(() => fake.world('origin').delete())
    await world.faults.add({ on: 'events.list', do: { hang: true } })
    const controller = new AbortController()
    const listed = world.request(EVENTS, { headers, signal: controller.signal })
    await expect.poll(async () => (await world.faults.list())[0]?.fired).toBe(1)
    controller.abort(new Error('no longer needed'))

    await expect(listed).rejects.toThrow('no longer needed')
  })

  test('a server that restarts is reached again', async () => {
    const first = createFakeCalendar()
    const { port, url: own } = await first.listen()
    const world = connect(own)
    await world.health()
    await first.close()
    await expect(world.health()).rejects.toThrow(`no server at ${new URL(own).origin}`)
    const second = createFakeCalendar()
    onTestFinished(() => second.close())
    await second.listen({ port })

    expect(await world.health()).toEqual({ status: 'ok', world: 'default' })
  })

  test('a response without JSON is an error that names the address', async () => {
    const away = connect('http://127.0.0.1:8787', { fetch: async () => new Response('<html>', { status: 502 }) })

    await expect(away.reset()).rejects.toThrow(/not a fake-calendar server: it answered 502 without JSON/)
  })

  test('without the control token or without a server, the error states that', async () => {
    await expect(connect(url, { world: 'origin' }).reset()).rejects.toThrow(/control/i)
    const failingFetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
    const away = connect('http://127.0.0.1:8787', { fetch: failingFetch })

    await expect(away.reset()).rejects.toThrow('no server at http://127.0.0.1:8787: connect ECONNREFUSED')
  })

  test.each<[string, (world: RemoteWorld) => Promise<unknown>]>([
    ['where.body', (world) => world.calls.verify('events.insert', { body: undefined })],
    ['where.params.q', (world) => world.calls.verify('events.list', { params: { q: undefined } })],
    ['where.body.attendees[0].email', (world) => world.calls.verify('*', { body: { attendees: [{ email: undefined }] } })],
    ['where.body', (world) => world.calls('*', { where: { body: undefined } })],
    ['where.params.q', (world) => world.calls.until('*', 1, { where: { params: { q: undefined } }, timeout: '1s' })],
    ['[0].where.location', async (world) => (await world.diff()).verify([{ where: { location: undefined } }])],
    ['[0].fields.location', async (world) => (await world.diff()).verify([{ fields: { location: undefined } }])],
    ['where.body.id', (world) => world.faults.add({ on: '*', where: { body: { id: undefined } }, do: { status: 500 } })],
  ])('an expected part %s that is undefined is refused, because JSON omits it', async (path, act) => {
    const refused = act(connect(url, { world: 'undefined', controlToken: 'secret' }))
    const inProcess = async () => act(fake.world('undefined') as unknown as RemoteWorld)
    onTestFinished(() => fake.world('undefined').delete())
    await expect(inProcess()).rejects.toThrow(path)

    await expect(refused).rejects.toBeInstanceOf(RangeError)
    await expect(refused).rejects.toThrow(/^[^\n]*: is undefined; give null to expect no value$/)
    await expect(refused).rejects.toThrow(path)
  }) // biome-ignore format: a table

  test('a body or a parameter that is expected to be missing is null', async () => {
    const remote = connect(url, { world: 'missing', controlToken: 'secret' })
    onTestFinished(() => fake.world('missing').delete())
    await insert(remote)
    await remote.request(`${EVENTS}?q=Lunch`, { headers })

    await expect(remote.calls.verify('events.insert', { body: null })).rejects.toThrow(VerificationError)
    await expect(remote.calls.verify('events.list', { params: { q: null } })).rejects.toThrow(VerificationError)
    expect(await remote.calls.verify('events.list', { body: null })).toHaveLength(1)
  })

  test('a request that cannot be sent is a TypeError', async () => {
    const world = connect(url, { controlToken: 'secret' })

    await expect(world.calls.verify('events.insert', { body: expect.anything() })).rejects.toThrow(TypeError)
    for (const summary of [/x/m, /x/y])
      await expect(world.calls.verify('events.insert', { body: { summary } })).rejects.toThrow(TypeError)
  })
})
