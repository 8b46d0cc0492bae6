import { expect, test } from 'vitest'
import { ALICE, allDay, openCalendar } from '../../support/calendar.ts'
import { type FieldRow, testFields, WRONG_KIND } from '../../support/fields.ts'

const day = allDay('2026-03-02', '2026-03-03')

/** A field of a status event's properties, which remain when the field is removed. */
function property(
  eventType: 'focusTime' | 'outOfOffice',
  name: string,
  wrote: string,
  patched: string,
  bad: unknown,
  message: string,
): FieldRow {
  const properties = `${eventType}Properties`
  const schema = eventType === 'focusTime' ? 'EventFocusTimeProperties' : 'EventOutOfOfficeProperties'
  const withValue = (value: unknown) => ({ eventType, [properties]: { [name]: value } })
  return {
    field: `${schema}.${name}`, path: `${properties}.${name}`,
    write: withValue(wrote), shows: wrote, patch: { [properties]: { [name]: patched } }, patched,
    clear: { [properties]: { [name]: null } }, ...(name === 'autoDeclineMode' && { cleared: 'declineNone' }),
    bad: [[withValue(bad), message]],
  } // biome-ignore format: a row
}

const statusFields = (['focusTime', 'outOfOffice'] as const).flatMap((type) => [
  property(type, 'autoDeclineMode', 'declineAllConflictingInvitations', 'declineOnlyNewConflictingInvitations', 'declineSome', WRONG_KIND),
  property(type, 'declineMessage', 'Away', 'Busy', {}, WRONG_KIND),
]) // biome-ignore format: a table

const place = (workingLocationProperties: object) => ({
  eventType: 'workingLocation',
  ...day,
  visibility: 'public',
  transparency: 'transparent',
  workingLocationProperties,
})
const office = (office: object) => place({ type: 'officeLocation', officeLocation: office })
const officeField = (name: string): FieldRow => ({
  field: `EventWorkingLocationProperties.officeLocation.${name}`, path: `workingLocationProperties.officeLocation.${name}`,
  write: office({ [name]: 'A' }), shows: 'A',
  patch: { workingLocationProperties: { officeLocation: { [name]: 'B' } } }, patched: 'B',
  clear: { workingLocationProperties: { officeLocation: { [name]: null } } },
  bad: [[office({ [name]: {} }), WRONG_KIND]],
}) // biome-ignore format: a row

const AT = 'workingLocationProperties'
const toHome = { [AT]: { type: 'homeOffice' } }

testFields('8.4, 8.5, 8.6', [
  ...statusFields,
  property('focusTime', 'chatStatus', 'doNotDisturb', 'available', 'asleep', WRONG_KIND),
  ...['buildingId', 'floorId', 'floorSectionId', 'deskId', 'label'].map(officeField),
  { field: 'EventWorkingLocationProperties.type', path: `${AT}.type`, write: place({ type: 'homeOffice' }), shows: 'homeOffice', patch: { [AT]: { type: 'customLocation' } }, patched: 'customLocation', clear: toHome, cleared: 'homeOffice', bad: [[place({ type: 'moon' }), WRONG_KIND], [place({ type: null, homeOffice: {} }), 'A working location event must have a type of location.']] },
  { field: 'EventWorkingLocationProperties.homeOffice', path: `${AT}.homeOffice`, write: place({ type: 'homeOffice', homeOffice: { deskId: '4' } }), shows: {}, patch: { [AT]: { homeOffice: null } }, patched: {}, clear: { [AT]: { type: 'officeLocation' } }, bad: [] },
  { field: 'EventWorkingLocationProperties.officeLocation', path: `${AT}.officeLocation`, write: office({ label: 'HQ' }), shows: { label: 'HQ' }, patch: { [AT]: { officeLocation: { deskId: '7' } } }, patched: { label: 'HQ', deskId: '7' }, clear: toHome, bad: [[place({ type: 'officeLocation', officeLocation: 'HQ' }), WRONG_KIND]] },
  { field: 'EventWorkingLocationProperties.customLocation', path: `${AT}.customLocation`, write: place({ type: 'customLocation', customLocation: { label: 'Beach' } }), shows: { label: 'Beach' }, patch: { [AT]: { customLocation: { label: 'Train' } } }, patched: { label: 'Train' }, clear: toHome, bad: [[place({ type: 'customLocation', customLocation: 'Beach' }), WRONG_KIND]] },
  { field: 'EventWorkingLocationProperties.customLocation.label', path: `${AT}.customLocation.label`, write: place({ type: 'customLocation', customLocation: { label: 'Beach' } }), shows: 'Beach', patch: { [AT]: { customLocation: { label: 'Train' } } }, patched: 'Train', clear: { [AT]: { customLocation: { label: null } } }, bad: [[place({ type: 'customLocation', customLocation: { label: {} } }), WRONG_KIND]] },
]) // biome-ignore format: a table

const birthday = {
  eventType: 'birthday',
  ...day,
  visibility: 'private',
  transparency: 'transparent',
  recurrence: ['RRULE:FREQ=YEARLY'],
}

test('EventBirthdayProperties.type: birthday by default, and unchanged by a patch', async () => {
  const alice = openCalendar().as(ALICE)
  const { body } = await alice.post('/calendars/primary/events', { ...birthday, birthdayProperties: {} })
  expect(body.birthdayProperties).toEqual({ type: 'birthday' })
  const path = `/calendars/primary/events/${body.id}`
  for (const birthdayProperties of [null, { type: 'other' }]) {
    expect((await alice.patch(path, { birthdayProperties })).body.birthdayProperties).toEqual({ type: 'birthday' })
  }
})

test('14.43 EventBirthdayProperties.contact and EventBirthdayProperties.customTypeName: set by the service only', async () => {
  const alice = openCalendar().as(ALICE)
  const claimed = { type: 'birthday', contact: 'people/c1', customTypeName: 'Name day' }
  const { body } = await alice.post('/calendars/primary/events', { ...birthday, birthdayProperties: claimed })
  expect(body.birthdayProperties).toEqual({ type: 'birthday' })
})

test('8.8 EventBirthdayProperties of a seed are returned unchanged', async () => {
  const birthdayProperties = { contact: 'people/c1', type: 'custom', customTypeName: 'Name day' }
  const event: object = { id: 'name001', ...birthday, birthdayProperties }
  const { as } = openCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [event] }] } })
  expect((await as(ALICE).get('/calendars/primary/events/name001')).body.birthdayProperties).toEqual(birthdayProperties)
})
