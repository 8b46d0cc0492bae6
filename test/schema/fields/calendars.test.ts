import { expect, test } from 'vitest'
import type { Seed } from '../../../src/index.ts'
import { ALICE, BOB, type Client, openCalendar } from '../../support/calendar.ts'

const TEAM = 'team@group.calendar.google.com'
const ROOM = 'example.com_1@resource.calendar.google.com'
const LABEL = '0b0a1c2d-0000-4000-8000-000000000001'
const SEED: Seed = {
  accounts: [{ email: ALICE, timeZone: 'America/New_York' }, { email: BOB }],
  calendars: [
    { id: TEAM, owner: ALICE, summary: 'Team', description: 'All of us', location: 'Berlin', timeZone: 'Europe/Berlin' },
    { id: ROOM, owner: ALICE, summary: 'Room', autoAcceptInvitations: true },
  ],
} // biome-ignore format: a seed

const MICROSECONDS = expect.stringMatching(/^"\d{16}"$/)
const TEXT = expect.stringMatching(/./)
const CALENDAR = `/calendars/${TEAM}`
const ENTRY = `/users/me/calendarList/${TEAM}`
const LIST = '/users/me/calendarList'

/** A field in a reply: the request, the path of the field in the reply, and its value. */
type Row = [field: string, read: (alice: Client) => ReturnType<Client['get']>, expected: unknown]

const patched = (path: string, body: object) => (alice: Client) => alice.patch(path, body)
const read = (path: string) => (alice: Client) => alice.get(path)
const labelled = { labelProperties: { eventLabels: [{ id: LABEL, name: 'Urgent', backgroundColor: '#0088aa' }] } }
const label = patched(CALENDAR, labelled)
const notified = { notificationSettings: { notifications: [{ type: 'eventCreation', method: 'email' }] } }
const RGB = { backgroundColor: '#0088aa', foregroundColor: '#ffffff' }

const CALENDARS: Row[] = [
  ['Calendar.kind', read(CALENDAR), 'calendar#calendar'],
  ['Calendar.etag', read(CALENDAR), TEXT],
  ['Calendar.id', patched(CALENDAR, { id: 'mine' }), TEAM],
  ['Calendar.summary', patched(CALENDAR, { summary: 'Crew' }), 'Crew'],
  ['Calendar.description', patched(CALENDAR, { description: 'Few of us' }), 'Few of us'],
  ['Calendar.location', patched(CALENDAR, { location: 'Bonn' }), 'Bonn'],
  ['Calendar.timeZone', patched(CALENDAR, { timeZone: 'Asia/Tokyo' }), 'Asia/Tokyo'],
  ['Calendar.dataOwner', patched(CALENDAR, { dataOwner: BOB }), ALICE],
  ['Calendar.conferenceProperties', read(CALENDAR), { allowedConferenceSolutionTypes: ['hangoutsMeet'] }],
  ['Calendar.labelProperties', label, labelled.labelProperties],
  ['Calendar.autoAcceptInvitations', read(`/calendars/${ROOM}`), true],
  ['ConferenceProperties.allowedConferenceSolutionTypes', async (alice) => {
    const reply = await alice.get(CALENDAR)
    return { ...reply, body: reply.body.conferenceProperties }
  }, ['hangoutsMeet']],
  ...(['eventLabels'] as const).map((name): Row => [`LabelProperties.${name}`, async (alice) => {
    const reply = await label(alice)
    return { ...reply, body: reply.body.labelProperties }
  }, labelled.labelProperties.eventLabels]),
  ...Object.entries(labelled.labelProperties.eventLabels[0] ?? {}).map(([name, expected]): Row => [`EventLabel.${name}`, async (alice) => {
    const reply = await label(alice)
    return { ...reply, body: reply.body.labelProperties.eventLabels[0] }
  }, expected]),
] // biome-ignore format: a table

const ENTRIES: Row[] = [
  ['CalendarListEntry.kind', read(ENTRY), 'calendar#calendarListEntry'],
  ['CalendarListEntry.etag', read(ENTRY), MICROSECONDS],
  ['CalendarListEntry.id', read(ENTRY), TEAM],
  ['CalendarListEntry.summary', patched(ENTRY, { summary: 'Mine' }), 'Team'],
  ['CalendarListEntry.description', patched(ENTRY, { description: 'Mine' }), 'All of us'],
  ['CalendarListEntry.location', patched(ENTRY, { location: 'Mine' }), 'Berlin'],
  ['CalendarListEntry.timeZone', patched(ENTRY, { timeZone: 'UTC' }), 'Europe/Berlin'],
  ['CalendarListEntry.dataOwner', read(ENTRY), ALICE],
  ['CalendarListEntry.conferenceProperties', read(ENTRY), { allowedConferenceSolutionTypes: ['hangoutsMeet'] }],
  ['CalendarListEntry.autoAcceptInvitations', read(`${LIST}/${ROOM}`), true],
  ['CalendarListEntry.summaryOverride', patched(ENTRY, { summaryOverride: 'Us' }), 'Us'],
  ['CalendarListEntry.colorId', patched(ENTRY, { colorId: '7' }), '7'],
  ['CalendarListEntry.backgroundColor', patched(`${ENTRY}?colorRgbFormat=true`, RGB), '#0088aa'],
  ['CalendarListEntry.foregroundColor', patched(`${ENTRY}?colorRgbFormat=true`, RGB), '#ffffff'],
  ['CalendarListEntry.hidden', patched(ENTRY, { hidden: true }), true],
  ['CalendarListEntry.selected', patched(ENTRY, { selected: true }), true],
  ['CalendarListEntry.accessRole', read(ENTRY), 'owner'],
  ['CalendarListEntry.defaultReminders', patched(ENTRY, { defaultReminders: [{ method: 'popup', minutes: 5 }] }), [{ method: 'popup', minutes: 5 }]],
  ['CalendarListEntry.notificationSettings', patched(ENTRY, notified), notified.notificationSettings],
  ['CalendarListEntry.primary', read(`${LIST}/primary`), true],
  ['CalendarListEntry.deleted', async (alice) => {
    await alice.delete(`/calendars/${TEAM}`)
    const reply = await alice.get(`${LIST}?showDeleted=true`)
    return { ...reply, body: reply.body.items.find(({ id }: { id: string }) => id === TEAM) }
  }, true],
  ...['type', 'method'].map((name): Row => [`CalendarNotification.${name}`, async (alice) => {
    const reply = await alice.patch(ENTRY, notified)
    return { ...reply, body: reply.body.notificationSettings.notifications[0] }
  }, name === 'type' ? 'eventCreation' : 'email']),
] // biome-ignore format: a table

const rule = { role: 'reader', scope: { type: 'user', value: BOB } }
const insertRule = (alice: Client) => alice.post(`${CALENDAR}/acl`, rule)
const RULES: Row[] = [
  ['AclRule.kind', insertRule, 'calendar#aclRule'],
  ['AclRule.etag', insertRule, expect.stringMatching(/^"\d{20}"$/)],
  ['AclRule.id', insertRule, `user:${BOB}`],
  ['AclRule.role', insertRule, 'reader'],
  ['AclRule.scope', insertRule, rule.scope],
  ['Setting.kind', read('/users/me/settings/timezone'), 'calendar#setting'],
  ['Setting.etag', read('/users/me/settings/timezone'), TEXT],
  ['Setting.id', read('/users/me/settings/timezone'), 'timezone'],
  ['Setting.value', read('/users/me/settings/timezone'), 'America/New_York'],
]

test.each([...CALENDARS, ...ENTRIES, ...RULES])(
  '3.4.1, 3.5.1, 3.6, 3.7 %s: returned by the service',
  async (field, read, expected) => {
    const { status, body } = await read(openCalendar({ seed: SEED }).as(ALICE))
    expect([status, body[field.slice(field.indexOf('.') + 1)]]).toEqual([200, expected])
  },
)

test.each(['AclRule.scope.type', 'AclRule.scope.value'])('%s: returned with the rule', async (field) => {
  const { body } = await insertRule(openCalendar({ seed: SEED }).as(ALICE))
  expect(body.scope[field.slice('AclRule.scope.'.length)]).toBe(field.endsWith('type') ? 'user' : BOB)
})
test('CalendarListEntry.notificationSettings.notifications: stored and returned', async () => {
  const { body } = await openCalendar({ seed: SEED }).as(ALICE).patch(ENTRY, notified)
  expect(body.notificationSettings.notifications).toEqual(notified.notificationSettings.notifications)
})

const LISTS = {
  Acl: [`${CALENDAR}/acl`, 'calendar#acl'],
  CalendarList: [LIST, 'calendar#calendarList'],
  Events: [`${CALENDAR}/events`, 'calendar#events'],
  Settings: ['/users/me/settings', 'calendar#settings'],
} as const
const ENVELOPE = ['kind', 'etag', 'items', 'nextPageToken', 'nextSyncToken']
const envelopes = Object.entries(LISTS).flatMap(([schema, [path, kind]]) =>
  ENVELOPE.map((name) => [`${schema}.${name}`, path, kind] as const),
)

test.each(envelopes)('3.3, 3.11 %s: returned in the envelope of the list', async (field, path, kind) => {
  const alice = openCalendar({ seed: SEED }).as(ALICE)
  if (path.endsWith('/acl')) await insertRule(alice)
  for (const day of ['02', '03']) {
    const dates = { start: { date: `2026-03-${day}` }, end: { date: `2026-03-0${Number(day) + 1}` } }
    expect((await alice.post(`${CALENDAR}/events`, dates)).status).toBe(200)
  }
  const name = field.slice(field.indexOf('.') + 1)
  const { body: page } = await alice.get(`${path}?maxResults=1`)
  const { body: whole } = await alice.get(path)
  expect([page.nextSyncToken, whole.nextPageToken]).toEqual([undefined, undefined])
  const expected = { kind, etag: expect.stringMatching(/^"p3\w{14}"$/), items: [expect.any(Object)] }
  const tokens = { nextPageToken: page.nextPageToken, nextSyncToken: whole.nextSyncToken }
  expect({ ...page, ...tokens }[name]).toEqual({ ...expected, nextPageToken: TEXT, nextSyncToken: TEXT }[name])
})

test.each([
  ['Events.summary', 'Team'],
  ['Events.description', 'All of us'],
  ['Events.updated', '2026-02-22T12:00:00.000Z'],
  ['Events.timeZone', 'Europe/Berlin'],
  ['Events.accessRole', 'owner'],
  ['Events.defaultReminders', []],
])('3.3 %s: returned for the calendar and its caller', async (field, expected) => {
  const { body } = await openCalendar({ seed: SEED }).as(ALICE).get(`${CALENDAR}/events`)
  expect(body[field.slice('Events.'.length)]).toEqual(expected)
})

test.each([
  ['Colors.kind', 'calendar#colors'],
  ['Colors.updated', '2012-02-14T00:00:00.000Z'],
  ['Colors.calendar', expect.objectContaining({ 24: { background: '#a47ae2', foreground: '#1d1d1d' } })],
  ['Colors.event', expect.objectContaining({ 11: { background: '#dc2127', foreground: '#1d1d1d' } })],
  ['ColorDefinition.background', expect.anything()],
  ['ColorDefinition.foreground', expect.anything()],
])('3.8 %s: the same for all accounts', async (field, expected) => {
  const { body } = await openCalendar().as(ALICE).get('/colors')
  const [schema = '', name = ''] = field.split('.')
  if (schema === 'Colors') expect(body[name]).toEqual(expected)
  else
    for (const color of Object.values<Record<string, string>>({ ...body.calendar, ...body.event }))
      expect(color[name]).toMatch(/^#[0-9a-f]{6}$/)
})
