import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '../src/api/index.ts'
import type { Seed } from '../src/index.ts'
import { ALICE, allDay, BOB, openCalendar, type Reply } from './support/calendar.ts'
import { channel } from './support/push.ts'

const TEAM = 'team@group.calendar.google.com'
const CLUB = 'club@group.calendar.google.com'
const day = allDay('2026-03-02', '2026-03-03')
const readers = [{ role: 'reader', scope: { type: 'user', value: ALICE } }]

/** Alice owns a team calendar and can read Bob's club, which is not on her list; Bob can read hers. */
const WORLD: Seed = {
  accounts: [{ email: ALICE, admin: true }, { email: BOB }],
  calendars: [
    {
      id: ALICE,
      acl: [{ role: 'reader', scope: { type: 'user', value: BOB } }],
      events: [
        { id: 'lunch00', ...day },
        { id: 'daa1100', ...day, recurrence: ['RRULE:FREQ=DAILY'] },
      ],
    },
    { id: TEAM, summary: 'Team', owner: ALICE },
    { id: CLUB, summary: 'Club', owner: BOB, acl: readers },
  ],
}

/** The parts of a valid request: unusual names in its path, parameters, and a body. */
type Ask = { path?: Record<string, string>; query?: Record<string, string>; body?: object | undefined }
/** If another request comes first, the body may be derived from its reply. */
type Good = Omit<Ask, 'body'> & { after?: Ask & { id: string }; body?: object | ((reply: Reply['body']) => object) }

const USUAL: Record<string, string> = {
  calendarId: 'primary',
  eventId: 'lunch00',
  ruleId: `user:${BOB}`,
  setting: 'locale',
}
const onTeam = { path: { calendarId: TEAM } }
const onClub = { path: { calendarId: CLUB }, after: { id: 'calendar.calendarList.insert', body: { id: CLUB } } }

/** One request of each method that the service carries out. */
const REQUESTS: Record<string, Good> = {
  'calendar.acl.delete': {},
  'calendar.acl.get': {},
  'calendar.acl.insert': { body: { role: 'reader', scope: { type: 'default' } } },
  'calendar.acl.list': {},
  'calendar.acl.patch': { body: { role: 'writer' } },
  'calendar.acl.update': { body: { role: 'writer', scope: { type: 'user', value: BOB } } },
  'calendar.acl.watch': { body: channel('acl') },
  'calendar.calendarList.delete': onClub,
  'calendar.calendarList.get': onTeam,
  'calendar.calendarList.insert': { body: { id: CLUB } },
  'calendar.calendarList.list': {},
  'calendar.calendarList.patch': { ...onTeam, body: { hidden: true } },
  'calendar.calendarList.update': { ...onTeam, body: { summaryOverride: 'Ours' } },
  'calendar.calendarList.watch': { body: channel('list') },
  'calendar.calendars.clear': {},
  'calendar.calendars.delete': onTeam,
  'calendar.calendars.get': onTeam,
  'calendar.calendars.insert': { body: { summary: 'New' } },
  'calendar.calendars.patch': { ...onTeam, body: { location: 'Here' } },
  'calendar.calendars.transferOwnership': { ...onTeam, query: { newDataOwner: BOB, useAdminAccess: 'true' } },
  'calendar.calendars.update': { ...onTeam, body: { summary: 'Crew' } },
  'calendar.channels.stop': {
    after: { id: 'calendar.settings.watch', body: channel('mine') },
    body: ({ id, resourceId }) => ({ id, resourceId }),
  },
  'calendar.colors.get': {},
  'calendar.events.delete': {},
  'calendar.events.get': {},
  'calendar.events.import': { body: { iCalUID: 'lunch@mail.example.net', ...day } },
  'calendar.events.insert': { body: day },
  'calendar.events.instances': { path: { eventId: 'daa1100' }, query: { maxResults: '3' } },
  'calendar.events.list': {},
  'calendar.events.move': { query: { destination: TEAM } },
  'calendar.events.patch': { body: { summary: 'Lunch' } },
  'calendar.events.quickAdd': { query: { text: 'Lunch tomorrow at noon' } },
  'calendar.events.update': { body: { summary: 'Lunch', ...day } },
  'calendar.events.watch': { body: channel('events') },
  'calendar.freebusy.query': {
    body: { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-08T00:00:00Z', items: [{ id: ALICE }] },
  },
  'calendar.settings.get': {},
  'calendar.settings.list': {},
  'calendar.settings.watch': { body: channel('settings') },
}

function open() {
  const alice = openCalendar({ seed: WORLD }).as(ALICE)
  return (id: string, { path, query = {}, body }: Ask) => {
    const endpoint = api.find((one) => one.id === id)
    if (!endpoint) throw new Error(`no method ${id}`)
    const names = { ...USUAL, ...path }
    const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name] ?? '')
    const verb = endpoint.verb.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
    return alice[verb](`${filled}?${new URLSearchParams(query)}`, body)
  }
}

test.each(Object.entries(REQUESTS))('%s executes a valid request', async (id, { after, body, ...parts }) => {
  const send = open()
  const before = after && (await send(after.id, after)).body

  const { status, text } = await send(id, { ...parts, body: typeof body === 'function' ? body(before) : body })

  const answers = api.find((one) => one.id === id)?.response !== undefined
  expect(status, text).toBe(answers ? 200 : 204)
})

test('the README has the number of methods, and each has a valid request above', () => {
  expect(readFileSync('README.md', 'utf8').replace(/\s+/g, ' ')).toContain(`all ${api.length} methods`)
  expect(Object.keys(REQUESTS)).toEqual(api.map(({ id }) => id).sort())
})

test('every method has a file of tests: test/api/<resource>/<method>.test.ts', () => {
  const files = api.map(
    ({ id }) => `${id.replace('calendar.', '').replace('freebusy', 'freeBusy').replace('.', '/')}.test.ts`,
  )
  const existing = new Set(readdirSync('test/api', { recursive: true, encoding: 'utf8' }))
  expect(files.filter((file) => !existing.has(file))).toEqual([])
})
