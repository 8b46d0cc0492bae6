import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, newCalendar, share } from '../../support/sharing.ts'

const scope = (name: string) => `https://www.googleapis.com/auth/calendar.${name}`

/** Alice's calendars: her own, one that bob owns and she writes to, and a public one of bob's; each with an event. */
async function calendars(...scopes: string[]) {
  const calendar = openCalendar()
  const { as, fake } = calendar
  const team = await newCalendar(as(BOB), 'Team')
  await share(as(BOB), team, ALICE, 'writer')
  const open = await newCalendar(as(BOB), 'Open')
  await as(BOB).post(`/calendars/${open}/acl`, { role: 'reader', scope: { type: 'default' } })
  for (const [id, account] of [
    [ALICE, ALICE],
    [team, BOB],
    [open, BOB],
  ] as const) {
    await as(account).post(`/calendars/${id}/events`, { id: 'plans', summary: 'Plans', ...hour('2026-03-02', 9) })
  }
  fake.seed({ tokens: [{ token: 'narrow', account: ALICE, client: 'app', scopes: scopes.map(scope) }] })
  const narrow = as('narrow')
  const readPlans = (id: string) => narrow.get(`/calendars/${id}/events/plans`)
  return { ...calendar, team, open, narrow, readPlans }
}

test.each(['events.owned', 'events.owned.readonly'])(
  '1.5.1 %s reads only the calendars that the caller owns',
  async (name) => {
    const { team, open, readPlans } = await calendars(name)

    expect((await readPlans(ALICE)).body.summary).toBe('Plans')
    for (const id of [team, open]) expect(errorOf(await readPlans(id))).toEqual(NOT_FOUND)
  },
)

test('1.5.1 events.owned writes only to owned calendars', async () => {
  const { team, narrow } = await calendars('events.owned')

  expect((await narrow.patch('/calendars/primary/events/plans', { summary: 'Mine' })).status).toBe(200)
  expect(errorOf(await narrow.patch(`/calendars/${team}/events/plans`, { summary: 'Mine' }))).toEqual(NOT_FOUND)
})

test('1.5.1 events.freebusy reads only times', async () => {
  const { team, readPlans, narrow } = await calendars('events.freebusy')

  for (const id of [ALICE, team]) {
    expect((await readPlans(id)).body).toMatchObject({ visibility: 'private', start: { dateTime: expect.any(String) } })
    expect((await readPlans(id)).body).not.toHaveProperty('summary')
  }
  expect((await narrow.get('/calendars/primary/events')).body.accessRole).toBe('freeBusyReader')
})

test('1.5.1 events.public.readonly reads only public calendars', async () => {
  const { team, open, readPlans } = await calendars('events.public.readonly')

  expect((await readPlans(open)).body.summary).toBe('Plans')
  for (const id of [ALICE, team]) expect(errorOf(await readPlans(id))).toEqual(NOT_FOUND)
})

test('1.5.1 app.created reads only the calendars that its client created', async () => {
  const { as, fake, team, readPlans, narrow } = await calendars('app.created')

  const { id } = (await narrow.post('/calendars', { summary: 'Made' })).body
  expect((await narrow.post(`/calendars/${id}/events`, hour('2026-03-02', 9))).status).toBe(200)
  expect((await narrow.get(`/users/me/calendarList/${id}`)).body.summary).toBe('Made')
  for (const other of [ALICE, team]) {
    expect(errorOf(await readPlans(other))).toEqual(NOT_FOUND)
    expect(errorOf(await narrow.get(`/users/me/calendarList/${other}`))).toEqual(NOT_FOUND)
  }

  fake.seed({ tokens: [{ token: 'other', account: ALICE, client: 'another', scopes: [scope('app.created')] }] })
  expect(errorOf(await as('other').get(`/calendars/${id}`))).toEqual(NOT_FOUND)
  const again = openCalendar({ seed: fake.state() })
  expect((await again.as('narrow').get(`/calendars/${id}`)).body.summary).toBe('Made')
})

test('1.5.1 the widest of several scopes applies', async () => {
  const both = await calendars('events.owned', 'events.freebusy')
  expect((await both.readPlans(ALICE)).body.summary).toBe('Plans')
  expect((await both.readPlans(both.team)).body).not.toHaveProperty('summary')

  const all = await calendars('events.owned', 'events.readonly')
  expect((await all.readPlans(all.team)).body.summary).toBe('Plans')
})

test('1.5 calendar.settings reads and watches settings, and nothing else', async () => {
  const { narrow } = await calendars('settings')
  const channel = { id: 'settings-channel', type: 'web_hook', address: 'http://127.0.0.1:9/' }

  for (const path of ['/users/me/settings', '/users/me/settings/locale'])
    expect((await narrow.get(path)).status).toBe(200)
  const watched = await narrow.post('/users/me/settings/watch', channel)
  expect(watched.status).toBe(200)
  const { id, resourceId } = watched.body
  expect((await narrow.post('/channels/stop', { id, resourceId })).status).toBe(204)
  for (const path of ['/users/me/calendarList', '/calendars/primary/events', '/colors'])
    expect(errorOf(await narrow.get(path))).toMatchObject({ status: 403, reason: 'insufficientPermissions' })
})

test('a request that lacks a scope is in the journal with its account', async () => {
  const { fake } = openCalendar()
  const scopes = ['https://www.googleapis.com/auth/calendar.freebusy']
  const headers = { Authorization: `Bearer ${fake.oauth.mint({ account: ALICE, scopes })}` }

  await fake.request('/calendar/v3/calendars/primary/events', { headers })

  expect(fake.calls()).toMatchObject([{ method: 'events.list', account: ALICE, reason: 'insufficientPermissions' }])
})
