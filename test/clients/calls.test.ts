import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { auth, calendar as openClient } from '@googleapis/calendar'
import { describe, expect, test } from 'vitest'
import type { FakeCalendar } from '../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'
import { lacks, pathOf } from '../support/programs.ts'

const run = promisify(execFile)
const SCOPE = 'https://www.googleapis.com/auth/calendar'
const APP = 'app.apps.googleusercontent.com'
const oauth = {
  clients: [{ id: APP, secret: 'hush', redirectUris: ['http://localhost/back'] }],
  grants: [{ client: APP, account: ALICE, scopes: [SCOPE], refreshToken: '1//alice' }],
}
const DAY = { start: { date: '2026-03-07' }, end: { date: '2026-03-08' } }

async function served<T>(act: (fake: FakeCalendar, url: string) => Promise<T>): Promise<T> {
  const { fake } = openCalendar({ seed: { accounts: [{ email: ALICE }, { email: BOB }], oauth } })
  const { url } = await fake.listen()
  try {
    return await act(fake, url)
  } finally {
    await fake.close()
  }
}

test('the calls of the Node client are in the journal: the token request, then the methods, with account and client', async () => {
  await served(async (fake, url) => {
    const client = new auth.OAuth2({
      clientId: APP,
      clientSecret: 'hush',
      endpoints: { oauth2TokenUrl: `${url}/token` },
    })
    client.setCredentials({ refresh_token: '1//alice' })
    const { events } = openClient({ version: 'v3', auth: client, rootUrl: `${url}/` })
    const requestBody = { ...DAY, summary: 'Picnic – été', attendees: [{ email: BOB }] }
    const { data } = await events.insert({ calendarId: 'primary', sendUpdates: 'all', requestBody })
    await events.list({ calendarId: ALICE, singleEvents: true, eventTypes: ['default', 'focusTime'] })
    await events.get({ calendarId: 'primary', eventId: 'nothing0' }).catch(({ code }) => expect(code).toBe(404))
    const by = { account: ALICE, client: APP }

    expect(fake.calls()).toMatchObject([
      { ...by, method: 'oauth.token', body: { grant_type: 'refresh_token', refresh_token: '[redacted]' }, status: 200 },
      {
        ...{ ...by, method: 'events.insert', params: { calendarId: 'primary', sendUpdates: 'all' }, body: requestBody },
        ...{ status: 200, response: { id: data.id } },
      },
      {
        ...by,
        params: { calendarId: ALICE, singleEvents: 'true', eventTypes: ['default', 'focusTime'] },
        body: undefined,
      },
      { ...by, method: 'events.get', params: { eventId: 'nothing0' }, status: 404, reason: 'notFound' },
    ])
    expect(JSON.stringify(fake.calls())).not.toContain(client.credentials.access_token)
    fake.calls.verify(
      'events.insert',
      { params: { sendUpdates: 'all' }, body: { attendees: [{ email: BOB }] } },
      { times: 1 },
    )
  })
})

describe.skipIf(lacks('python3 googleapiclient'))('the Python client', () => {
  test('its calls are in the journal, with the parts of its batch', async () => {
    await served(async (fake, url) => {
      const form = { grant_type: 'refresh_token', client_id: APP, client_secret: 'hush', refresh_token: '1//alice' }
      const reply = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(form) })
      const { access_token } = (await reply.json()) as { access_token: string }
      fake.calls.clear()
      await run(pathOf('python3 googleapiclient'), ['test/clients/client.py', url, 'build', access_token], {
        timeout: 25_000,
      })
      const by = { account: ALICE, client: APP }

      expect(fake.calls('discovery')).toHaveLength(1)
      expect(fake.calls('events.insert')[0]).toMatchObject({
        ...by,
        params: { calendarId: 'primary', alt: 'json' },
        body: { id: 'picnic0', summary: 'Picnic – été', ...DAY },
        status: 200,
      })
      expect(fake.calls('*', { where: { batch: 1 } })).toMatchObject([
        { ...by, method: 'events.get', params: { eventId: 'lunch0' }, status: 200 },
        { ...by, method: 'events.get', params: { eventId: 'nothing0' }, status: 404, reason: 'notFound' },
        { ...by, method: 'events.insert', body: { start: { date: '2026-05-01' } } },
        { ...by, method: 'events.delete', status: 204 },
      ])
      expect(fake.calls('events.list', { where: { params: { maxResults: 2 } } })).toHaveLength(2)
      fake.calls.verify('events.patch', { body: { location: 'Park' } }, { times: 1 })
      expect(JSON.stringify(fake.calls())).not.toContain(access_token)
    })
  })
})
