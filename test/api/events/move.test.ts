import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, CAROL, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { invalid, NOT_FOUND, needsRole, newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const lunch = { id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) }
const guests = (...emails: string[]) => emails.map((email) => ({ email }))
const move = (client: Client, id: string, destination: string, source = 'primary') =>
  client.post(`/calendars/${source}/events/${id}/move?destination=${destination}`)
const read = async (client: Client, id: string, calendarId = 'primary') =>
  (await client.get(`/calendars/${calendarId}/events/${id}`)).body

/** Alice with an event and a second calendar. */
async function twoCalendars(event: object = lunch) {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const team = await newCalendar(alice)
  const { body } = await alice.post(EVENTS, event)
  return { fake, as, alice, team, event: body }
}

test('7.7 a move returns the last version of the source’s copy: cancelled, organized by the destination', async () => {
  const { alice, team, event } = await twoCalendars()
  const { status, body, headers } = await move(alice, 'lunch', team)
  expect(status).toBe(200)
  expect(body).toEqual({ ...event, status: 'cancelled', organizer: { email: team, displayName: 'Team' } })
  expect(Object.keys(body)).toEqual(Object.keys(event))
  expect(headers.get('ETag')).toBe(event.etag)
})

test('2.2.2, 7.7 the stub can be neither deleted again nor restored', async () => {
  const { alice, team } = await twoCalendars()
  await move(alice, 'lunch', team)
  expect((await alice.delete(`${EVENTS}/lunch`)).status).toBe(410)
  expect(errorOf(await alice.patch(`${EVENTS}/lunch`, { status: 'confirmed' }))).toEqual(invalid('Invalid start time.'))
  expect((await alice.post(EVENTS, lunch)).status).toBe(409)
})

test('an event moved to a primary calendar has its owner as organizer', async () => {
  const { as, alice, team, event } = await twoCalendars()
  await share(as(BOB), BOB, ALICE, 'writer')
  await move(alice, 'lunch', BOB)
  expect(await read(as(BOB), 'lunch')).toMatchObject({
    organizer: { email: BOB, self: true },
    creator: { email: ALICE },
  })
  expect((await read(as(BOB), 'lunch')).organizer).not.toHaveProperty('displayName')
  expect((await move(alice, 'lunch', team)).status).toBe(404)
  expect(event.organizer).toEqual({ email: ALICE, self: true })
})

test('the copies of the guests follow the new organizer, which receives their answers', async () => {
  const { as, alice, team } = await twoCalendars({ ...lunch, attendees: guests(BOB, CAROL) })
  await as(BOB).patch(`${EVENTS}/lunch`, { colorId: '7', attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await move(alice, 'lunch', team)
  for (const guest of [BOB, CAROL]) {
    expect(await read(as(guest), 'lunch')).toMatchObject({
      status: 'confirmed',
      organizer: { email: team, displayName: 'Team' },
      attendees: [{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }],
    })
  }
  expect((await read(as(BOB), 'lunch')).colorId).toBe('7')
  await as(CAROL).patch(`${EVENTS}/lunch`, { attendees: [{ email: CAROL, responseStatus: 'declined' }] })
  expect((await read(alice, 'lunch', team)).attendees[1]).toMatchObject({ email: CAROL, responseStatus: 'declined' })
  await alice.patch(`/calendars/${team}/events/lunch`, { summary: 'Brunch' })
  expect((await read(as(BOB), 'lunch')).summary).toBe('Brunch')
})

test('7.7, 14.28 an invited owner of the source keeps a guest’s copy', async () => {
  const { as, alice, team } = await twoCalendars({ ...lunch, colorId: '5', attendees: guests(ALICE, BOB) })
  await move(alice, 'lunch', team)
  expect(await read(alice, 'lunch')).toMatchObject({
    status: 'confirmed',
    colorId: '5',
    organizer: { email: team, displayName: 'Team' },
    attendees: [{ email: ALICE, self: true }, { email: BOB }],
  })
  expect((await read(alice, 'lunch')).attendees[0]).not.toHaveProperty('organizer')
  await alice.patch(`${EVENTS}/lunch`, { attendees: [{ email: ALICE, responseStatus: 'accepted' }, { email: BOB }] })
  expect((await read(as(BOB), 'lunch')).attendees[0]).toMatchObject({ email: ALICE, responseStatus: 'accepted' })
})

test('a guest to whose calendar an event moves becomes its organizer', async () => {
  const { as, alice } = await twoCalendars({ ...lunch, attendees: guests(BOB, CAROL) })
  await share(as(BOB), BOB, ALICE, 'writer')
  await move(alice, 'lunch', BOB)
  const moved = await read(as(BOB), 'lunch')
  expect(moved.organizer).toEqual({ email: BOB, self: true })
  expect(moved.attendees).toMatchObject([{ email: BOB, organizer: true, self: true }, { email: CAROL }])
  expect((await read(as(CAROL), 'lunch')).organizer).toEqual({ email: BOB })
  expect((await as(BOB).patch(`${EVENTS}/lunch`, { summary: 'Mine' })).status).toBe(200)
  expect((await read(as(CAROL), 'lunch')).summary).toBe('Mine')
})

test('an event can move back and away again', async () => {
  const { alice, team, event } = await twoCalendars()
  await move(alice, 'lunch', team)
  expect((await move(alice, 'lunch', ALICE, team)).status).toBe(200)
  const { etag, updated, ...back } = await read(alice, 'lunch')
  expect(event).toMatchObject(back)
  expect((await read(alice, 'lunch', team)).status).toBe('cancelled')
  expect((await move(alice, 'lunch', team)).status).toBe(200)
  expect(await read(alice, 'lunch', team)).toMatchObject({ status: 'confirmed', summary: 'Lunch' })
})

test('the owner of the source can be invited after the move', async () => {
  const { alice, team } = await twoCalendars()
  await move(alice, 'lunch', team)
  await alice.patch(`/calendars/${team}/events/lunch`, { attendees: guests(ALICE) })
  const copy = await read(alice, 'lunch')
  expect(copy).toMatchObject({ status: 'confirmed', summary: 'Lunch', reminders: { useDefault: true } })
  expect(copy).not.toHaveProperty('transparency')
})

test('7.7 a move to the same calendar changes nothing', async () => {
  const { alice, event } = await twoCalendars()
  expect((await move(alice, 'lunch', ALICE)).body).toEqual(event)
  expect(await read(alice, 'lunch')).toEqual(event)
})

const series = { id: 'standup', summary: 'Standup', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
const slot = (day: number) => `standup_2026030${day}T140000Z`
const instances = async (client: Client, calendarId = 'primary') => {
  const { body } = await client.get(`/calendars/${calendarId}/events/standup/instances?showDeleted=true`)
  return body.items.map(({ id, status, summary }: Record<string, string>) => [id, status, summary])
}

test('4.5.6, 7.7 a series moves with its changed and cancelled instances', async () => {
  const { as, alice, team } = await twoCalendars({ ...series, attendees: guests(BOB) })
  await alice.patch(`${EVENTS}/${slot(3)}`, { summary: 'Retro' })
  await alice.delete(`${EVENTS}/${slot(4)}`)
  await as(BOB).patch(`${EVENTS}/${slot(5)}`, { colorId: '2' })
  const before = await instances(as(BOB))
  await move(alice, 'standup', team)
  const all = [
    [slot(2), 'confirmed', 'Standup'],
    [slot(3), 'confirmed', 'Retro'],
    [slot(4), 'cancelled', 'Standup'],
    [slot(5), 'confirmed', 'Standup'],
  ]
  expect(before).toEqual(all)
  expect(await instances(alice, team)).toEqual(all)
  expect(await instances(as(BOB))).toEqual(all)
  for (const day of [2, 3, 5]) expect((await read(as(BOB), slot(day))).organizer.email).toBe(team)
  expect((await read(as(BOB), slot(5))).colorId).toBe('2')
  expect((await alice.get(`${EVENTS}/${slot(2)}`)).status).toBe(404)
  expect((await read(alice, slot(3))).status).toBe('cancelled')
  expect((await alice.get(`${EVENTS}?singleEvents=true`)).body.items).toEqual([])
})

test('an invited owner of the source keeps the instances with that invitation', async () => {
  const { alice, team } = await twoCalendars({ ...series, attendees: guests(ALICE, BOB) })
  await alice.patch(`${EVENTS}/${slot(3)}`, { attendees: guests(BOB) })
  await alice.patch(`${EVENTS}/${slot(4)}`, { summary: 'Retro' })
  await move(alice, 'standup', team)
  expect(await instances(alice)).toMatchObject([
    [slot(2), 'confirmed', 'Standup'],
    [slot(3), 'cancelled', 'Standup'],
    [slot(4), 'confirmed', 'Retro'],
    [slot(5), 'confirmed', 'Standup'],
  ])
  expect((await read(alice, slot(4))).organizer).toEqual({ email: team, displayName: 'Team' })
})

test('the instances of a moved series are found at the destination', async () => {
  const { as, alice, team } = await twoCalendars({ ...series, attendees: guests(BOB) })
  await move(alice, 'standup', team)
  await as(BOB).patch(`${EVENTS}/${slot(3)}`, { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  expect((await read(alice, slot(3), team)).attendees).toMatchObject([{ email: BOB, responseStatus: 'declined' }])
})

const tokenOf = async (client: Client, calendarId: string) =>
  (await client.get(`/calendars/${calendarId}/events`)).body.nextSyncToken
const changesSince = async (client: Client, calendarId: string, token: string) =>
  (await client.get(`/calendars/${calendarId}/events?syncToken=${encodeURIComponent(token)}`)).body.items

test('a sync returns the event as cancelled on the source, as new on the destination, and as changed for a guest', async () => {
  const { as, alice, team } = await twoCalendars({ ...lunch, attendees: guests(BOB) })
  const [left, right, guest] = [await tokenOf(alice, ALICE), await tokenOf(alice, team), await tokenOf(as(BOB), BOB)]
  await move(alice, 'lunch', team)
  const changes = await changesSince(alice, ALICE, left)
  expect(changes).toEqual([{ kind: 'calendar#event', etag: changes[0].etag, id: 'lunch', status: 'cancelled' }])
  expect(await changesSince(alice, team, right)).toEqual([await read(alice, 'lunch', team)])
  expect(await changesSince(as(BOB), BOB, guest)).toEqual([await read(as(BOB), 'lunch')])
})

test('a move sends mail to guests if sendUpdates requests it', async () => {
  const { fake, alice, team } = await twoCalendars({ ...lunch, attendees: guests(BOB, 'eve@example.net') })
  await move(alice, 'lunch', team)
  expect(fake.mail()).toEqual([])
  await alice.post(`/calendars/${team}/events/lunch/move?destination=${ALICE}&sendUpdates=all`)
  expect(fake.mail().map(({ to, kind, calendarId }) => [to, kind, calendarId])).toEqual([
    [BOB, 'eventChange', ALICE],
    ['eve@example.net', 'eventChange', ALICE],
  ])
})

test('a form body can name the destination', async () => {
  const { alice, team } = await twoCalendars()
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect((await alice.post(`${EVENTS}/lunch/move`, `destination=${encodeURIComponent(team)}`, form)).status).toBe(200)
})

const FOR_ORGANIZER = {
  status: 403,
  domain: 'calendar',
  reason: 'forbiddenForNonOrganizer',
  message: 'Shared properties can only be changed by the organizer of the event.',
}
const DUPLICATE = {
  status: 409,
  domain: 'global',
  reason: 'duplicate',
  message: 'The requested identifier already exists.',
}
const OF_INSTANCE = {
  ...invalid('Cannot change the organizer of an instance.', undefined, 'cannotChangeOrganizerOfInstance'),
  domain: 'calendar',
}

/**
 * Alice’s events, Bob’s lunch to which she is invited, Bob’s calendars that she reads and writes, and her own team’s.
 */
async function manyCalendars() {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const [team, read, written] = [await newCalendar(alice), await newCalendar(bob), await newCalendar(bob)]
  await share(bob, read, ALICE, 'reader')
  await share(bob, written, ALICE, 'writer')
  for (const event of [lunch, series, { ...lunch, id: 'taken' }, { ...lunch, id: 'burnt' }])
    await alice.post(EVENTS, event)
  for (const id of ['taken', 'burnt'])
    await alice.post(`/calendars/${team}/events`, { id, ...allDay('2026-03-02', '2026-03-03') })
  await alice.delete(`/calendars/${team}/events/burnt`)
  await bob.post(EVENTS, { ...lunch, id: 'bobslunch', attendees: guests(ALICE) })
  await alice.post(EVENTS, { ...lunch, id: 'gone0' })
  await alice.delete(`${EVENTS}/gone0`)
  return { as, alice, ids: { team, read, written, nowhere: 'nowhere@example.com', bob: BOB } }
}

const REFUSED: [title: string, id: string, destination: 'team' | 'read' | 'written' | 'nowhere' | 'bob', refused: object][] = [
  ['an unknown event', 'nothing0', 'team', NOT_FOUND],
  ['an unknown destination', 'lunch', 'nowhere', NOT_FOUND],
  ['a destination that is not shared', 'lunch', 'bob', NOT_FOUND],
  ['a read-only destination', 'lunch', 'read', needsRole('writer')],
  ['an instance of a series', slot(3), 'team', OF_INSTANCE],
  ['a guest’s copy', 'bobslunch', 'written', FOR_ORGANIZER],
  ['an id that is in use at the destination', 'taken', 'team', DUPLICATE],
  ['an id that was in use at the destination', 'burnt', 'team', DUPLICATE],
] // biome-ignore format: a table

test.each(REFUSED)(
  '4.5.6, 7.7, 8.15, 14.27 a move of %s is refused, and nothing moves',
  async (_, id, destination, refused) => {
    const { alice, ids } = await manyCalendars()
    const before = await Promise.all(
      [ALICE, ids.team, ids.written].map((one) => alice.get(`/calendars/${one}/events?showDeleted=true`)),
    )
    expect(errorOf(await move(alice, id, ids[destination]))).toEqual(refused)
    const after = await Promise.all(
      [ALICE, ids.team, ids.written].map((one) => alice.get(`/calendars/${one}/events?showDeleted=true`)),
    )
    expect(after.map(({ body }) => body.items)).toEqual(before.map(({ body }) => body.items))
  },
)

test('7.7 a deleted event moves, and is cancelled on its new calendar', async () => {
  const { alice, team } = await twoCalendars()
  await alice.delete(`${EVENTS}/lunch`)
  expect(await move(alice, 'lunch', team)).toMatchObject({ status: 200, body: { id: 'lunch', status: 'cancelled' } })
  expect(await read(alice, 'lunch', team)).toMatchObject({ id: 'lunch', status: 'cancelled', summary: lunch.summary })
  expect((await alice.get(`/calendars/${team}/events`)).body.items).toEqual([])
  expect(errorOf(await move(alice, 'lunch', team))).toEqual(NOT_FOUND)
})

test('a reader of the source cannot move an event from it', async () => {
  const { as } = await twoCalendars()
  await share(as(ALICE), ALICE, BOB, 'reader')
  expect(errorOf(await move(as(BOB), 'lunch', BOB, ALICE))).toEqual(needsRole('writer'))
})

test('a writer without private access cannot move a private event', async () => {
  const { as } = await twoCalendars({ ...lunch, visibility: 'private' })
  await share(as(ALICE), ALICE, BOB, 'writerWithoutPrivateAccess')
  expect(errorOf(await move(as(BOB), 'lunch', BOB, ALICE))).toEqual(needsRole('writer'))
})

test('14.27 a move back to the first calendar answers as the first move does', async () => {
  const alice = openCalendar().as(ALICE)
  const other = (await alice.post('/calendars', { summary: 'Other' })).body.id
  const { id } = (await alice.post('/calendars/primary/events', hour('2026-03-02', 12))).body
  const there = await alice.post(`/calendars/primary/events/${id}/move?destination=${other}`)
  const back = await alice.post(`/calendars/${other}/events/${id}/move?destination=${ALICE}`)
  expect([there.status, back.status]).toEqual([200, 200])
  expect(Object.keys(back.body)).toEqual(Object.keys(there.body))
  expect((await alice.get(`/calendars/primary/events/${id}`)).body.status).toBe('confirmed')
})
