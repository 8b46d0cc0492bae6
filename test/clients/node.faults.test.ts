import { auth, calendar } from '@googleapis/calendar'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFakeCalendar, type FakeCalendarOptions } from '../../src/index.ts'
import { ALICE, allDay, NOW, PEOPLE } from '../support/calendar.ts'

/** The official Node client with each fault, with its own retries and timeouts, over a socket and in process. */
describe.each(['over a socket', 'in process'])('%s', (way) => {
  async function open(options: FakeCalendarOptions = {}) {
    const fake = createFakeCalendar({ seed: PEOPLE, now: NOW, ...options })
    onTestFinished(() => fake.close())
    const socket = way === 'over a socket'
    const rootUrl = socket ? `${(await fake.listen()).url}/` : 'http://fake-calendar.localhost/'
    const credentials = new auth.OAuth2()
    credentials.setCredentials({ access_token: ALICE })
    const client = calendar({
      ...{ version: 'v3', auth: credentials, rootUrl },
      ...(!socket && { fetchImplementation: fake.fetch }),
    })
    const insert = (more: object = {}) =>
      client.events.insert({ calendarId: 'primary', requestBody: { ...allDay('2026-03-02', '2026-03-03'), ...more } })
    const list = (params: object = {}, options: object = {}) =>
      client.events.list({ calendarId: 'primary', ...params }, options)
    const ids = async () => (await list()).data.items?.map(({ id }) => id)
    return { fake, client, insert, list, ids }
  }
  const failing = (call: Promise<unknown>) =>
    call.then(
      () => expect.unreachable('was answered'),
      (error) => error,
    )
  const only = { retry: false }

  test('a read is retried after 503 and 503, until it succeeds', async () => {
    const { fake, list } = await open()
    const fault = fake.faults.add({ on: 'events.list', times: 2, do: { fail: 'backendError503' } })

    expect((await list()).status).toBe(200)
    expect(fault.fired).toBe(2)
    fake.faults.verify()
  })

  test('a write is not retried, and its 429 has Retry-After', async () => {
    const { fake, insert, ids } = await open()
    fake.faults.add({ on: 'events.insert', do: { fail: 'rateLimitExceeded429', retryAfter: 7 } })
    const error = await failing(insert())

    expect(error).toMatchObject({ status: 429, message: 'Rate Limit Exceeded' })
    expect(error.response.headers.get('Retry-After')).toBe('7')
    expect(await ids()).toEqual([])
  })

  test('an error of the front end can have another status', async () => {
    const { fake, insert } = await open()
    fake.faults.add({ on: '*', do: { fail: 'frontEndRateLimitExceeded', status: 429 } })

    expect((await failing(insert())).response.data.error).toEqual({
      code: 429,
      message:
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'calendar-json.googleapis.com' for consumer 'project_number:100000000001'.",
      errors: [expect.objectContaining({ domain: 'usageLimits', reason: 'rateLimitExceeded' })],
      status: 'PERMISSION_DENIED',
      details: [expect.objectContaining({ reason: 'RATE_LIMIT_EXCEEDED', domain: 'googleapis.com' })],
    })
  })

  test('a fault can have its own response', async () => {
    const { fake, list } = await open()
    fake.faults.add({ on: '*', do: { status: 207, headers: { 'X-Mine': 'yes' }, body: { hello: ['world'] } } })
    fake.faults.add({ on: '*', do: { status: 502, headers: { 'content-type': 'text/html' }, body: '<p>Bad</p>' } })
    const answer = await list()
    const error = await failing(list({}, only))

    expect([answer.status, new Headers(answer.headers as never).get('X-Mine'), answer.data]).toEqual([
      207,
      'yes',
      { hello: ['world'] },
    ])
    expect([error.status, error.response.headers.get('Content-Type'), error.response.data]).toEqual([
      ...[502, 'text/html', '<p>Bad</p>'],
    ])
  })

  test('a delay is longer than the client’s timeout, and the write is done', async () => {
    const { fake, insert, ids } = await open()
    fake.faults.add({ on: 'events.insert', do: { delay: '100ms' } })
    const given = fake.faults.add({ on: 'events.insert', do: { fail: 'backendError' }, skip: 1 })
    const late = insert({ id: 'late00' })
    expect(await failing(Promise.race([late, patience(20)]))).toMatchObject({ name: 'TimeoutError' })
    expect((await late).status).toBe(200)

    expect(await ids()).toEqual(['late00'])
    expect(given.fired).toBe(0)
  })

  test('with a delay by the world’s clock the second of two requests is executed first', async () => {
    const { fake, insert, ids } = await open()
    const slow = fake.faults.add({ on: 'events.insert', do: { delay: '5s', clock: 'world' } })
    const first = insert({ id: 'first0' })
    await vi.waitFor(() => expect(slow.fired).toBe(1))
    await insert({ id: 'second' })
    expect(await ids()).toEqual(['second'])
    fake.clock.advance('4s')
    expect(await ids()).toEqual(['second'])

    expect(fake.clock.advance('1s')).toMatchObject([{ what: 'a delayed events.insert continues' }])
    expect((await first).status).toBe(200)
    expect(await ids()).toEqual(['second', 'first0'])
  })

  test('a hanging request is aborted by the client, and is not executed', async () => {
    const { fake, client, ids } = await open()
    const fault = fake.faults.add({ on: 'events.insert', do: { hang: true } })
    const requestBody = allDay('2026-03-02', '2026-03-03')
    const error = await failing(client.events.insert({ calendarId: 'primary', requestBody }, { timeout: 60 }))

    expect(error.message).toMatch(/timeout|aborted/i)
    expect(fault.fired).toBe(1)
    expect(await ids()).toEqual([])
  })

  test('a request that hangs when the server closes loses its connection', async () => {
    const { fake, list } = await open()
    const fault = fake.faults.add({ on: '*', times: 'always', do: { hang: true } })
    const hanging = failing(list({}, only))
    await vi.waitFor(() => expect(fault.fired).toBe(1))
    await fake.close()

    expect(String((await hanging).cause?.message)).toMatch(/fetch failed|socket hang up/)
  })

  test('a stalled response arrives in the end, unless the client’s timeout is shorter', async () => {
    const { fake, insert, list } = await open()
    await insert({ summary: 'Lunch' })
    fake.faults.add({ on: 'events.list', times: 2, do: { stall: { after: 10, for: '150ms' } } })

    expect((await list()).data.items).toHaveLength(1)
    expect((await failing(list({}, { ...only, timeout: 50 }))).message).toMatch(/timeout|aborted|terminated/i)
  })

  test('a truncated response is an error for the client', async () => {
    const { fake, insert, list } = await open()
    await insert({ summary: 'Lunch' })
    const fault = fake.faults.add({ on: 'events.list', do: { truncate: 20 } })
    const error = await failing(list({}, only))

    expect(error.message).toMatch(/terminated|aborted|premature|JSON/i)
    expect(fault.fired).toBe(1)
    expect((await list()).data.items).toHaveLength(1)
  })

  test('a request with an empty response is executed', async () => {
    const { fake, insert, ids } = await open()
    fake.faults.add({ on: 'events.insert', do: { empty: true } })
    const { status, data } = await insert({ id: 'void00' })

    expect([status, data]).toEqual([200, ''])
    expect(await ids()).toEqual(['void00'])
  })

  test('after a reset connection reads are retried, which fires the fault again', async () => {
    const { fake, insert, list, ids } = await open()
    const fault = fake.faults.add({ on: 'events.list', times: 2, do: { reset: true } })
    expect((await list()).status).toBe(200)
    expect(fault.fired).toBe(2)

    fake.faults.add({ on: 'events.insert', do: { reset: true } })
    expect(codesOf(await failing(insert({ id: 'reset0' })))).toContain('ECONNRESET')
    expect(await ids()).toEqual([])
  })

  test('a write with a lost response is done, and its repetition is refused', async () => {
    const { fake, insert, ids } = await open()
    fake.faults.add({ on: 'events.insert', do: { answerLost: true } })
    expect(codesOf(await failing(insert({ id: 'lost00' })))).toContain('ECONNRESET')

    expect(await ids()).toEqual(['lost00'])
    expect(await failing(insert({ id: 'lost00' }))).toMatchObject({ status: 409 })
  })

  test('2.6.4, 14.42 an empty page leads to the requested page', async () => {
    const { fake, insert, list } = await open()
    for (const id of ['one000', 'tuo000', 'three0']) await insert({ id })
    fake.faults.add({ on: 'events.list', times: 3, do: { emptyPage: true } })
    const pages: (string | null | undefined)[][] = []
    let pageToken: string | null | undefined
    let syncToken: string | null | undefined
    do {
      const { data } = await list({ maxResults: 2, ...(pageToken && { pageToken }) })
      pages.push(data.items?.map(({ id }) => id) ?? [])
      pageToken = data.nextPageToken
      syncToken = data.nextSyncToken
    } while (pageToken)

    expect(pages).toEqual([[], [], [], ['one000', 'tuo000'], ['three0']])
    expect((await list({ syncToken })).data.items).toEqual([])
  })

  test('2.6.4, 14.42 a stale list has an earlier state, and its sync token continues from there', async () => {
    const { fake, client, insert, list, ids } = await open()
    await insert({ id: 'before' })
    fake.clock.advance('10s')
    const { syncToken } = { syncToken: (await list()).data.nextSyncToken }
    await insert({ id: 'after0' })
    fake.faults.add({ on: '*', times: 3, do: { stale: '5s' } })
    const { data } = await list()
    expect(data.items?.map(({ id }) => id)).toEqual(['before'])
    const busy = { timeMin: NOW, timeMax: '2026-03-09T00:00:00Z', items: [{ id: 'primary' }] }
    const { data: free } = await client.freebusy.query({ requestBody: busy })
    expect(free.calendars?.primary?.busy).toHaveLength(1)
    expect((await list({ syncToken })).data.items).toEqual([])
    fake.faults.verify()

    expect(await ids()).toEqual(['before', 'after0'])
    const { data: changed } = await list({ syncToken: data.nextSyncToken })
    expect(changed.items?.map(({ id }) => id)).toEqual(['after0'])
  })
})

/** Returns the codes of an error and of its causes. */
const codesOf = (error: { code?: unknown; cause?: never } | undefined): unknown[] =>
  error ? [error.code, ...codesOf(error.cause)] : []

/** Rejects after so many milliseconds of real time, as a client that gives up does. */
const patience = (length: number): Promise<never> =>
  new Promise((_, reject) => {
    const signal = AbortSignal.timeout(length)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
