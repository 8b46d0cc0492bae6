import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed } from '../../../src/index.ts'
import { ALICE, BOB, hour } from '../../support/calendar.ts'
import { type Exchange, exchange, primary, seededBy, TEAM } from './recordings.ts'

const ANN = 'ann@example.org'
const OTHER = 'c_other@group.calendar.google.com'
const entry = (id: string, accessRole: string) => ({ kind: 'calendar#calendarListEntry', id, summary: id, accessRole })
const events = (items: object[], more: object = {}) => ({ kind: 'calendar#events', items, ...more })
const timed = (id: string, dateTime: string, more: object = {}) => ({
  kind: 'calendar#event',
  id,
  start: { dateTime },
  end: { dateTime },
  ...more,
})
const as = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } })
const calendarOf = (seed: Seed, id: string) => seed.calendars?.find((one) => one.id === id)
const zoneOf = async (...times: string[]) => {
  const items = times.map((time, at) => timed(`event${at}`, time))
  const { seed } = await seededBy(exchange('GET', `/calendars/${TEAM}/events`, 200, events(items)))
  return calendarOf(seed, TEAM)?.timeZone
}

test.each([
  ['whole hours ahead of UTC', ['2025-01-07T09:00:00+03:00'], 'Etc/GMT-3'],
  ['UTC', ['2025-01-07T09:00:00Z'], 'UTC'],
  ['half an hour', ['2025-01-07T09:00:00+05:30'], 'Asia/Kolkata'],
  ['two offsets of the year', ['2025-01-07T09:00:00-05:00', '2025-07-07T09:00:00-04:00'], 'America/New_York'],
  ['two offsets of the south', ['2025-01-07T09:00:00+11:00', '2025-07-07T09:00:00+10:00'], 'Australia/Sydney'],
  ['a rare offset', ['2025-01-07T09:00:00+12:45', '2025-01-08T09:00:00+13:45'], undefined],
  ['a zone that is not common', ['2025-01-07T09:00:00+13:45'], 'Pacific/Chatham'],
])('the zone of a calendar without one is derived from its events: %s', async (_, times, zone) => {
  expect(await zoneOf(...times)).toBe(zone)
})

test('a zone that an event names is preferred if it had the offsets, and times in a requested zone are ignored', async () => {
  const at = (timeZone: string) => ({ dateTime: '2025-01-07T09:00:00+01:00', timeZone })
  const event = { kind: 'calendar#event', id: 'abcde', start: at('America/New_York'), end: at('Europe/Madrid') }
  const { seed } = await seededBy(
    exchange('GET', `/calendars/${TEAM}/events`, 200, events([event])),
    exchange('GET', `/calendars/${OTHER}/events?timeZone=Asia/Tokyo`, 200, events([{ ...event, id: 'fghij' }])),
  )

  expect(calendarOf(seed, TEAM)?.timeZone).toBe('Europe/Madrid')
  expect(calendarOf(seed, OTHER)?.timeZone).toBeUndefined()
})

const inserted = timed('abcde', '2025-03-04T10:00:00Z', { creator: { email: ANN } })
const owners = (...emails: string[]) => ({
  kind: 'calendar#acl',
  items: emails.map((value) => ({ id: `user:${value}`, role: 'owner', scope: { type: 'user', value } })),
})
test.each<[string, Exchange, string]>([
  ['the primary entry of the calendar list', exchange('GET', '/users/me/calendarList', 200, { items: [primary] }), ANN],
  ['the entry with the id primary', exchange('GET', '/users/me/calendarList/primary', 200, entry(ANN, 'owner')), ANN],
  ['the entry with the account’s address', exchange('GET', `/users/me/calendarList/${ANN}`, 200, primary), ANN],
  ['the primary calendar', exchange('GET', '/calendars/primary', 200, { kind: 'calendar#calendar', id: ANN }), ANN],
  [
    'the summary of a primary list',
    exchange('GET', '/calendars/primary/events', 200, events([], { summary: ANN })),
    ANN,
  ],
  [
    'a creator with self',
    exchange('GET', `/calendars/${TEAM}/events`, 200, events([{ ...inserted, creator: { email: ANN, self: true } }])),
    ANN,
  ],
  [
    'a guest with self',
    exchange('GET', `/calendars/${TEAM}/events/abcde`, 200, { ...inserted, attendees: [{ email: BOB, self: true }] }),
    BOB,
  ],
  ['the creator of an inserted event', exchange('POST', `/calendars/${TEAM}/events`, 200, inserted), ANN],
  ['the owner of an inserted calendar', exchange('POST', '/calendars', 200, { id: TEAM, dataOwner: ANN }), ANN],
  [
    'the only owner among rules',
    exchange('GET', `/calendars/${TEAM}/acl`, 200, owners(ANN, 'x@group.calendar.google.com')),
    ANN,
  ],
  [
    'two owners without any account',
    exchange('GET', `/calendars/${TEAM}/acl`, 200, owners(ANN, BOB)),
    'somebody@example.com',
  ],
  [
    'the creator of a read event without any account',
    exchange('GET', `/calendars/${TEAM}/events/abcde`, 200, inserted),
    'somebody@example.com',
  ],
])('the account of a credential is derived from %s', async (_, one, email) => {
  const { seed } = await seededBy(one)

  expect(seed.accounts?.[0]?.email).toBe(email)
})

test('each credential has its account, and one without evidence has the first account', async () => {
  const of = (id: string) => ({ items: [{ ...primary, id }] })
  const { seed } = await seededBy(
    exchange('GET', '/users/me/calendarList', 200, of(ANN), as('a')),
    exchange('GET', '/users/me/calendarList', 200, of(BOB), as('b')),
    exchange('GET', '/calendars/primary/events/nothing', 404, { error: { code: 404 } }, as('c')),
  )

  expect(seed.accounts?.map(({ email }: { email: string }) => email)).toEqual([ANN, BOB])
})

const refused = { error: { code: 403, errors: [{ reason: 'requiredAccessLevel' }] } }
test.each<[string, Exchange, object[] | undefined]>([
  ['a read', exchange('GET', `/calendars/${OTHER}/events/abcde`, 200, inserted), [{ role: 'reader' }]],
  ['a refusal of the role', exchange('POST', `/calendars/${OTHER}/events`, 403, refused), [{ role: 'reader' }]],
  ['a write', exchange('DELETE', `/calendars/${OTHER}/events/abcde`, 204, ''), [{ role: 'writer' }]],
  [
    'the accessRole of a list',
    exchange('GET', `/calendars/${OTHER}/events`, 200, events([], { accessRole: 'freeBusyReader' })),
    [{ role: 'freeBusyReader' }],
  ],
  [
    'the accessRole of an entry',
    exchange('GET', `/users/me/calendarList/${OTHER}`, 200, entry(OTHER, 'writer')),
    [{ role: 'writer' }],
  ],
  ['a deleted entry', exchange('DELETE', `/users/me/calendarList/${OTHER}`, 204, ''), [{ role: 'reader' }]],
  ['busy times', exchange('POST', '/freeBusy', 200, { calendars: { [OTHER]: { busy: [] } } }), [{ role: 'reader' }]],
  ['a 404', exchange('GET', `/calendars/${OTHER}/events`, 404, { error: { code: 404 } }), undefined],
])('the role of a caller on a calendar is derived from %s', async (_, one, acl) => {
  const me = exchange('GET', '/users/me/calendarList/primary', 200, primary)
  const { seed } = await seededBy(me, one)

  expect(calendarOf(seed, OTHER)?.acl).toEqual(acl?.map((rule) => expect.objectContaining(rule)))
})

test('a caller that wrote to a calendar and is later returned as its owner has no other rule', async () => {
  const { seed } = await seededBy(
    exchange('GET', '/users/me/calendarList/primary', 200, primary),
    exchange('DELETE', `/calendars/${TEAM}/events/abcde`, 204, ''),
    exchange('GET', `/calendars/${TEAM}/events`, 200, events([], { accessRole: 'owner' })),
  )

  expect(calendarOf(seed, TEAM)).toMatchObject({ owner: ANN })
  expect(calendarOf(seed, TEAM)?.acl).toBeUndefined()
})

const MEETING = { id: 'meeting00', summary: 'Meeting', ...hour('2026-03-04', 9) }
const DAILY = {
  id: 'series00',
  summary: 'Daily',
  ...hour('2026-03-02', 8),
  recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
}

/** Records requests of Alice to a fake with data. A request without `isRecorded` is sent, and is not in the recording. */
async function recorded(script: (send: Send) => Promise<void>): Promise<Exchange[]> {
  const fake = createFakeCalendar({
    now: '2026-03-01T12:00:00Z',
    seed: {
      accounts: [{ email: ALICE }, { email: BOB }],
      calendars: [
        { id: ALICE, events: [DAILY] },
        { id: BOB, events: [{ ...MEETING, id: 'lunch00' }] },
        { id: TEAM, summary: 'Team', owner: ALICE, events: [MEETING] },
        { id: OTHER, summary: 'Other', owner: ALICE },
      ],
    },
  })
  const all: Exchange[] = []
  const send: Send = async (method, path, { body, headers = {}, isRecorded = true } = {}) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const response = await fake.fetch(`https://www.googleapis.com/calendar/v3${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${ALICE}`, ...(sent && { 'Content-Type': 'application/json' }) },
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    const responseHeaders = Object.fromEntries(response.headers)
    if (isRecorded) all.push(exchange(method, path, response.status, text, { headers, body: sent, responseHeaders }))
    fake.clock.advance('1s')
    return JSON.parse(text || '{}')
  }
  await script(send)
  await fake.close()
  return all
}
type Send = (
  method: string,
  path: string,
  more?: { body?: object; headers?: Record<string, string>; isRecorded?: boolean },
) => Promise<{ id: string; etag: string }>

const freeBusy = (...ids: string[]) => ({
  body: {
    timeMin: '2026-03-01T00:00:00Z',
    timeMax: '2026-03-09T00:00:00Z',
    items: ids.map((id) => ({ id })),
  },
})
const move = (calendarId: string, id: string, destination: string) =>
  ['POST', `/calendars/${calendarId}/events/${id}/move?destination=${destination}`] as const

test.each<[string, (send: Send) => Promise<unknown>]>([
  ['busy times of an account without other requests', (send) => send('POST', '/freeBusy', freeBusy(ALICE, BOB))],
  [
    'busy times after the creation of an event',
    async (send) => {
      await send('POST', `/calendars/${OTHER}/events`, { body: { id: 'first00', ...hour('2026-03-03', 5) } })
      await send('POST', '/freeBusy', freeBusy(OTHER, 'nobody@example.com'))
      await send('GET', `/calendars/${OTHER}/events`)
    },
  ],
  [
    'a move of an event without earlier requests',
    async (send) => {
      await send(...move(TEAM, 'meeting00', OTHER))
      await send('GET', `/calendars/${OTHER}/events/meeting00`)
      await send('GET', `/calendars/${TEAM}/events/meeting00`)
    },
  ],
  [
    'a move of a series, and of an instance to a calendar without other requests',
    async (send) => {
      await send(...move('primary', 'series00', TEAM))
      await send('GET', `/calendars/${TEAM}/events/series00/instances`)
      await send(...move(TEAM, 'series00_20260302T130000Z', OTHER))
    },
  ],
  [
    'moves of an event with an id of the service, onto its own calendar and back',
    async (send) => {
      const { id } = await send('POST', `/calendars/${TEAM}/events`, { body: hour('2026-03-05', 3) })
      await send(...move(TEAM, id, TEAM))
      await send(...move(TEAM, id, OTHER))
      await send('GET', `/calendars/${OTHER}/events`)
      await send(...move(OTHER, id, TEAM))
      await send('GET', `/calendars/${TEAM}/events/${id}`)
    },
  ],
  [
    'a 304 for an etag from before the recording',
    async (send) => {
      const { etag } = await send('GET', `/calendars/${TEAM}/events/meeting00`, { isRecorded: false })
      await send('GET', `/calendars/${TEAM}/events/meeting00`, { headers: { 'If-None-Match': etag } })
      await send('GET', `/calendars/${TEAM}/events/meeting00`)
    },
  ],
  [
    'a 304 for an event without other requests',
    async (send) => {
      const { etag } = await send('GET', `/calendars/${TEAM}/events/meeting00`, { isRecorded: false })
      await send('GET', `/calendars/${TEAM}/events/meeting00`, { headers: { 'If-None-Match': etag } })
    },
  ],
  [
    'a 304 for a list',
    async (send) => {
      const { etag } = await send('GET', `/calendars/${TEAM}/events`, { isRecorded: false })
      await send('GET', `/calendars/${TEAM}/events`, { headers: { 'If-None-Match': etag } })
    },
  ],
  [
    'a write with If-Match of an etag from before the recording',
    async (send) => {
      const { etag } = await send('GET', `/calendars/${TEAM}/events/meeting00`, { isRecorded: false })
      const headers = { 'If-Match': etag }
      await send('PATCH', `/calendars/${TEAM}/events/meeting00`, { headers, body: { summary: 'Changed' } })
    },
  ],
])('a recording of the fake agrees with it: %s', async (_, script) => {
  const { requests, notSeeded } = await seededBy(...(await recorded(async (send) => void (await script(send)))))

  expect(requests.filter(({ verdict }: { verdict: string }) => verdict !== 'agrees')).toEqual([])
  expect(notSeeded).toEqual([])
})

test('instances and the iCalUID of a series have the id of the fake', async () => {
  const all = await recorded(async (send) => {
    const { id } = await send('POST', '/calendars/primary/events', { body: { ...DAILY, id: undefined } })
    await send('GET', `/calendars/primary/events?iCalUID=${id}@google.com`)
    await send('PATCH', `/calendars/primary/events/${id}_20260303T130000Z`, { body: { summary: 'Late' } })
    await send('GET', `/calendars/primary/events/${id}/instances`)
  })
  const { id } = JSON.parse(all[0]?.text ?? '')
  const renamed = (text: string) => text.replaceAll(id, 'chosenbytheservice'.replaceAll('y', 'v'))
  const { requests } = await seededBy(...all.map((one) => ({ ...one, url: renamed(one.url), text: renamed(one.text) })))

  expect(requests.map(({ how }: { how: string[] }) => how)).toEqual([[], [], [], []])
})

test('an outdated etag of the recording is not replaced by the current one', async () => {
  const all = await recorded(async (send) => {
    const { etag } = await send('GET', `/calendars/${TEAM}/events/meeting00`)
    await send('PATCH', `/calendars/${TEAM}/events/meeting00`, { body: { summary: 'Changed' } })
    await send('DELETE', `/calendars/${TEAM}/events/meeting00`, { headers: { 'If-Match': etag } })
  })
  const { requests } = await seededBy(...all.slice(0, -1), { ...(all[2] as Exchange), status: 204, text: '' })

  expect(requests[2].how).toEqual(['status: recorded 204, here 412'])
})

test('a list of settings keeps its order, and can lack only those with their initial values', async () => {
  const all = await recorded(async (send) => {
    await send('GET', '/users/me/settings')
    await send('GET', '/users/me/settings/weekStart')
    await send('GET', '/users/me/settings/locale')
  })
  const [list, weekStart, locale] = all as [Exchange, Exchange, Exchange]
  const without = (...ids: string[]) => {
    const { items, ...rest } = JSON.parse(list.text) as { items: { id: string }[] }
    return { ...list, text: JSON.stringify({ ...rest, items: items.filter(({ id }) => !ids.includes(id)) }) }
  }
  const monday = { ...weekStart, text: weekStart.text.replace('"0"', '"1"') }
  const reordered = await seededBy(monday, { ...list, text: list.text.replace('"0"', '"1"') })
  const german = { ...locale, text: locale.text.replace('"en"', '"de"') }
  const shorter = await seededBy(without('autoAddHangouts', 'weekStart'), weekStart)
  const changed = await seededBy(without('locale'), german)

  expect(reordered.requests.map(({ how }: { how: string[] }) => how)).toEqual([[], []])
  expect(shorter.requests.map(({ how }: { how: string[] }) => how)).toEqual([[], []])
  expect(changed.requests[0].how).toEqual([expect.stringContaining('"id":"locale"')])
})

test('a recorded 401 is sent without a token, and another error with one', async () => {
  const unauthorized = { error: { code: 401, errors: [{ reason: 'authError' }] } }
  const me = exchange('GET', '/calendars/primary', 200, { kind: 'calendar#calendar', id: ANN }, as('a'))
  const { requests } = await seededBy(
    me,
    exchange('GET', '/calendars/primary/events', 401, unauthorized, as('a')),
    exchange('GET', '/calendars/primary/events', 404, { error: { code: 404 } }, as('a')),
  )

  expect(requests[1]).toMatchObject({ verdict: 'agrees' })
  expect(requests[2].how[0]).toBe('status: recorded 404, here 200')
})

test('a calendar whose recorded list entry is not selected is not selected', async () => {
  const shown = { ...entry(TEAM, 'owner'), etag: '"1"' }
  const { seed } = await seededBy(
    exchange('GET', '/users/me/calendarList', 200, { kind: 'calendar#calendarList', items: [primary, shown] }),
  )

  expect(seed.accounts?.[0]?.calendarList).toContainEqual(expect.objectContaining({ id: TEAM, selected: false }))
})
