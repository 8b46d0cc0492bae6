import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed } from '../../src/index.ts'
import { ALICE, BOB, type Client, clientOf, hour } from '../support/calendar.ts'

const GMAIL = 'dora@gmail.com'
const EVENTS = '/calendars/primary/events'
const ALL = 'sendUpdates=all'
const at = (day: number, from = 12) => hour(`2026-03-0${day}`, from, 'UTC')

/** Dora's, with a copy on Alice's calendar. */
const MEETING = {
  ...{ id: 'seeded1', ...at(8), organizer: { email: GMAIL }, creator: { email: GMAIL } },
  attendees: [{ email: ALICE }, { email: GMAIL }],
}

/** Bob may read Dora's calendar. Dora has focus time in the morning of the 5th, and mail as her default reminder. */
const SEED: Seed = {
  accounts: [
    { email: ALICE, timeZone: 'UTC' },
    { email: BOB, timeZone: 'UTC' },
    {
      email: GMAIL,
      timeZone: 'UTC',
      calendarList: [{ id: GMAIL, defaultReminders: [{ method: 'email', minutes: 10 }] }],
    },
  ],
  calendars: [
    { id: ALICE, acl: [{ role: 'reader', scope: { type: 'user', value: GMAIL } }], events: [MEETING] },
    { id: GMAIL, acl: [{ role: 'reader', scope: { type: 'user', value: BOB } }], events: [MEETING] },
  ],
}

/** Makes writes in which each mention of Dora is spelled by `spell`, and returns all that can be read after each of them. */
async function play(spell: (address: string) => string): Promise<unknown[]> {
  const seed = JSON.parse(JSON.stringify(SEED), (name, value) =>
    name === 'email' && value === GMAIL ? spell(value) : value,
  )
  const fake = createFakeCalendar({ seed, now: '2026-03-01T00:00:00Z' })
  const as = (account: string): Client => clientOf(fake.request, { Authorization: `Bearer ${account}` })
  const [alice, bob, dora] = [as(ALICE), as(BOB), as(GMAIL)]
  const guest = (more: object = {}) => ({ email: spell(GMAIL), ...more })
  const stranger = () => ({ email: spell('new@gmail.com') })
  const log: unknown[] = []
  const look = async (reply: { body: unknown }) => {
    log.push(reply.body ?? null, fake.mail())
    for (const [who, path] of [
      [alice, EVENTS],
      [dora, EVENTS],
      [dora, `/calendars/${ALICE}/events?maxAttendees=1`],
      [bob, `/calendars/${GMAIL}/events`],
    ] as const)
      log.push((await who.get(path)).body.items)
  }
  const lunch = { id: 'lunch1', ...at(2), guestsCanInviteOthers: true }
  await look(await alice.post(`${EVENTS}?${ALL}`, { ...lunch, attendees: [guest({ resource: true }), { email: BOB }] }))
  await look(
    await dora.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: [guest({ responseStatus: 'accepted', comment: 'Yes' })] }),
  )
  await look(await dora.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: [guest(), stranger()] }))
  await look(
    await dora.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: [guest({ responseStatus: 'accepted' }), stranger()] }),
  )
  await look(
    await alice.patch(`${EVENTS}/lunch1?${ALL}`, {
      attendeesOmitted: true,
      attendees: [guest({ optional: true, responseStatus: 'accepted' })],
    }),
  )
  await look(await alice.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: [guest(), { email: BOB }] }))
  await look(await dora.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: [guest({ responseStatus: 'accepted' })] }))
  const declined = [guest({ responseStatus: 'declined' }), { email: BOB }]
  await look(await alice.patch(`${EVENTS}/lunch1?${ALL}`, { attendees: declined }))
  await look(await alice.patch(`${EVENTS}/lunch1?${ALL}`, { ...at(2, 15), summary: 'Late' }))
  await look(
    await bob.post('/freeBusy', {
      timeMin: '2026-03-01T00:00:00Z',
      timeMax: '2026-03-09T00:00:00Z',
      items: [{ id: GMAIL }],
    }),
  )
  await look(await dora.delete(`${EVENTS}/lunch1?${ALL}`))
  await look(
    await alice.post(`${EVENTS}?${ALL}`, {
      id: 'secret1',
      ...at(3),
      visibility: 'private',
      attendees: [guest({ responseStatus: 'declined' })],
    }),
  )

  const daily = { id: 'series1', ...at(3, 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'], attendees: [guest()] }
  await look(await alice.post(`${EVENTS}?${ALL}`, daily))
  await look(
    await dora.patch(`${EVENTS}/series1_20260304T090000Z?${ALL}`, {
      attendees: [guest({ responseStatus: 'tentative' })],
    }),
  )
  await look(await alice.patch(`${EVENTS}/series1_20260305T090000Z?${ALL}`, { location: 'Elsewhere' }))
  await look(await alice.patch(`${EVENTS}/series1?${ALL}`, { attendees: [guest(), { email: BOB }] }))
  await look(
    await alice.patch(`${EVENTS}/series1?${ALL}`, { end: at(3, 10).end, start: at(3, 9).start, summary: 'Longer' }),
  )
  await look(await alice.patch(`${EVENTS}/series1?${ALL}`, at(3, 8)))
  await look(await alice.patch(`${EVENTS}/series1?${ALL}`, { attendees: [{ email: BOB }] }))

  await look(await alice.post(`${EVENTS}?${ALL}`, { id: 'soon01', ...at(5, 7), attendees: [guest()] }))
  await look(await dora.patch(`${EVENTS}/soon01`, { attendees: [guest({ responseStatus: 'accepted' })] }))
  const focus = {
    eventType: 'focusTime',
    focusTimeProperties: { autoDeclineMode: 'declineOnlyNewConflictingInvitations' },
  }
  await look(await dora.post(EVENTS, { id: 'focus1', ...focus, ...at(5, 7) }))
  await look(await alice.patch(`${EVENTS}/soon01?${ALL}`, { attendees: [guest()] }))
  await look(
    await alice.post(`${EVENTS}/import`, {
      iCalUID: 'x@example.net',
      ...at(6),
      organizer: guest(),
      attendees: [{ email: ALICE }],
    }),
  )
  await look(
    await dora.post(`${EVENTS}?${ALL}`, {
      id: 'mine01',
      ...at(7),
      attendees: [guest({ responseStatus: 'accepted' }), { email: ALICE }],
    }),
  )
  await look(
    await alice.patch(`${EVENTS}/seeded1?${ALL}`, { attendees: [{ email: ALICE, responseStatus: 'accepted' }] }),
  )
  fake.clock.advance('6d')
  await look(await dora.get(EVENTS))
  return log
}

/** Without the spelling, and without the etags, because a write of another spelling alone is a write too. */
const readAlike = (log: unknown[]): unknown =>
  JSON.parse(
    JSON.stringify(log)
      .replaceAll('@googlemail.com', '@gmail.com')
      .replace(/"etag":"[^,]*"/g, '"etag":""'),
  )

const toGooglemail = (address: string) => address.replace('@gmail.com', '@googlemail.com')
/** Chooses the spelling of each mention by the bits of a product, in another order for each number. */
function mixed(nth: number) {
  let mention = 0
  return (address: string) => ((++mention * (2 * nth + 1) * 40_503) & 1024 ? toGooglemail(address) : address)
}

test('1.6 all goes on with googlemail.com as with gmail.com', async () => {
  expect(readAlike(await play(toGooglemail))).toEqual(readAlike(await play((address) => address)))
})

test('1.6 all goes on as well if the spellings are mixed', async () => {
  const expected = readAlike(await play((address) => address))
  for (let nth = 0; nth < 6; nth++) expect([nth, readAlike(await play(mixed(nth)))]).toEqual([nth, expected])
})
