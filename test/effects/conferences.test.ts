import { expect, onTestFinished, test, vi } from 'vitest'
import { ConferenceRequests } from '../../src/model/conferencePolicy.ts'
import { ALICE, errorOf, hour, NOW, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const V1 = '?conferenceDataVersion=1'
const lunch = { id: 'lunch001', ...hour('2026-03-02', 12) }
const request = (requestId = 'r1', type?: string) => ({
  conferenceData: { createRequest: { requestId, ...(type && { conferenceSolutionKey: { type } }) } },
})
const CODE = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/

/** Opens Alice's calendar with a lunch and a conference request, which is completed a second later. */
async function openRequested(body: object = request()) {
  const { as, fake } = openCalendar({ conferences: { delay: '1s' } })
  const alice = as(ALICE)
  const { body: born } = await alice.post(EVENTS + V1, { ...lunch, ...body })
  return { alice, fake, born }
}

test('5.1, 9.4, 9.6 a conference request is pending first, and its completion changes all its fields in one version', async () => {
  const { alice, fake, born } = await openRequested()
  const { body: list } = await alice.get(EVENTS)
  expect(born.conferenceData).toEqual({
    createRequest: {
      requestId: 'r1',
      conferenceSolutionKey: { type: 'hangoutsMeet' },
      status: { statusCode: 'pending' },
    },
  })
  expect(born).not.toHaveProperty('hangoutLink')

  expect(fake.clock.advance('999ms')).toEqual([])
  expect((await alice.get(LUNCH)).body).toEqual(born)
  const at = '2026-03-01T12:00:01.000Z'
  expect(fake.clock.advance('1ms')).toEqual([{ what: 'conference r1 of lunch001', at }])

  const { body } = await alice.get(LUNCH)
  const { conferenceId } = body.conferenceData
  const label = `meet.google.com/${conferenceId}`
  expect(conferenceId).toMatch(CODE)
  expect(JSON.stringify(body.conferenceData)).toBe(
    JSON.stringify({
      createRequest: {
        requestId: 'r1',
        conferenceSolutionKey: { type: 'hangoutsMeet' },
        status: { statusCode: 'success' },
      },
      entryPoints: [{ entryPointType: 'video', uri: `https://${label}`, label }],
      conferenceSolution: {
        key: { type: 'hangoutsMeet' },
        name: 'Google Meet',
        iconUri:
          'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png',
      },
      conferenceId,
    }),
  )
  expect(body.hangoutLink).toBe(`https://${label}`)
  expect(body.updated).toBe(at)
  expect(body.etag).toBe(`"${Date.parse(at) * 2000}"`)
  expect(body.sequence).toBe(0)
  const { body: delta } = await alice.get(`${EVENTS}?syncToken=${encodeURIComponent(list.nextSyncToken)}`)
  expect(delta.items).toEqual([body])
})

test('two equal runs create the same conference', async () => {
  const run = async () => {
    const { alice, fake } = await openRequested()
    fake.clock.advance('1s')
    return (await alice.get(LUNCH)).text
  }
  expect(await run()).toBe(await run())
})

test('9.7 a failed request leaves a status and no entry points', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  fake.conferences.policy({ delay: '1s', outcome: 'failure' })
  await alice.post(EVENTS + V1, { ...lunch, ...request() })
  const { nextSyncToken } = (await alice.get(EVENTS)).body
  fake.clock.advance('1s')
  const { body } = await alice.get(LUNCH)
  expect(body.conferenceData).toEqual({
    createRequest: {
      requestId: 'r1',
      conferenceSolutionKey: { type: 'hangoutsMeet' },
      status: { statusCode: 'failure' },
    },
  })
  expect(body).not.toHaveProperty('hangoutLink')
  expect((await alice.get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)).body.items).toEqual([body])
})

test('9.3 a client cannot set the status of its request', async () => {
  const { alice, born } = await openRequested()
  const createRequest = { requestId: 'r1', status: { statusCode: 'success' } }
  expect((await alice.patch(LUNCH + V1, { conferenceData: { createRequest } })).body).toEqual(born)
  expect((await alice.put(LUNCH + V1, { ...born, conferenceData: { createRequest } })).body).toEqual(born)
})

test('a replaced request creates no conference, and neither does that of a deleted event', async () => {
  const { alice, fake } = await openRequested()
  fake.clock.advance('500ms')
  await alice.patch(LUNCH + V1, request('r2'))
  fake.clock.advance('500ms')
  expect((await alice.get(LUNCH)).body.conferenceData.createRequest).toMatchObject({
    requestId: 'r2',
    status: { statusCode: 'pending' },
  })
  await alice.delete(LUNCH)
  const { body: cleared } = await alice.get(LUNCH)
  fake.clock.advance('1s')
  expect((await alice.get(LUNCH)).body).toEqual(cleared)
  await alice.patch(LUNCH, { status: 'confirmed' })
  fake.clock.advance('1s')
  expect((await alice.get(LUNCH)).body.conferenceData.createRequest.status.statusCode).toBe('success')
})

test.each<['consumer' | 'workspace', object[]]>([
  ['consumer', []],
  ['workspace', [{ signature: null }]],
])(
  '9.4, 9.11, 14.45 the conference of a %s account can be copied, and is dropped if it was altered',
  async (kind, altering) => {
    const { as, fake } = openCalendar({ seed: { accounts: [{ email: ALICE, kind }] }, conferences: { delay: '1s' } })
    const alice = as(ALICE)
    await alice.post(EVENTS + V1, { ...lunch, ...request() })
    fake.clock.advance('1s')
    const { conferenceData, hangoutLink } = (await alice.get(LUNCH)).body
    expect('signature' in conferenceData).toBe(kind === 'workspace')
    const copy = (changes: object) =>
      alice.post(EVENTS + V1, { ...hour('2026-03-03', 12), conferenceData: { ...conferenceData, ...changes } })
    expect((await copy({})).body).toMatchObject({ conferenceData, hangoutLink })
    const altered = [{ ...conferenceData.entryPoints[0], uri: 'https://meet.google.com/aaa-bbbb-ccc' }]
    for (const changes of [
      ...altering,
      { signature: 'AL9oL6' },
      { conferenceId: 'aaa-bbbb-ccc' },
      { entryPoints: altered },
    ]) {
      const { status, body } = await copy(changes)
      expect([status, body.conferenceData, body.hangoutLink]).toEqual([200, undefined, undefined])
    }
    expect((await alice.patch(LUNCH + V1, { conferenceData: { entryPoints: altered } })).body.conferenceData).toEqual(
      conferenceData,
    )
  },
)

const TYPE = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid conference type value.' }

/** The name of the conference and the form of its id, for calendars that allow the type. */
const SOLUTIONS: [type: string, conferenceId: unknown, linked: boolean][] = [
  ['hangoutsMeet', expect.stringMatching(CODE), true],
  ['conferenceMeet', expect.stringMatching(CODE), true],
  ['eventHangout', undefined, true],
  ['eventConference', undefined, true],
  ['eventNamedHangout', expect.any(String), true],
  ['eventNamedConference', expect.any(String), true],
  ['addOn', expect.any(String), false],
]

test.each(SOLUTIONS)(
  '9.9, 14.47 a conference of type %s has the type in the spelling of its request',
  async (type, conferenceId, linked) => {
    const { as, fake } = openCalendar()
    const alice = as(ALICE)
    const allowedConferenceSolutionTypes = ['eventHangout', 'eventNamedHangout', 'hangoutsMeet', 'addOn']
    await alice.patch('/calendars/primary', { conferenceProperties: { allowedConferenceSolutionTypes } })
    await alice.post(EVENTS + V1, { ...lunch, ...request('r1', type) })
    fake.clock.advance('1s')
    const { conferenceData, hangoutLink } = (await alice.get(LUNCH)).body
    expect(conferenceData.createRequest.conferenceSolutionKey).toEqual({ type })
    expect(conferenceData.conferenceSolution.key).toEqual({ type })
    expect(conferenceData.conferenceId).toEqual(conferenceId)
    expect(hangoutLink).toBe(linked ? conferenceData.entryPoints[0].uri : undefined)
  },
)

test('9.13 instances have the conference of their series, and an exception can have its own', async () => {
  const { alice, fake } = await openRequested({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...request() })
  const [first, second, third] = ['02', '03', '04'].map((day) => `${LUNCH}_202603${day}T170000Z`) as [
    string,
    string,
    string,
  ]
  await alice.patch(second, { summary: 'Long lunch' })
  expect(fake.conferences.state().pending).toHaveLength(1)
  await alice.patch(third + V1, request('r3'))
  expect(fake.conferences.state().pending).toHaveLength(2)
  fake.clock.advance('1s')
  const { body: master } = await alice.get(LUNCH)
  expect((await alice.get(first)).body).toMatchObject({
    conferenceData: master.conferenceData,
    hangoutLink: master.hangoutLink,
  })
  const { body: changed } = await alice.get(second)
  expect(changed).toMatchObject({
    summary: 'Long lunch',
    conferenceData: master.conferenceData,
    hangoutLink: master.hangoutLink,
  })
  const { body: own } = await alice.get(third)
  expect(own.conferenceData.createRequest).toMatchObject({ requestId: 'r3', status: { statusCode: 'success' } })
  expect(own.hangoutLink).not.toBe(master.hangoutLink)
  await alice.patch(LUNCH + V1, { conferenceData: null })
  expect((await alice.get(second)).body).not.toHaveProperty('hangoutLink')
  expect((await alice.get(third)).body.hangoutLink).toBe(own.hangoutLink)
})

test('9.14 the setting autoAddHangouts adds a conference to events of clients with version 0', async () => {
  const { as } = openCalendar({
    seed: { accounts: [{ email: ALICE, settings: { autoAddHangouts: 'true' } }] },
    now: NOW,
  })
  const alice = as(ALICE)
  const { body } = await alice.post(EVENTS, hour('2026-03-02', 12))
  expect(body.conferenceData.conferenceId).toMatch(CODE)
  expect(body.hangoutLink).toBe(`https://meet.google.com/${body.conferenceData.conferenceId}`)
  expect((await alice.post(EVENTS + V1, hour('2026-03-02', 12))).body).not.toHaveProperty('conferenceData')
})

test('9.10, 15.20 a service account without a subject gets no conference', async () => {
  const robot = openCalendar().as('robot@project.iam.gserviceaccount.com')
  expect(errorOf(await robot.post(EVENTS + V1, { ...lunch, ...request() }))).toEqual(TYPE)
  expect((await robot.post(EVENTS, { ...lunch, ...request() })).status).toBe(200)
})

test('a request finds open conference requests by event, and never reads all of them', async () => {
  const { as, fake } = openCalendar({ conferences: { mode: 'manual' } })
  const alice = as(ALICE)
  const scans = vi.spyOn(ConferenceRequests.prototype, 'listOpen')
  onTestFinished(() => scans.mockRestore())
  await alice.post(EVENTS + V1, { ...lunch, ...request('r1') })
  await alice.post(EVENTS + V1, { ...lunch, id: 'dinner01', ...request('r2') })
  await alice.get(EVENTS)
  await alice.get(LUNCH)
  await alice.patch(LUNCH, { summary: 'Late lunch' })
  await alice.delete(LUNCH)

  expect(scans).not.toHaveBeenCalled()
  expect(fake.state().conferences?.pending?.map(({ requestId }) => requestId)).toEqual(['r2'])
})
