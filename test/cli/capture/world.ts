import { boundedFetch } from '../../../src/cli/capture/boundedFetch.ts'
import { capture } from '../../../src/cli/capture/capture.ts'
import { retryingFetch } from '../../../src/cli/capture/retryingFetch.ts'
import { openService } from '../../../src/cli/capture/service.ts'
import type { FakeCalendar, Seed } from '../../../src/index.ts'
import { type Client, openCalendar } from '../../support/calendar.ts'

export const BASE = 'http://fake-calendar.localhost/calendar/v3'

/** Captures the accounts of a fake without a socket and without waiting. */
export async function captureWorld(
  fake: FakeCalendar,
  emails: string[],
  more: Partial<Parameters<typeof capture>[0]> = {},
) {
  const waits: string[] = []
  const lines: string[] = []
  const patient = retryingFetch(boundedFetch(fake.fetch as typeof fetch), {
    wait: async () => undefined,
    onWait: ({ because }) => void waits.push(because),
  })
  const services = emails.map((email) => openService(patient, BASE, email))
  const { seed, skipped } = await capture({
    services,
    calendarIds: [],
    onProgress: (line) => void lines.push(line),
    ...more,
  })
  return { seed: JSON.parse(JSON.stringify(seed)) as Seed, skipped, waits, lines }
}

type Shown = Record<string, unknown>

export async function readPages(client: Client, path: string): Promise<Shown[]> {
  const items: Shown[] = []
  let more = ''
  do {
    const { status, body } = await client.get(
      `${path}${path.includes('?') ? '&' : '?'}maxResults=${path.includes('/events') ? 2500 : 250}${more}`,
    )
    if (status !== 200) throw new Error(`${path}: ${status}`)
    items.push(...body.items)
    more = body.nextPageToken ? `&pageToken=${body.nextPageToken}` : ''
  } while (more)
  return items
}

/** Removes the fields that each write changes. */
const toComparable = (items: Shown[]): Shown[] =>
  items.map(({ etag: _, updated: __, ...rest }) => rest).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))

const WINDOW = 'timeMin=2025-06-01T00:00:00Z&timeMax=2027-06-01T00:00:00Z'

/**
 * Returns everything that an account sees of a world: its list, its settings, and the rules, events, instances and busy
 * times of each calendar.
 */
export async function readView({ as }: Pick<ReturnType<typeof openCalendar>, 'as'>, email: string) {
  const client = as(email)
  const list = toComparable(await readPages(client, '/users/me/calendarList?showHidden=true'))
  const calendars: Record<string, unknown> = {}
  for (const { id, accessRole } of list) {
    const path = `/calendars/${encodeURIComponent(String(id))}`
    const query = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-02-20T00:00:00Z', items: [{ id }] }
    const busy = await client.post('/freeBusy', query)
    calendars[String(id)] = {
      rules: accessRole === 'owner' ? toComparable(await readPages(client, `${path}/acl`)) : [],
      events: toComparable(await readPages(client, `${path}/events`)),
      instances: toComparable(await readPages(client, `${path}/events?singleEvents=true&orderBy=startTime&${WINDOW}`)),
      busy: busy.body.calendars,
    }
  }
  return { list, settings: toComparable(await readPages(client, '/users/me/settings')), calendars }
}

export const openWorld = (seed: Seed) => openCalendar({ seed, now: '2026-01-05T12:00:00Z' })
