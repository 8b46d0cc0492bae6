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

test('9.3, 14.30 a conference request is pending in the reply to its write, and done from the next request on, with a frozen clock', async () => {
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

test.each([
  ['a request to another method', (alice: Client) => alice.get('/colors')],
  ['a request of another caller', (_: Client, bob: Client) => bob.get('/users/me/calendarList')],
  ['a refused request', (alice: Client) => alice.get(`${EVENTS}/none`)],
  ['a second write', (alice: Client) => alice.patch(LUNCH, { summary: 'Lunch' })],
])('14.30 %s completes the conference request', async (_, next) => {
  const { as, fake } = openCalendar()
  await as(ALICE).post(EVENTS + V1, lunch)
  expect(fake.conferences.state().pending).toHaveLength(1)
  expect([200, 404]).toContain((await next(as(ALICE), as(BOB))).status)
  expect(fake.conferences.state().pending).toEqual([])
  expect(statusOf(await as(ALICE).get(LUNCH))).toBe('success')
})
type Client = ReturnType<ReturnType<typeof openCalendar>['as']>

test('14.30 concurrent requests never show a conference request that another left pending', async () => {
  const alice = openCalendar().as(ALICE)
  const [, list] = await Promise.all([alice.post(EVENTS + V1, lunch), alice.get(EVENTS)])
  const shown = list.body.items.map((body: Parameters<typeof statusOf>[0]['body']) => statusOf({ body }))
  expect(shown).not.toContain('pending')
})

test('11.8 an etag still matches after a conference is created, until a client writes', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const born = (await alice.post(EVENTS + V1, lunch)).body
  const ifBorn = { 'If-Match': born.etag }

  const patched = await alice.patch(LUNCH, { summary: 'Lunch' }, ifBorn)
  expect(patched.status).toBe(200)
  expect(statusOf(patched)).toBe('success')

  expect((await alice.patch(LUNCH, { summary: 'Dinner' }, ifBorn)).status).toBe(412)
  expect((await alice.put(LUNCH, lunch, ifBorn)).status).toBe(412)
  expect((await alice.delete(LUNCH, undefined, ifBorn)).status).toBe(412)
})

test('11.8 the etag also matches for PUT and DELETE, a series and its instances, and a guest’s copy', async () => {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const series = { ...lunch, id: 'series01', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], attendees: [{ email: BOB }] }
  const path = `${EVENTS}/series01`
  const moved = `${path}_20260302T170000Z`
  await alice.post(EVENTS, { ...series, conferenceData: undefined })
  await alice.patch(moved, { summary: 'Moved' })
  const copy = (await bob.get(path)).body
  const pending = (await alice.patch(path + V1, { conferenceData: series.conferenceData })).body
  const ofBob = (await bob.get(path)).body

  expect(ofBob.etag).not.toBe(pending.etag)
  expect((await bob.patch(path, { colorId: '2' }, { 'If-Match': copy.etag })).status).toBe(412)
  expect((await alice.patch(moved, { location: 'Roof' }, { 'If-Match': pending.etag })).status).toBe(200)
  expect((await alice.delete(path, undefined, { 'If-Match': pending.etag })).status).toBe(412)

  const again = (await alice.post(EVENTS + V1, lunch)).body
  const put = await alice.put(LUNCH + V1, again, { 'If-Match': again.etag })
  expect(statusOf(put)).toBe('success')
  expect(put.body.hangoutLink).toMatch(/^https:/)
  const last = (await alice.post(EVENTS + V1, { ...lunch, id: 'lunch002' })).body
  expect((await alice.delete(`${EVENTS}/lunch002`, undefined, { 'If-Match': last.etag })).status).toBe(204)
})

test('14.30 each part of a batch counts as a request', async () => {
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

test('14.30 the control API lists pending conference requests, and requests in one world complete none in another', async () => {
  const { as, fake, anonymous } = openCalendar()
  await as(ALICE).post(EVENTS + V1, lunch)
  await as(`blue~${ALICE}`).get(EVENTS)
  const { body } = await anonymous.get('/_control/conferences')
  expect(body.pending).toHaveLength(1)
  expect(fake.clock.advance('1w')).toEqual([])
  expect(fake.conferences.state().pending).toHaveLength(1)
})

test('14.30 completing a conference request sends a message to channels', async () => {
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
  ['the option of a mode', { conferences: 'immediate' }],
  ['the option of a policy', { conferences: { mode: 'immediate' } }],
  ['the option of no delay', { conferences: { delay: 0 } }],
  ['a seed', { seed: { ...PEOPLE, conferences: { policy: { mode: 'immediate' } } } }],
  [
    'a seed over an option',
    { seed: { ...PEOPLE, conferences: { policy: { mode: 'immediate' } } }, conferences: 'manual' },
  ],
]

test.each(WAYS)('9.3 %s creates conferences at once, also after a reset', async (_, options) => {
  const { as, fake } = openCalendar(options)
  expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
  fake.reset()
  expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
})

test('9.3 the conferences option applies to every world, and after a replacement of the seed', async () => {
  const { as, fake } = openCalendar({ conferences: 'immediate' })
  expect(statusOf(await as(`blue~${ALICE}`).post(EVENTS + V1, lunch))).toBe('success')
  fake.replace(PEOPLE)
  expect(statusOf(await as(ALICE).post(EVENTS + V1, lunch))).toBe('success')
})

test('an invalid conferences option throws a RangeError', () => {
  expect(() => openCalendar({ conferences: { delay: 'soon' } })).toThrow(RangeError)
  expect(() => openCalendar({ conferences: { phone: { region: 'Mars' } } })).toThrow('no telephone numbers in Mars')
})
