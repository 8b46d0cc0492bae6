import { expect, test, vi } from 'vitest'
import { createFakeCalendar, SeedError } from '../../../src/index.ts'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const CONTROL = '/_control/conferences'

/** Alice's client, with functions that request a conference and return its status. */
function open() {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  const insertRequest = (requestId: string, id = 'lunch001') =>
    alice.post(`${EVENTS}?conferenceDataVersion=1`, {
      id,
      ...hour('2026-03-02', 12),
      conferenceData: { createRequest: { requestId } },
    })
  const status = async (id = 'lunch001') => {
    const { body } = await alice.get(`${EVENTS}/${id}`)
    return body.conferenceData.createRequest.status.statusCode
  }
  return { alice, fake, insertRequest, status }
}

test('by default a conference request is completed by the next request of its world', async () => {
  const { alice, insertRequest } = open()
  await insertRequest('r1')
  expect((await alice.get(CONTROL)).body).toEqual({
    policy: { mode: 'nextRequest', outcome: 'success' },
    rules: [],
    pending: [{ calendarId: ALICE, eventId: 'lunch001', requestId: 'r1', outcome: 'success', nextRequest: true }],
  })
})

test('a delay completes the conference request by the world’s clock', async () => {
  const { alice, fake, insertRequest, status } = open()
  await alice.put(`${CONTROL}/policy`, { delay: '1m', outcome: 'failure' })
  await insertRequest('r1')
  expect((await alice.get(CONTROL)).body.pending).toEqual([
    { calendarId: ALICE, eventId: 'lunch001', requestId: 'r1', outcome: 'failure', due: '2026-03-01T12:01:00.000Z' },
  ])
  fake.clock.advance('59s')
  expect(await status()).toBe('pending')
  fake.clock.advance('1s')
  expect(await status()).toBe('failure')
})

test('the due time of a request that was completed early does not complete a later one', async () => {
  const { alice, fake, insertRequest, status } = open()
  await alice.put(`${CONTROL}/policy`, { delay: '10s' })
  await insertRequest('r1')
  fake.conferences.settle({ requestId: 'r1' })
  await alice.put(`${CONTROL}/policy`, { delay: '1m' })
  await insertRequest('r2', 'lunch002')
  fake.clock.advance('10s')

  expect(await status('lunch002')).toBe('pending')
})

test('a real clock completes the conference request by itself', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  try {
    const { alice, fake, insertRequest, status } = open()
    fake.clock.real()
    fake.conferences.policy({ delay: '1s' })
    await insertRequest('r1')
    vi.advanceTimersByTime(999)
    expect(await status()).toBe('pending')
    vi.advanceTimersByTime(1)
    expect(await status()).toBe('success')
    expect((await alice.get(CONTROL)).body.pending).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('9.3 a number of reads completes the conference request, of the event or of a list with it', async () => {
  const { alice, insertRequest, status } = open()
  await alice.put(`${CONTROL}/policy`, { reads: 3 })
  await insertRequest('r1')
  expect(await status()).toBe('pending')
  expect((await alice.get(EVENTS)).body.items[0].conferenceData.createRequest.status.statusCode).toBe('pending')
  await alice.get(`${EVENTS}?timeMin=2027-01-01T00:00:00Z`)
  expect(await status()).toBe('pending')
  expect(await status()).toBe('success')
})

test.each([{ mode: 'immediate' }, { delay: 0 }, { delay: '0s' }])(
  '9.3 %j completes the conference request at once',
  async (options) => {
    const { alice, insertRequest } = open()
    await alice.put(`${CONTROL}/policy`, options)
    const { body } = await insertRequest('r1')
    expect(body.conferenceData.createRequest.status.statusCode).toBe('success')
    expect(body.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\//)
    expect((await alice.get(`${EVENTS}/lunch001`)).body).toEqual(body)
  },
)

test('in manual mode only `settle` completes a conference request, with the given outcome', async () => {
  const { alice, fake, insertRequest, status } = open()
  await alice.put(`${CONTROL}/policy`, { mode: 'manual' })
  await insertRequest('r1')
  await insertRequest('r2', 'dinner001')
  fake.clock.advance('1w')
  expect([await status(), await status('dinner001')]).toEqual(['pending', 'pending'])
  const { body } = await alice.post(`${CONTROL}/settle`, { requestId: 'r1', outcome: 'failure' })
  expect(body).toEqual({ settled: [{ calendarId: ALICE, eventId: 'lunch001', requestId: 'r1', outcome: 'failure' }] })
  expect([await status(), await status('dinner001')]).toEqual(['failure', 'pending'])
  expect(fake.conferences.settle()).toMatchObject([{ requestId: 'r2', outcome: 'success' }])
  expect(await status('dinner001')).toBe('success')
})

test('rules for a request, for an event and for the next requests have priority over the policy', async () => {
  const { alice, fake, insertRequest, status } = open()
  fake.conferences.expect({ times: 2, outcome: 'failure' })
  fake.conferences.expect({ requestId: 'good', mode: 'immediate', outcome: 'success' })
  await alice.post(`${CONTROL}/expect`, { eventId: 'late001', delay: '1h' })
  const ids = ['one001', 'good001', 'late001', 'four001', 'three001']
  const requests = ['r1', 'good', 'r3', 'r4', 'r5']
  for (const [at, id] of ids.entries()) await insertRequest(requests[at] ?? '', id)
  fake.clock.advance('1s')
  expect(await Promise.all(ids.map(status))).toEqual(['failure', 'success', 'pending', 'failure', 'success'])
  expect(fake.conferences.state().rules).toHaveLength(2)
})

test('of two rules for one request the later one applies', async () => {
  const { fake, insertRequest, status } = open()
  fake.conferences.expect({ requestId: 'r1', outcome: 'failure' })
  fake.conferences.expect({ requestId: 'r1', outcome: 'success' })
  await insertRequest('r1')
  fake.clock.advance('1s')
  expect(await status()).toBe('success')
})

test('a refused request consumes no rule', async () => {
  const { alice, fake, insertRequest } = open()
  fake.conferences.expect({ times: 1, outcome: 'failure' })
  const { status } = await alice.post(`${EVENTS}?conferenceDataVersion=1`, {
    ...hour('2026-03-02', 12),
    colorId: '99',
    conferenceData: { createRequest: { requestId: 'r0' } },
  })
  expect(status).toBe(400)
  expect(fake.conferences.state().rules).toHaveLength(1)
  await insertRequest('r1')
  expect(fake.conferences.state().rules).toEqual([])
})

const BAD: [verb: 'put' | 'post', path: string, body: object, message: RegExp][] = [
  ['put', `${CONTROL}/policy`, { delay: 'soon' }, /^Invalid value for: delay: not a duration: soon/],
  ['put', `${CONTROL}/policy`, { reads: 0 }, /^Invalid value for: reads: /],
  ['put', `${CONTROL}/policy`, { delay: 1, reads: 1 }, /^Invalid value for: reads: give either delay or reads/],
  ['put', `${CONTROL}/policy`, { mode: 'later' }, /^Invalid value for: mode: /],
  ['put', `${CONTROL}/policy`, { outcome: 'perhaps' }, /^Invalid value for: outcome: /],
  ['put', `${CONTROL}/policy`, { wait: 1 }, /wait/],
  ['post', `${CONTROL}/expect`, { outcome: 'failure' }, /^Invalid value for: requestId: give one of requestId, eventId and times/],
  ['post', `${CONTROL}/expect`, { times: 0 }, /^Invalid value for: times: /],
  ['post', `${CONTROL}/expect`, { next: 1 }, /next/],
  ['post', `${CONTROL}/expect`, { requestId: 'r1', times: 1 }, /give one of requestId, eventId and times/],
  ['put', `${CONTROL}/policy`, { phone: { region: 'XX' } }, /no telephone numbers in XX/],
  ['post', `${CONTROL}/expect`, { times: 1, delay: 'soon' }, /^Invalid value for: delay: /],
  ['post', `${CONTROL}/settle`, { requestId: 'r9' }, /^Invalid value for: requestId: no request for a conference is pending for r9/],
  ['post', `${CONTROL}/settle`, { eventId: 'e9' }, /^Invalid value for: eventId: no request for a conference is pending for e9/],
] // biome-ignore format: a table

test.each(BAD)('%s %s %o is refused with its field', async (verb, path, body, message) => {
  const { alice } = open()
  const { body: before } = await alice.get(CONTROL)
  const refused = errorOf(await alice[verb](path, body))
  expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(message) })
  expect((await alice.get(CONTROL)).body).toEqual(before)
})

test('a reset drops the policy and pending conference requests', async () => {
  const { fake, insertRequest } = open()
  const before = fake.conferences.state()
  fake.conferences.policy({ mode: 'manual' })
  fake.conferences.expect({ times: 3, outcome: 'failure' })
  await insertRequest('r1')
  fake.reset()
  expect(fake.conferences.state()).toEqual(before)
  expect(fake.clock.advance('1h')).toEqual([])
})

test('a restored state completes pending conference requests like the original world', async () => {
  const { alice, fake, insertRequest } = open()
  await insertRequest('r1')
  fake.conferences.policy({ reads: 2, outcome: 'failure' })
  await insertRequest('r2', 'dinner001')
  await alice.get(`${EVENTS}/dinner001`)
  const other = createFakeCalendar({ seed: fake.state() })
  const shown = async (world: typeof other) => {
    world.clock.advance('1s')
    const headers = { Authorization: `Bearer ${ALICE}` }
    await world.request(`/calendar/v3${EVENTS}/dinner001`, { headers })
    return (await world.request(`/calendar/v3${EVENTS}?fields=items`, { headers })).text()
  }
  const [first, second] = [await shown(fake), await shown(other)]
  expect(second).toBe(first)
  const statuses = JSON.parse(first).items.map(
    ({ conferenceData }: { conferenceData: { createRequest: object } }) => conferenceData.createRequest,
  )
  expect(statuses).toMatchObject([{ status: { statusCode: 'success' } }, { status: { statusCode: 'failure' } }])
})

test('a seed can set the policy, and contain an event with a pending conference request', async () => {
  const start = hour('2026-03-02', 12)
  const seed = {
    conferences: { policy: { delay: '5s' } },
    accounts: [{ email: ALICE }],
    calendars: [{ id: ALICE, events: [{ id: 'lunch001', ...start, conferenceData: { createRequest: { requestId: 'r1', status: { statusCode: 'pending' } } } }] }],
  } // biome-ignore format: a seed
  const { as, fake } = openCalendar({ seed })
  fake.clock.advance('5s')
  expect((await as(ALICE).get(`${EVENTS}/lunch001`)).body.hangoutLink).toMatch(/^https:\/\/meet/)
  expect(() => createFakeCalendar({ seed: { conferences: { policy: { delay: 'soon' } } } })).toThrow(SeedError)
})
