import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, run } from '../support/command.ts'
import { installEnvironment } from '../support/environment.ts'
import { lacks, pathOf } from '../support/programs.ts'

const MINUTES = 5 * 60_000
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-site-'))

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
  try {
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream')
    response.end(statSync(file).isFile() ? readFileSync(file) : '')
  } catch {
    response.writeHead(404).end()
  }
})

const environment = await installEnvironment('docs/.vitepress')
let built: Awaited<ReturnType<typeof run>>
let url = ''
beforeAll(async () => {
  if (environment) built = await run(['test/docs/build.js', folder], { cwd: ROOT, timeout: MINUTES })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}, MINUTES)
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test.skipIf(!environment)('the site of the docs builds without warnings and dead links', () => {
  expect(built.code, built.stderr).toBe(0)
  expect(built.stdout + built.stderr).not.toMatch(/warn|dead link|falling back/i)
})

test.skipIf(!environment || lacks('chromium'))(
  'a reader opens the site, searches, and follows three links',
  { timeout: MINUTES },
  async () => {
    const browser = await chromium.launch({
      executablePath: pathOf('chromium'),
      args: ['--no-sandbox', '--disable-gpu'],
    })
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
    })
    const heading = page.locator('main h1')

    await page.goto(url)
    expect(await heading.textContent()).toContain('fake-calendar')
    await page.getByRole('link', { name: 'Your first test' }).first().click()
    await page.waitForURL(/start\/first-test/)
    await page.locator('main').getByRole('link', { name: 'Test a syncToken sync' }).click()
    await page.waitForURL(/guides\/sync-tokens/)
    await page.locator('aside').getByRole('link', { name: 'Faults' }).click()
    await page.waitForURL(/reference\/faults/)
    await page.waitForFunction(() => document.querySelector('main h1')?.textContent?.includes('Faults'))

    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('lost response')
    await page.locator('.VPLocalSearchBox .result').filter({ hasText: 'lost response' }).first().click()
    await page.waitForURL(/lost-answers/)

    expect(errors).toEqual([])
    await browser.close()
  },
)
