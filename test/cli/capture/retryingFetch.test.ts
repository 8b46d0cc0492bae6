import { expect, test } from 'vitest'
import { type Pause, retryingFetch } from '../../../src/cli/capture/retryingFetch.ts'
import { openProgress } from '../../../src/cli/progress.ts'

const json = (status: number, reason: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code: status, errors: [{ reason }] } }, { status, headers })

/** Returns a fetch with given responses, the last one repeated, and the pauses between them. */
function openRetryingFetch(answers: readonly (() => Response)[], tries?: number) {
  const pauses: Pause[] = []
  const waited: number[] = []
  let requests = 0
  const fetch = retryingFetch(async () => (answers[requests++] ?? answers.at(-1) ?? Response.error)(), {
    ...(tries && { tries }),
    wait: async (ms) => void waited.push(ms),
    onWait: (pause) => pauses.push(pause),
  })
  return { fetch, waited, pauses, countRequests: () => requests }
}

const ok = () => Response.json({ fine: true })

test('a rate limit is retried with doubled pauses, and the response is complete', async () => {
  const limited = () => json(403, 'rateLimitExceeded')
  const { fetch, waited, pauses } = openRetryingFetch([limited, limited, () => json(429, 'rateLimitExceeded'), ok])
  const answer = await fetch('http://x/', { method: 'POST', body: '{}' })

  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ fine: true })
  expect(waited).toEqual([1000, 2000, 4000])
  expect(pauses[0]).toEqual({ ms: 1000, tried: 1, because: '403 rateLimitExceeded' })
})

test('pauses are at most 32 s, and the last response is returned', async () => {
  const { fetch, waited } = openRetryingFetch([() => json(429, 'rateLimitExceeded')], 9)

  expect((await fetch('http://x/')).status).toBe(429)
  expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000])
})

test.each([
  [{ 'Retry-After': '7' }, [7000]],
  [{ 'Retry-After': 'Sun, 01 Mar 2026 12:00:09 GMT', Date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, [9000]],
  [{ 'Retry-After': 'soon' }, [1000]],
])('the error %j is retried', async (headers, expected) => {
  const { fetch, waited } = openRetryingFetch([() => json(503, 'backendError', headers), ok])

  expect((await fetch('http://x/')).status).toBe(200)
  expect(waited).toEqual(expected)
})

test.each([
  ['another 403', 'GET', () => json(403, 'forbidden')],
  ['an exhausted daily quota', 'GET', () => json(403, 'quotaExceeded')],
  ['a failed write', 'POST', () => json(503, 'backendError')],
  ['a pause of an hour', 'GET', () => json(503, 'backendError', { 'Retry-After': '3600' })],
  ['a 403 as an HTML page', 'GET', () => new Response('<html>', { status: 403 })],
])('%s is not retried', async (_, method, answer) => {
  const { fetch, waited, countRequests } = openRetryingFetch([answer])
  await fetch('http://x/', { method })

  expect({ waited, requests: countRequests() }).toEqual({ waited: [], requests: 1 })
})

test('a failed connection is retried for reads, not for writes', async () => {
  const broken = () => {
    throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') })
  }
  const { fetch, pauses } = openRetryingFetch([broken, ok])

  expect((await fetch('http://x/')).status).toBe(200)
  expect(pauses).toEqual([{ ms: 1000, tried: 1, because: 'ECONNRESET' }])
  await expect(openRetryingFetch([broken, ok]).fetch('http://x/', { method: 'POST' })).rejects.toThrow('fetch failed')
  await expect(openRetryingFetch([broken], 3).fetch('http://x/')).rejects.toThrow('fetch failed')
})

test.each([
  ['the code of its cause', { code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
  ['its own message without a code', {}, 'fetch failed'],
])('a failure whose cause has no message is named by %s', async (_, fields, because) => {
  const errors = [new Error('connect ECONNREFUSED ::1'), new Error('connect ECONNREFUSED 127.0.0.1')]
  const cause = Object.assign(new AggregateError(errors), fields)
  const pauses: Pause[] = []
  const fetch = retryingFetch(() => Promise.reject(new TypeError('fetch failed', { cause })), {
    tries: 2,
    wait: async () => {},
    onWait: (pause) => pauses.push(pause),
  })
  await expect(fetch('http://x/')).rejects.toThrow('fetch failed')

  expect(pauses).toEqual([{ ms: 1000, tried: 1, because }])
})

test('progress is one line on a terminal, removed at the end, and nothing in a pipe', () => {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  const shown = openProgress({ isTTY: true, columns: 10, write })
  shown.show('twelve\nletters')
  shown.clear()
  shown.clear()
  const silent = openProgress({ write: () => expect.unreachable() })
  silent.show('x')
  silent.clear()

  expect(written).toEqual(['\r\u001b[2Ktwelve\\nl', '\r\u001b[2K'])
})
