import { expect, test } from 'vitest'
import { boundedFetch } from '../../../src/cli/capture/boundedFetch.ts'
import { capture, describeRecord } from '../../../src/cli/capture/capture.ts'
import { CaptureError } from '../../../src/cli/capture/captureError.ts'
import { type Fetch, retryingFetch } from '../../../src/cli/capture/retryingFetch.ts'
import { openService } from '../../../src/cli/capture/service.ts'
import { findWrongField } from '../../../src/cli/capture/shapes.ts'
import { formatSeedJson } from '../../../src/cli/seeds/canonical.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, allDay, BOB, openCalendar } from '../../support/calendar.ts'
import teamSeed from '../../support/team.json' with { type: 'json' }
import { BASE, captureWorld, openWorld, readView } from './world.ts'

const openTeam = () => openCalendar({ seed: teamSeed as Seed, now: '2026-01-05T12:00:00Z' })

test.each(['alice', 'bob', 'chiyo', 'dana'])(
  'the team as %s@example.com sees it is restored unchanged',
  async (name) => {
    const email = `${name}@example.com`
    const source = openTeam()
    const { seed, skipped } = await captureWorld(source.fake, [email])
    const back = openWorld(seed)

    expect(skipped).toEqual([])
    expect(await readView(back, email)).toEqual(await readView(source, email))
  },
)

test('several accounts are restored together, each guest with their own changes to a meeting', async () => {
  const emails = ['alice', 'bob', 'chiyo', 'dana'].map((name) => `${name}@example.com`)
  const source = openTeam()
  const call = '/calendars/primary/events/calltokio'
  const own = { colorId: '4', transparency: 'transparent', extendedProperties: { private: { prep: 'tea' } } }
  const mine = { ...own, reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] } }
  expect((await source.as('chiyo@example.com').patch(call, mine)).status).toBe(200)
  const { seed, skipped } = await captureWorld(source.fake, emails)
  const back = openWorld(seed)

  expect(skipped).toEqual([])
  expect((await back.as('chiyo@example.com').get(call)).body).toMatchObject(mine)
  for (const email of emails) {
    // Reminders of a shared calendar are those of the account with the most access.
    const plain = async (world: typeof back) =>
      JSON.parse(JSON.stringify(await readView(world, email)), (key, value) =>
        key === 'reminders' ? undefined : value,
      )
    expect(await plain(back)).toEqual(await plain(source))
  }
})

/** 5,050 events of one account, which are three pages: single ones, series, changed and cancelled instances. */
function createLargeSeed(): Seed {
  const day = (nth: number) => new Date(Date.UTC(2025, 0, 1 + (nth % 700))).toISOString().slice(0, 10)
  const times = (nth: number) => ({
    start: { dateTime: `${day(nth)}T09:00:00`, timeZone: 'Europe/Berlin' },
    end: { dateTime: `${day(nth)}T09:30:00`, timeZone: 'Europe/Berlin' },
  })
  const single = Array.from({ length: 4750 }, (_, nth) => ({
    id: `single${nth}`,
    summary: `Single ${nth}`,
    ...times(nth),
  }))
  const series = Array.from({ length: 100 }, (_, nth) => [
    { id: `series${nth}`, summary: `Series ${nth}`, ...times(nth), recurrence: ['RRULE:FREQ=DAILY;COUNT=20'] },
    { recurringEventId: `series${nth}`, originalStartTime: times(nth + 3).start, ...times(nth + 4), summary: 'Moved' },
    { recurringEventId: `series${nth}`, originalStartTime: times(nth + 5).start, status: 'cancelled' as const },
  ])
  return {
    accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }],
    calendars: [{ id: ALICE, events: [...single, ...series.flat()] }],
  }
}

test('three pages of events are captured correctly from a service with all kinds of failures', async () => {
  const source = openWorld(createLargeSeed())
  const fails = ['rateLimitExceeded429', 'rateLimitExceeded', 'userRateLimitExceeded', 'backendError503'] as const
  source.fake.faults.add({ on: '*', do: fails.map((fail) => ({ fail })) })
  source.fake.faults.add({
    on: 'events.list',
    skip: 2,
    do: [{ fail: 'backendError503' }, { reset: true }, { truncate: 2000 }],
  })
  const { seed, skipped, waits, lines } = await captureWorld(source.fake, [ALICE])
  const back = openWorld(seed)

  expect(skipped).toEqual([])
  expect(waits.length).toBe(7)
  expect(lines.at(-1)).toBe(`calendar 1 of 1: ${ALICE}, 5050 events`)
  expect(await readView(back, ALICE)).toEqual(await readView(source, ALICE))
})

test('a time span contains its events and whole series; an instance moved out of it stays out', async () => {
  const source = openWorld({
    accounts: [{ email: ALICE }],
    calendars: [
      {
        id: ALICE,
        events: [
          { id: 'before', summary: 'Before', ...allDay('2026-01-01', '2026-01-02') },
          { id: 'inside', summary: 'Inside', ...allDay('2026-02-03', '2026-02-04') },
          { id: 'series', ...allDay('2026-01-05', '2026-01-06'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=20'] },
          {
            recurringEventId: 'series',
            originalStartTime: { date: '2026-02-09' },
            ...allDay('2026-06-06', '2026-06-07'),
          },
        ],
      },
    ],
  })
  const span = { from: '2026-02-01T00:00:00Z', to: '2026-02-20T00:00:00Z' }
  const { seed } = await captureWorld(source.fake, [ALICE], span)
  const path = `/calendars/primary/events?singleEvents=true&timeMin=${span.from}&timeMax=${span.to}`
  const starts = async (world: typeof source) =>
    (await world.as(ALICE).get(path)).body.items.map(({ start }: { start: { date: string } }) => start.date).sort()

  expect(seed.calendars?.[0]?.events?.map(({ id }) => id)).toEqual(['series', 'inside', 'series_20260209'])
  expect(await starts(openWorld(seed))).toEqual(await starts(source))
  expect(await starts(source)).toEqual(['2026-02-02', '2026-02-03', '2026-02-16'])
})

test('a guest of a single instance has it as a separate event', async () => {
  const target = openCalendar()
  const series = { ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const { body } = await target.as(ALICE).post('/calendars/primary/events', series)
  const guest = { attendees: [{ email: BOB }] }
  expect((await target.as(ALICE).patch(`/calendars/primary/events/${body.id}_20260303`, guest)).status).toBe(200)
  const { seed, skipped } = await captureWorld(target.fake, [BOB])

  expect(skipped).toEqual([])
  expect((await openWorld(seed).as(BOB).get('/calendars/primary/events')).body.items).toMatchObject([
    { id: `${body.id}_20260303`, organizer: { email: ALICE }, start: { date: '2026-03-03' } },
  ])
})

test.each([
  [
    'an unknown token',
    () => [new Response('{"error":{"code":401,"message":"Invalid Credentials"}}', { status: 401 })],
    '--token: the token is not accepted (401: Invalid Credentials)',
  ],
  [
    'a page that is not the service',
    () => [new Response('<html>', { status: 200 })],
    `${BASE}/users/me/calendarList/primary? answers something else than JSON: is this where the service is?`,
  ],
  [
    'an insufficient scope',
    () => [
      new Response(
        '{"error":{"code":403,"errors":[{"reason":"insufficientPermissions"}],"message":"Request had insufficient authentication scopes."}}',
        { status: 403 },
      ),
    ],
    `${BASE}/users/me/calendarList/primary: 403 insufficientPermissions: Request had insufficient authentication scopes.`,
  ],
])('%s is reported in one line', async (_, answers, message) => {
  const [answer] = answers()
  const service = openService(async () => (answer as Response).clone(), BASE, 'token')

  await expect(capture({ services: [service], calendarIds: [], onProgress: () => undefined })).rejects.toThrow(
    new CaptureError(message),
  )
})

test('an unlisted calendar is reported in one line with the listed ones', async () => {
  await expect(captureWorld(openCalendar().fake, [ALICE], { calendarIds: ['nobody@example.com'] })).rejects.toThrow(
    `--calendar: there is no calendar nobody@example.com (only ${ALICE})`,
  )
})

/** A service that returns a given body for one path, and an empty account otherwise. */
function openBadService(path: string, answer: () => Response | Promise<Response>) {
  const answers: Record<string, object> = {
    '/users/me/calendarList/primary': { id: ALICE, accessRole: 'owner', primary: true },
    '/users/me/calendarList': { items: [{ id: ALICE, accessRole: 'owner', primary: true }] },
    '/users/me/settings': { items: [] },
  }
  const fetch: Fetch = async (input) => {
    const here = new URL(input).pathname.replace('/calendar/v3', '')
    return here.startsWith(path) ? answer() : Response.json(answers[here] ?? { id: ALICE, items: [] })
  }
  return openService(boundedFetch(fetch), BASE, 'ya29.secret', 10)
}

const EVENTS = '/calendars/alice%40example.com/events'
const nested = `{"kind":${'['.repeat(3000)}${']'.repeat(3000)}}`
/** A body that fails after some text. */
const cutBody = (text: string) =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
let page = 0
let eventPages = 0

test.each<[string, string, () => Response | Promise<Response>, RegExp]>([
  [
    'the same page token twice',
    EVENTS,
    () => Response.json({ items: [], nextPageToken: 'again' }),
    /events: the same page token comes twice$/,
  ],
  [
    'endless pages',
    EVENTS,
    () => Response.json({ items: [], nextPageToken: `${page++}` }),
    /events: more than 10 pages$/,
  ],
  [
    'a second page that is 404',
    EVENTS,
    () =>
      eventPages++ === 0
        ? Response.json({ items: [{ id: 'a1234' }], nextPageToken: 'second' })
        : Response.json({ error: { message: 'Not Found' } }, { status: 404 }),
    /events: the page after item 1 cannot be read$/,
  ],
  [
    'a body that is cut off',
    EVENTS,
    () => new Response(cutBody('{"items":[')),
    /events: the body was cut off \(the connection was closed\)$/,
  ],
  [
    'an item that is null',
    EVENTS,
    () => Response.json({ items: [null] }),
    /events: items\[0\] is null, not an object$/,
  ],
  ['an item without an id', EVENTS, () => Response.json({ items: [{}] }), /events: items\[0\] has no id$/],
  [
    'guests that are a string',
    EVENTS,
    () => Response.json({ items: [{ id: 'a1234', attendees: 'x' }] }),
    /items\[0\]\.attendees is "x", not a list of objects$/,
  ],
  [
    'a redirect to another origin',
    EVENTS,
    () => new Response(null, { status: 302, headers: { Location: 'https://evil.example/steal?token=ya29.secret' } }),
    /events redirects to https:\/\/evil\.example, which is not followed$/,
  ],
  [
    'a redirect to a file',
    EVENTS,
    () => new Response(null, { status: 307, headers: { Location: 'file:///etc/passwd' } }),
    /events redirects to file:, which is not followed$/,
  ],
  ['a deeply nested response', EVENTS, () => new Response(nested), /events: it is nested too deep$/],
  ['a list', '/users/me/settings', () => Response.json([]), /answers something else than JSON/],
  [
    'an error that contains the token and control characters',
    EVENTS,
    () => Response.json({ error: { message: 'no\u001b[31m\nya29.secret\u202e' } }, { status: 400 }),
    /events: 400: no\\u001b\[31m\\n<token>\\u202e$/,
  ],
])('%s from a service is reported in one line', async (_, path, answer, message) => {
  const failed = capture({
    services: [openBadService(path, answer)],
    calendarIds: [],
    onProgress: () => undefined,
  })
  const error: Error = await failed.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )

  expect(error).toBeInstanceOf(CaptureError)
  expect(error.message).toMatch(message)
  expect(error.message).not.toMatch(/[\n]|ya29/)
})

test('a timeout is not retried', async () => {
  let requests = 0
  const late = boundedFetch(
    (_, init) => {
      requests++
      return Promise.reject(init?.signal?.reason)
    },
    () => AbortSignal.abort(),
  )
  const fetch = retryingFetch(late, { wait: async () => undefined })

  await expect(fetch(BASE)).rejects.toThrow('no answer within 30 s')
  expect(requests).toBe(1)
})

test.each(['team', 'clinic', 'school'] as const)(
  'a capture of a captured world has the same bytes: %s',
  async (seed) => {
    const target = openCalendar({ seed, now: '2026-01-05T12:00:00Z' })
    const emails = target.fake.state().accounts?.map(({ email }) => email) ?? []
    const once = await captureWorld(target.fake, emails)
    const twice = await captureWorld(openWorld(once.seed).fake, emails)
    // The service lists the last write first; the capture does not depend on it.
    const again = openWorld(once.seed)
    const [first] = once.seed.calendars?.[0]?.events ?? []
    await again.as(emails[0] ?? '').patch(`/calendars/primary/events/${first?.id}`, { colorId: first?.colorId ?? null })

    expect(formatSeedJson(twice.seed)).toBe(formatSeedJson(once.seed))
    expect(formatSeedJson((await captureWorld(again.fake, emails)).seed)).toBe(formatSeedJson(once.seed))
  },
)

test('a record that a seed cannot hold is named by title and calendar, and a cancelled one is not reported', async () => {
  const bad = { start: { date: '2026-03-05' }, end: { date: '2026-03-02' } }
  const items = [
    { id: 'abcde', summary: 'Tea', ...bad },
    { id: 'fghij', summary: 'Series', ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] },
    {
      id: 'fghij_20260309',
      status: 'cancelled',
      recurringEventId: 'fghij',
      originalStartTime: { date: '2026-03-09' },
    },
  ]
  const service = openBadService(EVENTS, () => Response.json({ items }))
  const { seed, skipped } = await capture({ services: [service], calendarIds: [], onProgress: () => undefined })

  expect(seed.calendars?.[0]?.events?.map(({ id }) => id)).toEqual(['fghij'])
  expect(skipped.map((one) => describeRecord(one, (_, name) => name))).toEqual([
    `the event "Tea" of the calendar "${ALICE}"`,
  ])
})

test('fields that no event has are not checked, also those with names of every object', () => {
  const body = JSON.parse('{"items":[{"id":"a1234","constructor":"x","toString":1,"__proto__":{"y":2}}]}')

  expect(findWrongField(body)).toBeUndefined()
})
