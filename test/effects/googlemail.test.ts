import { expect, test } from 'vitest'
import { fromICalendar } from '../../src/ical.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { ALICE, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { id: 'lunch1', ...hour('2026-03-02', 12, 'UTC') }
const [GMAIL, GOOGLEMAIL] = ['dora@gmail.com', 'dora@googlemail.com']

async function invite(email = 'Dora@GoogleMail.com') {
  const { fake, as } = openCalendar({ seed: { accounts: [{ email: GMAIL }] } })
  const [alice, dora] = [as(ALICE), as(GMAIL)]
  const { body } = await alice.post(`${EVENTS}?sendUpdates=all`, { ...LUNCH, attendees: [{ email }] })
  return { fake, alice, dora, body }
}

test('1.6 a googlemail address is shown as it was written, and is the account of its gmail address', async () => {
  const { fake, dora, body } = await invite()
  expect(body.attendees).toMatchObject([{ email: GOOGLEMAIL, responseStatus: 'needsAction' }])

  const copy = (await dora.get(`${EVENTS}/lunch1`)).body
  expect(copy.attendees).toMatchObject([{ email: GOOGLEMAIL, self: true }])
  expect(fake.mail(GMAIL)).toMatchObject([{ kind: 'eventCreation' }])
})

test('1.6 the guest of a googlemail address answers, and keeps the spelling', async () => {
  const { alice, dora } = await invite()
  const { attendees } = (await dora.get(`${EVENTS}/lunch1`)).body
  await dora.patch(`${EVENTS}/lunch1`, { attendees: [{ ...attendees[0], responseStatus: 'accepted' }] })

  const { body } = await alice.get(`${EVENTS}/lunch1`)
  expect(body.attendees).toEqual([expect.objectContaining({ email: GOOGLEMAIL, responseStatus: 'accepted' })])
})

test('1.6 both spellings are one guest, shown as written last', async () => {
  const { alice, dora } = await invite()
  const attendees = [{ email: GOOGLEMAIL }, { email: GMAIL, optional: true }]
  const { body } = await alice.patch(`${EVENTS}/lunch1`, { attendees })
  expect(body.attendees).toMatchObject([{ email: GMAIL, optional: true }])

  await alice.patch(`${EVENTS}/lunch1`, { attendees: [] })
  expect((await dora.get(`${EVENTS}/lunch1`)).body.status).toBe('cancelled')
})

test('1.6 a declined event of a googlemail guest is not busy', async () => {
  const { dora } = await invite()
  await dora.patch(`${EVENTS}/lunch1`, { attendees: [{ email: GMAIL, responseStatus: 'declined' }] })
  const query = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z', items: [{ id: GMAIL }] }
  expect((await dora.post('/freeBusy', query)).body.calendars[GMAIL].busy).toEqual([])
})

test('1.6 an address that is invited before it has an account finds the invitation', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, { ...LUNCH, attendees: [{ email: 'late@googlemail.com' }] })

  expect((await as('late@gmail.com').get(EVENTS)).body.items).toMatchObject([{ id: 'lunch1' }])
})

test('1.6 a write of another spelling alone is no news to the guest', async () => {
  const { fake, alice } = await invite()
  const attendees = [{ email: GMAIL, responseStatus: 'needsAction' }]
  await alice.patch(`${EVENTS}/lunch1?sendUpdates=all`, { attendees })

  expect(fake.mail(GMAIL)).toHaveLength(1)
})

test('1.6 a guest who may invite nobody may spell another guest otherwise', async () => {
  const { as } = openCalendar({ seed: { accounts: [{ email: GMAIL }] } })
  const kim = (domain: string) => ({ email: `kim@${domain}` })
  const attendees = [{ email: GMAIL }, kim('googlemail.com')]
  await as(ALICE).post(EVENTS, { ...LUNCH, guestsCanInviteOthers: false, attendees })
  const { status } = await as(GMAIL).patch(`${EVENTS}/lunch1`, { attendees: [{ email: GMAIL }, kim('gmail.com')] })

  expect(status).toBe(200)
})

test('1.6 attendees that are added to a long list replace those of another spelling', async () => {
  const { alice } = await invite()
  const { body } = await alice.patch(`${EVENTS}/lunch1`, { attendeesOmitted: true, attendees: [{ email: GMAIL }] })

  expect(body.attendees).toMatchObject([{ email: GMAIL }])
})

test('1.6 an import shows the organizer as written', async () => {
  const { as } = openCalendar()
  const event = {
    iCalUID: 'x@example.net',
    ...LUNCH,
    organizer: { email: 'Kim@googlemail.com' },
    attendees: [{ email: ALICE }],
  }
  const { body } = await as(ALICE).post(`${EVENTS}/import`, event)

  expect(body.organizer).toEqual({ email: 'kim@googlemail.com' })
})

test('1.6 seeds and iCalendar files keep the spelling of people', async () => {
  const person = { email: 'Kim@googlemail.com' }
  const event = { ...LUNCH, organizer: person, creator: person, attendees: [person, { email: ALICE }] }
  const seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [event] }] }
  const fake = createFakeCalendar({ seed, now: '2026-03-01T00:00:00Z' })
  const headers = { Authorization: `Bearer ${ALICE}` }
  const shown = await (await fake.request(`/calendar/v3${EVENTS}/lunch1`, { headers })).json()
  const kim = { email: 'kim@googlemail.com' }
  expect(shown).toMatchObject({
    organizer: kim,
    creator: kim,
    attendees: [{ ...kim, organizer: true }, { self: true }],
  })

  const { calendars } = await fromICalendar(await (await fake.request(fake.ical(ALICE).private)).text(), {
    owner: ALICE,
  })
  expect(calendars?.[0]?.events?.[0]).toMatchObject({ organizer: kim, attendees: [kim, { email: ALICE }] })
})
