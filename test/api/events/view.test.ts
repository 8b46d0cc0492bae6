import { expect, test, vi } from 'vitest'
import { ALICE, at, BOB, CAROL, type Client, hour, openCalendar } from '../../support/calendar.ts'

/** The fields of an event that a caller sees, and the clock that they follow. */
const EVENTS = '/calendars/primary/events'
const OF_ALICE = `/calendars/${ALICE}/events`
const DAVE = 'dave@elsewhere.example'

async function put(client: Client, event: object): Promise<void> {
  const { status, text } = await client.post(EVENTS, event)
  if (status !== 200) throw new Error(text)
}

async function withReader(...events: object[]) {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const rule = { role: 'reader', scope: { type: 'user', value: BOB } }
  expect((await alice.post(`/calendars/${ALICE}/acl`, rule)).status).toBe(200)
  for (const event of events) await put(alice, event)
  return { alice, bob }
}

const LONDON: [title: string, start: string, end: string, shown: [start: string, end: string]][] = [
  [
    'from winter into summer',
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:30:00Z',
    ['2026-03-29T00:30:00Z', '2026-03-29T02:30:00+01:00'],
  ],
  [
    'from summer into winter',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    ['2026-10-25T01:30:00+01:00', '2026-10-25T01:30:00Z'],
  ],
  ['in winter', '2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z', ['2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z']],
]

test.each(LONDON)('13.5 each time of an event has the offset of its own instant: %s', async (_, start, end, shown) => {
  const carol = openCalendar().as(CAROL)
  await put(carol, { id: 'night0', start: at(start, 'UTC'), end: at(end, 'UTC') })
  const times = async (zone: string) => {
    const { body } = await carol.get(`${EVENTS}/night0?timeZone=${zone}`)
    return [body.start.dateTime, body.end.dateTime]
  }
  expect(await times('Europe/London')).toEqual(shown)
  expect(await times('UTC')).toEqual([start, end])
  expect(await times('Europe/London')).toEqual(shown)
})

test('4.1.4, 13.5 the original start of a moved instance has the offset of its own instant', async () => {
  const carol = openCalendar().as(CAROL)
  const [start, end] = [at('2026-03-20T09:00:00Z', 'UTC'), at('2026-03-20T10:00:00Z', 'UTC')]
  await put(carol, { id: 'series', start, end, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  const path = `${EVENTS}/series_20260403T090000Z`
  const moved = { start: at('2026-03-21T09:00:00Z', 'UTC'), end: at('2026-03-21T10:00:00Z', 'UTC') }
  expect((await carol.patch(path, moved)).status).toBe(200)
  expect((await carol.get(`${path}?timeZone=Europe/London`)).body).toMatchObject({
    start: { dateTime: '2026-03-21T09:00:00Z' },
    end: { dateTime: '2026-03-21T10:00:00Z' },
    originalStartTime: { dateTime: '2026-04-03T10:00:00+01:00' },
  })
})

const ATTENDED: [title: string, attendees: string[], isSeen: boolean][] = [
  ['who is an attendee', [CAROL, BOB], true],
  ['who is not an attendee', [ALICE, CAROL], false],
  ['of an event without attendees', [], false],
]

test.each(ATTENDED)('7.6 a private event is shown in full to a reader %s: %s', async (_, emails, isSeen) => {
  const attendees = emails.map((email) => ({ email }))
  const { bob } = await withReader({
    id: 'secret',
    summary: 'Secret',
    visibility: 'private',
    ...hour('2026-03-02', 9),
    attendees,
  })
  const { body } = await bob.get(`${OF_ALICE}/secret`)
  expect(body.summary).toBe(isSeen ? 'Secret' : undefined)
  expect(body.visibility).toBe('private')
})

test('7.19 a list of attendees longer than maxAttendees is reduced to the participant', async () => {
  const attendees = [{ email: DAVE }, { email: BOB }, { email: ALICE }]
  const { alice, bob } = await withReader({ id: 'meet00', ...hour('2026-03-02', 9), attendees })
  const view = async (client: Client, most: number, path = `${EVENTS}/meet00`) => {
    const { body } = await client.get(`${path}?maxAttendees=${most}`)
    return [body.attendees?.map(({ email }: { email: string }) => email), body.attendeesOmitted]
  }
  expect(await view(alice, 3)).toEqual([[DAVE, BOB, ALICE], undefined])
  expect(await view(alice, 2)).toEqual([[ALICE], true])
  expect(await view(bob, 1)).toEqual([[BOB], true])
  // On Alice's calendar both she and the caller Bob are participants: the first of them is returned.
  expect(await view(bob, 2, `${OF_ALICE}/meet00`)).toEqual([[BOB], true])
})

test('7.19 an event without attendees has no attendeesOmitted', async () => {
  const { alice } = await withReader({ id: 'alone0', ...hour('2026-03-02', 9) })
  const { body } = await alice.get(`${EVENTS}/alone0?maxAttendees=1`)
  expect(body).not.toHaveProperty('attendeesOmitted')
  expect(body).not.toHaveProperty('attendees')
})

test('only the creator of an event gets its source', async () => {
  const source = { title: 'Ticket', url: 'https://example.com/ticket' }
  const { alice, bob } = await withReader({ id: 'ticket', summary: 'Ticket', ...hour('2026-03-02', 9), source })
  expect((await alice.get(`${EVENTS}/ticket`)).body).toMatchObject({ summary: 'Ticket', source })
  const { body } = await bob.get(`${OF_ALICE}/ticket`)
  expect(body.summary).toBe('Ticket')
  expect(body).not.toHaveProperty('source')
  expect((await alice.get(`${EVENTS}/ticket`)).body.source).toEqual(source)
})

test('7.18 with guestsCanSeeOtherGuests false a guest gets the organizer and themselves, and the organizer gets all', async () => {
  const attendees = [{ email: ALICE }, { email: BOB }, { email: CAROL }, { email: DAVE }]
  const { alice, bob } = await withReader(
    { id: 'closed', ...hour('2026-03-02', 9), attendees, guestsCanSeeOtherGuests: false },
    { id: 'opened', ...hour('2026-03-02', 9), attendees },
  )
  const view = async (client: Client, id: string) => {
    const { body } = await client.get(`${EVENTS}/${id}`)
    return [body.attendees.map(({ email }: { email: string }) => email), body.attendeesOmitted]
  }
  expect(await view(alice, 'closed')).toEqual([[ALICE, BOB, CAROL, DAVE], undefined])
  expect(await view(bob, 'closed')).toEqual([[ALICE, BOB], true])
  expect(await view(bob, 'opened')).toEqual([[ALICE, BOB, CAROL, DAVE], undefined])
})

test('7.12 an account gets its own reminders of an event, and a caller without an account gets none', async () => {
  const { as, anonymous } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const rule = { role: 'reader', scope: { type: 'default' } }
  expect((await alice.post(`/calendars/${ALICE}/acl`, rule)).status).toBe(200)
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }
  await put(alice, { id: 'loud00', summary: 'Loud', ...hour('2026-03-02', 9), reminders })
  const view = async (client: Client, more = '') => {
    const { body } = await client.get(`${OF_ALICE}/loud00${more}`)
    expect(body.summary).toBe('Loud')
    return body.reminders
  }
  expect(await view(alice)).toEqual(reminders)
  expect(await view(bob)).toEqual({ useDefault: true })
  expect(await view(anonymous, '?key=any')).toBeUndefined()
  expect(await view(alice)).toEqual(reminders)
})

test.each([
  [CAROL, ''],
  [ALICE, ''],
  [CAROL, '&timeZone=Asia/Tokyo'],
])('a view at an unchanged clock is not serialized again: %s %s', async (person, more) => {
  const client = openCalendar().as(person)
  for (let nth = 0; nth < 10; nth++) await put(client, { ...hour('2026-03-02', 9), summary: `No. ${nth}` })
  const list = async (query: string) => {
    const stringify = vi.spyOn(JSON, 'stringify')
    const { status } = await client.get(`${EVENTS}?${query}`)
    const events = stringify.mock.calls.filter(([value]) => value?.kind === 'calendar#event')
    stringify.mockRestore()
    expect(status).toBe(200)
    return events.length
  }
  expect(await list(`maxResults=20${more}`)).toBe(10)
  expect(await list(`maxResults=20${more}`)).toBe(0)
})
