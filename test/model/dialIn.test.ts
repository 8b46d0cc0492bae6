import { expect, test } from 'vitest'
import type { FakeCalendarOptions } from '../../src/index.ts'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const V1 = '?conferenceDataVersion=1'
const lunch = { ...hour('2026-03-02', 12), conferenceData: { createRequest: { requestId: 'r1' } } }

/** Alice's account is one of Workspace, Bob's a consumer's. */
const open = (more: FakeCalendarOptions = {}) =>
  openCalendar({
    seed: {
      accounts: [
        { email: ALICE, kind: 'workspace' },
        { email: BOB, settings: { autoAddHangouts: 'true' } },
      ],
    },
    conferences: 'immediate',
    ...more,
  })

test('9.5, 9.16, 14.54 a conference of a Workspace account can be joined by phone', async () => {
  const { as } = open({ conferences: { mode: 'immediate', phone: { region: 'DE' } } })
  const { conferenceData } = (await as(ALICE).post(EVENTS + V1, lunch)).body
  const [video, more, phone] = conferenceData.entryPoints
  const { conferenceId } = conferenceData
  expect(conferenceData.entryPoints).toHaveLength(3)
  expect(video).toEqual({
    entryPointType: 'video',
    uri: `https://meet.google.com/${conferenceId}`,
    label: `meet.google.com/${conferenceId}`,
  })
  expect(more).toEqual({
    entryPointType: 'more',
    uri: `https://tel.meet/${conferenceId}?pin=${more.pin}`,
    pin: expect.stringMatching(/^\d{13}$/),
  })
  expect(JSON.stringify(phone)).toMatch(
    /^\{"regionCode":"DE","entryPointType":"phone","uri":"tel:\+49-40-\d{10}","label":"\+49 40 \d{10}","pin":"\d{9}"\}$/,
  )
  expect(phone.uri).toBe(`tel:${phone.label.replaceAll(' ', '-')}`)
  expect(conferenceData.signature).toMatch(/^AL9oL6/)
})

test('9.5 a conference of a consumer account cannot be joined by phone', async () => {
  const { as } = open()
  for (const { body } of [await as(BOB).post(EVENTS + V1, lunch), await as(BOB).post(EVENTS, hour('2026-03-03', 9))]) {
    expect(body.conferenceData.entryPoints).toMatchObject([{ entryPointType: 'video' }])
  }
})

test('14.54 phone numbers are American unless the policy or a rule sets a region, and a calendar has those of its owner’s policy', async () => {
  const { as, fake } = open()
  const { body: team } = await as(ALICE).post('/calendars', { summary: 'Team' })
  fake.conferences.expect({ requestId: 'r2', mode: 'immediate', phone: { region: 'GB' } })
  const region = async (requestId: string) => {
    const event = { ...lunch, conferenceData: { createRequest: { requestId } } }
    const { body } = await as(ALICE).post(`/calendars/${team.id}/events${V1}`, event)
    return body.conferenceData.entryPoints[2].regionCode
  }
  expect([await region('r1'), await region('r2')]).toEqual(['US', 'GB'])
  fake.conferences.policy({ phone: { region: 'SE' } })
  expect([await region('r3'), fake.conferences.state().policy]).toEqual([
    'SE',
    { mode: 'immediate', outcome: 'success', phone: { region: 'SE' } },
  ])
})

test('9.11 a conference with all entry points is copied with its signature, and a restored world creates equal ones', async () => {
  const first = open()
  const { conferenceData } = (await first.as(ALICE).post(EVENTS + V1, lunch)).body
  const { body: copy } = await first.as(ALICE).post(EVENTS + V1, { ...hour('2026-03-03', 9), conferenceData })
  expect(copy.conferenceData).toEqual(conferenceData)
  const second = openCalendar({ seed: first.fake.state() })
  expect(second.fake.state()).toEqual(first.fake.state())
  const next = async ({ as }: typeof first) => (await as(ALICE).post(EVENTS + V1, lunch)).body.conferenceData
  expect(await next(second)).toEqual(await next(first))
})
