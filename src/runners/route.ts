import type { BrowserContext, Page, Route } from '@playwright/test'
import type { FakeWorld } from '../control/types/world.ts'
import { classifyHost } from '../interception/hosts.ts'

/**
 * Answers the requests of a page, or of every page of a context, to the service's hosts. Requests to other hosts of
 * `*.googleapis.com` and to `accounts.google.com` are aborted and reported on stderr. All other requests pass.
 */
export async function route(page: Page | BrowserContext, fake: FakeWorld): Promise<void> {
  const reported = new Set<string>()
  await page.route(
    ({ hostname }) => ['service', 'google'].includes(classifyHost(hostname)),
    async (route) => {
      const { hostname } = new URL(route.request().url())
      if (classifyHost(hostname) === 'service') return fulfillFromFake(route, fake)
      if (!reported.has(hostname))
        process.stderr.write(`fake-calendar: ${hostname} is no host of the calendar service, and is not called\n`)
      reported.add(hostname)
      return route.abort('blockedbyclient')
    },
  )
}

/** A fault that breaks the connection becomes `connectionreset`. */
async function fulfillFromFake(route: Route, fake: FakeWorld): Promise<void> {
  const request = route.request()
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'))
  const body = request.postDataBuffer()
  const sent = { method: request.method(), headers, ...(body && { body: new Uint8Array(body) }) }
  const reply = await fake.fetch(request.url(), sent).catch(() => undefined)
  if (!reply) return route.abort('connectionreset')
  await route.fulfill({
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: Buffer.from(await reply.arrayBuffer()),
  })
}
