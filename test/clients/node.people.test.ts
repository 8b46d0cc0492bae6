import { afterAll, beforeAll, expect } from 'vitest'
import { type Client, type Event, idsOf, itemsOf, openTeam, rejectionOf, scenario } from '../support/team.ts'

/** Three accounts at one event, each with its own client. */
const [ALICE, BOB, CHIYO] = ['alice@example.com', 'bob@example.com', 'chiyo@example.com'] as const
let open: Awaited<ReturnType<typeof openTeam>>
let alice: Client
let bob: Client
let chiyo: Client

beforeAll(async () => {
  const zones = { [ALICE]: 'America/New_York', [BOB]: 'Europe/Berlin', [CHIYO]: 'Asia/Tokyo' }
  open = await openTeam({ seed: { accounts: Object.entries(zones).map(([email, timeZone]) => ({ email, timeZone })) } })
  alice = open.as(ALICE)
  bob = open.as(BOB)
  chiyo = open.as(CHIYO)
})
afterAll(() => open.close())

const step = scenario()
const calendarId = 'primary'
const berlin = (dateTime: string) => ({ dateTime, timeZone: 'Europe/Berlin' })
const SERIES = 'plan0000'
const TUESDAY = `${SERIES}_20260310T140000Z`
const read = async (client: Client, eventId: string): Promise<Event> =>
  (await client.events.get({ calendarId, eventId })).data
const answerOf = ({ attendees }: Event, email: string) => attendees?.find((one) => one.email === email)?.responseStatus

step('Alice invites Bob and Chiyo to a daily planning', async () => {
  await alice.events.insert({
    calendarId,
    sendUpdates: 'all',
    requestBody: {
      id: SERIES,
      summary: 'Planning',
      start: berlin('2026-03-09T15:00:00'),
      end: berlin('2026-03-09T16:00:00'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      attendees: [{ email: BOB }, { email: CHIYO }],
    },
  })
  for (const one of [bob, chiyo]) {
    const list = await one.events.list({ calendarId, singleEvents: true, orderBy: 'startTime' })
    expect(idsOf(list)).toEqual([`${SERIES}_20260309T140000Z`, TUESDAY, `${SERIES}_20260311T140000Z`])
    expect(itemsOf(list)[0]?.organizer).toEqual({ email: ALICE })
  }
})

step('Bob declines one instance, on his own copy', async () => {
  const { attendees = [] } = await read(bob, TUESDAY)
  await bob.events.patch({
    calendarId,
    eventId: TUESDAY,
    requestBody: {
      attendees: attendees.map((one) => (one.self ? { ...one, responseStatus: 'declined', comment: 'Dentist' } : one)),
    },
  })
  for (const one of [alice, bob, chiyo]) {
    expect(answerOf(await read(one, TUESDAY), BOB)).toBe('declined')
    expect(answerOf(await read(one, SERIES), BOB)).toBe('needsAction')
  }
})

step('Chiyo accepts them all', async () => {
  await chiyo.events.patch({
    calendarId,
    eventId: SERIES,
    requestBody: { attendeesOmitted: true, attendees: [{ email: CHIYO, responseStatus: 'accepted' }] },
  })
  expect(answerOf(await read(alice, `${SERIES}_20260309T140000Z`), CHIYO)).toBe('accepted')
})

step('10.9 free and busy of the three: the declined hour is free for Bob alone', async () => {
  const { data } = await alice.acl.list({ calendarId })
  expect(data.items).toHaveLength(1)
  for (const one of [bob, chiyo]) {
    await one.acl.insert({ calendarId, requestBody: { role: 'freeBusyReader', scope: { type: 'user', value: ALICE } } })
  }
  const { data: found } = await alice.freebusy.query({
    requestBody: {
      timeMin: '2026-03-10T00:00:00Z',
      timeMax: '2026-03-11T00:00:00Z',
      timeZone: 'Europe/Berlin',
      items: [{ id: ALICE }, { id: BOB }, { id: CHIYO }, { id: 'nobody@example.com' }],
    },
  })
  const busyAt15 = { busy: [{ start: '2026-03-10T15:00:00+01:00', end: '2026-03-10T16:00:00+01:00' }] }
  expect(found.calendars).toEqual({
    [ALICE]: busyAt15,
    [BOB]: { busy: [] },
    [CHIYO]: busyAt15,
    'nobody@example.com': { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] },
  })
})

step('Alice moves the series to a calendar of the three, which organizes it from then on', async () => {
  const { data: team } = await alice.calendars.insert({ requestBody: { summary: 'Three' } })
  const before = await read(alice, SERIES)
  const { data: source } = await alice.events.move({ calendarId, eventId: SERIES, destination: team.id ?? '' })
  expect(source).toMatchObject({
    id: SERIES,
    etag: before.etag,
    status: 'cancelled',
    organizer: { email: team.id, displayName: 'Three' },
  })
  expect((await alice.events.get({ calendarId: team.id ?? '', eventId: SERIES })).data).toMatchObject({
    status: 'confirmed',
    iCalUID: before.iCalUID,
    organizer: { email: team.id, self: true },
  })
  expect(await read(bob, SERIES)).toMatchObject({
    status: 'confirmed',
    organizer: { email: team.id, displayName: 'Three' },
  })
  expect(answerOf(await read(chiyo, TUESDAY), BOB)).toBe('declined')
  expect(await rejectionOf(alice.events.delete({ calendarId, eventId: SERIES }))).toMatchObject({
    code: 410,
    reason: 'deleted',
  })
})

step('Bob imports a meeting from elsewhere twice; the second time brings it up to date', async () => {
  const meeting = {
    iCalUID: 'ferry-42@northline.example.org',
    summary: 'Ferry 42',
    start: berlin('2026-03-12T10:00:00'),
    end: berlin('2026-03-12T11:00:00'),
    organizer: { email: 'petra@northline.example.org' },
    attendees: [{ email: BOB, responseStatus: 'accepted' }],
  }
  const { data: first } = await bob.events.import({ calendarId, requestBody: meeting })
  const { data: second } = await bob.events.import({
    calendarId,
    requestBody: { ...meeting, summary: 'Ferry 43', sequence: 1 },
  })
  expect(first).toMatchObject({
    privateCopy: true,
    organizer: { email: 'petra@northline.example.org' },
    summary: 'Ferry 42',
  })
  expect(second).toMatchObject({ id: first.id, summary: 'Ferry 43', sequence: 1 })
  expect(await rejectionOf(bob.events.import({ calendarId, requestBody: meeting }))).toMatchObject({
    code: 400,
    reason: 'invalid',
  })
  const { attendees: _, ...alone } = meeting
  expect(
    await rejectionOf(bob.events.import({ calendarId, requestBody: { ...alone, iCalUID: 'other@x.example' } })),
  ).toMatchObject({
    code: 400,
    reason: 'participantIsNeitherOrganizerNorAttendee',
  })
})

step('a sentence makes an event', async () => {
  const { data } = await chiyo.events.quickAdd({ calendarId, text: 'Tea with Alice tomorrow at 3pm for 45 minutes' })
  expect(data).toMatchObject({
    summary: 'Tea with Alice',
    start: { dateTime: '2026-03-05T15:00:00+09:00', timeZone: 'Asia/Tokyo' },
    end: { dateTime: '2026-03-05T15:45:00+09:00' },
  })
})
