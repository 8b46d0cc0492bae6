import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../../support/calendar.ts'

const LOOK = { 'X-Fake-Calendar-Inspector': '1' }
const EVENTS = '/calendars/primary/events'
const MEET = { conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } } }

test('the page and its files are served at /_ui/, with a policy that blocks other origins', async () => {
  const { fake } = openCalendar()
  const page = await fake.request('/_ui/')
  const [, script = ''] = /<script [^>]*src="\.\/([^"]+)"/.exec(await page.text()) ?? []
  const file = await fake.request(`/_ui/${script}`)

  expect([page.status, file.status]).toEqual([200, 200])
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
  expect(file.headers.get('Content-Type')).toBe('text/javascript; charset=UTF-8')
  const policy = page.headers.get('Content-Security-Policy')?.split('; ')
  const emptyStyle = createHash('sha256').update('').digest('base64')
  expect(policy).toEqual(
    expect.arrayContaining([
      ...["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"],
      `style-src 'self' 'sha256-${emptyStyle}'`,
    ]),
  )
  expect(await file.text()).toContain('import')
  for (const path of ['/_ui/nothing.js', '/_ui/..%2Fcli.cjs', '/_ui/../cli.cjs'])
    expect((await fake.request(path)).status).toBe(404)
})

test('the root redirects a browser to the inspector and lists the routes for a program', async () => {
  const { fake, anonymous } = openCalendar()
  const html = { headers: { Accept: 'text/html,application/xhtml+xml' } }
  const redirected = await fake.request('/', html)
  const inWorld = await fake.request('/w/blue/', html)
  const bare = await fake.request('/w/blue/_ui')
  const listed = await anonymous.get('/_ui/../')

  expect([redirected.status, redirected.headers.get('Location')]).toEqual([302, 'http://fake-calendar.localhost/_ui/'])
  expect(inWorld.headers.get('Location')).toBe('http://fake-calendar.localhost/w/blue/_ui/')
  expect([bare.status, bare.headers.get('Location')]).toEqual([302, 'http://fake-calendar.localhost/w/blue/_ui/'])
  expect(listed.body.links.inspector).toBe('http://fake-calendar.localhost/_ui/')
})

test('the page needs no token, but only trusted hosts and its own origin get it', async () => {
  const { fake } = openCalendar({ controlToken: 'secret' })
  const load = (url: string, headers: Record<string, string> = {}) => fake.fetch(new URL('/_ui/', url), { headers })

  expect((await load('http://127.0.0.1')).status).toBe(200)
  expect((await load('http://calendar.example')).status).toBe(403)
  const foreign = await load('http://127.0.0.1', { Origin: 'http://elsewhere.example' })
  expect([foreign.status, foreign.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
})

test('ui() returns an address with the token in its fragment', async () => {
  const { fake } = openCalendar({ controlToken: 'a&b' })
  const url = new URL(await fake.ui())
  const again = new URL(await fake.world('blue').ui())
  const { status } = await fetch(url)
  await fake.close()

  expect(status).toBe(200)
  expect([url.hostname, url.pathname, url.hash]).toEqual(['127.0.0.1', '/_ui/', '#token=a%26b'])
  expect([again.host, again.pathname]).toEqual([url.host, '/w/blue/_ui/'])
})

test('ui() of a world outside of the option `worlds` is a RangeError', async () => {
  const { fake } = openCalendar({ worlds: ['default'] })

  await expect(fake.world('default').ui()).resolves.toMatch(/_ui\/$/)
  await expect(async () => fake.world('other').ui()).rejects.toThrow(RangeError)
  await fake.close()
})

test('reads of the inspector fire no fault, spend no quota and are not in the journal', async () => {
  const { fake, as } = openCalendar()
  const fault = fake.faults.add({ on: '*', times: 'always', do: { fail: 'backendError' } })
  fake.quota({ perMinute: 1 })

  const read = await as(ALICE).get(EVENTS, undefined, LOOK)
  const free = await as(ALICE).post(
    '/freeBusy',
    { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-02T00:00:00Z', items: [{ id: ALICE }] },
    LOOK,
  )

  expect([read.status, free.status]).toEqual([200, 200])
  expect([fault.matched, fault.fired, fake.quota.state().spent]).toEqual([0, 0, 0])
  expect(fake.calls()).toEqual([])
  expect((await as(ALICE).get(EVENTS)).status).toBe(500)
})

test('reads of the inspector complete no conference request, use no sync token and create no account', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const { body: made } = await alice.post(`${EVENTS}?conferenceDataVersion=1`, { ...hour('2026-03-02', 9), ...MEET })
  const { body: listed } = await alice.get(EVENTS, undefined, LOOK)
  fake.syncTokens.expire({ afterUses: 1 })
  const before = fake.state()
  const since = `${EVENTS}?syncToken=${listed.nextSyncToken}`
  const imageUrls = [
    await alice.get(since, undefined, LOOK),
    await alice.get(since, undefined, LOOK),
    await alice.get(`${EVENTS}/${made.id}`, undefined, LOOK),
    await as('new@example.com').get('/users/me/calendarList', undefined, LOOK),
  ]

  expect(imageUrls.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(imageUrls[2]?.body.conferenceData.createRequest.status.statusCode).toBe('pending')
  expect(fake.state()).toEqual(before)
  expect((await alice.get(since)).status).toBe(200)
  expect((await alice.get(since)).status).toBe(410)
})

test('a read by the inspector creates no world', async () => {
  const { fake } = openCalendar()
  const read = await fake.request(`/w/nowhere/calendar/v3${EVENTS}`, {
    headers: { Authorization: `Bearer ${ALICE}`, ...LOOK },
  })

  expect(read.status).toBe(200)
  expect(fake.worlds()).toEqual(['default'])
})

test('the mark of the inspector has no effect on a write', async () => {
  const { fake, as } = openCalendar()
  const made = await as(ALICE).post(EVENTS, hour('2026-03-02', 9), LOOK)

  expect(made.status).toBe(200)
  expect(fake.calls()).toHaveLength(1)
  expect((await as(ALICE).get(EVENTS)).body.items).toHaveLength(1)
})

test('the mark requires access to /_control', async () => {
  const { fake, as } = openCalendar({ controlToken: 'secret' })
  const bare = await as(ALICE).get(EVENTS, undefined, LOOK)
  const held = await as(ALICE).get(EVENTS, undefined, { ...LOOK, 'X-Fake-Control-Token': 'secret' })
  const foreign = await as(ALICE).get(EVENTS, undefined, {
    ...LOOK,
    'X-Fake-Control-Token': 'secret',
    Origin: 'http://elsewhere.example',
  })

  expect([bare.status, held.status, foreign.status]).toEqual([401, 200, 403])
  expect(fake.calls()).toEqual([])
})

test('the overview lists accounts and contents of each world, and creates none', async () => {
  const { fake, as, anonymous } = openCalendar()
  fake.world('blue').seed({ accounts: [{ email: 'dana@example.com', displayName: 'Dana' }] })
  await as(BOB).post(EVENTS, hour('2026-03-02', 9))
  const { body } = await anonymous.get('/_control/overview')
  const blue = await anonymous.get('/_control/overview', undefined, { 'X-Fake-World': 'blue' })
  const none = await anonymous.get('/_control/overview', undefined, { 'X-Fake-World': 'none' })

  expect(body.accounts.map(({ email }: { email: string }) => email)).toEqual([ALICE, BOB, CAROL])
  expect(body.worlds).toMatchObject([
    {
      name: 'default',
      accounts: 3,
      calendars: 3,
      events: 1,
      calls: 1,
      last: { n: 1, method: 'events.insert', account: BOB },
    },
    { name: 'blue', accounts: 4, calls: 0 },
  ])
  expect(blue.body.accounts).toContainEqual({ email: 'dana@example.com', displayName: 'Dana', timeZone: 'UTC' })
  expect(none.body).toMatchObject({ world: 'none', accounts: [] })
  expect(fake.worlds()).toEqual(['default', 'blue'])
})

test('scripts are sent compressed if the client accepts it', async () => {
  const { fake } = openCalendar()
  const page = await fake.ui()
  const [, script = ''] = /<script [^>]*src="\.\/([^"]+)"/.exec(await (await fetch(page)).text()) ?? []
  const load = (encoding: string) => fetch(new URL(script, page), { headers: { 'Accept-Encoding': encoding } })
  const [packed, plain] = [await load('gzip, br'), await load('identity')]

  expect([packed, plain].map(({ headers }) => headers.get('Content-Encoding'))).toEqual(['gzip', null])
  expect(await packed.text()).toBe(await plain.text())
  await fake.close()
})

test('files named by a hash are cached for a year, and the page is revalidated by its ETag', async () => {
  const { fake } = openCalendar()
  const page = await fake.request('/_ui/')
  const [, script = ''] = /<script [^>]*src="\.\/([^"]+)"/.exec(await page.text()) ?? []
  const file = await fake.request(`/_ui/${script}`)
  const etag = page.headers.get('ETag') ?? ''
  const again = await fake.request('/_ui/', { headers: { 'If-None-Match': etag } })
  const changed = await fake.request('/_ui/', { headers: { 'If-None-Match': '"another"' } })

  expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  expect(page.headers.get('Cache-Control')).toBe('no-cache')
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect([changed.status, changed.headers.get('ETag')]).toEqual([200, etag])
})

test('the journal marks the writes of the inspector, and the overview counts them', async () => {
  const { as, anonymous, fake } = openCalendar()
  const event = { summary: 'Lunch', ...hour('2026-03-02', 12) }
  expect((await as(ALICE).post(EVENTS, event, LOOK)).status).toBe(200)
  expect((await as(ALICE).post(EVENTS, event)).status).toBe(200)

  expect(fake.calls().map(({ inspector }) => inspector)).toEqual([true, undefined])
  const { worlds } = (await anonymous.get('/_control/overview')).body
  expect(worlds).toMatchObject([{ name: 'default', calls: 2, inspectorCalls: 1 }])
})

test('the overview counts the mails and the faults of each world', async () => {
  const { as, anonymous, fake } = openCalendar()
  const event = { summary: 'Lunch', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
  expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, event)).status).toBe(200)
  fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })

  const { worlds } = (await anonymous.get('/_control/overview')).body
  expect(worlds).toMatchObject([{ name: 'default', mail: 1, faults: 1 }])
})

test('a path of /_control/as calls the service as an account, in strict mode too', async () => {
  const { fake, anonymous, as } = openCalendar({ strict: true })
  const asAlice = `/_control/as/${ALICE}/calendar/v3${EVENTS}`

  expect((await as(ALICE).get(EVENTS)).status).toBe(401)
  const made = await anonymous.post(asAlice, { summary: 'Lunch', ...hour('2026-03-02', 12) })
  const seen = await anonymous.get(asAlice, undefined, LOOK)

  expect([made.status, made.body.creator.email]).toEqual([200, ALICE])
  expect(seen.body.items.map(({ summary }: { summary: string }) => summary)).toEqual(['Lunch'])
  expect(fake.calls().filter(({ account }) => account === ALICE)).toMatchObject([
    { account: ALICE, path: `/calendar/v3${EVENTS}` },
  ])
})

test('a path of /_control/as needs the trust of the controls, and an address', async () => {
  const { fake, anonymous, as } = openCalendar({ controlToken: 'secret' })
  const path = (who: string) => `/_control/as/${who}/calendar/v3${EVENTS}`
  const trusted = { 'X-Fake-Control-Token': 'secret' }

  expect((await anonymous.get(path(ALICE))).status).toBe(401)
  expect((await as(ALICE).post(path(BOB), hour('2026-03-02', 9))).status).toBe(401)
  expect((await anonymous.get(path(BOB), undefined, trusted)).status).toBe(200)
  expect((await anonymous.get(path(encodeURIComponent(BOB)), undefined, trusted)).status).toBe(200)
  expect((await anonymous.get(path('nobody'), undefined, trusted)).status).toBe(401)
  expect((await anonymous.get(path('%zz'), undefined, trusted)).status).toBe(401)
  const foreign = await fake.request(path(BOB), { headers: { ...trusted, Origin: 'http://elsewhere.example' } })
  const preflight = await fake.request(path(BOB), {
    method: 'OPTIONS',
    headers: { Origin: 'http://elsewhere.example' },
  })
  expect([foreign.status, foreign.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test('a part of a batch cannot use a path of /_control/as', async () => {
  const { fake } = openCalendar()
  const part = `--b\r\nContent-Type: application/http\r\n\r\nGET /_control/as/${BOB}/calendar/v3${EVENTS}\r\n\r\n--b--`
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b', Authorization: `Bearer ${ALICE}` }
  const response = await fake.request('/batch/calendar/v3', { method: 'POST', headers, body: part })

  expect(await response.text()).toMatch(/HTTP\/1.1 404/)
})
