import type { RequestHandler } from 'msw'
import * as msw from 'msw'
import type { FakeWorld } from '../control/types/world.ts'
import { OAUTH_PATHS } from '../schema/oauthPaths.ts'
import { SCRIPT_PATHS } from '../schema/scriptPaths.ts'
import { runForCaller } from '../schema/values/callerStack.ts'
import { SERVICE_HOSTS } from './hosts.ts'

/** Paths on hosts that serve other services of Google too. */
const SHARED_PATHS = [
  '/calendar/',
  '/batch$',
  '/batch/calendar/',
  '/discovery/v1/apis$',
  '/discovery/v1/apis/calendar/',
  ...[...Object.values(OAUTH_PATHS).flat(), ...SCRIPT_PATHS].map((path) => `${path}$`),
].map((path) => path.replaceAll('.', '\\.'))
const joinHostPatterns = (hosts: readonly string[]): string =>
  hosts.map((host) => host.replaceAll('.', '\\.')).join('|')
const isCalendarHost = (host: string): boolean => host.includes('calendar')
const CALENDAR = joinHostPatterns(SERVICE_HOSTS.filter(isCalendarHost))
const SHARED = joinHostPatterns(SERVICE_HOSTS.filter((host) => !isCalendarHost(host)))

const SERVICE = new RegExp(
  `^https?://(?:(?:${CALENDAR})(?::\\d+)?(?:/|$)|(?:${SHARED})(?::\\d+)?(?:${SHARED_PATHS.join('|')}))`,
  'i',
)

/**
 * Returns handlers of msw 2 (Mock Service Worker) by which a fake, one of its worlds, or a server at an address answers
 * requests to Calendar and OAuth: for `setupServer` of `msw/node`, and with an address also for `setupWorker` in a browser. All
 * other requests, those to other services of Google included, pass to the next handler. Throws an Error for an older msw, and a
 * TypeError for anything else than a fake or a URL.
 */
export function handlers(fake: FakeWorld | string | URL): RequestHandler[] {
  if (!msw.http) throw new Error('fake-calendar/msw needs msw 2 or later')
  const answer = runForCaller(handlers, () => toFetch(fake))
  return [msw.http.all(SERVICE, ({ request }) => answer(request))]
}

function toFetch(fake: FakeWorld | string | URL): (request: Request) => Promise<Response> {
  if (typeof fake === 'object' && 'fetch' in fake) return (request) => fake.fetch(request)
  if (!URL.canParse(String(fake)))
    throw new TypeError('fake: not a fake (expected what createFakeCalendar() returns, one of its worlds, or a URL)')
  const root = String(fake).replace(/\/$/, '')
  return (request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(msw.bypass(new Request(root + pathname + search, request)))
  }
}
