import { expect, onTestFinished, test } from 'vitest'
import { toReportedLine } from '../../src/cli/capture/boundedFetch.ts'
import { findWrongField } from '../../src/cli/capture/shapes.ts'
import { quoteForRemark } from '../../src/seeds/ical/remarks.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const BAD = `x\u001b[31m\u202e"<b>\r\n${'y'.repeat(9000)}`
const IN_URL = encodeURIComponent(BAD)
const EVENTS = '/calendar/v3/calendars/primary/events'
const times = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const tool = (name: string, given: object) => rpc('tools/call', { name, arguments: given })

/** Every kind of place where a name, an id or a path of a request is shown in a reply, its headers or the log. */
const REQUESTS: Readonly<Record<string, [verb: string, path: string, body?: object]>> = {
  'an unknown path': ['GET', `/calendar/v3/${IN_URL}`],
  'an unknown calendar': ['GET', `/calendar/v3/calendars/${IN_URL}`],
  'an unknown event': ['GET', `${EVENTS}/${IN_URL}`],
  'an unknown parameter': ['GET', `${EVENTS}?${IN_URL}=1`],
  'a wrong parameter': ['GET', `${EVENTS}?timeMin=${IN_URL}`],
  'a field mask': ['GET', `${EVENTS}?fields=${IN_URL}`],
  'a page token': ['GET', `${EVENTS}?pageToken=${IN_URL}`],
  'an unknown field': ['POST', EVENTS, { ...times, [BAD]: 1 }],
  'a wrong value': ['POST', EVENTS, { ...times, status: BAD }],
  'a wrong zone': ['POST', EVENTS, { ...times, start: { dateTime: '2026-03-02T09:00:00', timeZone: BAD } }],
  'a wrong rule': ['POST', EVENTS, { ...times, recurrence: [BAD] }],
  'an unknown colour': ['POST', EVENTS, { ...times, colorId: BAD }],
  'an unknown scope': ['POST', '/calendar/v3/calendars/primary/acl', { role: BAD, scope: { type: BAD } }],
  'an unknown tool': ['POST', '/mcp/v1', tool(BAD, {})],
  'an unknown method': ['POST', '/mcp/v1', rpc(BAD, {})],
  'an unknown argument': ['POST', '/mcp/v1', tool('list_events', { [BAD]: 1 })],
  'a wrong argument': ['POST', '/mcp/v1', tool('list_events', { orderBy: BAD })],
  'a wrong time of a tool': ['POST', '/mcp/v1', tool('list_events', { startTime: BAD })],
  'an unknown control': ['POST', `/_control/${IN_URL}`],
  'an unknown function': ['POST', `/_control/functions/${IN_URL}`, []],
  'an unknown fault': ['POST', '/_control/faults', { on: BAD, do: { fail: 'backendError' } }],
  'an unknown failure': ['POST', '/_control/faults', { on: '*', do: { fail: BAD } }],
  'an unknown key of a fault': ['POST', '/_control/faults', { [BAD]: 1 }],
  'an unknown id of a fault': ['DELETE', `/_control/faults/${IN_URL}`],
  'a wrong duration': ['POST', '/_control/clock/advance', { by: BAD }],
  'a wrong instant': ['PUT', '/_control/clock', { now: BAD }],
  'an unknown snapshot': ['POST', '/_control/restore', { name: BAD }],
  'an unknown world': ['DELETE', `/_control/worlds/${IN_URL}`],
  'an unknown key of a seed': ['POST', '/_control/seed', { [BAD]: 1 }],
  'an unknown fixture': ['POST', '/_control/worlds', { name: 'w', seed: BAD }],
  'an unknown call': ['POST', '/_control/calls/verify', { method: BAD }],
}

test.each(Object.entries(REQUESTS))('%s is shown as one short line without control characters', async (_, call) => {
  const lines: string[] = []
  const { fake } = openCalendar({ log: (line: string) => lines.push(line) } as object)
  onTestFinished(() => fake.close())
  const [method, path, body] = call
  const headers = {
    Authorization: `Bearer ${ALICE}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fake.request(path, init)
  const shown = [await response.text(), ...response.headers.values(), ...lines]

  expect(response.status).toBeLessThan(500)
  for (const text of shown) {
    expect(text.length).toBeLessThan(5000)
    expect(['\u001b', '\\u001b', '\u202e'].filter((sign) => text.includes(sign))).toEqual([])
  }
})

test('lines of commands are cut and escaped in the same way', () => {
  const shown = [toReportedLine(BAD), quoteForRemark(BAD), findWrongField({ items: BAD }) ?? '']

  for (const text of shown) {
    expect(text.length).toBeLessThan(600)
    expect(text).not.toMatch(/\p{Cc}|\u202e/u)
  }
})
