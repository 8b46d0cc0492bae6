import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../src/api/index.ts'
import { type Client, headerOf, idsOf, openTeam, rejectionOf, requireText, TALKS, TEAM } from '../support/team.ts'

/** The official Node client, unmodified: what it adds to the requests that test/api and test/conformance send themselves. */
const ALICE = 'alice@example.com'
const BOB = 'bob@example.com'
const DAY = { start: { date: '2026-03-05' }, end: { date: '2026-03-06' } }
const calendarId = 'primary'

let open: Awaited<ReturnType<typeof openTeam>>
let alice: Client
beforeAll(async () => {
  open = await openTeam()
  alice = open.as(ALICE)
})
afterAll(() => open.close())

/** The parameters of a watch. Nothing listens at the address. */
const channel = (id: string) => ({ requestBody: { id, type: 'web_hook', address: 'http://127.0.0.1:9/' } })

async function useCalendars(): Promise<void> {
  const { data } = await alice.calendars.insert({ requestBody: { summary: 'Garden' } })
  const garden = { calendarId: requireText(data.id) }
  await alice.calendars.patch({ ...garden, requestBody: { description: 'Roof' } })
  await alice.calendars.update({ ...garden, requestBody: { summary: 'The garden' } })
  expect((await alice.calendars.get(garden)).data).toMatchObject({ summary: 'The garden', timeZone: 'UTC' })
  const rule = { role: 'reader', scope: { type: 'user', value: BOB } }
  await alice.acl.insert({ ...garden, requestBody: rule })
  const bobs = { ...garden, ruleId: `user:${BOB}` }
  await alice.acl.patch({ ...bobs, requestBody: { role: 'writer' } })
  await alice.acl.update({ ...bobs, requestBody: { ...rule, role: 'owner' } })
  expect((await alice.acl.get(bobs)).data.role).toBe('owner')
  expect((await alice.acl.list(garden)).data.items).toHaveLength(3)
  await alice.acl.watch({ ...garden, ...channel('rules') })
  await alice.acl.insert({ ...garden, requestBody: { role: 'reader', scope: { type: 'default' } } })
  expect((await alice.acl.delete({ ...garden, ruleId: 'default' })).status).toBe(204)
  const transfer = { ...garden, newDataOwner: BOB, useAdminAccess: true }
  expect(await alice.calendars.transferOwnership(transfer)).toMatchObject({ status: 204, data: '' })
  await alice.calendarList.delete(garden)
  await alice.calendarList.insert({ requestBody: { id: garden.calendarId } })
  await alice.calendarList.patch({ ...garden, requestBody: { summaryOverride: 'Ours' } })
  await alice.calendarList.update({ ...garden, colorRgbFormat: true, requestBody: { backgroundColor: '#17a766' } })
  expect((await alice.calendarList.get(garden)).data).toMatchObject({ backgroundColor: '#17a766' })
  expect(idsOf(await alice.calendarList.list({ minAccessRole: 'owner' }))).toContain(garden.calendarId)
  await alice.calendarList.watch(channel('list'))
  expect((await open.as(BOB).calendars.delete(garden)).status).toBe(204)
}

async function useEvents(): Promise<void> {
  const { data } = await alice.events.insert({ calendarId, requestBody: { ...DAY, recurrence: ['RRULE:FREQ=DAILY'] } })
  const event = { calendarId, eventId: requireText(data.id) }
  expect((await alice.events.instances({ ...event, maxResults: 3 })).data.items).toHaveLength(3)
  await alice.events.patch({ ...event, requestBody: { summary: 'Lunch', recurrence: null } })
  await alice.events.update({ ...event, requestBody: { ...DAY, summary: 'Dinner' } })
  await alice.events.move({ ...event, destination: TALKS })
  expect((await alice.events.get({ ...event, calendarId: TALKS })).data.summary).toBe('Dinner')
  expect(await alice.events.delete({ ...event, calendarId: TALKS })).toMatchObject({ status: 204, data: '' })
  await alice.events.import({ calendarId, requestBody: { ...DAY, iCalUID: 'boat@northline.example.org' } })
  await alice.events.quickAdd({ calendarId, text: 'Lunch tomorrow at noon' })
  await alice.events.watch({ calendarId, ...channel('events') })
  expect((await alice.events.list({ calendarId, singleEvents: true, maxResults: 2 })).data.items).toHaveLength(2)
  await alice.freebusy.query({ requestBody: { timeMin: '2026-03-04T00:00:00Z', timeMax: '2026-03-05T00:00:00Z' } })
  await alice.calendars.clear({ calendarId })
  expect(idsOf(await alice.events.list({ calendarId }))).toEqual([])
}

test('1.4 the client calls every method, and each reply has the form of its schema', async () => {
  await useCalendars()
  await useEvents()
  await alice.colors.get()
  await alice.settings.get({ setting: 'weekStart' })
  await alice.settings.list()
  const { resourceId } = (await alice.settings.watch(channel('settings'))).data
  expect((await alice.channels.stop({ requestBody: { id: 'settings', resourceId } })).status).toBe(204)

  const called = new Set(open.fake.calls().map(({ method }) => `calendar.${method}`))
  expect(api.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([])
})

test('2.1.1, 11.5, 11.8, 11.9 an error of the client has the whole refusal, and conditions are headers of its own', async () => {
  const target = { calendarId: TEAM, eventId: 'standupthu' }
  const { data, headers } = await alice.events.get(target)
  expect(headerOf(headers, 'ETag')).toBe(data.etag)
  const unchanged = await alice.events.get(target, { headers: { 'If-None-Match': requireText(data.etag) } })
  expect([unchanged.status, unchanged.data]).toEqual([304, ''])
  const stale = { headers: { 'If-Match': '"1"' } }
  expect(await rejectionOf(alice.events.patch({ ...target, requestBody: { summary: 'Late' } }, stale))).toEqual({
    ...{ code: 412, domain: 'global', reason: 'conditionNotMet', message: 'Precondition Failed' },
    ...{ locationType: 'header', location: 'If-Match' },
  })

  const error = await alice.events.get({ calendarId, eventId: 'nosuchthing' }).catch((thrown) => thrown)
  const errors = [{ domain: 'global', reason: 'notFound', message: 'Not Found' }]
  expect([error.code, error.status, error.message]).toEqual([404, 404, 'Not Found'])
  expect(error.response.data).toEqual({ error: { errors, code: 404, message: 'Not Found' } })
  expect(error.cause.errors).toEqual(errors)
})

test('1.18 the client repeats a parameter for each value of a list', async () => {
  const crm = { private: { crm: '77', table: 'window' }, shared: { project: 'charts' } }
  await alice.events.insert({ calendarId: TALKS, requestBody: { ...DAY, id: 'charts', extendedProperties: crm } })
  const found = async (privateExtendedProperty: string[], sharedExtendedProperty: string[] = []) =>
    idsOf(await alice.events.list({ calendarId: TALKS, privateExtendedProperty, sharedExtendedProperty }))

  expect(await found(['crm=77', 'table=window'], ['project=charts'])).toEqual(['charts'])
  expect(await found(['crm=77', 'table=door'])).toEqual([])
})

test('1.1 a client with an API key reads what is public, and one without credentials is refused', async () => {
  const visitor = open.withKey('AIzaVisitor')
  expect(await rejectionOf(visitor.events.list({ calendarId: ALICE }))).toMatchObject({ code: 404 })
  const requestBody = { role: 'reader', scope: { type: 'default' } }
  await alice.acl.insert({ calendarId: TEAM, requestBody })
  expect((await visitor.events.list({ calendarId: TEAM })).data.accessRole).toBe('reader')

  const refused = { code: 401, reason: 'required', message: 'Login Required.', location: 'Authorization' }
  expect(await rejectionOf(open.nobody.events.list({ calendarId: TEAM }))).toMatchObject(refused)
  expect(await rejectionOf(visitor.calendarList.list())).toMatchObject(refused)
})

test('a token can name a world, which has its own events', async () => {
  const elsewhere = open.as(`w2~${ALICE}`)
  const before = (await elsewhere.events.list({ calendarId: TEAM })).data.items?.length
  await elsewhere.events.insert({ calendarId: TEAM, requestBody: { ...DAY, id: 'onlthere' } })

  expect(before).toBeGreaterThan(0)
  expect(await rejectionOf(alice.events.get({ calendarId: TEAM, eventId: 'onlthere' }))).toMatchObject({ code: 404 })
})
