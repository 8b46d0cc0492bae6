import { expect, test } from 'vitest'
import type { Seed } from '../../../src/index.ts'
import { ALICE, allDay, at, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const V1 = '?conferenceDataVersion=1&supportsAttachments=true'
const noon = hour('2026-03-02', 12)
const day = allDay('2026-03-02', '2026-03-03')
const open = { visibility: 'public', transparency: 'transparent' }

const focus = {
  eventType: 'focusTime',
  ...noon,
  focusTimeProperties: { autoDeclineMode: 'declineNone', chatStatus: 'doNotDisturb' },
}
const away = {
  eventType: 'outOfOffice',
  ...noon,
  outOfOfficeProperties: { autoDeclineMode: 'declineAllConflictingInvitations', declineMessage: 'Away' },
}
const home = { eventType: 'workingLocation', ...day, ...open, workingLocationProperties: { type: 'homeOffice' } }
const birthday = {
  eventType: 'birthday',
  ...day,
  visibility: 'private',
  transparency: 'transparent',
  recurrence: ['RRULE:FREQ=YEARLY'],
}

/** A valid event of each type, and the fields of the reply. */
const CREATED: [title: string, body: object, shown: object][] = [
  ['focus time', focus, { summary: 'Focus time', eventType: 'focusTime', focusTimeProperties: focus.focusTimeProperties, reminders: { useDefault: true } }],
  ['focus time with some of its properties', { ...focus, focusTimeProperties: { chatStatus: 'available' } }, { focusTimeProperties: { autoDeclineMode: 'declineNone', chatStatus: 'available' } }],
  ['focus time with a title', { ...focus, summary: 'Write', transparency: 'opaque' }, { summary: 'Write' }],
  ['focus time with its own reminders', { ...focus, reminders: { useDefault: false } }, { reminders: { useDefault: false } }],
  ['out of office', away, { summary: 'Out of office', outOfOfficeProperties: away.outOfOfficeProperties, reminders: { useDefault: true } }],
  ['out of office without reminders', { ...away, reminders: { useDefault: false } }, { reminders: { useDefault: false } }],
  ['out of office with a blank description', { ...away, description: '' }, { summary: 'Out of office' }],
  ['home', home, { summary: 'Home', ...open, reminders: { useDefault: false }, workingLocationProperties: { type: 'homeOffice', homeOffice: {} } }],
  ['an office location', { ...home, workingLocationProperties: { type: 'officeLocation', officeLocation: { label: 'HQ', deskId: '7' }, homeOffice: {} } }, { summary: 'HQ', workingLocationProperties: { type: 'officeLocation', officeLocation: { label: 'HQ', deskId: '7' } } }],
  ['an office location without a label', { ...home, workingLocationProperties: { type: 'officeLocation' } }, { summary: 'Office', workingLocationProperties: { type: 'officeLocation', officeLocation: {} } }],
  ['a custom location', { ...home, workingLocationProperties: { type: 'customLocation', customLocation: { label: 'Beach' } } }, { summary: 'Beach' }],
  ['a timed location over several days', { ...home, start: at('2026-03-02T09:00:00'), end: at('2026-03-04T17:00:00') }, { summary: 'Home' }],
  ['a birthday', { ...birthday, summary: 'Ann', colorId: '5', birthdayProperties: { type: 'birthday' } }, { summary: 'Ann', colorId: '5', birthdayProperties: { type: 'birthday' }, recurrence: ['RRULE:FREQ=YEARLY'] }],
  ['a birthday on 29 February', { ...birthday, ...allDay('2024-02-29', '2024-03-01'), recurrence: ['RRULE:BYMONTHDAY=-1;BYMONTH=2;FREQ=YEARLY'] }, { summary: 'Birthday' }],
] // biome-ignore format: a table

test.each(CREATED)('8.1, 8.4, 8.5, 8.6, 8.7, 8.12 %s is created', async (_, body, shown) => {
  const alice = openCalendar().as(ALICE)
  const { status, body: born } = await alice.post(EVENTS, body)
  expect([status, born]).toEqual([200, expect.objectContaining(shown)])
  expect((await alice.get(`${EVENTS}/${born.id}`)).body).toEqual(born)
  expect((await alice.patch(`${EVENTS}/${born.id}`, { colorId: '3' })).body.colorId).toBe('3')
})

test('8.6 the last keys of a working location are its properties and its type', async () => {
  const { body } = await openCalendar().as(ALICE).post(EVENTS, home)
  expect(Object.keys(body).slice(-3)).toEqual(['reminders', 'workingLocationProperties', 'eventType'])
})

const of = (reason: string, message: string) => ({ status: 400, domain: 'calendar', reason, message })
const invalid = (message: string) => ({
  status: 400,
  domain: 'global',
  reason: 'invalid',
  message: `Invalid Value: ${message}`,
})
const focusWrong = (message: string) => of('malformedFocusTimeEvent', message)
const awayWrong = (message: string) => of('malformedOutOfOfficeEvent', message)
const homeWrong = (message: string) => of('malformedWorkingLocationEvent', message)
const restricted = (subject: string) => of('eventTypeRestriction', `${subject} is not supported for this event type.`)
const modified = (type: string) =>
  of('eventTypeRestriction', `Attempt made to modify '${type}' event in a way that is not valid for this event type.`)
const plain = (message: string) => ({ status: 400, domain: 'global', reason: 'invalid', message })
const requires = (type: string) => plain(`${type}Properties requires an event type of ${type}, and vice versa.`)
const changed = plain('Event type cannot be changed.')
const meet = { conferenceData: { createRequest: { requestId: 'r1' } } }

const REFUSED: [title: string, body: object, refused: object][] = [
  ['focus time without properties', { ...focus, focusTimeProperties: null }, requires('focusTime')],
  ['focus time all day', { ...focus, ...day }, focusWrong('A focus time event cannot be all day long.')],
  ['transparent focus time', { ...focus, transparency: 'transparent' }, focusWrong('A status event must be opaque.')],
  ['out of office without properties', { ...away, outOfOfficeProperties: null }, requires('outOfOffice')],
  ['out of office all day', { ...away, ...day }, awayWrong('An out of office event cannot be all day long.')],
  ['transparent out of office', { ...away, transparency: 'transparent' }, awayWrong('A status event must be opaque.')],
  ['out of office with attendees', { ...away, attendees: [{ email: BOB }] }, awayWrong('An out of office event cannot have attendees.')],
  ['out of office with a description', { ...away, description: 'Sun' }, awayWrong('An out of office event cannot have a description.')],
  ['out of office with a conference', { ...away, ...meet }, awayWrong('An out of office event cannot have a conference.')],
  ['a location without properties', { ...home, workingLocationProperties: null }, requires('workingLocation')],
  ['a location without a type', { ...home, workingLocationProperties: { officeLocation: { label: 'HQ' } } }, homeWrong('A working location event must have a type of location.')],
  ['a location without visibility', { ...home, visibility: null }, homeWrong('A working location event must have public visibility.')],
  ['a location without transparency', { ...home, transparency: null }, homeWrong('A working location event must be transparent.')],
  ['a location of two days', { ...home, ...allDay('2026-03-02', '2026-03-04') }, homeWrong('An all-day working location event must be exactly one day long.')],
  ['a timed birthday', { ...birthday, start: at('2026-03-02T09:00:00'), end: at('2026-03-02T10:00:00') }, invalid('start: a birthday is one day long')],
  ['a birthday of two days', { ...birthday, ...allDay('2026-03-02', '2026-03-04') }, invalid('start: a birthday is one day long')],
  ['a public birthday', { ...birthday, visibility: 'public' }, invalid('visibility: a birthday is private')],
  ['an opaque birthday', { ...birthday, transparency: 'opaque' }, invalid('transparency: a birthday is transparent')],
  ['a birthday that does not recur', { ...birthday, recurrence: [] }, invalid('recurrence: a birthday recurs every year')],
  ['a monthly birthday', { ...birthday, recurrence: ['RRULE:FREQ=MONTHLY'] }, invalid('recurrence: a birthday recurs every year')],
  ['a birthday on 29 February with the plain rule', { ...birthday, ...allDay('2024-02-29', '2024-03-01') }, invalid('recurrence: a birthday recurs every year')],
  ['an anniversary', { ...birthday, birthdayProperties: { type: 'anniversary' } }, invalid('birthdayProperties.type: only birthday can be created')],
  ['a birthday with attendees', { ...birthday, attendees: [{ email: BOB }] }, restricted('Setting attendees')],
  ['a birthday with a location', { ...birthday, location: 'Home' }, restricted('Setting location')],
  ['a birthday with a description', { ...birthday, description: 'Cake' }, restricted('Setting description')],
  ['a birthday with a conference', { ...birthday, ...meet }, restricted('Setting conferenceData')],
  ['a birthday with an attachment', { ...birthday, attachments: [{ fileUrl: 'https://example.com', title: 'A' }] }, restricted('Setting attachments')],
  ['a birthday with an id', { ...birthday, id: 'lunch001' }, restricted('Setting id')],
  ['an event of the type fromGmail', { ...noon, eventType: 'fromGmail' }, restricted('Creating an event')],
  ['an unknown type', { ...noon, eventType: 'party' }, expect.objectContaining({ status: 400, reason: 'invalid', message: 'Invalid value' })],
  ['properties of another type', { ...focus, outOfOfficeProperties: away.outOfOfficeProperties }, requires('outOfOffice')],
  ['properties without their type', { ...noon, focusTimeProperties: focus.focusTimeProperties }, requires('focusTime')],
  ['empty properties of focus time without their type', { ...noon, focusTimeProperties: {} }, requires('focusTime')],
  ['empty properties of out of office without their type', { ...noon, outOfOfficeProperties: {} }, requires('outOfOffice')],
  ['empty properties of a location without their type', { ...noon, workingLocationProperties: {} }, requires('workingLocation')],
  ['a birthday’s properties without their type', { ...noon, birthdayProperties: { type: 'birthday' } }, invalid('birthdayProperties: an event of type default has none')],
  ['an anniversary without its type', { ...noon, birthdayProperties: { type: 'anniversary' } }, invalid('birthdayProperties: an event of type default has none')],
  ['a location with empty properties', { ...home, workingLocationProperties: {} }, homeWrong('A working location event must have a type of location.')],
] // biome-ignore format: a table

test.each(REFUSED)(
  '2.2.7, 8.1, 8.3, 8.4, 8.5, 8.6, 8.7, 8.9 %s is refused, and no event is created',
  async (_, body, refused) => {
    const alice = openCalendar().as(ALICE)
    expect(errorOf(await alice.post(EVENTS + V1, body))).toEqual(refused)
    expect((await alice.get(EVENTS)).body.items).toEqual([])
  },
)

test.each([focus, away, home, birthday])(
  '8.1, 8.11 an event of type $eventType needs a primary calendar',
  async (body) => {
    const alice = openCalendar().as(ALICE)
    const { body: team } = await alice.post('/calendars', { summary: 'Team' })
    expect(errorOf(await alice.post(`/calendars/${team.id}/events`, body))).toEqual(restricted('A secondary calendar'))
  },
)

/** Mail makes these; a seed may bring them. */
const SEED: Seed = {
  accounts: [{ email: ALICE, timeZone: 'America/New_York' }],
  calendars: [
    { id: ALICE, events: [
      { id: 'mail001', eventType: 'fromGmail', summary: 'Flight', ...noon },
      { id: 'birth001', eventType: 'birthday', ...day, visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=YEARLY'], birthdayProperties: { type: 'anniversary', contact: 'people/c1' } },
    ] },
  ],
} // biome-ignore format: a seed

const EDITS: [title: string, id: string, patch: object, refused: object | undefined][] = [
  ['the color of a Gmail event', 'mail001', { colorId: '3' }, undefined],
  ['the visibility of a Gmail event', 'mail001', { visibility: 'private', transparency: 'transparent', status: 'tentative' }, undefined],
  ['the reminders, guests and properties of a Gmail event', 'mail001', { reminders: { useDefault: false }, attendees: [{ email: 'dave@example.net' }], extendedProperties: { private: { a: 'b' } } }, undefined],
  ['the summary of a Gmail event', 'mail001', { summary: 'Train' }, modified('fromGmail')],
  ['the times of a Gmail event', 'mail001', hour('2026-03-02', 13), modified('fromGmail')],
  ['the location of a Gmail event', 'mail001', { location: 'Gate 3' }, modified('fromGmail')],
  ['the type of a Gmail event', 'mail001', { eventType: 'default' }, changed],
  ['the color and reminders of a birthday', 'birth001', { colorId: '3', summary: 'Ann', reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] } }, undefined],
  ['the date of a birthday', 'birth001', allDay('2026-03-05', '2026-03-06'), undefined],
  ['the location of a birthday', 'birth001', { location: 'Home' }, modified('birthday')],
  ['the visibility of a birthday', 'birth001', { visibility: 'public' }, modified('birthday')],
  ['the rule of a birthday', 'birth001', { recurrence: ['RRULE:FREQ=DAILY'] }, invalid('recurrence: a birthday recurs every year')],
  ['the status of a contact’s birthday', 'birth001', { status: 'cancelled' }, modified('birthday')],
] // biome-ignore format: a table

test.each(EDITS)('8.7, 8.8, 8.9, 8.10 %s (of %s) is changed or refused', async (_, id, patch, refused) => {
  const alice = openCalendar({ seed: SEED }).as(ALICE)
  const { body: before } = await alice.get(`${EVENTS}/${id}`)
  const reply = await alice.patch(`${EVENTS}/${id}`, patch)
  if (refused) expect(errorOf(reply)).toEqual(refused)
  else expect(reply.body).toMatchObject(patch)
  expect((await alice.get(`${EVENTS}/${id}`)).body).toEqual(refused ? before : reply.body)
})

test('8.7 a birthday that moves to 29 February recurs on the last day of the month, and keeps its type', async () => {
  const alice = openCalendar({ seed: SEED }).as(ALICE)
  const { body } = await alice.patch(`${EVENTS}/birth001`, {
    ...allDay('2028-02-29', '2028-03-01'),
    birthdayProperties: { type: 'other' },
  })
  expect(body.recurrence).toEqual(['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'])
  expect(body.birthdayProperties).toEqual({ contact: 'people/c1', type: 'anniversary' })
})

test('3.2.13, 8.2, 8.2.1 a type can neither be changed nor omitted from a PUT, and neither can its properties', async () => {
  const alice = openCalendar().as(ALICE)
  const { body: born } = await alice.post(EVENTS, focus)
  const path = `${EVENTS}/${born.id}`
  expect(errorOf(await alice.patch(path, { eventType: 'default' }))).toEqual(changed)
  expect(errorOf(await alice.put(path, { ...noon, eventType: 'focusTime' }))).toEqual(requires('focusTime'))
  const { eventType: _, ...silent } = focus
  expect(errorOf(await alice.put(path, silent))).toEqual(changed)
  expect((await alice.put(path, { ...focus, ...hour('2026-03-02', 14) })).body.eventType).toBe('focusTime')
  expect(errorOf(await alice.patch(path, { transparency: 'transparent' }))).toEqual(
    focusWrong('A status event must be opaque.'),
  )
})

test('8.8, 8.10 a contact’s birthday and its instances cannot be deleted, and the error links to documentation', async () => {
  const alice = openCalendar({ seed: SEED }).as(ALICE)
  const reply = await alice.delete(`${EVENTS}/birth001`)
  expect(errorOf(reply)).toEqual(modified('birthday'))
  expect(Object.entries(reply.body.error.errors[0]).slice(-2)).toEqual([
    ['message', modified('birthday').message],
    ['extendedHelp', 'https://developers.google.com/workspace/calendar/api/guides/event-types#birthday'],
  ])
  expect(errorOf(await alice.delete(`${EVENTS}/birth001_20270302`))).toEqual(modified('birthday'))
  expect((await alice.get(`${EVENTS}/birth001`)).body.status).toBe('confirmed')
  const { body: own } = await alice.post(EVENTS, birthday)
  expect((await alice.delete(`${EVENTS}/${own.id}`)).status).toBe(204)
})

test('a given summary stays, and a generated one follows the location', async () => {
  const alice = openCalendar().as(ALICE)
  const { body: born } = await alice.post(EVENTS, home)
  const move = (body: object) => alice.patch(`${EVENTS}/${born.id}`, body)
  expect((await move({ workingLocationProperties: { type: 'officeLocation' } })).body.summary).toBe('Office')
  await move({ summary: 'Desk' })
  expect((await move({ workingLocationProperties: { type: 'homeOffice' } })).body.summary).toBe('Desk')
  expect((await move({ summary: '' })).body.summary).toBe('Home')
})

test('1.18, 8.14 a list contains the requested types', async () => {
  const alice = openCalendar().as(ALICE)
  for (const body of [noon, focus, away, home]) await alice.post(EVENTS, body)
  const types = async (query: string) =>
    (await alice.get(EVENTS + query)).body.items.map(({ eventType }: { eventType: string }) => eventType)
  expect(await types('')).toEqual(['default', 'focusTime', 'outOfOffice', 'workingLocation'])
  expect(await types('?eventTypes=focusTime&eventTypes=workingLocation')).toEqual(['focusTime', 'workingLocation'])
})

test.each(['bauhaus', 'D7', 'hq'])('1.17 q finds the building, the desk and the label of an office: %s', async (q) => {
  const alice = openCalendar().as(ALICE)
  const officeLocation = { buildingId: 'Bauhaus', deskId: 'D7', label: 'HQ' }
  await alice.post(EVENTS, { ...home, workingLocationProperties: { type: 'officeLocation', officeLocation } })
  expect((await alice.get(`${EVENTS}?q=${q}`)).body.items).toHaveLength(1)
})

test('7.7, 8.7 a birthday cannot be moved', async () => {
  const alice = openCalendar().as(ALICE)
  const { body: team } = await alice.post('/calendars', { summary: 'Team' })
  const { body: born } = await alice.post(EVENTS, birthday)
  expect(errorOf(await alice.post(`${EVENTS}/${born.id}/move?destination=${team.id}`))).toEqual(modified('birthday'))
})

test('8.7.1 a birthday accepts no private extended properties, by insert, PATCH or PUT', async () => {
  const alice = openCalendar().as(ALICE)
  const birthday = {
    eventType: 'birthday',
    ...allDay('2026-03-02', '2026-03-03'),
    visibility: 'private',
    transparency: 'transparent',
    recurrence: ['RRULE:FREQ=YEARLY'],
  }
  const extendedProperties = { private: { outlookId: '1' } }
  const words = "'birthday' event type must not have private extended properties."
  const refused = { status: 400, domain: 'global', reason: 'invalid', message: words }
  const { id } = (await alice.post('/calendars/primary/events', birthday)).body

  const path = `/calendars/primary/events/${id}`
  expect(errorOf(await alice.post('/calendars/primary/events', { ...birthday, extendedProperties }))).toEqual(refused)
  expect(errorOf(await alice.patch(path, { extendedProperties }))).toEqual(refused)
  expect(errorOf(await alice.put(path, { ...birthday, extendedProperties }))).toEqual(refused)
})
