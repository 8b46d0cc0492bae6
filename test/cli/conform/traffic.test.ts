import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playRecordings } from '../../../src/cli/conform/traffic/command.ts'
import type { Seed } from '../../../src/index.ts'
import type { SeedAccount } from '../../../src/seeds/schema/seed.ts'
import { runCommand } from '../../support/command.ts'
import { type Exchange, exchange, FORMS, opened, primary, recordProgram, seededBy, TEAM } from './recordings.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
let all: Exchange[]
beforeAll(async () => {
  all = await recordProgram()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function played(form: string, some: readonly Exchange[]) {
  const file = join(folder, form)
  writeFileSync(file, FORMS[form]?.(some) ?? '')
  const { report, differs } = await playRecordings([file], 'json', opened, { show: () => {}, clear: () => {} })
  return { differs, ...JSON.parse(report) }
}

const altered = (method: string, url: RegExp, change: (one: Exchange) => Partial<Exchange>) => {
  const at = all.findIndex((one) => one.method === method && url.test(one.url))
  expect(at).toBeGreaterThanOrEqual(0)
  return all.map((one, place) => (place === at ? { ...one, ...change(one) } : one))
}

test.each(Object.keys(FORMS))('a recording is replayed from the state it implies, and agrees: %s', async (form) => {
  const { differs, summary, recordings } = await played(form, all)

  expect(recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict !== 'agrees')).toEqual([])
  expect({ differs, summary }).toEqual({ differs: false, summary: { agrees: all.length, differs: 0 } })
  expect(recordings[0]).toMatchObject({ leftOut: [], notSeeded: [] })
})

test.each(Object.keys(FORMS))('one changed response is reported with its request: %s', async (form) => {
  const some = altered('PATCH', /events/, ({ text }) => ({ text: text.replace('Coffee', 'Cocoa') }))
  const { differs, summary, recordings } = await played(form, some)
  const [request] = recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict === 'differs')

  expect({ differs, summary }).toEqual({ differs: true, summary: { agrees: all.length - 1, differs: 1 } })
  expect(request.request).toMatch(/^PATCH \/calendars\/primary\/events\//)
  expect(request.how).toEqual(['summary: recorded "Cocoa", here "Coffee"'])
})

test.each<[string, string, RegExp, (one: Exchange) => Partial<Exchange>, string]>([
  ['a status', 'GET', /nothing$/, () => ({ status: 410 }), 'status: recorded 410, here 404'],
  [
    'a reason',
    'GET',
    /nothing$/,
    ({ text }) => ({ text: text.replace('"notFound"', '"gone"') }),
    'error.errors[0].reason: recorded "gone", here "notFound"',
  ],
  [
    'an additional field',
    'POST',
    /events$/,
    ({ text }) => ({ text: text.replace('"status": "confirmed"', '"status": "confirmed",\n "locked": true') }),
    'locked: recorded true, here nothing',
  ],
  [
    'a missing item',
    'GET',
    /instances$/,
    ({ text }) => ({ text: JSON.stringify({ ...JSON.parse(text), items: JSON.parse(text).items.slice(1) }) }),
    'items: recorded nothing, here ',
  ],
])('%s that differs is reported', async (_, method, url, change, how) => {
  const { summary, recordings } = await played('events.har', altered(method, url, change))
  const differing = recordings[0].requests.filter(({ verdict }: { verdict: string }) => verdict === 'differs')

  expect(summary.differs).toBe(1)
  expect(differing[0].how.join()).toContain(how)
})

test('requests that cannot be replayed are skipped and reported', async () => {
  const other = { ...(all[0] as Exchange), url: 'https://oauth2.googleapis.com/token', method: 'POST' }
  const busy = { ...(all[0] as Exchange), status: 503, text: '' }
  const { differs, recordings } = await played('events.har', [other, busy, ...all])

  expect(differs).toBe(false)
  expect(recordings[0].leftOut).toEqual([
    'POST https://oauth2.googleapis.com/token: it is not of the API',
    expect.stringContaining('the service was busy (503)'),
  ])
})

test('a successful response that mentions a quota is replayed', async () => {
  const some = altered('PATCH', /events/, ({ text }) => ({ text: text.replace('Coffee', 'quotaExceeded') }))
  const { recordings } = await played('events.har', some)

  expect(recordings[0].leftOut).toEqual([])
})

test('a stop of a channel without its resourceId is skipped at any place of a recording', async () => {
  const stop = exchange('POST', '/channels/stop', 204, '', { body: '{"id":"channel"}' })
  const list = exchange('GET', '/users/me/calendarList', 200, { items: [primary] })
  const [first, last] = [await seededBy(stop, list), await seededBy(list, stop)]

  expect(first.leftOut).toEqual([
    'POST https://www.googleapis.com/calendar/v3/channels/stop: no response of the recording issued its token or its channel',
  ])
  expect(last.leftOut).toEqual(first.leftOut)
})

test('the report is text with a line for each request, or JUnit', async () => {
  const file = join(folder, 'events.har')
  writeFileSync(file, FORMS['events.har']?.(altered('GET', /nothing$/, () => ({ status: 410 }))) ?? '')
  const [text, junit] = await Promise.all([
    runCommand(['conform', '--har', file]),
    runCommand(['conform', '--har', file, '--junit']),
  ])

  expect(text).toMatchObject({ code: 1, stderr: '' })
  expect(text.stdout).toContain(
    'differs  GET /calendars/primary/events/nothing\n       status: recorded 410, here 404\n',
  )
  expect(text.stdout).toContain(`${all.length} requests: ${all.length - 1} agree, 1 differ`)
  expect(junit.stdout).toContain(`tests="${all.length}" failures="1"`)
})

test.each([
  ['nothing.har', undefined, 'cannot read the recording: there is no such file'],
  ['page.har', '<html></html>', 'unknown format (expected HAR, nock, Polly or VCR)'],
  ['empty.har', '{"log":{"entries":[]}}', 'contains no replayable request to the API'],
])('%s is refused in one line', async (name, text, message) => {
  const file = join(folder, name)
  if (text !== undefined) writeFileSync(file, text)

  expect(await runCommand(['conform', '--har', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: `fake-calendar: ${file}: ${message}\n`,
  })
})

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

const calendarOf = (seed: Seed, id: string) => seed.calendars?.find((one) => one.id === id)

test('in a recording without data owners, the caller with the role owner owns a calendar', async () => {
  const team = { kind: 'calendar#calendarListEntry', id: TEAM, summary: 'Team', accessRole: 'owner' }
  const other = { ...team, id: 'c_other@group.calendar.google.com', accessRole: 'reader' }
  const { seed } = await seededBy(exchange('GET', '/users/me/calendarList', 200, { items: [primary, team, other] }))

  expect(calendarOf(seed, TEAM)).toMatchObject({ owner: 'ann@example.org' })
  expect(calendarOf(seed, other.id)).toMatchObject({ owner: 'data-owner@example.com' })
})

test('in a recording before November 2025, dataOwner is not compared', async () => {
  const calendar = { kind: 'calendar#calendar', id: TEAM, summary: 'Team', timeZone: 'UTC' }
  const { requests } = await seededBy(exchange('GET', `/calendars/${TEAM}`, 200, calendar))

  expect(JSON.stringify(requests)).not.toContain('dataOwner')
})

test('a watch of settings is not read as a setting', async () => {
  const channel = { kind: 'api#channel', id: 'settings-channel', resourceId: 'x' }
  const { seed } = await seededBy(
    exchange('GET', '/users/me/calendarList/primary', 200, primary),
    exchange('POST', '/users/me/settings/watch', 200, channel),
  )

  expect(seed.accounts?.map((account: SeedAccount) => account.settings)).toEqual([undefined])
})

test('calendarList/primary determines the account, and a list of holidays does not', async () => {
  const holidays = 'en.usa#holiday@group.v.calendar.google.com'
  const creator = { email: holidays, self: true }
  const event = { id: '20250101_holiday', start: { date: '2025-01-01' }, end: { date: '2025-01-02' }, creator }
  const list = { kind: 'calendar#events', summary: 'Holidays', accessRole: 'reader', items: [event] }
  const { seed } = await seededBy(
    exchange('GET', `/calendars/${encodeURIComponent(holidays)}/events`, 200, list),
    exchange('GET', '/users/me/calendarList/primary', 200, primary),
  )

  expect(seed.accounts?.map((account: SeedAccount) => account.email)).toEqual(['ann@example.org'])
})

test('the zone of a calendar is derived from the offsets of its events', async () => {
  const time = (day: string, offset: string) => ({
    dateTime: `2025-${day}T09:00:00${offset}`,
    timeZone: 'Europe/Berlin',
  })
  const event = {
    kind: 'calendar#event',
    id: 'abcde',
    summary: 'Tea',
    creator: { email: 'ann@example.org', self: true },
  }
  const { seed } = await seededBy(
    exchange('GET', '/calendars/primary/events/abcde', 200, {
      ...event,
      start: time('01-07', '+01:00'),
      end: time('07-07', '+02:00'),
    }),
    exchange('GET', `/calendars/${TEAM}/events/fghij`, 200, {
      ...event,
      id: 'fghij',
      start: { dateTime: '2025-01-07T09:00:00-05:00' },
      end: { dateTime: '2025-01-07T10:00:00-05:00' },
    }),
  )

  expect(calendarOf(seed, 'ann@example.org')?.timeZone).toBe('Europe/Berlin')
  expect(calendarOf(seed, TEAM)?.timeZone).toBe('Etc/GMT+5')
})

test('a successful write implies its calendar, the role, the destination of a move, and a rule', async () => {
  const at = (hour: number) => ({ dateTime: `2025-03-04T${hour}:00:00Z` })
  const body = { summary: 'Tea', start: at(10), end: at(11) }
  const event = { kind: 'calendar#event', id: 'abcde', status: 'confirmed', ...body }
  const rule = `/calendars/${TEAM}/acl/user:bob@example.com`
  const { requests } = await seededBy(
    exchange('GET', '/users/me/calendarList/primary', 200, primary),
    exchange('POST', `/calendars/${TEAM}/events`, 200, event, { body: JSON.stringify(body) }),
    exchange('POST', `/calendars/${TEAM}/events/abcde/move?destination=c_there@group.calendar.google.com`, 200, event),
    exchange('DELETE', rule, 204, ''),
    exchange('DELETE', '/calendars/c_old@group.calendar.google.com', 204, ''),
  )

  const statuses = requests.map(({ how }: { how: string[] }) => how.filter((line) => /^status: recorded \d/.test(line)))
  expect(statuses.slice(1)).toEqual([[], [], [], []])
})

test('a recorded 401 is replayed without a token, and compared by its status', async () => {
  const refusal = { error: { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] } }
  const headers = { authorization: 'Bearer old' }
  const { requests, leftOut } = await seededBy(
    exchange('GET', '/calendars/primary/events', 401, refusal, { headers }),
    exchange('GET', '/users/me/calendarList', 200, { items: [primary] }),
  )

  expect(leftOut).toEqual([])
  expect(requests[0]).toMatchObject({ verdict: 'agrees', how: [] })
})

test('an invalid file does not stop the report of the others', async () => {
  const [good, bad] = [join(folder, 'good.har'), join(folder, 'bad.har')]
  writeFileSync(good, FORMS['events.har']?.(all) ?? '')
  writeFileSync(bad, '<html></html>')
  const progress = { show: () => {}, clear: () => {} }
  const { report, differs } = await playRecordings([bad, good], 'text', opened, progress)
  const junit = await playRecordings([bad, good], 'junit', opened, progress)

  expect(differs).toBe(true)
  expect(report).toContain(`refused: ${bad}: unknown format (expected HAR, nock, Polly or VCR)\n`)
  expect(report).toContain(`${all.length} requests: ${all.length} agree, 0 differ`)
  expect(junit.report).toContain('<error message=')
})

test.each([
  ['a file', () => deep],
  ['a response', () => FORMS['events.har']?.([exchange('GET', '/colors', 200, deep)]) ?? ''],
  ['a body', () => FORMS['events.har']?.([exchange('POST', '/freeBusy', 200, {}, { body: deep })]) ?? ''],
])('deeply nested %s is reported in one line', async (name, text) => {
  const file = join(folder, `deep ${name}.har`)
  writeFileSync(file, text())

  await expect(playRecordings([file], 'text', opened, { show: () => {}, clear: () => {} })).rejects.toThrow(
    /^\S+deep .*\.har: .*it is nested too deep$/,
  )
})
