import { expectTrue, type ReceivedResponse } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { type ScenarioGroup, scenario } from '../scenario.ts'

/** A request in a batch. `path` is relative to `/calendar/v3`. */
type Part = { id: string; verb: string; path: string; body?: unknown; headers?: Record<string, string> }

/** Sends parts as one batch of `multipart/mixed`, in their order. Rejects if there is no response. */
function sendBatch(kit: Kit, parts: readonly Part[], boundary = 'batch_conform'): Promise<ReceivedResponse> {
  const written = parts.map(({ id, verb, path, body, headers = {} }) =>
    [
      `--${boundary}`,
      'Content-Type: application/http',
      `Content-ID: <${id}>`,
      '',
      `${verb} /calendar/v3${path} HTTP/1.1`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [''] : ['Content-Type: application/json', '', JSON.stringify(body)]),
      '',
    ].join('\r\n'),
  )
  const headers = { 'Content-Type': `multipart/mixed; boundary=${boundary}` }
  // A path that begins with two slashes is relative to the server, not to `/calendar/v3`.
  return kit.post('//batch/calendar/v3', `${written.join('')}--${boundary}--\r\n`, { headers })
}

/**
 * Splits the response to a batch into the id, status and body of each part: an empty id and NaN if a part has none. Throws a
 * DifferenceError unless the response is 200 and its Content-Type has a boundary.
 */
function parseBatchResponse({
  headers,
  text,
  status,
  request,
}: ReceivedResponse): { id: string; status: number; body: string }[] {
  const [, boundary] = /boundary="?([^";]+)"?/.exec(headers.get('Content-Type') ?? '') ?? []
  expectTrue(status === 200 && boundary !== undefined, `${request}: expected 200 and multipart/mixed, got ${status}`)
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => ({
      id: /^Content-ID: <(.*)>/im.exec(part)?.[1] ?? '',
      status: Number(/^HTTP\/1\.1 (\d{3})/m.exec(part)?.[1]),
      body: part.slice(Math.max(part.indexOf('{'), 0)),
    }))
}

export const batches: ScenarioGroup = {
  name: 'batch',
  scenarios: [
    scenario('each part of a batch has a reply, whose id begins with response-', '11.1.3, 11.1.1', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent({ summary: 'In a batch' })
      const parts = parseBatchResponse(
        await sendBatch(kit, [
          { id: 'one', verb: 'GET', path: `${path}/${id}` },
          { id: 'two', verb: 'POST', path, body: kit.hour(11) },
        ]),
      )
      const summary = parts.map((part) => `${part.id} ${part.status}`).join()
      expectTrue(summary === 'response-one 200,response-two 200', `a batch of two is answered ${summary}`)
      expectTrue(parts[0]?.body.includes('In a batch') ?? false, 'the first part does not hold its event')
    }),
    scenario('a part of a batch that fails does not affect the others', '11.1.3, 2.8', async (kit) => {
      const path = await kit.eventsPath()
      const { id } = await kit.createEvent()
      const parts = parseBatchResponse(
        await sendBatch(kit, [
          { id: 'bad', verb: 'GET', path: `${path}/nothing` },
          { id: 'good', verb: 'DELETE', path: `${path}/${id}` },
        ]),
      )
      const summary = parts.map(({ status }) => status).join()
      expectTrue(summary === '404,204', `a batch of a wrong part and a right one is answered ${summary}`)
    }),
    scenario('a batch may have 50 parts', '12.16, 11.1.3', async (kit) => {
      const path = `${await kit.eventsPath()}/nothing`
      const parts = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, verb: 'GET', path }))
      const answered = parseBatchResponse(await sendBatch(kit, parts))
      expectTrue(
        answered.length === 50 && answered.every(({ status }) => status === 404),
        `a batch of 50 has ${answered.length} answers`,
      )
    }),
    scenario(
      'a batch is read as clients write it: with LF, a quoted boundary and absolute targets',
      '11.1.2',
      async (kit) => {
        const { id } = await kit.createEvent()
        const target = `${kit.target.baseUrl}${await kit.eventsPath()}/${id}?`
        const body = `--b o\nContent-Type: application/http\nContent-Transfer-Encoding: binary\ncontent-id: <one + 1>\n\nGET ${target} HTTP/1.1\n\n--b o--\n`
        const answered = parseBatchResponse(
          await kit.post('//batch/calendar/v3', body, {
            headers: { 'Content-Type': 'multipart/mixed; boundary="b o"' },
          }),
        )
        expectTrue(
          answered.length === 1 && answered[0]?.status === 200,
          `the batch is answered ${answered.map(({ status }) => status)}`,
        )
      },
    ),
    scenario('a batch without a boundary is 400', '11.1.4', async (kit) => {
      const answer = await kit.post('//batch/calendar/v3', 'nothing', {
        headers: { 'Content-Type': 'multipart/mixed' },
      })
      expectTrue(answer.status === 400, `a batch without a boundary is answered ${answer.status}`)
    }),
  ],
}
