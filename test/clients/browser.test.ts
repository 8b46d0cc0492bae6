import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'
import { lacks, pathOf } from '../support/programs.ts'

const SCRIPTS = ['core', 'daygrid', 'google-calendar'].map(
  (name) => `node_modules/@fullcalendar/${name}/index.global.min.js`,
)
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
/** No name leads anywhere: a page that asks for another host gets nothing. */
const ALONE = ['--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1']

const PUBLIC = 'festival@example.com'
const seed: Seed = {
  accounts: [{ email: ALICE }, { email: PUBLIC, timeZone: 'Europe/Berlin' }],
  calendars: [
    {
      id: PUBLIC,
      acl: [{ scope: { type: 'default' }, role: 'reader' }],
      events: [
        { summary: 'Opening', start: { date: '2026-03-07' }, end: { date: '2026-03-08' } },
        {
          summary: 'Rehearsal',
          start: { dateTime: '2026-03-03T19:00:00', timeZone: 'Europe/Berlin' },
          end: { dateTime: '2026-03-03T21:00:00', timeZone: 'Europe/Berlin' },
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
        },
        { summary: 'Wages', visibility: 'private', start: { date: '2026-03-20' }, end: { date: '2026-03-21' } },
      ],
    },
  ],
}

const pageAt = (api: string, calendarId: string) => `<!DOCTYPE html>
<meta charset="utf-8"><link rel="icon" href="data:,"><div id="calendar"></div>
${SCRIPTS.map((script) => `<script src="/${script}"></script>`).join('')}
<script>
  window.failures = []
  new FullCalendar.Calendar(document.getElementById('calendar'), {
    initialDate: '2026-03-01', timeZone: 'UTC', googleCalendarApiKey: 'AIzaFakeKey',
    events: { googleCalendarId: '${calendarId}', googleCalendarApiBase: '${api}/calendar/v3/calendars',
              failure: (error) => failures.push(error.response?.status) },
    loading: (busy) => { if (!busy) document.title = 'loaded' },
  }).render()
</script>`

describe.skipIf(lacks('chromium'))('a page in Chromium', () => {
  const { fake } = openCalendar({ seed })
  let browser: Browser
  let site: Server
  let api: string
  let origin: string

  beforeAll(async () => {
    api = (await fake.listen()).url
    site = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://page').pathname.slice(1)
      const script = SCRIPTS.includes(path)
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html; charset=utf-8')
      response.end(script ? readFileSync(path) : pageAt(api, path))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath: pathOf('chromium'), args: [...FLAGS, ...ALONE] })
  })
  afterAll(async () => {
    await browser?.close()
    site?.closeAllConnections()
    site?.close()
    await fake.close()
  })

  async function opened(path: string): Promise<{ page: Page; hosts: Set<string> }> {
    const page = await browser.newPage()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await page.goto(`${origin}/${path}`)
    await page.waitForFunction('document.title === "loaded"')
    return { page, hosts }
  }

  test('11.22 shows a public calendar with FullCalendar, by an API key', async () => {
    const { page, hosts } = await opened(PUBLIC)
    const shown = await page
      .locator('.fc-daygrid-day:has(.fc-event)')
      .evaluateAll((days) =>
        days.flatMap((day) =>
          [...day.querySelectorAll('.fc-event')].map(
            (event) => `${day.getAttribute('data-date')} ${event.textContent}`,
          ),
        ),
      )

    expect(shown).toEqual([
      '2026-03-03 6pRehearsal',
      '2026-03-07 Opening',
      '2026-03-10 6pRehearsal',
      '2026-03-17 6pRehearsal',
      '2026-03-20 undefined', // the plugin's event without details
    ])
    expect([...hosts].filter((host) => host.startsWith('http'))).toEqual([origin, api])
  })

  test('shows the reason why a private calendar fails', async () => {
    const { page } = await opened(ALICE)

    expect(await page.evaluate('failures')).toEqual([404])
  })

  test('writes with a token, after a preflight, and reads etags and errors', async () => {
    const { page } = await opened(PUBLIC)
    const send = (path: string, method: string, headers: Record<string, string>, body?: unknown) =>
      page.evaluate(
        async ({ url, ...init }) => {
          const response = await fetch(url, init)
          return { status: response.status, etag: response.headers.get('ETag'), text: await response.text() }
        },
        {
          url: `${api}${path}`,
          method,
          headers: { Authorization: `Bearer ${ALICE}`, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
      )
    const events = '/calendar/v3/calendars/primary/events'
    const day = { start: { date: '2026-03-05' }, end: { date: '2026-03-06' } }

    const made = await send(events, 'POST', { 'Content-Type': 'application/json' }, { id: 'page0', ...day })
    const stale = await send(`${events}/page0`, 'PATCH', { 'If-Match': '"1"', 'Content-Type': 'application/json' }, {})
    const deletion = await send(`${events}/page0`, 'DELETE', { 'If-Match': made.etag ?? '' })

    expect([made.status, stale.status, deletion.status]).toEqual([200, 412, 204])
    expect(made.etag).toBe(JSON.parse(made.text).etag)
    expect(JSON.parse(stale.text).error.errors[0].reason).toBe('conditionNotMet')
  })

  test('cannot reach the control API', async () => {
    const { page } = await opened(PUBLIC)
    const before = fake.state()
    const reached = await page.evaluate(async (url) => {
      const send = (init: RequestInit) =>
        fetch(`${url}/_control/reset`, init).then(
          (reply) => reply.type,
          () => 'refused',
        )
      return [await send({ method: 'POST' }), await send({ method: 'POST', mode: 'no-cors' })]
    }, api)

    expect(reached).toEqual(['refused', 'opaque'])
    expect(fake.state()).toEqual(before)
  })

  test('controls the server of the page with connect', async () => {
    const page = await browser.newPage()
    await page.goto(`${api}/_control/health`)
    // The file is a module of the package. The page has the origin of the server, because only that origin can control it.
    const code = readFileSync(new URL('../../dist/connect.browser.js', import.meta.url)).toString('base64')
    const result = await page.evaluate(`(async () => {
      const { connect } = await import('data:text/javascript;base64,${code}')
      const world = connect(location.origin, { world: 'page' })
      await world.clock.freeze('2026-03-02T09:00:00Z')
      return [await world.health(), await world.clock.now()]
    })()`)
    await page.close()

    expect(result).toEqual([{ status: 'ok', world: 'page' }, Date.parse('2026-03-02T09:00:00Z')])
  })
})
