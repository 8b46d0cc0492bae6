import { expect } from 'vitest'
import type { Client } from '../support/calendar.ts'
import { EVENTS, type Item } from './people.ts'

export const WINDOW = { timeMin: '2026-03-03T00:00:00Z', timeMax: '2026-03-08T00:00:00Z' }

export const list = async (client: Client, query: Record<string, string>, path = EVENTS) => {
  const { status, body, text } = await client.get(`${path}?${new URLSearchParams({ maxResults: '2500', ...query })}`)
  expect(status, text).toBe(200)
  return body as { items: Item[]; nextSyncToken: string }
}
/** Returns the items by their ids. */
export const indexById = (items: Iterable<Item>) => Object.fromEntries([...items].map((item) => [item.id, item]).sort())

/**
 * Checks that each row of a list equals the result of GET, and that a series has the instances of the list of single
 * events.
 */
export async function requireRows(client: Client, chosen: number): Promise<void> {
  const window = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' }
  const { items } = await list(client, { ...window })
  const { items: single } = await list(client, { ...window, singleEvents: 'true' })
  for (const rows of [items, single]) {
    const row = rows.filter(({ status }) => status !== 'cancelled').at(chosen % Math.max(rows.length, 1))
    if (!row) continue
    const { status, body } = await client.get(`${EVENTS}/${row.id}`)
    expect([status, body]).toEqual([200, row])
  }
  for (const { id } of items.filter(({ recurrence }) => recurrence)) {
    const instances = await list(client, window, `${EVENTS}/${id}/instances`)
    expect(indexById(instances.items)).toEqual(
      indexById(single.filter(({ recurringEventId }) => recurringEventId === id)),
    )
  }
}

type Span = { start: string; end: string }
/** Returns start and end of an event in epoch milliseconds. A date is midnight in UTC. */
export const toInstants = ({ start, end }: Item): [number, number] => {
  const [from, to] = [start, end].map((time) => {
    const { date, dateTime } = time as { date?: string; dateTime?: string }
    return Date.parse(date === undefined ? (dateTime ?? '') : `${date}T00:00:00Z`)
  })
  return [from ?? 0, to ?? 0]
}

/** Checks free/busy against the list: opaque events with a duration that are not declined. */
export async function requireBusy(client: Client, email: string): Promise<void> {
  const { body } = await client.post('/freeBusy', { ...WINDOW, items: [{ id: email }] })
  const [from, to] = [Date.parse(WINDOW.timeMin), Date.parse(WINDOW.timeMax)]
  const { items } = await list(client, { singleEvents: 'true', orderBy: 'startTime', ...WINDOW })
  const spans = items
    .filter(({ transparency }) => transparency !== 'transparent')
    .filter(({ attendees }) => !attendees?.some((one) => one.email === email && one.responseStatus === 'declined'))
    .map(toInstants)
    .map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const)
    .filter(([start, end]) => end > start)
    .sort(([a], [b]) => a - b)
  const busy: [number, number][] = []
  for (const [start, end] of spans) {
    const last = busy.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else busy.push([start, end])
  }
  expect(body.calendars[email].busy.map(({ start, end }: Span) => [Date.parse(start), Date.parse(end)])).toEqual(busy)
}
