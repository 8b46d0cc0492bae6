import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB, CAROL, type Client, hour, NOW, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const EVE = 'eve@example.net'
const lunch = { id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) }
const guests = (...emails: string[]) => emails.map((email) => ({ email }))
const answer = (email: string, responseStatus: string) => ({
  attendees: [{ email, responseStatus }],
  attendeesOmitted: true,
})

type Opened = ReturnType<typeof openCalendar>
/** Returns the recipients and subjects in alphabetical order, and empties the outbox. */
async function mailed({ fake, anonymous }: Opened) {
  const rows = fake.mail().map(({ to, kind }) => `${to} ${kind}`)
  await anonymous.delete('/_control/mail')
  return rows.sort()
}

/** Creates Alice's lunch with Bob and Carol, who have accounts, and Eve, who has none. */
async function invited(event: object = lunch) {
  const world = openCalendar()
  await world.as(ALICE).post(EVENTS, { ...event, attendees: guests(BOB, CAROL, EVE) })
  return { ...world, alice: world.as(ALICE), bob: world.as(BOB) }
}

const EVERYBODY = [BOB, CAROL, EVE].map((to) => `${to} eventCreation`)
const SENDING: [query: string, mailed: string[]][] = [
  ['', []],
  ['sendUpdates=none', []],
  ['sendUpdates=all', EVERYBODY],
  ['sendUpdates=externalOnly', [`${EVE} eventCreation`]],
  ['sendNotifications=true', EVERYBODY],
  ['sendNotifications=false', []],
  ['sendUpdates=none&sendNotifications=true', []],
  ['sendUpdates=externalOnly&sendNotifications=true', [`${EVE} eventCreation`]],
  ['sendUpdates=all&sendNotifications=false', EVERYBODY],
]

test.each(SENDING)(
  '1.21, 7.5 an invitation sent with “%s” sends mail to the requested guests',
  async (query, expected) => {
    const world = openCalendar()
    await world.as(ALICE).post(`${EVENTS}?${query}`, { ...lunch, attendees: guests(ALICE, BOB, CAROL, EVE) })
    expect(await mailed(world)).toEqual(expected)
  },
)

test('a mail has its sender, receiver, event, calendar and time', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, location: 'Canteen', attendees: guests(BOB) })
  expect(fake.mail()).toEqual([
    {
      id: 1,
      from: ALICE,
      to: BOB,
      kind: 'eventCreation',
      calendarId: ALICE,
      eventId: 'lunch',
      summary: 'Lunch',
      start: expect.objectContaining({ dateTime: '2026-03-02T18:00:00+01:00' }),
      end: expect.objectContaining({ dateTime: '2026-03-02T19:00:00+01:00' }),
      location: 'Canteen',
      sentAt: '2026-03-01T12:00:00.000Z',
    },
  ])
})

const all = (kind: string, ...to: string[]) => to.map((one) => `${one} ${kind}`)
type Act = (alice: Client) => Promise<{ status: number }>
const LUNCH = `${EVENTS}/lunch?sendUpdates=all`
const CHANGES: [title: string, act: Act, mailed: string[]][] = [
  ['a new summary', (alice) => alice.patch(LUNCH, { summary: 'Brunch' }), all('eventChange', BOB, CAROL, EVE)],
  ['a new time', (alice) => alice.patch(LUNCH, hour('2026-03-02', 13)), all('eventChange', BOB, CAROL, EVE)],
  ['a shared property', (alice) => alice.patch(LUNCH, { extendedProperties: { shared: { a: '1' } } }), all('eventChange', BOB, CAROL, EVE)],
  ['a deletion', (alice) => alice.delete(LUNCH), all('eventCancellation', BOB, CAROL, EVE)],
  ['a cancellation', (alice) => alice.patch(LUNCH, { status: 'cancelled' }), all('eventCancellation', BOB, CAROL, EVE)],
  ['a removed guest', (alice) => alice.patch(LUNCH, { attendees: guests(BOB, CAROL) }), [...all('eventChange', BOB, CAROL), ...all('eventCancellation', EVE)]],
  ['an added guest', (alice) => alice.patch(LUNCH, { attendees: guests(BOB, CAROL, EVE, 'zoe@example.net') }), [...all('eventChange', BOB, CAROL, EVE), 'zoe@example.net eventCreation']],
  ['a change of the organizer’s own fields', (alice) => alice.patch(LUNCH, { colorId: '3', reminders: { useDefault: false }, extendedProperties: { private: { a: '1' } } }), []],
  ['a write of the same value', (alice) => alice.patch(LUNCH, { summary: 'Lunch' }), []],
  ['an empty patch', (alice) => alice.patch(LUNCH, {}), []],
] // biome-ignore format: a table

test.each(CHANGES)('%s by the organizer sends mail to the affected guests', async (_, act, expected) => {
  const world = await invited()
  expect((await act(world.alice)).status).toBeLessThan(300)
  expect(await mailed(world)).toEqual([...expected].sort())
})

const REFUSED: [title: string, act: Act][] = [
  ['an invalid body', (alice) => alice.patch(LUNCH, { attendees: guests('nonsense') })],
  ['a stale etag', (alice) => alice.patch(LUNCH, { summary: 'Late' }, { 'If-Match': '"1"' })],
  ['an id in use', (alice) => alice.post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB) })],
  ['an unknown event', (alice) => alice.delete(`${EVENTS}/nothing?sendUpdates=all`)],
]

test.each(REFUSED)('a write that is refused for %s sends no mail', async (_, act) => {
  const world = await invited()
  expect((await act(world.alice)).status).toBeGreaterThanOrEqual(400)
  expect(await mailed(world)).toEqual([])
})

test('a guest’s answer is mailed to the organizer with its status', async () => {
  const world = await invited()
  await world.bob.patch(LUNCH, answer(BOB, 'tentative'))
  expect(world.fake.mail()).toMatchObject([
    { from: BOB, to: ALICE, kind: 'eventResponse', calendarId: ALICE, eventId: 'lunch', responseStatus: 'tentative' },
  ])
})

const BY_GUESTS: [title: string, act: Act, mailed: string[]][] = [
  ['an answer', (bob) => bob.patch(LUNCH, answer(BOB, 'accepted')), [`${ALICE} eventResponse`]],
  ['an unchanged answer', (bob) => bob.patch(LUNCH, answer(BOB, 'needsAction')), []],
  ['a deletion of the copy', (bob) => bob.delete(LUNCH), [`${ALICE} eventResponse`]],
  ['a color', (bob) => bob.patch(LUNCH, { colorId: '3' }), []],
  ['a summary of the copy', (bob) => bob.patch(LUNCH, { summary: 'Mine' }), []],
  ['an added guest', (bob) => bob.patch(LUNCH, { attendees: guests(BOB, CAROL, EVE, 'zoe@example.net') }), [...all('eventChange', ALICE, CAROL, EVE), 'zoe@example.net eventCreation']],
] // biome-ignore format: a table

test.each(BY_GUESTS)('%s by a guest sends mail to the affected people', async (_, act, expected) => {
  const world = await invited()
  expect((await act(world.bob)).status).toBeLessThan(300)
  expect(await mailed(world)).toEqual([...expected].sort())
})

test('14.33 a change by a guest with guestsCanModify is mailed to the organizer and the other guests', async () => {
  const world = await invited({ ...lunch, guestsCanModify: true })
  await world.bob.patch(LUNCH, { summary: 'Brunch' })
  expect(await mailed(world)).toEqual(all('eventChange', ALICE, CAROL, EVE).sort())
})

test('an answer without sendUpdates sends no mail', async () => {
  const world = await invited()
  await world.bob.patch(`${EVENTS}/lunch`, answer(BOB, 'accepted'))
  expect(await mailed(world)).toEqual([])
})

test('7.24 a guest who writes on the organizer’s calendar gets no mail, and the owner does', async () => {
  const world = await invited()
  await share(world.alice, `${ALICE}`, BOB, 'writer')
  await mailed(world)
  await world.bob.patch(`/calendars/${ALICE}/events/lunch?sendUpdates=all`, { summary: 'Brunch' })
  expect(await mailed(world)).toEqual(all('eventChange', ALICE, CAROL, EVE))
})

/** Sets the mail notifications of Bob's calendar list entry. */
const withNotifications = (...kinds: string[]) => ({
  notificationSettings: { notifications: kinds.map((type) => ({ type, method: 'email' })) },
})

test.each([
  ['no type', withNotifications(), []],
  ['changes', withNotifications('eventChange'), [`${BOB} eventChange`]],
  ['cancellations', withNotifications('eventCancellation'), [`${BOB} eventCancellation`]],
  [
    'changes and cancellations',
    withNotifications('eventChange', 'eventCancellation'),
    all('eventCancellation', BOB).concat(all('eventChange', BOB)),
  ],
])('14.33 an account whose list entry selects %s gets that mail', async (_, settings, expected) => {
  const world = openCalendar()
  const [alice, bob] = [world.as(ALICE), world.as(BOB)]
  await bob.patch(`/users/me/calendarList/${BOB}`, settings)
  await alice.post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB) })
  await alice.patch(LUNCH, { summary: 'Brunch' })
  await alice.delete(LUNCH)
  expect(await mailed(world)).toEqual(expected)
})

test('answers on a secondary calendar are mailed to subscribers who select them', async () => {
  const world = openCalendar()
  const [alice, bob, carol] = [world.as(ALICE), world.as(BOB), world.as(CAROL)]
  const team = await newCalendar(alice)
  await share(alice, team, CAROL, 'reader')
  await carol.post('/users/me/calendarList', { id: team, ...withNotifications('eventResponse') })
  await alice.post(`/calendars/${team}/events`, { ...lunch, attendees: guests(BOB) })
  await mailed(world)
  await bob.patch(LUNCH, answer(BOB, 'accepted'))
  expect(world.fake.mail()).toMatchObject([{ to: CAROL, kind: 'eventResponse', calendarId: team }])
})

const standup = { ...lunch, id: 'standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
const TUESDAY = `${EVENTS}/standup_20260303T170000Z?sendUpdates=all`

test('a change of a series sends one mail to each guest, and a change of an instance another', async () => {
  const world = await invited(standup)
  await world.alice.patch(`${EVENTS}/standup?sendUpdates=all`, { summary: 'Sync' })
  expect(await mailed(world)).toEqual(all('eventChange', BOB, CAROL, EVE))
  await world.alice.patch(TUESDAY, { summary: 'Retro' })
  expect(world.fake.mail().map(({ eventId }) => eventId)).toEqual(Array(3).fill('standup_20260303T170000Z'))
  expect(await mailed(world)).toEqual(all('eventChange', BOB, CAROL, EVE))
  await world.alice.delete(TUESDAY)
  expect(await mailed(world)).toEqual(all('eventCancellation', BOB, CAROL, EVE))
})

test('an answer to one instance is mailed as an answer to that instance', async () => {
  const world = await invited(standup)
  await world.bob.patch(TUESDAY, answer(BOB, 'declined'))
  expect(world.fake.mail()).toMatchObject([
    { to: ALICE, kind: 'eventResponse', eventId: 'standup_20260303T170000Z', responseStatus: 'declined' },
  ])
})

test('an invitation of a group is mailed to its members', async () => {
  const world = openCalendar()
  world.fake.seed({ groups: [{ email: 'staff@example.com', members: [ALICE, BOB, EVE] }] })
  await world.as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests('staff@example.com') })
  expect(await mailed(world)).toEqual(all('eventCreation', BOB, EVE))
})

const user = (value: string) => ({ role: 'reader', scope: { type: 'user', value } })
const RULES: [title: string, query: string, body: object, mailed: string[]][] = [
  ['sends mail to the user', '', user(BOB), [`${BOB} acl`]],
  ['sends mail to the user if requested', '?sendNotifications=true', user(EVE), [`${EVE} acl`]],
  ['sends no mail to the user if disabled', '?sendNotifications=false', user(BOB), []],
  ['sends no mail for the public scope', '', { role: 'reader', scope: { type: 'default' } }, []],
  ['sends no mail for a domain', '', { role: 'reader', scope: { type: 'domain', value: 'example.net' } }, []],
] // biome-ignore format: a table

test.each(RULES)('1.21, 7.5 a new rule of a calendar %s', async (_, query, body, expected) => {
  const world = openCalendar()
  expect((await world.as(ALICE).post(`/calendars/primary/acl${query}`, body)).status).toBe(200)
  expect(await mailed(world)).toEqual(expected)
})

test('a changed role sends mail, and an unchanged or deleted one does not', async () => {
  const world = openCalendar()
  const alice = world.as(ALICE)
  const rule = `/calendars/primary/acl/user:${BOB}`
  await share(alice, 'primary', BOB, 'reader')
  expect(await mailed(world)).toEqual([`${BOB} acl`])
  await alice.patch(rule, { role: 'writer' })
  expect(await mailed(world)).toEqual([`${BOB} acl`])
  await alice.put(rule, { role: 'writer', scope: { type: 'user', value: BOB } })
  await share(alice, 'primary', BOB, 'writer')
  await alice.patch(`${rule}?sendNotifications=false`, { role: 'reader' })
  await alice.delete(rule)
  expect(await mailed(world)).toEqual([])
  await share(alice, 'primary', BOB, 'reader')
  await share(alice, 'primary', BOB, 'none')
  expect(await mailed(world)).toEqual([`${BOB} acl`])
})

test('the outbox can be read whole or by address, and emptied', async () => {
  const { fake, as, anonymous } = openCalendar()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB, EVE) })
  expect((await anonymous.get('/_control/mail')).body).toEqual({ mail: fake.mail() })
  expect((await anonymous.get('/_control/mail?to=EVE@example.net')).body).toEqual({ mail: fake.mail(EVE) })
  expect(fake.mail(EVE).map(({ to }) => to)).toEqual([EVE])
  expect((await anonymous.delete('/_control/mail')).body).toEqual({ cleared: 2 })
  expect(fake.mail()).toEqual([])
})

test('each world has its own outbox, which a reset empties', async () => {
  const { fake, as } = openCalendar()
  await as(`blue~${ALICE}`).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB) })
  expect([fake.mail().length, fake.world('blue').mail().length]).toEqual([0, 1])
  fake.world('blue').reset()
  expect(fake.world('blue').mail()).toEqual([])
})

test('a state contains the outbox, and a restored world continues it', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB) })
  const other = createFakeCalendar({ seed: JSON.parse(JSON.stringify(fake.state())) })
  expect(other.mail()).toEqual(fake.mail())
  expect(other.state()).toEqual(fake.state())
})

test('an invalid mail is refused with its place in the seed', () => {
  const mail = [{ from: ALICE, to: BOB, kind: 'carrier pigeon', calendarId: ALICE, sentAt: NOW }]
  expect(() => createFakeCalendar({ seed: { mail } as never })).toThrow(/^mail\[0\]\.kind: /)
})

test('7.24 changes of a calendar are mailed to other accounts by the notification settings of their list', async () => {
  const world = openCalendar()
  const { as } = world
  const id = await newCalendar(as(ALICE))
  await share(as(ALICE), id, BOB, 'writer')
  await share(as(ALICE), id, CAROL, 'reader')
  await mailed(world)
  const notifications = ['eventCreation', 'eventCancellation'].map((type) => ({ type, method: 'email' }))
  for (const account of [BOB, CAROL])
    await as(account).post('/users/me/calendarList', { id, notificationSettings: { notifications } })
  const path = `/calendars/${id}/events`

  await as(BOB).post(path, lunch)
  expect(await mailed(world)).toEqual([`${CAROL} eventCreation`])
  await as(ALICE).patch(`${path}/lunch`, { summary: 'Late lunch' })
  expect(await mailed(world)).toEqual([])
  await as(ALICE).patch(`${path}/lunch?sendUpdates=all`, { attendees: guests(CAROL) })
  expect(await mailed(world)).toEqual([`${CAROL} eventCreation`])
  await as(ALICE).delete(`${path}/lunch`)
  expect(await mailed(world)).toEqual([`${BOB} eventCancellation`, `${CAROL} eventCancellation`])
})

test('7.24, 15.3 the owner of a calendar gets mail about another account’s write', async () => {
  const world = openCalendar()
  const { as } = world
  await share(as(ALICE), 'primary', BOB, 'writer')
  await mailed(world)

  await as(BOB).post(`/calendars/${ALICE}/events`, lunch)
  await as(BOB).patch(`/calendars/${ALICE}/events/lunch`, { colorId: '3' })

  expect(await mailed(world)).toEqual([`${ALICE} eventCreation`])
})

test('the outbox keeps the latest 10,000 mails', async () => {
  const one = { from: ALICE, to: BOB, kind: 'acl', calendarId: ALICE, sentAt: NOW } as const
  const mail = Array.from({ length: 9999 }, (_, nth) => ({ ...one, summary: `Number ${nth}` }))
  const { fake, as } = openCalendar({ seed: [PEOPLE, { mail }] })
  for (const [role, oldest] of [
    ['reader', 'Number 0'],
    ['writer', 'Number 1'],
  ] as const) {
    await share(as(ALICE), 'primary', CAROL, role)
    expect(fake.mail()).toHaveLength(10_000)
    expect(fake.mail()[0]?.summary).toBe(oldest)
  }
  expect(fake.mail().at(-1)).toMatchObject({ kind: 'acl', to: CAROL })
})

test('each mail has a number, which is the same with a filter by address and in a restored state', async () => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests(BOB, CAROL) })
  expect(fake.mail().map(({ id, to }) => [id, to])).toEqual([
    [1, BOB],
    [2, CAROL],
  ])
  expect(fake.mail(CAROL)).toMatchObject([{ id: 2 }])

  const state = fake.state()
  const later = createFakeCalendar({ seed: { ...state, mail: state.mail?.slice(1) ?? [] } })
  expect(later.mail()).toEqual(fake.mail(CAROL))
  expect(await later.mail.eml(2)).toBe(await fake.mail.eml(2))
})

test('a mail has the event as it was sent, after the event has moved and is gone', async () => {
  const world = await invited()
  const { fake, alice, bob } = world
  await alice.patch(LUNCH, { ...hour('2026-03-02', 13), location: 'Roof' })
  await bob.patch(LUNCH, answer(BOB, 'accepted'))
  await alice.delete(LUNCH)

  expect(fake.mail(BOB)).toMatchObject([
    { kind: 'eventChange', start: { dateTime: '2026-03-02T19:00:00+01:00' }, location: 'Roof' },
    { kind: 'eventCancellation', start: { dateTime: '2026-03-02T19:00:00+01:00' }, summary: 'Lunch' },
  ])
  expect(fake.mail(ALICE)).toMatchObject([
    { responseStatus: 'accepted', end: { dateTime: '2026-03-02T14:00:00-05:00' } },
  ])
})

test('a cancelled instance is mailed with its summary and its own time', async () => {
  const world = await invited(standup)
  await world.alice.delete(TUESDAY)
  expect(world.fake.mail(BOB)).toMatchObject([
    { summary: 'Lunch', start: { dateTime: '2026-03-03T18:00:00+01:00' }, kind: 'eventCancellation' },
  ])
})

test('the times of a mail are in the zone of its recipient', async () => {
  const { fake, as } = openCalendar()
  fake.seed({ accounts: [{ email: 'mira@example.com', timeZone: 'Europe/Berlin' }] })
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, attendees: guests('mira@example.com', EVE) })
  expect(fake.mail('mira@example.com')[0]?.start?.dateTime).toBe('2026-03-02T18:00:00+01:00')
  expect(fake.mail(EVE)[0]?.start?.dateTime).toBe('2026-03-02T12:00:00-05:00')
})

/** The lines of the iCalendar part, unfolded. */
function linesOf(message: string): string[] {
  const [, file = ''] = /(BEGIN:VCALENDAR.*END:VCALENDAR)/s.exec(message) ?? []
  return file.replace(/\r\n /g, '').split('\r\n')
}

test('the route of a message has the mail and the event as it was sent', async () => {
  const { fake, alice, bob } = await invited({
    ...lunch,
    summary: 'Mittag – Zoë',
    guestsCanSeeOtherGuests: false,
  })
  await alice.patch(LUNCH, hour('2026-03-02', 13))
  await bob.patch(LUNCH, answer(BOB, 'declined'))
  await alice.delete(LUNCH)
  const idOf = (to: string, kind: string) => fake.mail(to).find((mail) => mail.kind === kind)?.id
  const read = async (id: number | undefined) => fake.request(`/_control/mail/${id}.eml`)

  const changed = await read(idOf(BOB, 'eventChange'))
  expect(changed.headers.get('Content-Type')).toBe('message/rfc822')
  const text = await changed.text()
  expect(text).toContain(`From: ${ALICE}\r\nTo: ${BOB}\r\nSubject: =?utf-8?B?`)
  expect(text).toContain('When: 2026-03-02T19:00:00+01:00 to 2026-03-02T20:00:00+01:00\r\n')
  expect(text).toContain(`\r\nGuests: ${BOB}\r\n`)
  const lines = linesOf(text)
  expect(lines).toEqual(
    expect.arrayContaining(['METHOD:REQUEST', 'DTSTART:20260302T180000Z', 'SUMMARY:Mittag – Zoë', 'STATUS:CONFIRMED']),
  )
  expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([expect.stringContaining(`mailto:${BOB}`)])
  const cancelled = linesOf(await (await read(idOf(BOB, 'eventCancellation'))).text())
  expect(cancelled).toEqual(expect.arrayContaining(['METHOD:CANCEL', 'STATUS:CANCELLED']))
  const replied = linesOf(await (await read(idOf(ALICE, 'eventResponse'))).text())
  expect(replied).toContain('METHOD:REPLY')
  expect(replied.join()).toContain('PARTSTAT=DECLINED')
  expect(await (await fake.request('/_control/mail/99.eml')).json()).toMatchObject({
    error: { message: expect.stringContaining('there is no mail 99') },
  })
})

test('no text of an event adds a header or a part to its message', async () => {
  const { fake, as } = openCalendar()
  const summary = `a\r\nBcc: eve@example.net\r\n--mail-1\r\n${'x'.repeat(900)}`
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, { ...lunch, summary, attendees: guests(BOB) })
  const message = await fake.mail.eml(1)
  expect(message.split('\r\n').filter((line) => line.startsWith('--mail-1'))).toEqual([
    '--mail-1',
    '--mail-1',
    '--mail-1--',
  ])
  expect(message).not.toMatch(/^Bcc/m)
  expect(Math.max(...message.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(998)
})

test('mail.until resolves with the mails that are expected, earlier ones included, and names what came on timeout', async () => {
  const { fake, alice } = await invited()
  await alice.patch(LUNCH, hour('2026-03-02', 13))
  expect(await fake.mail.until(BOB)).toEqual(fake.mail(BOB))
  const waiting = fake.mail.until(BOB, 1, { where: { start: { dateTime: '2026-03-02T20:00:00Z' } } })
  await alice.patch(LUNCH, hour('2026-03-02', 14))
  await alice.patch(LUNCH, hour('2026-03-02', 15))
  expect(await waiting).toMatchObject([{ start: { dateTime: '2026-03-02T21:00:00+01:00' } }])

  await expect(fake.mail.until(EVE, 4, { timeout: 1 })).rejects.toThrow(`mail to ${EVE}: 3 of 4 were sent in time`)
  await expect(fake.mail.until(EVE, 1, { where: { sumary: 'x' } as never })).rejects.toThrow(
    'where: there is no "sumary"; did you mean "summary"?',
  )
})

test('mail.until is met by a reminder that falls due', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(EVENTS, {
    ...lunch,
    reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] },
  })
  const waiting = fake.mail.until(ALICE)
  await fake.advance('2d')
  expect(await waiting).toMatchObject([{ kind: 'reminder', start: { dateTime: '2026-03-02T12:00:00-05:00' } }])
})
