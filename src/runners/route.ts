import type { BrowserContext, Page, Route } from '@playwright/test'
import type { FakeWorld } from '../index.ts'
import { kindOf } from '../interception/hosts.ts'

/**
 * Answers what a page, or every page of a context, sends to the service's hosts. Any other host of `*.googleapis.com` and
 * `accounts.google.com` is not called, which is said on stderr; whatever else a page loads it loads.
 */
export async function route(page: Page | BrowserContext, fake: FakeWorld): Promise<void> {
  const said = new Set<string>()
  await page.route(
    ({ hostname }) => ['service', 'google'].includes(kindOf(hostname)),
    async (asked) => {
      const { hostname } = new URL(asked.request().url())
      if (kindOf(hostname) === 'service') return answered(asked, fake)
      if (!said.has(hostname))
        process.stderr.write(`fake-calendar: ${hostname} is no host of the calendar service, and is not called\n`)
      said.add(hostname)
      return asked.abort('blockedbyclient')
    },
  )
}

async function answered(asked: Route, fake: FakeWorld): Promise<void> {
  const request = asked.request()
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'))
  const body = request.postDataBuffer()
  const sent = { method: request.method(), headers, ...(body && { body: new Uint8Array(body) }) }
  const reply = await fake.fetch(request.url(), sent).catch(() => undefined)
  // The connection is one that a fault has cut.
  if (!reply) return asked.abort('connectionreset')
  await asked.fulfill({
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: Buffer.from(await reply.arrayBuffer()),
  })
}
