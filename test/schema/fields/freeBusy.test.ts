import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, errorOf, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { channel, openPush } from '../../support/push.ts'

const GROUP = 'all@example.com'
const DAY = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
const queryFreeBusy = async (body: object) => {
  const alice = openCalendar({ seed: { ...PEOPLE, groups: [{ email: GROUP, members: [ALICE, BOB] }] } }).as(ALICE)
  expect((await alice.post('/calendars/primary/events', hour('2026-03-02', 9))).status).toBe(200)
  return alice.post('/freeBusy', { ...DAY, ...body })
}
const busy = { start: '2026-03-02T14:00:00Z', end: '2026-03-02T15:00:00Z' }
const all = { items: [{ id: 'primary' }, { id: GROUP }, { id: CAROL }] }

test.each([
  ['FreeBusyResponse.kind', ['kind'], 'calendar#freeBusy'],
  ['FreeBusyResponse.timeMin', ['timeMin'], '2026-03-02T00:00:00.000Z'],
  ['FreeBusyResponse.timeMax', ['timeMax'], '2026-03-03T00:00:00.000Z'],
  ['FreeBusyResponse.calendars', ['calendars', 'primary'], { busy: [busy] }],
  ['FreeBusyResponse.groups', ['groups'], { [GROUP]: { calendars: [ALICE, BOB] } }],
  ['FreeBusyCalendar.busy', ['calendars', ALICE, 'busy'], [busy]],
  ['FreeBusyCalendar.errors', ['calendars', CAROL, 'errors'], [{ domain: 'global', reason: 'notFound' }]],
  ['FreeBusyGroup.calendars', ['groups', GROUP, 'calendars'], [ALICE, BOB]],
  ['TimePeriod.start', ['calendars', 'primary', 'busy', '0', 'start'], busy.start],
  ['TimePeriod.end', ['calendars', 'primary', 'busy', '0', 'end'], busy.end],
  ['Error.domain', ['calendars', CAROL, 'errors', '0', 'domain'], 'global'],
  ['Error.reason', ['calendars', CAROL, 'errors', '0', 'reason'], 'notFound'],
])('10.2, 10.3, 10.5, 10.6, 10.7 %s: returned in the reply', async (_, path, expected) => {
  const { body } = await queryFreeBusy(all)
  expect(path.reduce((value, key) => value?.[key], body)).toEqual(expected)
})

test('FreeBusyGroup.errors: returned for a group that is too large', async () => {
  const { body } = await queryFreeBusy({ items: [{ id: GROUP }], groupExpansionMax: 1 })
  expect(body.groups[GROUP]).toEqual({ errors: [{ domain: 'global', reason: 'groupTooBig' }] })
})

test.each([
  ['FreeBusyRequest.timeMin', { timeMin: null }, 400],
  ['FreeBusyRequest.timeMax', { timeMax: DAY.timeMin }, 400],
  ['FreeBusyRequest.timeZone', { timeZone: 'Nowhere' }, 400],
  ['FreeBusyRequest.groupExpansionMax', { groupExpansionMax: 101 }, 400],
  ['FreeBusyRequest.calendarExpansionMax', { calendarExpansionMax: 51 }, 400],
  ['FreeBusyRequest.items', { items: 'primary' }, 400],
  ['FreeBusyRequestItem.id', { items: [{}] }, 400],
])('10.1, 10.4, 10.8, 10.12 %s: an invalid value is refused, and a valid one accepted', async (_, body, status) => {
  expect(errorOf(await queryFreeBusy({ ...all, ...body })).status).toBe(status)
  expect(
    (await queryFreeBusy({ ...all, timeZone: 'Asia/Tokyo', groupExpansionMax: 100, calendarExpansionMax: 50 })).body,
  ).toMatchObject({
    calendars: { primary: { busy: [{ start: '2026-03-02T23:00:00+09:00', end: '2026-03-03T00:00:00+09:00' }] } },
  })
})

const WATCH = '/calendars/primary/events/watch'

test.each([
  ['Channel.kind', 'api#channel'],
  ['Channel.id', 'mine'],
  ['Channel.resourceId', expect.stringMatching(/^[\w-]{27}$/)],
  ['Channel.resourceUri', expect.stringMatching(/\/calendars\/primary\/events\?alt=json$/)],
  ['Channel.token', 'me'],
  ['Channel.expiration', String(Date.parse('2026-03-01T13:00:00Z'))],
  ['Channel.params', undefined],
  ['Channel.payload', undefined],
  ['Channel.address', undefined],
  ['Channel.type', undefined],
])('6.1.1, 6.1.2 %s: returned by a watch', async (field, expected) => {
  const extra = { token: 'me', params: { ttl: '3600' }, payload: true }
  const { status, body } = await openPush()
    .as(ALICE)
    .post(WATCH, channel('mine', undefined, extra))
  expect([status, body[field.slice('Channel.'.length)]]).toEqual([200, expected])
})
