import { bypass, http, type RequestHandler } from 'msw'
import type { FakeWorld } from '../fake/world.ts'
import { SERVICE_HOSTS } from './hosts.ts'

const named = (hosts: string): RegExp => new RegExp(`^https?://${hosts}(:\\d+)?(/|$)`, 'i')
const SERVICE = named(`(${SERVICE_HOSTS.map((host) => host.replaceAll('.', '\\.')).join('|')})`)
const GOOGLE = named('([\\w-]+\\.)*(googleapis\\.com|accounts\\.google\\.com)')

/**
 * Handlers of msw 2 that answer requests to the service's hosts from a fake, one of its worlds, or a server at an address: for
 * `setupServer` of `msw/node`, and with an address also for `setupWorker` in a browser. Requests to other hosts of
 * `*.googleapis.com` and `accounts.google.com` fail with an error that names the host.
 */
export function handlers(fake: FakeWorld | string | URL): RequestHandler[] {
  const answer = toFetch(fake)
  return [
    http.all(SERVICE, ({ request }) => answer(request)),
    http.all(GOOGLE, ({ request }) => {
      throw new Error(
        `fake-calendar: ${new URL(request.url).hostname} is no host of the calendar service, and is not called`,
      )
    }),
  ]
}

function toFetch(fake: FakeWorld | string | URL): (request: Request) => Promise<Response> {
  if (typeof fake === 'object' && 'fetch' in fake) return (request) => fake.fetch(request)
  if (!URL.canParse(String(fake)))
    throw new TypeError('fake: not a fake (expected what createFakeCalendar() returns, one of its worlds, or a URL)')
  const root = String(fake).replace(/\/$/, '')
  return (request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(bypass(new Request(root + pathname + search, request)))
  }
}
