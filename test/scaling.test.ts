import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from './support/nginx.ts'
import { lacks } from './support/programs.ts'

const ALICE = 'alice@example.com'
const EVENTS = '/calendar/v3/calendars/primary/events'
const BACK = 'http://localhost/back'
const CLIENT = { client_id: 'app', redirect_uri: BACK }

describe.skipIf(lacks('nginx'))('many processes behind nginx', () => {
  let service: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    service = await startNginx()
  })
  afterAll(() => service?.stop())

  type CallOptions = { bearer?: string | undefined; world?: string | undefined; init?: RequestInit }

  async function ask(path: string, { bearer, world, init }: CallOptions = {}) {
    const headers = {
      ...init?.headers,
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(world !== undefined && { 'X-Fake-World': world }),
    }
    const reply = await fetch(`${service.url}${path}`, { redirect: 'manual', ...init, headers })
    const text = await reply.text()
    expect(reply.status, `${path}: ${text}`).toBeLessThan(400)
    return { location: reply.headers.get('Location'), ...(text && JSON.parse(text)) }
  }

  const inserted = (id: string) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }),
  })
  const form = (given: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(given) })
  const json = (given: Record<string, string>) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  })

  /** On which processes each world is, but for `default`, which every process begins with. */
  async function whereabouts(): Promise<Map<string, number[]>> {
    const places = new Map<string, number[]>()
    for (const [at, url] of service.processes.entries()) {
      const { worlds } = (await (await fetch(`${url}/_control/worlds`)).json()) as { worlds: string[] }
      for (const world of worlds.filter((name) => name !== 'default'))
        places.set(world, [...(places.get(world) ?? []), at])
    }
    return places
  }

  async function expectOnOne(names: readonly string[]) {
    const places = await whereabouts()
    expect(names.filter((name) => places.get(name)?.length !== 1)).toEqual([])
    return names.map((name) => places.get(name)?.[0])
  }

  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

  /** So many at a time as a few clients would ask. */
  async function forEach(names: readonly string[], act: (name: string, at: number) => Promise<unknown>) {
    const waiting = [...names.entries()]
    const client = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await act(next[1], next[0])
    }
    await Promise.all(Array.from({ length: 16 }, client))
  }

  test('each of 50 worlds is on one process, by any way that a request names it', async () => {
    const names = numbered('w', 50)
    await forEach(names, async (name, at) => {
      const query = new URLSearchParams({ [at % 2 ? 'access_token' : 'oauth_token']: `${name}~${ALICE}` })
      const ways: ((init?: RequestInit) => Promise<{ items: { id: string }[] }>)[] = [
        (init) => ask(EVENTS, { bearer: `${name}~${ALICE}`, init }),
        (init) => ask(EVENTS, { bearer: ALICE, world: name, init }),
        (init) => ask(`/w/${name}${EVENTS}`, { bearer: ALICE, init }),
        (init) => ask(`${EVENTS}?${query}`, { init }),
      ]
      for (const [turn] of ways.entries()) await ways[(turn + at) % ways.length]?.(turn ? undefined : inserted('first'))
      for (const way of ways) expect((await way()).items.map(({ id }) => id)).toEqual(['first'])
    })

    const processes = await expectOnOne(names)
    for (const [at] of service.processes.entries())
      expect(processes.filter((one) => one === at).length).toBeGreaterThan(3)
  })

  test('if a request names two worlds, nginx uses the one that the fake uses', async () => {
    const [byToken, byHeader, byPath] = [numbered('token', 20), numbered('header', 20), numbered('path', 20)]
    await forEach(byToken, async (token, at) => {
      const [header, path] = [byHeader[at] ?? '', byPath[at] ?? '']
      const health = (bearer: string | undefined, world: string | undefined, query = '') =>
        ask(`/w/${path}/_control/health${query}`, { bearer, world })

      expect(await health(`${token}~${ALICE}`, header, `?access_token=${header}~`)).toMatchObject({ world: token })
      expect(await health(undefined, header, `?access_token=${token}~&oauth_token=${path}~`)).toMatchObject({
        world: token,
      })
      expect(await health(ALICE, header, `?access_token=${token}~`)).toMatchObject({ world: header })
      expect(await health('not a name~', header)).toMatchObject({ world: header })
      expect(await health(ALICE, undefined)).toMatchObject({ world: path })
      expect(await health(undefined, '')).toMatchObject({ world: path })
    })

    await expectOnOne([...byToken, ...byHeader, ...byPath])
  })

  test('nginx finds a world by OAuth codes and tokens in a form, in JSON and in the address', async () => {
    const names = numbered('oauth', 20)
    await forEach(names, async (name, at) => {
      const params = { ...CLIENT, response_type: 'code', scope: 'email', access_type: 'offline', login_hint: ALICE }
      const { location } = await ask(`/w/${name}/o/oauth2/v2/auth?${new URLSearchParams(params)}`)
      const code = new URL(location).searchParams.get('code') ?? ''
      const send = at % 2 ? form : json
      const redeemed = { ...CLIENT, grant_type: 'authorization_code', code }
      const tokens = await ask('/token', { init: send(redeemed) })
      const again = { ...CLIENT, grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      const fresh = await ask('/oauth2/v4/token', { init: send(again) })

      expect(await ask(`/tokeninfo?access_token=${fresh.access_token}`)).toMatchObject({ email: ALICE })
      expect(await ask('/oauth2/v3/userinfo', { bearer: fresh.access_token })).toMatchObject({ email: ALICE })
      await ask(`/revoke?token=${encodeURIComponent(tokens.refresh_token)}`, { init: { method: 'POST' } })
    })

    await expectOnOne(names)
  })

  test('requests without a world always go to the same process', async () => {
    await ask(EVENTS, { bearer: ALICE, init: inserted('unnamed') })
    for (const path of [EVENTS, `${EVENTS}?access_token=${ALICE}`, `/w/default${EVENTS}`])
      expect((await ask(path, { bearer: ALICE })).items).toMatchObject([{ id: 'unnamed' }])
    const bearer = { headers: { Authorization: `Bearer ${ALICE}` } }
    const lists = service.processes.map(async (url) => (await fetch(`${url}${EVENTS}`, bearer)).json())
    const found = (await Promise.all(lists)).map(({ items }) => items.length)

    expect(found.sort()).toEqual([0, 0, 0, 1])
  })

  test('replies equal those of the fake, with its time and the requested address', async () => {
    await ask('/_control/clock', {
      world: 'stopped',
      init: { ...json({ mode: 'frozen', now: '2026-03-02T09:00:00Z' }), method: 'PUT' },
    })
    const { headers } = await fetch(`${service.url}/w/stopped/_control/health`)

    expect(headers.get('Date')).toBe('Mon, 02 Mar 2026 09:00:00 GMT')
    expect(headers.get('Server')).toBe('ESF')
    expect(await ask('/w/stopped/.well-known/openid-configuration')).toMatchObject({
      token_endpoint: `${service.url}/w/stopped/token`,
    })
  })
})
