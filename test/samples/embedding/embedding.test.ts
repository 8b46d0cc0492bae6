import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCalendar } from '../../support/calendar.ts'
import { lacks, pathOf } from '../../support/programs.ts'

const PAGES = ['fullcalendar.html', 'google-client.html']
const NOW = '2026-06-10T06:00:00Z'

describe.skipIf(lacks('chromium'))('the pages that embed a demo world', () => {
  const { fake } = openCalendar({ seed: 'company', now: NOW })
  let browser: Browser
  let site: Server
  let query: string

  beforeAll(async () => {
    query = `?api=${encodeURIComponent((await fake.listen()).url)}`
    site = createServer((request, response) => {
      const name = PAGES.find((page) => request.url?.startsWith(`/${page}`))
      response.writeHead(name ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(name && readFileSync(`test/samples/embedding/${name}`))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ executablePath: pathOf('chromium'), args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(async () => {
    await browser?.close()
    site?.closeAllConnections()
    site?.close()
    await fake.close()
  })

  /** Opens a page at the time of the world. The scripts that it loads from a CDN are the installed ones. */
  async function opened(name: string, more = ''): Promise<Page> {
    const page = await browser.newPage({ timezoneId: 'America/New_York' })
    await page.clock.setFixedTime(new Date(NOW))
    await page.route('https://cdn.jsdelivr.net/npm/**', (route) => {
      const [, installed] =
        /\/npm\/(@fullcalendar\/[a-z-]+)@6\/index\.global\.min\.js$/.exec(route.request().url()) ?? []
      return route.fulfill({ path: `node_modules/${installed}/index.global.min.js`, contentType: 'text/javascript' })
    })
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}${query}${more}`)
    return page
  }

  test('FullCalendar shows the public events of the company', async () => {
    const page = await opened('fullcalendar.html')
    await page.locator('.fc-event').first().waitFor()
    const titles = await page.locator('.fc-event-title').allTextContents()

    expect(titles.filter((title) => title === 'Map talks')).toHaveLength(6)
    expect(titles).toEqual(expect.arrayContaining(['Open day', 'Workshop: maps for everybody']))
    expect(await page.getByRole('alert').textContent()).toBe('')
    await page.close()
  })

  test('the official JavaScript client lists the week of an account', async () => {
    const page = await opened('google-client.html', '&account=owen@lumen.example.com')
    await page.getByRole('listitem').first().waitFor()
    const items = await page.getByRole('listitem').allTextContents()

    expect(items).toContain('2026-06-11T14:30:00-04:00 Fire drill briefing')
    expect(items).toEqual(
      items.toSorted((a, b) => Date.parse(a.split(' ', 1)[0] ?? '') - Date.parse(b.split(' ', 1)[0] ?? '')),
    )
    expect(await page.getByRole('alert').textContent()).toBe('')
    await page.close()
  })

  test('the pages say what fails', async () => {
    fake.faults.add({ on: 'events.list', times: 'always', do: { fail: 'quotaExceeded' } })
    const calendar = await opened('fullcalendar.html')
    await expect.poll(() => calendar.getByRole('alert').textContent()).not.toBe('')
    const client = await opened('google-client.html')
    await expect.poll(() => client.getByRole('alert').textContent()).toBe('Calendar usage limits exceeded.')
    fake.faults.clear()
    await Promise.all([calendar.close(), client.close()])
  })
})
