import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closeServer, listen } from '../support/push.ts'
import { type Client, itemsOf, openTeam, rejectionOf, requireText, scenario, TEAM } from '../support/team.ts'

/**
 * An application keeps a copy of a calendar with the official Node client over a socket. It watches, receives
 * messages, syncs from the stored token, starts over if the token has expired, and renews the channel before it ends.
 */
const ALICE = 'alice@example.com'
const BOB = 'bob@example.com'

let open: Awaited<ReturnType<typeof openTeam>>
let app: ReturnType<typeof openApp>
let bob: Client

beforeAll(async () => {
  open = await openTeam()
  bob = open.as(BOB)
  app = openApp(open.as(ALICE))
  await app.listen()
})
afterAll(async () => {
  await app.close()
  await open.close()
})

/** The application under test: a copy of the team's calendar, which only a push message makes it look at. */
function openApp(client: Client) {
  const copy = new Map<string, string>()
  const channels = new Map<string, { resourceId: string; token: string }>()
  const messages: string[] = []
  const syncs: string[] = []
  let syncToken: string | undefined
  let working: Promise<void> = Promise.resolve()

  const server = createServer((request, response) => {
    response.writeHead(accept(request.headers) ? 204 : 404).end()
  })

  /** Returns false for a message of an unknown channel, or with another token. */
  function accept(headers: IncomingHttpHeaders): boolean {
    const id = String(headers['x-goog-channel-id'])
    const channel = channels.get(id)
    if (channel?.token !== headers['x-goog-channel-token']) return false
    messages.push(`${[...channels.keys()].indexOf(id) + 1}: ${headers['x-goog-resource-state']}`)
    if (headers['x-goog-resource-state'] === 'exists') working = working.then(sync)
    return true
  }

  async function sync(): Promise<void> {
    try {
      const kind = syncToken ? 'incremental' : 'full'
      await read(syncToken)
      syncs.push(kind)
    } catch (error) {
      if ((error as { status?: number }).status !== 410) throw error
      syncs.push('410')
      syncToken = undefined
      copy.clear()
      await read(undefined)
      syncs.push('full')
    }
  }

  async function read(from: string | undefined): Promise<void> {
    for (let pageToken: string | undefined; ; ) {
      const { data } = await client.events.list({ calendarId: TEAM, syncToken: from, pageToken, maxResults: 5 })
      for (const { id, status, summary } of data.items ?? []) {
        if (status === 'cancelled') copy.delete(requireText(id))
        else copy.set(requireText(id), summary ?? '')
      }
      if (data.nextSyncToken) syncToken = data.nextSyncToken
      if (!data.nextPageToken) return
      pageToken = data.nextPageToken
    }
  }

  return {
    copy,
    channels,
    messages,
    syncs,
    sync,
    server,
    port: 0,
    async listen() {
      this.port = await listen(server)
    },
    close: () => closeServer(server),
    async watch(id: string = randomUUID()) {
      const token = `token of ${id}`
      channels.set(id, { resourceId: '', token })
      const requestBody = { id, token, type: 'web_hook', address: `http://localhost:${this.port}/push` }
      const { data } = await client.events.watch({ calendarId: TEAM, requestBody })
      channels.set(id, { resourceId: requireText(data.resourceId), token })
      return data
    },
    async stop(id: string) {
      await client.channels.stop({ requestBody: { id, resourceId: channels.get(id)?.resourceId } })
    },
    /** All that was posted has been worked off. */
    async settled() {
      await open.fake.notifications.settled()
      await working
    },
  }
}

/** Returns the events of the service in the same form. */
async function truth(): Promise<Map<string, string>> {
  const { data } = await bob.events.list({ calendarId: TEAM, maxResults: 2500 })
  return new Map(
    (data.items ?? [])
      .filter(({ status }) => status !== 'cancelled')
      .map(({ id, summary }) => [requireText(id), summary ?? '']),
  )
}

const step = scenario()
const day = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }

step('the application watches, then reads all there is, page by page', async () => {
  const data = await app.watch('first')
  await app.sync()
  await app.settled()

  expect(data).toMatchObject({ kind: 'api#channel', id: 'first', token: 'token of first' })
  expect(Number(data.expiration)).toBe(open.fake.clock.now() + 7 * 86_400_000)
  expect(app.messages).toEqual(['1: sync'])
  expect(app.syncs).toEqual(['full'])
  expect(app.copy).toEqual(await truth())
  expect(app.copy.size).toBeGreaterThan(0)
})

step('6.4 somebody else writes; the push makes the application read what changed', async () => {
  await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'fromb0b', summary: 'From Bob', ...day } })
  await app.settled()

  expect(app.messages).toEqual(['1: sync', '1: exists'])
  expect(app.syncs).toEqual(['full', 'incremental'])
  expect(app.copy.get('fromb0b')).toBe('From Bob')
  expect(app.copy).toEqual(await truth())
})

step('a change and a deletion are told of each', async () => {
  await bob.events.patch({ calendarId: TEAM, eventId: 'fromb0b', requestBody: { summary: 'Still from Bob' } })
  await app.settled()
  expect(app.copy.get('fromb0b')).toBe('Still from Bob')

  await bob.events.delete({ calendarId: TEAM, eventId: 'fromb0b' })
  await app.settled()

  expect(app.messages.slice(2)).toEqual(['1: exists', '1: exists'])
  expect(app.copy).toEqual(await truth())
})

step('a token that has expired is 410, and the application starts over', async () => {
  await open.control('syncTokens/expire')
  await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'later0', summary: 'Later', ...day } })
  await app.settled()

  expect(app.syncs.slice(-2)).toEqual(['410', 'full'])
  expect(app.copy).toEqual(await truth())
})

step('a message that is lost is made up for by the next', async () => {
  open.fake.notifications.drop()
  await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'lost0', summary: 'Lost', ...day } })
  await app.settled()
  expect(app.copy.has('lost0')).toBe(false)

  await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'found0', summary: 'Found', ...day } })
  await app.settled()

  expect(app.copy).toEqual(await truth())
})

step(
  'the channel is renewed a day before its end: a new one, then the old is stopped, and no change goes untold',
  async () => {
    await open.fake.advance('6d')
    app.messages.length = 0
    await app.watch('second')
    await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'both00', summary: 'Told by both', ...day } })
    await app.settled()
    await app.stop('first')
    await bob.events.insert({ calendarId: TEAM, requestBody: { id: 'second0', summary: 'Told by the second', ...day } })
    await open.fake.advance('2d')
    await bob.events.insert({
      calendarId: TEAM,
      requestBody: { id: 'third0', summary: 'Told past the first’s end', ...day },
    })
    await app.settled()

    expect([...app.messages].sort()).toEqual(['1: exists', '2: exists', '2: exists', '2: exists', '2: sync'])
    expect(app.channels.get('second')?.resourceId).toBe(app.channels.get('first')?.resourceId)
    expect(app.copy).toEqual(await truth())
  },
)

step('stopping twice is a 404 that names the channel', async () => {
  expect(await rejectionOf(app.stop('first'))).toMatchObject({ code: 404, reason: 'notFound' })
})

step('the calendar’s own watchers of rules, lists and settings are told apart', async () => {
  const other = openApp(open.as(ALICE))
  await other.listen()
  onTestFinished(() => other.close())
  const alice = open.as(ALICE)
  const watch = (id: string) => {
    other.channels.set(id, { resourceId: '', token: id })
    return { id, token: id, type: 'web_hook', address: `http://localhost:${other.port}/push` }
  }
  await alice.acl.watch({ calendarId: TEAM, requestBody: watch('rules') })
  await alice.calendarList.watch({ requestBody: watch('list') })
  await alice.settings.watch({ requestBody: watch('settings') })
  await other.settled()

  await alice.acl.insert({
    calendarId: TEAM,
    requestBody: { role: 'reader', scope: { type: 'user', value: 'new@example.org' } },
  })
  await alice.calendarList.patch({ calendarId: TEAM, requestBody: { summaryOverride: 'Ours' } })
  await other.settled()

  expect([...other.messages].sort()).toEqual(['1: exists', '1: sync', '2: exists', '2: sync', '3: sync'])
  expect(itemsOf(await alice.acl.list({ calendarId: TEAM })).length).toBeGreaterThan(0)
})
