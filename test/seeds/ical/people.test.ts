import { expect, test } from 'vitest'
import { ALICE, BOB } from '../../support/calendar.ts'
import { calendar, event, read, readOne } from './importEvents.ts'

const START = 'DTSTART:20260706T090000Z'
const own = (attendees: { email: string }[] = []) => attendees.map(({ email }) => email)

test('the owner is a guest of an event that another account organizes', async () => {
  const { one } = await readOne(START, 'ORGANIZER;CN=Eve:MAILTO:Eve@Example.net', `ATTENDEE;CN="Bob":mailto:${BOB}`)

  expect(one.organizer).toEqual({ email: 'eve@example.net', displayName: 'Eve' })
  expect(own(one.attendees)).toEqual([BOB, ALICE])
  expect(one.attendees[1]).toEqual({ email: ALICE, self: true, responseStatus: 'needsAction' })
})

test('an event that the calendar itself organizes belongs to its owner', async () => {
  const id = 'team@group.calendar.google.com'
  const lines = [START, `ORGANIZER;CN=Team:mailto:${id}`, `ATTENDEE:mailto:${BOB}`]
  const { seed } = await read(calendar(...event(...lines)), { calendar: id })
  const [one] = seed.calendars?.[0]?.events ?? []

  expect([one?.organizer, one?.attendees?.map(({ email }) => email)]).toEqual([undefined, [BOB]])
})

test('an address is read from mailto, or else from EMAIL; an attendee without one is left out', async () => {
  const { one, reasons } = await readOne(
    START,
    'ATTENDEE;EMAIL=bob@example.com;CN=Bob:urn:uuid:0b0f2a4e',
    'ATTENDEE;CN=Somebody:invalid:nomail',
    'ATTENDEE:mailto:c%2Bd@example.com',
  )

  expect(own(one.attendees)).toEqual([BOB, 'c+d@example.com'])
  expect(reasons).toEqual([
    'the attendee "invalid:nomail" was left out, because it has no e-mail address; write mailto:NAME@HOST',
  ])
})

test('all fields of a guest are kept', async () => {
  const { one } = await readOne(
    START,
    'ATTENDEE;CUTYPE=ROOM;PARTSTAT=ACCEPTED:mailto:room@example.com',
    'ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=TENTATIVE;X-NUM-GUESTS=2:mailto:bob@example.com',
    'ATTENDEE;PARTSTAT=DELEGATED;X-RESPONSE-COMMENT="Perhaps; later":mailto:dan@example.com',
    'ATTENDEE;PARTSTAT=DECLINED:mailto:eve@example.com',
  )

  expect(one.attendees).toEqual([
    { email: 'room@example.com', resource: true, responseStatus: 'accepted' },
    { email: BOB, optional: true, responseStatus: 'tentative', additionalGuests: 2 },
    { email: 'dan@example.com', responseStatus: 'needsAction', comment: 'Perhaps; later' },
    { email: 'eve@example.com', responseStatus: 'declined' },
  ])
})

test.each([
  ['STATUS:TENTATIVE', { status: 'tentative' }],
  ['STATUS:CANCELLED', { status: 'cancelled' }],
  ['STATUS:CONFIRMED', { status: 'confirmed' }],
  ['CLASS:PUBLIC', { visibility: 'public' }],
  ['CLASS:PRIVATE', { visibility: 'private' }],
  ['CLASS:CONFIDENTIAL', { visibility: 'confidential' }],
  ['TRANSP:TRANSPARENT', { transparency: 'transparent' }],
  ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', { transparency: 'transparent' }],
  ['URL:https://example.com/a', { source: { url: 'https://example.com/a', title: 'https://example.com/a' } }],
  ['SUMMARY:a\\, b\\; c\\\\ d\\n e', { summary: 'a, b; c\\ d\n e' }],
  ['SUMMARY:folded\r\n  here', { summary: 'folded here' }],
  ['DESCRIPTION:first\r\nsecond line', { description: 'first\nsecond line' }],
  ['CREATED:20200102T030405Z', { created: '2020-01-02T03:04:05Z' }],
  ['SEQUENCE:4', { sequence: 4 }],
])('%s', async (line, fields) => {
  expect((await readOne(START, line)).one).toMatchObject(fields)
})

test('attachments by link are kept, others left out', async () => {
  const { one, reasons } = await readOne(
    START,
    'ATTACH;FILENAME=Plan.pdf;FMTTYPE=application/pdf:https://example.com/1',
    'ATTACH:https://example.com/notes/minutes.txt?x=1',
    'ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA',
  )

  expect(one.attachments).toEqual([
    { fileUrl: 'https://example.com/1', title: 'Plan.pdf', mimeType: 'application/pdf', iconLink: '' },
    { fileUrl: 'https://example.com/notes/minutes.txt?x=1', title: 'minutes.txt', iconLink: '' },
  ])
  expect(reasons).toEqual([
    'the attachment was left out, because only http and https links are kept; replace it by a link',
  ])
})

test('of several conferences, the first one with a web link is kept, and the others are reported', async () => {
  const { one, reasons } = await readOne(
    START,
    'CONFERENCE;VALUE=URI:sip:room@example.com',
    'CONFERENCE;VALUE=URI:https://video.example.com/1',
    'CONFERENCE;VALUE=URI:https://video.example.com/2',
  )

  expect(one.conferenceData.entryPoints).toMatchObject([{ uri: 'https://video.example.com/1' }])
  expect(reasons).toEqual(
    ['sip:room@example.com', 'https://video.example.com/2'].map(
      (uri) => `the conference "${uri}" was left out, because an event has at most one`,
    ),
  )
})

test('X-GOOGLE-CONFERENCE and CONFERENCE are the conference', async () => {
  const meet = await readOne(START, 'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij')
  const other = await readOne(
    START,
    'CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Join:https://video.example.com/1',
    'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1-555-0100',
  )

  expect(meet.one.hangoutLink).toBe('https://meet.google.com/abc-defg-hij')
  expect(meet.one.conferenceData).toMatchObject({ conferenceId: 'abc-defg-hij' })
  expect(other.one.conferenceData.entryPoints.map(({ uri }: { uri: string }) => uri)).toEqual([
    'https://video.example.com/1',
    'tel:+1-555-0100',
  ])
})
