import { expect, test, vi } from 'vitest'
import { ALICE, allDay, openCalendar } from '../../support/calendar.ts'

const logging = (options: object = {}) => {
  const lines: string[] = []
  return { lines, ...openCalendar({ log: (line) => lines.push(line.replace(/ \d+\.\dms/, ' 0.0ms')), ...options }) }
}
const EVENTS = '/calendars/primary/events'
const AT = '2026-03-01T12:00:00.000Z'

test.each([undefined, 0])('each request is one log line, with any journal size (%j)', async (journal) => {
  const { lines, fake, as } = logging({ journal })
  await as(ALICE).get('/colors')
  expect((await as(ALICE).get(`${EVENTS}?timeMin=2026-01-01`)).status).toBe(400)
  fake.faults.add({ on: 'events.insert', do: [{ fail: 'rateLimitExceeded' }, { reset: true }] })
  expect((await as(ALICE).post(EVENTS, allDay('2026-03-02', '2026-03-03'))).status).toBe(403)
  await expect(as(ALICE).post(EVENTS, {})).rejects.toThrow()
  const path = '/calendar/v3/calendars/primary/events'

  expect(lines).toEqual([
    `${AT} default ${ALICE} colors.get GET /calendar/v3/colors 200 0.0ms`,
    `${AT} default ${ALICE} events.list GET ${path}?timeMin=2026-01-01 400 0.0ms reason=badRequest ` +
      'FC101 timeMin=2026-01-01 needs a time and an offset. Write timeMin=2026-01-01T00:00:00Z',
    `${AT} default ${ALICE} events.insert POST ${path} 403 0.0ms reason=rateLimitExceeded fault=fault-1`,
    `${AT} default ${ALICE} events.insert POST ${path} - 0.0ms fault=fault-1`,
  ])
})

test('requests of all worlds, batches, batch parts, sign-in and unknown paths are logged', async () => {
  const { lines, fake, as, anonymous } = logging({ worlds: ['default', 'blue'] })
  await as(`blue~${ALICE}`).get('/colors')
  const part = '--b\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3/colors\r\n\r\n'
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b', Authorization: `Bearer ${ALICE}` }
  await fake.request('/batch/calendar/v3', { method: 'POST', headers, body: `${part}--b--` })
  await fake.request('/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) })
  expect((await as(`red~${ALICE}`).get('/colors')).status).toBe(404)
  expect((await anonymous.get('/nowhere')).status).toBe(404)
  await fake.request('/_control/state')

  expect(lines.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
    `blue ${ALICE} colors.get GET /calendar/v3/colors 200 0.0ms`,
    `default ${ALICE} colors.get GET /calendar/v3/colors 200 0.0ms batch=1`,
    `default ${ALICE} batch POST /batch/calendar/v3 200 0.0ms batch=1`,
    'default - oauth.token POST /token 400 0.0ms reason=invalid_request',
    'red - unknown GET /calendar/v3/colors 404 0.0ms reason=notFound',
    'default - unknown GET /calendar/v3/nowhere 404 0.0ms',
  ])
})

test('a log entry is a single line without secrets', async () => {
  const { lines, fake, anonymous } = logging()
  await anonymous.get(`/colors?access_token=${ALICE}&key=hush&${encodeURIComponent('a\nb')}=1`)
  const watch = '{"token": "hush", "id'
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  await fake.request(`/calendar/v3${EVENTS}/watch`, { method: 'POST', headers, body: watch })
  await fake.request('/revoke?token=hush', { method: 'POST' })
  await fake.request('/calendar/v3/%0A%E2%80%A8x')

  expect(lines).toHaveLength(4)
  expect(lines.join()).not.toMatch(/hush|[\n\r\u2028]/)
  expect(lines[0]).toContain('access_token=[redacted]&key=[redacted]')
})

test('an error of the log function does not affect the request', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { as } = openCalendar({
    log() {
      throw new Error('full')
    },
  })

  expect((await as(ALICE).get('/colors')).status).toBe(200)
  expect(consoleError).toHaveBeenCalledWith('fake-calendar: the log threw: Error: full')
  consoleError.mockRestore()
})
