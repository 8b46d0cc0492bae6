import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringify } from 'yaml'
import { playRecordings } from '../../../src/cli/conform/traffic/command.ts'
import type { OpenFake } from '../../../src/cli/conform/traffic/openFake.ts'
import { createFakeCalendar, type Seed } from '../../../src/index.ts'
import { ALICE, BOB, hour } from '../../support/calendar.ts'

/** A recorded request and its response. */
export type Exchange = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  status: number
  responseHeaders: Record<string, string>
  text: string
}

/** The fields of responses that the script uses. */
type Made = { id: string; etag: string; nextSyncToken: string }

const HOST = 'https://www.googleapis.com'

/** Records a program that reads, creates, changes, deletes and syncs in an account with data. */
export async function recordProgram(): Promise<Exchange[]> {
  const meeting = { id: 'meeting00', summary: 'Meeting', ...hour('2026-03-04', 9), attendees: [{ email: BOB }] }
  const standup = {
    id: 'standup00',
    summary: 'Stand-up',
    ...hour('2026-03-02', 8),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
  }
  const team = { id: 'team@group.calendar.google.com', summary: 'Team', owner: ALICE, events: [meeting] }
  const fake = createFakeCalendar({
    now: '2026-03-01T12:00:00Z',
    seed: {
      accounts: [{ email: ALICE, timeZone: 'America/New_York' }],
      calendars: [{ id: ALICE, events: [standup] }, team],
    },
  })
  const all: Exchange[] = []
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Made> => {
    const headers: Record<string, string> = {
      ...more,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const url = `${HOST}/calendar/v3${path}`
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const answer = await fake.fetch(url, {
      method,
      headers: { ...headers, Authorization: `Bearer ${ALICE}` },
      ...(sent !== undefined && { body: sent }),
    })
    const text = await answer.text()
    all.push({
      method,
      url,
      headers,
      body: sent,
      status: answer.status,
      responseHeaders: Object.fromEntries(answer.headers),
      text,
    })
    fake.clock.advance('1s')
    return JSON.parse(text || '{}')
  }
  const events = '/calendars/primary/events'
  await send('GET', '/users/me/calendarList')
  const { nextSyncToken } = await send('GET', events)
  await send('GET', `${events}?singleEvents=true&timeMin=2026-03-03T00:00:00Z&orderBy=startTime`)
  const made = await send('POST', events, { summary: 'Tea', ...hour('2026-03-05', 15) })
  await send('PATCH', `${events}/${made.id}`, { summary: 'Coffee' }, { 'If-Match': made.etag })
  await send('PATCH', `${events}/${made.id}`, { summary: 'Late' }, { 'If-Match': made.etag })
  await send('DELETE', `${events}/standup00_20260303T130000Z`)
  await send('GET', `${events}/standup00/instances`)
  await send('GET', `${events}?syncToken=${encodeURIComponent(nextSyncToken)}`)
  await send('GET', '/calendars/team%40group.calendar.google.com/events/meeting00')
  await send('DELETE', `${events}/${made.id}`)
  await send('DELETE', `${events}/${made.id}`)
  await send('GET', `${events}/nothing`)
  await send('POST', '/freeBusy', {
    timeMin: '2026-03-02T00:00:00Z',
    timeMax: '2026-03-04T00:00:00Z',
    items: [{ id: 'primary' }],
  })
  await send('GET', '/colors')
  await fake.close()
  return all
}

const pairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))
const lists = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

function har(all: readonly Exchange[], content: (one: Exchange) => object) {
  const entries = all.map((one) => ({
    startedDateTime: '2026-03-01T12:00:00.000Z',
    request: {
      method: one.method,
      url: one.url,
      headers: pairs(one.headers),
      ...(one.body && { postData: { mimeType: 'application/json', text: one.body } }),
    },
    response: { status: one.status, headers: pairs(one.responseHeaders), content: content(one) },
  }))
  return JSON.stringify({ log: { version: '1.2', entries } })
}

/** The recording formats. */
export const FORMS: Record<string, (all: readonly Exchange[]) => string> = {
  'events.har': (all) => har(all, ({ text }) => ({ mimeType: 'application/json', text })),
  'polly.har': (all) =>
    har(
      all.map((one) => ({ ...one, said: { ...one.responseHeaders, 'content-encoding': 'gzip' } })),
      ({ text }) => ({ encoding: 'base64', text: JSON.stringify([gzipSync(text).toString('base64')]) }),
    ),
  'nock.json': (all) =>
    JSON.stringify(
      all.map(({ method, url, body, status, responseHeaders, text }, at) => ({
        scope: `${HOST}:443`,
        method,
        path: url.slice(HOST.length),
        body: body === undefined ? '' : JSON.parse(body),
        status,
        ...(at % 2 === 0
          ? { response: text === '' ? '' : JSON.parse(text), rawHeaders: Object.entries(responseHeaders).flat() }
          : {
              response: [gzipSync(text).toString('hex')],
              rawHeaders: { ...responseHeaders, 'content-encoding': 'gzip' },
            }),
        reqheaders: Object.fromEntries(
          Object.entries(all[at]?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), [value]]),
        ),
      })),
    ),
  'ruby.yml': (all) =>
    stringify({
      http_interactions: all.map(({ method, url, headers, body = '', status, responseHeaders, text }) => ({
        request: {
          method: method.toLowerCase(),
          uri: url,
          body: { encoding: 'UTF-8', string: body },
          headers: lists(headers),
        },
        response: {
          status: { code: status, message: '' },
          headers: lists(responseHeaders),
          body: { encoding: 'UTF-8', string: text },
        },
        recorded_at: 'Sun, 01 Mar 2026 12:00:00 GMT',
      })),
      recorded_with: 'VCR 6.1.0',
    }),
  'python.yaml': (all) =>
    stringify(
      {
        interactions: all.map(({ method, url, headers, body = null, status, responseHeaders, text }) => ({
          request: { body, headers: lists(headers), method, uri: url },
          response: {
            body: { string: new Uint8Array(gzipSync(text)) },
            headers: lists(responseHeaders),
            status: { code: status, message: '' },
          },
        })),
        version: 1,
      },
      { customTags: ['binary'] },
    ),
}

/** Creates a fake in process. */
export const opened: OpenFake = (seed, now) => createFakeCalendar({ seed, ...(now && { now }) })

/** Returns a recorded exchange of an account. */
export const exchange = (
  method: string,
  path: string,
  status: number,
  answer: object | string,
  more: Partial<Exchange> = {},
): Exchange => ({
  method,
  url: `${HOST}/calendar/v3${path}`,
  headers: {},
  body: undefined,
  status,
  responseHeaders: { date: 'Mon, 03 Mar 2025 10:00:00 GMT' },
  text: typeof answer === 'string' ? answer : JSON.stringify(answer),
  ...more,
})

/** The id of a secondary calendar. */
export const TEAM = 'c_team@group.calendar.google.com'

/** The list entry of the primary calendar of ann@example.org. */
export const primary = {
  kind: 'calendar#calendarListEntry',
  id: 'ann@example.org',
  primary: true,
  accessRole: 'owner',
}

/** Replays exchanges, and returns the seed of the fake and the report. */
export async function seededBy(...some: Exchange[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
  const seeds: Seed[] = []
  const open: OpenFake = (seed, now) => {
    seeds.push(seed)
    return opened(seed, now)
  }
  try {
    const file = join(folder, 'some.har')
    writeFileSync(file, FORMS['events.har']?.(some) ?? '')
    const { report } = await playRecordings([file], 'json', open, { show: () => {}, clear: () => {} })
    const [recording] = JSON.parse(report).recordings
    return { seed: seeds.at(-1) ?? {}, requests: recording.requests, ...recording }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
