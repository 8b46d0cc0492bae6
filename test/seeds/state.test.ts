import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import {
  ALICE,
  allDay,
  BOB,
  CAROL,
  type Client,
  clientOf,
  hour,
  openCalendar,
  PEOPLE_WITH_ADMIN,
} from '../support/calendar.ts'
import { share } from '../support/sharing.ts'

/** Opens a world in which records of every kind were created, changed and deleted. */
async function livedIn() {
  const { fake, as } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  fake.seed({
    accounts: [{ email: ALICE, settings: { weekStart: '6' } }],
    groups: [{ email: 'staff@example.com', members: [CAROL] }],
    tokens: [{ token: 'secret', account: CAROL, scopes: ['https://www.googleapis.com/auth/calendar'] }],
  })
  const [team, removed, given] = await Promise.all(
    ['Team', 'Gone', 'Given'].map(async (summary) => (await as(ALICE).post('/calendars', { summary })).body.id),
  )
  await as(ALICE).patch(`/calendars/${team}`, { timeZone: 'Asia/Tokyo', description: 'Us' })
  await share(as(ALICE), team, BOB, 'writer')
  await share(as(ALICE), team, CAROL, 'reader')
  await as(BOB).post('/users/me/calendarList', { id: team, summaryOverride: 'Ours', hidden: true })
  await as(CAROL).post('/users/me/calendarList', { id: team })
  await share(as(ALICE), team, CAROL, 'none')
  await as(ALICE).delete(`/calendars/${removed}`)
  await as(ALICE).post(`/calendars/${given}/transferOwnership?newDataOwner=${BOB}&useAdminAccess=true`)
  const events = `/calendars/${team}/events`
  const first = (await as(BOB).post(events, { summary: 'Standup', ...hour('2026-03-02', 9), colorId: '3' })).body
  const second = (await as(ALICE).post(events, { attendees: [{ email: BOB }], ...allDay('2026-03-03', '2026-03-05') }))
    .body
  await as(ALICE).patch(`${events}/${first.id}`, { extendedProperties: { private: { b: '1', a: '2' } } })
  await as(ALICE).delete(`${events}/${second.id}`)
  return { fake, as, team, given, first }
}

type Lived = Awaited<ReturnType<typeof livedIn>>

/** The same world in another fake, through the text of its state. */
async function restored({ fake }: Pick<Lived, 'fake'>) {
  const text = (await fake.request('/_control/state').then((reply) => reply.text())) as string
  const other = createFakeCalendar({ seed: JSON.parse(text) })
  const as = (token: string): Client => clientOf(other.request, { Authorization: `Bearer ${token}` })
  return { fake: other, as, text }
}

test('a restored world has exactly the same state', async () => {
  const { fake, text } = await restored(await livedIn())

  expect(await fake.request('/_control/state').then((reply) => reply.text())).toBe(text)
})

test('a restored world returns the same bytes for every read', async () => {
  const lived = await livedIn()
  const { team, given, first } = lived
  const paths = [
    '/users/me/calendarList?showHidden=true&showDeleted=true',
    '/users/me/calendarList?maxResults=1',
    '/users/me/settings',
    '/calendars/primary',
    '/calendars/primary/acl',
    '/calendars/primary/events',
    `/calendars/${team}`,
    `/calendars/${team}/acl?showDeleted=true`,
    `/calendars/${team}/events?showDeleted=true`,
    `/calendars/${team}/events/${first.id}`,
    `/calendars/${given}/acl`,
    `/calendars/${given}/events`,
  ]

  const other = await restored(lived)

  const found: Record<string, number> = {}
  for (const token of [ALICE, BOB, 'secret']) {
    for (const path of paths) {
      const [here, there] = [await lived.as(token).get(path), await other.as(token).get(path)]
      expect([there.status, there.text], `${token} ${path}`).toEqual([here.status, here.text])
      if (here.status === 200) found[token] = (found[token] ?? 0) + 1
    }
  }
  // Each account reads the calendars that it can access; Carol, whose rule was deleted, reads neither.
  expect(found).toEqual({ [ALICE]: 12, [BOB]: 12, secret: 6 })
})

test('sync tokens of the original world are valid in the restored one, with the same result', async () => {
  const { fake, as } = openCalendar()
  const lists = ['/users/me/calendarList', '/calendars/primary/acl', '/users/me/settings', '/calendars/primary/events']
  const tokens: string[] = []
  for (const list of lists) tokens.push(encodeURIComponent((await as(ALICE).get(list)).body.nextSyncToken))
  await share(as(ALICE), 'primary', BOB, 'reader')
  await as(ALICE).patch('/users/me/calendarList/primary', { colorId: '5' })
  await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))
  fake.seed({ accounts: [{ email: ALICE, settings: { locale: 'de' } }] })

  const other = await restored({ fake })

  for (const [at, list] of lists.entries()) {
    const delta = await other.as(ALICE).get(`${list}?syncToken=${tokens[at]}`)
    expect(delta.body.items).toHaveLength(1)
    expect(delta.text).toBe((await as(ALICE).get(`${list}?syncToken=${tokens[at]}`)).text)
  }
})

test('the next writes of both worlds are equal in ids and etags, and unchanged content stays unchanged', async () => {
  const lived = await livedIn()
  const other = await restored(lived)
  const { team, first } = lived
  const work = async (client: Client) => [
    (await client.post('/calendars', { summary: 'Next' })).text,
    (await client.post(`/calendars/${team}/events`, hour('2026-03-09', 9))).text,
    (await client.patch(`/calendars/${team}`, { description: 'Us' })).text,
    (await client.patch('/users/me/calendarList/primary', { selected: true })).text,
    (await client.patch(`/calendars/${team}/events/${first.id}`, { summary: 'Standup' })).text,
    (await share(client, team, BOB, 'writer')).text,
  ]

  expect(await work(other.as(ALICE))).toEqual(await work(lived.as(ALICE)))
  const [{ counters: here, ...one }, { counters: theirCounters, ...two }] = [lived.fake.state(), other.fake.state()]
  expect(two).toEqual(one)
  // From here on, their tokens belong to two epochs.
  expect({ ...theirCounters, epoch: undefined }).toEqual({ ...here, epoch: undefined })
})

test('a state that replaces a world restores it exactly', async () => {
  const lived = await livedIn()
  const { fake } = openCalendar({ now: '2020-01-01T00:00:00Z' })
  const state = lived.fake.state()

  const headers = { 'Content-Type': 'application/json' }
  const reply = await fake.request('/_control/replace', { method: 'POST', headers, body: JSON.stringify(state) })

  expect(reply.status).toBe(200)
  expect(fake.state()).toEqual(state)
})

test('reading the state changes nothing, nor does a change of the returned value', async () => {
  const { fake } = await livedIn()
  const before = JSON.stringify(fake.state())

  const read = fake.state()
  const [calendar] = read.calendars ?? []
  if (!calendar) throw new Error('a state has calendars')
  Object.assign(calendar.conferenceProperties ?? {}, { allowedConferenceSolutionTypes: [] })

  expect(JSON.stringify(fake.state())).toBe(before)
})

const DRIVE = 'https://drive.google.com/file'
const conference = (entryPointType: string, uri: string) => ({
  conferenceId: 'abc',
  conferenceSolution: { key: { type: 'addOn' }, name: 'Calls' },
  entryPoints: [{ entryPointType, uri }],
})

test.each([
  ['htmlLink', 'javascript:alert(1)'],
  ['hangoutLink', 'javascript:alert(1)'],
  ['hangoutLink', '\u0001JavaScript:alert(1)'],
  ['source', { url: 'data:text/html,x', title: 'x' }],
  ['attachments', [{ fileUrl: 'javascript:alert(1)', title: 'x' }]],
  ['attachments', [{ fileUrl: 'https://example.com/', title: 'x', iconLink: 'javascript:alert(1)' }], 'not https'],
  [
    'attachments',
    [{ fileUrl: `${DRIVE}/d/abcdefghij12345/view`, title: 'x', iconLink: 'data:image/svg' }],
    'not https',
  ],
  ['gadget', { link: 'javascript:alert(1)' }, 'not https'],
  ['gadget', { iconLink: 'http://example.com/' }, 'not https'],
  ['conferenceData', conference('video', 'javascript:alert(1)'), 'must begin with http: or https:'],
  ['conferenceData', conference('phone', 'javascript:alert(1)'), 'must begin with tel:'],
  ['conferenceData', conference('sip', 'data:text/html,x'), 'must begin with sip:'],
  ['conferenceData', conference('more', '\u0001javascript:alert(1)'), 'must begin with http: or https:'],
])('a state whose event has %s %j is refused', async (name, value, problem = 'not http or https') => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars/primary/events', { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
  const text = JSON.stringify(fake.state())
  const state = JSON.parse(
    text.replace(/"htmlLink":"[^"]*"/, (link) => `${link},${JSON.stringify(name)}:${JSON.stringify(value)}`),
  )

  expect(() => fake.replace(JSON.parse(text))).not.toThrow()
  expect(() => fake.replace(state)).toThrow(problem)
})

test('14.58 a world that begins later under a real clock has seeded events of the week before it; under a frozen one all share the start', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-02T09:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const seed = { calendars: [{ id: ALICE, events: [{ id: 'lunch1', ...allDay('2026-03-03', '2026-03-04') }] }] }
  const createdIn = async (options: object) => {
    const fake = createFakeCalendar({ seed: { accounts: [{ email: ALICE }], ...seed }, ...options })
    vi.setSystemTime(Date.parse('2026-03-02T10:00:00Z'))
    const alice = clientOf(fake.world('later').request, { Authorization: `Bearer ${ALICE}` })
    const { created } = (await alice.get('/calendars/primary/events/lunch1')).body
    vi.setSystemTime(Date.parse('2026-03-02T09:00:00Z'))
    return created
  }

  expect(await createdIn({})).toBe('2026-02-23T10:00:00.000Z')
  expect(await createdIn({ now: '2026-03-01T00:00:00Z' })).toBe('2026-02-22T00:00:00.000Z')
})
