import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/definitions/tools.ts'
import { createCompany, NORA, post } from '../support/mcp.ts'

/** 20,000 in all, with FC_MESSAGES. */
const MESSAGES = Number(process.env.FC_MESSAGES ?? 400)

const names = TOOLS.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))
const text = fc.oneof(
  fc.constantFrom('2030-03-04T10:00:00', '2030-03-05', 'primary', NORA, 'DEFAULT', 'ALL', 'RRULE:FREQ=DAILY', '', 'x'),
  fc.string(),
  fc.constant('y'.repeat(100_000)),
)
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.array(fc.dictionary(fc.constantFrom('email', 'fileUrl', 'method', 'minutes', '__proto__'), text), {
    maxLength: 3,
  }),
  fc.dictionary(fc.constantFrom('startHour', 'endHour', 'pageSize', 'type'), text),
)
const args = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...names, 'unknown', 'constructor'), value, { maxKeys: 6 }) },
  fc.anything(),
)
const withNeeded = fc.tuple(fc.constantFrom(...TOOLS), args, text).map(([{ name, inputSchema }, given, filler]) => ({
  name,
  arguments: {
    ...Object.fromEntries(
      (inputSchema.required ?? []).map((one) => [one, one === 'attendeeEmails' ? [filler] : filler]),
    ),
    ...(typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}),
  },
}))
const call = fc.oneof(
  { weight: 3, arbitrary: withNeeded },
  fc.record({ name: fc.oneof(fc.constantFrom(...TOOLS.map(({ name }) => name)), fc.string()), arguments: args }),
  fc.anything(),
)
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.anything()),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant('tools/call') },
      fc.constantFrom('initialize', 'tools/list', 'ping', 'server/discover', 'subscriptions/listen', 'x'),
    ),
    params: call,
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  { weight: 12, arbitrary: message.map((one) => JSON.stringify(one) ?? '') },
  fc.array(message, { maxLength: 3 }).map((all) => JSON.stringify(all)),
  fc.string(),
  message.map((one) => (JSON.stringify(one) ?? '').slice(0, 40)),
)

/** Mostly the headers of a client; else those of other versions, and broken ones. */
const headers = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.dictionary(
    fc.constantFrom(
      'Accept',
      'Content-Type',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Session-Id',
      'Origin',
    ),
    fc.constantFrom(
      ...['application/json', 'text/plain', '*/*', '2026-07-28', '2025-03-26', '1999-01-01', 'tools/call', 'x'],
      'http://localhost:3000',
    ),
    { maxKeys: 4 },
  ),
)
const path = fc.constantFrom('/mcp/v1', '/mcp/v1', '/mcp/v1self', '/w/default/mcp/v1')

test('random messages get an answer that is no error of the server, and a refused one changes nothing', async () => {
  const fake = createCompany()
  const start = fake.snapshot('start')
  let unexpected = 0
  await fc.assert(
    fc.asyncProperty(body, headers, path, async (sent, headers, path) => {
      const response = await post(fake, sent, { token: NORA, headers, path })
      const reply = await response.text()
      if (reply.includes('Internal error')) unexpected += 1
      expect(response.status).toBeLessThan(500)
      if (/"isError":true|"error":/.test(reply)) fake.diff(start).verify([])
      else fake.restore(start)
    }),
    { numRuns: MESSAGES },
  )
  expect(unexpected).toBe(0)
}, 600_000)
