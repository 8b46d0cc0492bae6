import { expect, test } from 'vitest'
import type { FakeCalendarOptions } from '../../src/index.ts'
import { ALICE, BOB, hour, openCalendar, PEOPLE } from '../support/calendar.ts'
import { channel, openPush } from '../support/push.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const V1 = '?conferenceDataVersion=1'
const lunch = {
  id: 'lunch001',
  ...hour('2026-03-02', 12),
  conferenceData: { createRequest: { requestId: 'r1' } },
}
const statusOf = ({ body }: { body: { conferenceData: { createRequest: { status: { statusCode: string } } } } }) =>
  body.conferenceData.createRequest.status.statusCode

// behaviour 9.3, 14.30
test('a request is pending in the answer to its write, and done from the next request on, though the clock stands', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const { nextSyncToken } = (await alice.get(EVENTS)).body
  const born = await alice.post(EVENTS + V1, lunch)
  expect(statusOf(born)).toBe('pending')
  expect(born.body).not.toHaveProperty('hangoutLink')

  const shown = await alice.get(LUNCH)

  expect(statusOf(shown)).toBe('success')
  expect(shown.body.hangoutLink).toMatch(/^https:\/\/meet/)
  expect(shown.body.etag).not.toBe(born.body.etag)
  const { body: delta } = await alice.get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)
  expect(delta.items).toEqual([shown.body])
  expect((await alice.get(LUNCH)).body).toEqual(shown.body)
})

// behaviour 14.30
test.each([
  ['another method', (alice: Client) => alice.get('/colors')],
  ['another caller', (_: Client, bob: Client) => bob.get('/users/me/calendarList')],
  ['a request that is refused', (alice: Client) => alice.get(`${EVENTS}/none`)],
  ['another write', (alice: Client) => alice.patch(LUNCH, { summary: 'Lunch' })],
])('%s will do', async (_, next) => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(EVENTS + V1, lunch)
  expect(fake.conferences.state().pending).toHaveLength(1)
  expect([200, 404]).toContain((await next(as(ALICE), as(BOB))).status)
  expect(fake.conferences.state().pending).toEqual([])
  expect(statusOf(await as(ALICE).get(LUNCH))).toBe('success')
})
type Client = ReturnType<ReturnType<typeof openCalendar>['as']>

// behaviour 14.30
test('requests on their way at the same time never show what another left pending', async () => {
  const alice = openCalendar().as(ALICE)
  const [, list] = await Promise.all([alice.post(EVENTS + V1, lunch), alice.get(EVENTS)])
  const shown = list.body.items.map((body: Parameters<typeof statusOf>[0]['body']) => statusOf({ body }))
  expect(shown).not.toContain('pending')
})

// behaviour 14.30
test('a part of a batch is a request of its own', async () => {
  const { as, fake } = openCalendar()
  const part = (line: string, body = '') => [
    '--b',
    'Content-Type: application/http',
    '',
    line,
    'Content-Type: application/json',
    '',
    body,
  ]
  const lines = [
    ...part(`POST /calendar/v3${EVENTS}${V1}`, JSON.stringify(lunch)),
    ...part(`GET /calendar/v3${LUNCH}`),
    '--b--',
    '',
  ]
  const reply = await fake.request('/batch/calendar/v3', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'multipart/mixed; boundary=b' },
    body: lines.join('\r\n'),
  })
  expect([...(await reply.text()).matchAll(/"statusCode": "(\w+)"/g)].map(([, code]) => code)).toEqual([
    'pending',
    'success',
  ])
  expect((await as(ALICE).get(LUNCH)).status).toBe(200)
})

// behaviour 14.30
test('the test author sees what is open, and what happens in one world is nothing to another', async () => {
  const { as, fake, anybody } = openCalendar()
  await as(ALICE).post(EVENTS + V1, lunch)
  await as(`blue~${ALICE}`).get(EVENTS)
  const { body } = await anybody.get('/_control/conferences')
  expect(body.pending).toHaveLength(1)
  expect(fake.clock.advance('1w')).toEqual([])
  expect(fake.conferences.state().pending).toHaveLength(1)
})

// behaviour 14.30
test('channels are told', async () => {
  const { as, fake } = openPush()
  await as(ALICE).post(`${EVENTS}/watch`, channel('mine'))
  await as(ALICE).post(EVENTS + V1, lunch)
  await fake.notifications.settled()
  const before = fake.notifications.list().length
  await as(BOB).get('/colors')
  await fake.notifications.settled()
  expect(fake.notifications.list().slice(before)).toMatchObject([{ channelId: 'mine', state: 'exists' }])
})

const WAYS: [name: string, options: FakeCalendarOptions][] = [
  ['a mode', { conferences: 'immediate' }],
  ['a policy', { conferences: { mode: 'immediate' } }],
  ['no delay', { conferences: { delay: 0 } }],
  ['a seed', { seed: { ...PEOPLE, conferences: { policy: { mode: 'immediate' } } } }],
  [
    'a seed over an option',
    { seed: { ...PEOPLE, conferences: { policy: { mode: 'immediate' } } }, conferences: 'manual' },
  ],
]

// behaviour 9.3
test.each(WAYS)(
  '%s may say that a conference is there at once, and a world that begins anew keeps to it',
  async (_, options) => {
    const { as, fake } = openCalendar(options)
    expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
    fake.reset()
    expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
  },
)

// behaviour 9.3
test('an option holds in every world, and for a seed that takes the place of the first', async () => {
  const { as, fake } = openCalendar({ conferences: 'immediate' })
  expect(statusOf(await as(`blue~${ALICE}`).post(EVENTS + V1, lunch))).toBe('success')
  fake.replace(PEOPLE)
  expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
})

test('an option that cannot be is a RangeError', () => {
  expect(() => openCalendar({ conferences: { delay: 'soon' } })).toThrow(RangeError)
  expect(() => openCalendar({ conferences: { phone: { region: 'Mars' } } })).toThrow('no telephone numbers in Mars')
})
