import { once } from 'node:events'
import { auth, calendar } from '@googleapis/calendar'
import { call, callText, createFilled, MONDAY, PERSON } from './world.js'

/**
 * Calls in this process: `caller.js KIND get|list`. Each message is a duration in milliseconds; the reply is the processor time of
 * one call in microseconds.
 */
const [, , kind, method] = process.argv
const WEEK = {
  timeMin: new Date(MONDAY).toISOString(),
  timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString(),
  maxResults: 50,
}
const EVENTS = '/calendars/primary/events'
const PATHS = { get: `${EVENTS}/event000000`, list: `${EVENTS}?${new URLSearchParams(WEEK)}` }
const INSERT = {
  method: 'POST',
  body: JSON.stringify({
    summary: 'Planning',
    start: { dateTime: '2026-03-02T09:00:00Z' },
    end: { dateTime: '2026-03-02T10:00:00Z' },
  }),
}
const fake = createFilled(192, { perWeek: 192, isLarge: true })

/** The official client, which sends its requests by `options`, or as it does by default. */
function createClient(options = {}) {
  const credentials = new auth.OAuth2()
  credentials.setCredentials({ access_token: PERSON })
  const { events } = calendar({ version: 'v3', auth: credentials, ...options })
  const ids = { calendarId: 'primary', eventId: 'event000000' }
  return { get: () => events.get(ids), list: () => events.list({ calendarId: 'primary', ...WEEK }) }[method]
}

const KINDS = {
  'fake.fetch': () => () => callText(fake, PATHS[method]),
  client: () => createClient({ fetchImplementation: fake.fetch }),
  async intercepted() {
    const { intercept } = await import('../../dist/intercept.js')
    intercept(fake)
    return createClient()
  },
  async handlers() {
    const [{ setupServer }, { handlers }] = [await import('msw/node'), await import('../../dist/msw.js')]
    setupServer(...handlers(fake)).listen()
    return createClient()
  },
  /** msw alone: a handler with a constant reply. */
  async msw() {
    const [{ setupServer }, { http, HttpResponse }] = [await import('msw/node'), await import('msw')]
    const body = await callText(fake, PATHS[method])
    const reply = () => new HttpResponse(body, { headers: { 'Content-Type': 'application/json' } })
    setupServer(http.get(`https://www.googleapis.com/calendar/v3${EVENTS}{/:id}?`, reply)).listen()
    return createClient()
  },
  async response() {
    const body = await callText(fake, PATHS[method])
    const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
    return () => new Response(body, { status: 200, headers }).text()
  },
  'world per test': () => async () => {
    const own = createFilled(0)
    await call(own, EVENTS, INSERT)
    await call(own, EVENTS)
    await own.close()
  },
  'shared world': () => {
    const shared = createFilled(0)
    return async () => {
      await call(shared, EVENTS, INSERT)
      await call(shared, EVENTS)
      shared.reset()
    }
  },
}

const act = await KINDS[kind]()
for (;;) {
  const [milliseconds] = await once(process, 'message')
  const before = process.cpuUsage()
  const end = performance.now() + milliseconds
  let count = 0
  for (; performance.now() < end; count++) await act()
  const { user, system } = process.cpuUsage(before)
  process.send((user + system) / count)
}
