import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'
import { type FieldRow, testFields, testServiceFields, WRONG_KIND } from '../../support/fields.ts'

const DAVE = 'dave@example.net'
const dave = (fields: object) => ({ attendees: [{ email: DAVE, ...fields }] })

type Cells = Omit<FieldRow, 'field' | 'path' | 'write' | 'patch' | 'clear'>

/** A field of one attendee: the array is replaced by every write. */
const attendee = (name: string, wrote: unknown, patched: unknown, more: Partial<Cells> & Pick<Cells, 'bad'>): FieldRow => ({
  field: `EventAttendee.${name}`, path: `attendees[0].${name}`,
  write: dave({ [name]: wrote }), shows: wrote,
  patch: dave({ [name]: patched }), patched,
  clear: dave({ [name]: null }),
  ...more,
}) // biome-ignore format: a row

testFields('7.20, 12.5', [
  attendee('displayName', 'Dave', 'David', { bad: [[dave({ displayName: {} }), WRONG_KIND]] }),
  attendee('comment', 'Late', 'On time', { bad: [[dave({ comment: {} }), WRONG_KIND]] }),
  attendee('additionalGuests', 2, 3, { bad: ['some', '9'.repeat(400), '2147483648', 1.5].map((many) => [dave({ additionalGuests: many }), WRONG_KIND]) }),
  attendee('optional', true, false, { patched: undefined, bad: [[dave({ optional: 'yes' }), WRONG_KIND]] }),
  attendee('resource', true, false, { patched: true, cleared: true, bad: [[dave({ resource: 'yes' }), WRONG_KIND]] }),
  attendee('responseStatus', 'accepted', 'declined', { cleared: 'needsAction', bad: [[dave({ responseStatus: 'maybe' }), WRONG_KIND]] }),
  { field: 'EventAttendee.email', path: 'attendees[0].email', write: { attendees: [{ email: 'Dave@Example.net' }] }, shows: DAVE, patch: { attendees: [{ email: 'erin@example.net' }] }, patched: 'erin@example.net', clear: { attendees: [] }, bad: [[{ attendees: [{}] }, 'Missing attendee email.'], [{ attendees: [{ email: 'not-an-email' }] }, 'Invalid attendee email.']] },
  { field: 'Event.attendees', path: 'attendees', write: { attendees: [{ email: DAVE }] }, shows: [{ email: DAVE, responseStatus: 'needsAction' }], patch: { attendees: [{ email: 'erin@example.net' }] }, patched: [{ email: 'erin@example.net', responseStatus: 'needsAction' }], clear: { attendees: null }, bad: [[{ attendees: DAVE }, WRONG_KIND], [{ attendees: Array.from({ length: 201 }, (_, n) => ({ email: `guest${n}@example.net` })) }, 'Invalid Value: attendees: more than 200 attendees']] },
]) // biome-ignore format: a table

testServiceFields('1.9.1', [
  { field: 'EventAttendee.id', path: 'attendees[0].id', write: dave({ id: '1234', responseStatus: 'accepted' }), shows: undefined },
]) // biome-ignore format: a table

test('EventAttendee.organizer, EventAttendee.self and EventAttendee.asyncOperation: set by the service only', async () => {
  const alice = openCalendar().as(ALICE)
  const { body } = await alice.post('/calendars/primary/events', {
    ...hour('2026-03-02', 12),
    attendees: [
      { email: DAVE, organizer: true, self: true, asyncOperation: 'inProgress' },
      { email: ALICE, organizer: false, self: false, responseStatus: 'accepted' },
    ],
  })
  expect(body.attendees).toEqual([
    { email: DAVE, responseStatus: 'needsAction' },
    { email: ALICE, organizer: true, self: true, responseStatus: 'accepted' },
  ])
})

test('1.9.1 EventAttendee.id: set by a seed, and bound to its address', async () => {
  const events = [{ id: 'lunch001', ...hour('2026-03-02', 12), attendees: [{ email: DAVE, id: '1234' }] }]
  const alice = openCalendar({
    seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] },
  }).as(ALICE)
  const path = '/calendars/primary/events/lunch001'
  const shown = [{ id: '1234', email: DAVE, responseStatus: 'needsAction' }]
  expect((await alice.get(path)).body.attendees).toEqual(shown)
  const { body } = await alice.patch(path, { attendees: [{ email: DAVE, id: '5678', optional: true }] })
  expect(body.attendees).toEqual([{ id: '1234', email: DAVE, optional: true, responseStatus: 'needsAction' }])
})
