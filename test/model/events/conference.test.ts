import { expect, test } from 'vitest'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const V1 = '?conferenceDataVersion=1'
const conferenceData = {
  entryPoints: [{ entryPointType: 'video' as const, uri: 'https://hall.example.com/1', label: 'hall.example.com/1' }],
  conferenceSolution: { key: { type: 'hologram' }, name: 'Hall', iconUri: 'https://hall.example.com/icon.png' },
  conferenceId: 'hall-1',
  signature: 'signed elsewhere',
  notes: 'Bring a hat',
}
const TYPE = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid conference type value.' }

/** Opens Alice's lunch with a conference of an unfamiliar type. */
const open = (data: object = conferenceData) => {
  const events = [{ id: 'lunch001', ...hour('2026-03-02', 12), conferenceData: data }]
  const { as, fake } = openCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] } })
  return { alice: as(ALICE), fake }
}

test('9.15, 14.53 a conference of an unfamiliar type is returned as seeded, and has no link', async () => {
  const { alice, fake } = open()
  const { body } = await alice.get(LUNCH)
  expect(body.conferenceData).toEqual(conferenceData)
  expect(body).not.toHaveProperty('hangoutLink')
  expect((await openCalendar({ seed: fake.state() }).as(ALICE).get(LUNCH)).body).toEqual(body)
})

const CHANGES: [name: string, change: object][] = [
  ['its notes', { notes: 'No hats' }],
  ['its entry points', { entryPoints: [{ entryPointType: 'video', uri: 'https://hall.example.com/2' }] }],
  ['its type', { conferenceSolution: { key: { type: 'addOn' } } }],
  ['its create request', { createRequest: { requestId: 'r1' } }],
]

test.each(CHANGES)('9.15, 14.53 %s cannot be modified', async (_, change) => {
  const { alice } = open()
  const { body } = await alice.get(LUNCH)
  expect(errorOf(await alice.patch(LUNCH + V1, { conferenceData: change }))).toEqual(TYPE)
  const whole = { ...body, conferenceData: { ...conferenceData, ...change } }
  expect(errorOf(await alice.put(LUNCH + V1, whole))).toEqual(TYPE)
  expect((await alice.get(LUNCH)).body).toEqual(body)
})

test('14.53 a PUT can send the conference back unchanged, a PATCH can remove it, and other fields stay writable', async () => {
  const { alice } = open()
  const { body } = await alice.get(LUNCH)
  expect((await alice.put(LUNCH + V1, body)).body).toEqual(body)
  const { body: named } = await alice.patch(LUNCH + V1, { summary: 'Lunch' })
  expect(named).toMatchObject({ summary: 'Lunch', conferenceData })
  expect((await alice.patch(LUNCH + V1, { conferenceData: null })).body).not.toHaveProperty('conferenceData')
})

test('14.53 a client cannot create a conference of that type, and a seeded request for one fails', async () => {
  const createRequest = {
    requestId: 'r1',
    conferenceSolutionKey: { type: 'hologram' },
    status: { statusCode: 'pending' },
  }
  const { alice } = open({ createRequest })
  expect(errorOf(await alice.post(EVENTS + V1, { ...hour('2026-03-03', 9), conferenceData }))).toEqual(TYPE)
  expect((await alice.get(LUNCH)).body.conferenceData).toEqual({
    createRequest: { ...createRequest, status: { statusCode: 'failure' } },
  })
})
