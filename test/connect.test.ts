import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, type RemoteWorld } from '../src/connect.ts'
import { createFakeCalendar, type FakeCalendar, SeedError, VerificationError } from '../src/index.ts'
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

  /** Runs steps in a new world in process and in one of the server, and returns both lists of results. */
  async function runBoth(steps: (world: RemoteWorld) => AsyncGenerator<unknown>) {
    const results = []
    for (const name of ['local', 'remote']) {
      const world = name === 'local' ? fake.world(name) : connect(url, { world: name, controlToken: 'secret' })
      onTestFinished(() => fake.world(name).delete())
      const found: unknown[] = []
      for await (const result of steps(world as unknown as RemoteWorld)) found.push(result)
      results.push(JSON.parse(JSON.stringify(found).replaceAll(`"${name}"`, '"world"')))
    }
    return results as [unknown[], unknown[]]
  }
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const insert = (world: RemoteWorld) => world.request(EVENTS, { method: 'POST', headers, body: JSON.stringify(LUNCH) })

  test('return equal results', async () => {
    const [local, remote] = await runBoth(async function* (world) {
      yield await world.health()
      yield await world.clock.now()
      yield (await world.snapshot('before')).name
      yield (await insert(world)).status
      yield (await world.calls('events.insert', { where: { body: { summary: /^Lunch$/ } } })).length
      yield (await world.calls('events.insert')).evicted
      yield (await world.calls.verify('events.insert', { body: { summary: 'Lunch' } }, { times: 1 })).length
      const diff = await world.diff('before')
      yield diff.text
      yield diff.map(({ change, kind, title }) => ({ change, kind, title }))
      yield (await diff.verify([{ change: 'added', kind: 'event', title: 'Lunch' }])).length
      yield (await world.changes({ kind: 'event' })).map(({ change, title }) => ({ change, title }))
      yield await world.advance('1h')
      yield await world.clock.state()
      yield await world.clock.freeze(NOW)
      const { id } = await world.faults.add({ on: 'events.insert', do: { fail: 'backendError503' } })
      yield (await insert(world)).status
      yield (await world.faults.list()).map(({ matched, fired }) => ({ matched, fired }))
      yield await world.faults.verify()
      yield await world.faults.remove(id)
      yield await world.quota({ perMinute: 1000 })
      yield (await world.quota.state()).limits
      yield await world.quota.remove()
      yield await world.mail()
      yield await world.notifications.settled()
      yield await world.notifications.list()
      yield await world.channels()
      yield (await world.oauth.mint({ account: ALICE })).length > 0
      yield await world.oauth.expire(ALICE)
      yield await world.syncTokens.expire()
      yield (await world.restore('before')).name
      yield await world.reset()
      yield (await world.snapshots()).map(({ name }) => name)
      yield (await world.deleteSnapshot('before')).name
      yield await world.seed({ accounts: [{ email: 'dana@example.com' }] })
      yield (await world.state()).accounts?.map(({ email }) => email)
      yield await world.calls.clear()
    })

    expect(remote).toEqual(local)
    expect(local.length).toBeGreaterThan(30)
  })

  test('throw equal errors', async () => {
    const failure = async (act: () => unknown) => {
      try {
        return await act()
      } catch (error) {
        const errorClass = [SeedError, VerificationError, RangeError].find((kind) => error instanceof kind)
        return `${errorClass?.name}: ${(error as Error).message}`
      }
    }
    const [local, remote] = await runBoth(async function* (world) {
      yield await failure(() => world.seed({ accounts: [{ email: 'nobody' }] }))
      yield await failure(() => world.calls.verify('events.insert'))
      yield await failure(() => world.restore('nosuch'))
      yield await failure(() => world.clock.advanceTo('2000-01-01T00:00:00Z'))
      yield await failure(() => world.faults.remove('fault-9'))
      yield await failure(async () => (await world.diff()).verify([{ kind: 'event' }]))
      yield await failure(() => world.calls.until('events.insert', 1, { timeout: 1 }))
      yield await failure(() => world.notifications.drop({ times: 0 }))
      yield await failure(() => world.snapshot('..'))
      yield await failure(() => world.deleteWorld('nosuch'))
    })
    const kinds = (failures: unknown[]) => failures.map((text) => String(text).split(':')[0])

    expect(remote).toEqual(local)
    expect(kinds(local)).toEqual([
      'SeedError',
      'VerificationError',
      'RangeError',
      'RangeError',
      'RangeError',
      'VerificationError',
      'undefined',
      ...['RangeError', 'RangeError', 'RangeError'],
    ])
  })

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

  test('options that are undefined count as missing in process and at a server, but an undefined id of a change is refused', async () => {
    const [local, remote] = await runBoth(async function* (world) {
      await insert(world)
      yield (await world.calls('events.insert', { account: undefined, where: undefined })).length
      yield (await world.calls.verify('events.insert', {}, { times: undefined, account: undefined })).length
      yield (await (await world.diff()).verify([{ kind: 'event', times: undefined }])).length
      yield await (async () => (await world.diff()).verify([{ kind: 'event', id: undefined }]))().catch(String)
    })

    expect(remote).toEqual(local)
    expect(remote).toEqual([1, 1, 1, 'RangeError: expected[0].id: is undefined; leave it out to expect any'])
  })

  test('a request that cannot be sent is a TypeError', async () => {
    const world = connect(url, { controlToken: 'secret' })

    await expect(world.calls.verify('events.insert', { body: expect.anything() })).rejects.toThrow(TypeError)
    for (const summary of [/x/m, /x/y])
      await expect(world.calls.verify('events.insert', { body: { summary } })).rejects.toThrow(TypeError)
  })
})
