import { expect, test } from 'vitest'
import { createFakeCalendar, SeedError } from '../../src/index.ts'
import { ALICE, at, BOB, errorOf, hour, openCalendar, PEOPLE } from '../support/calendar.ts'
import { startCounting } from './steps.ts'

const EVENTS = '/calendars/primary/events'
const EMPTY = { timeZone: '' }
const NAMED = { ...hour('2026-03-02', 9, ''), iCalUID: 'u@x' }

test.each([
  ['patch', '/calendars/primary', EMPTY],
  ['put', '/calendars/primary', { summary: 'Mine', ...EMPTY }],
  ['post', '/calendars', { summary: 'Team', ...EMPTY }],
  ['post', EVENTS, NAMED],
  ['post', `${EVENTS}/import`, NAMED],
  ['post', '/freeBusy', { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-02T00:00:00Z', ...EMPTY }],
  ['post', '/_control/seed', { accounts: [{ email: ALICE, ...EMPTY }] }],
  ['post', '/_control/seed', { accounts: [{ email: ALICE, settings: { timezone: '' } }] }],
  ['post', '/_control/seed', { calendars: [{ id: ALICE, ...EMPTY }] }],
] as const)('13.2.1 an empty zone is invalid: %s %s %j', async (verb, path, body) => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  const reply = await as(ALICE)[verb](path, body)

  expect(reply.status).toBe(400)
  expect(fake.state()).toEqual(before)
  for (const read of [EVENTS, `${EVENTS}?singleEvents=true`]) expect((await as(ALICE).get(read)).status).toBe(200)
})

test('an import ignores the original start of an instance whose zone is unknown', async () => {
  const { as } = openCalendar()
  const originalStartTime = at('2026-03-02T09:00:00', 'Mars')
  const body = { ...hour('2026-03-02', 9), iCalUID: 'u@x', originalStartTime }
  const reply = await as(ALICE).post(`${EVENTS}/import`, body)

  expect(reply.status).toBe(200)
  expect(reply.body).not.toHaveProperty('originalStartTime')
  expect((await as(ALICE).get(`${EVENTS}?singleEvents=true`)).body.items).toHaveLength(1)
})

test('13.2.1 a seed with an empty zone is rejected', () => {
  const seed = { accounts: [{ email: ALICE, timeZone: '' }] }

  expect(() => createFakeCalendar({ seed })).toThrow(
    new SeedError('accounts[0]: Invalid value for: timeZone: no time zone '),
  )
})

const LONG = 'longer than 230 years'

test.each([
  ['post', '/_control/notifications/delay', { by: '20000000w' }, `by: ${LONG}: 20000000w`],
  ['put', '/_control/conferences/policy', { delay: 8.64e15 }, `delay: ${LONG}: 8640000000000000`],
  ['post', '/_control/conferences/expect', { delay: '99999w', times: 1 }, `delay: ${LONG}: 99999w`],
] as const)('%s %s %j is refused, and the error names the bound', async (verb, path, body, message) => {
  const { anonymous } = openCalendar()

  expect(errorOf(await anonymous[verb](path, body)).message).toBe(`Invalid value for: ${message}`)
})

test('a long duration text is rejected in few steps', async () => {
  const { anonymous } = openCalendar()
  const reply = await anonymous.post('/_control/clock/advance', { by: '9'.repeat(60_000) })

  expect(reply.status).toBe(400)
  expect(reply.text.length).toBeLessThan(1000)
})

test.each(['1970-01-01T00:00:00Z', '2199-12-31T23:00:00Z'])('watches and conferences work at %s', async (now) => {
  const { fake, as } = openCalendar({ now })
  fake.onNotification(() => 503)
  fake.conferences.policy({ delay: '1s' })
  fake.notifications.delay('230w')
  await as(ALICE).post(`${EVENTS}/watch`, { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' })
  const conferenceData = { createRequest: { requestId: 'r1' } }
  expect(
    (await as(ALICE).post(`${EVENTS}?conferenceDataVersion=1`, { conferenceData, ...hour('2026-03-02', 9) })).status,
  ).toBe(200)
  await fake.notifications.settled()

  expect(await fake.advance('30m')).toEqual(
    expect.arrayContaining([expect.objectContaining({ what: expect.stringMatching(/^conference/) })]),
  )
})

test('reading settings writes nothing, and a refused read creates no account', async () => {
  const { fake, as } = openCalendar()
  const before = JSON.stringify(fake.state())

  for (const path of ['/users/me/settings', '/users/me/settings/locale']) {
    expect((await as(BOB).get(path)).status).toBe(200)
  }
  expect((await as('new@example.com').get('/users/me/settings/nothing')).status).toBe(404)
  expect((await as('new@example.com').get('/users/me/settings?maxResults=x')).status).toBe(400)

  expect(JSON.stringify(fake.state())).toBe(before)
})

test('the steps of seeding accounts are linear in their number', () => {
  const work = startCounting()
  const stepsOf = (count: number) => {
    const accounts = Array.from({ length: count }, (_, n) => ({ email: `person${n}@example.com` }))
    createFakeCalendar({ seed: [PEOPLE, { accounts }] })
    return work.takeCount()
  }
  stepsOf(10)
  const [few, many] = [stepsOf(1000), stepsOf(8000)]
  work.stop()

  expect(few).toBeGreaterThan(1000)
  expect(many / few).toBeLessThan(10)
})
