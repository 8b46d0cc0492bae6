import { etagOf, updatedAt } from '../world/eventCollection.ts'
import type { State } from './state.ts'

/** An etag of so many microseconds earlier. A stamp that was never made stays so. */
const moved = (etag: string, by: number): string => {
  const digits = etag.replaceAll('"', '')
  return Number(digits) === 0 ? etag : `"${String(Number(digits) - by).padStart(digits.length, '0')}"`
}

/**
 * A world as it would be, had all that is in it been written by whole milliseconds earlier, given in microseconds. What
 * an event says of its making is moved only where it would lie in the future.
 */
export function rewound(
  { counters, accounts = [], calendars = [], ...state }: State,
  by: number,
  latest: number,
): State {
  const record = <R extends { etag: string }>(one: R): R => ({ ...one, etag: moved(one.etag, by) })
  const earlier = (text: string) => updatedAt(Date.parse(text) * 1000 - by)
  const revision = latest - by
  return {
    ...state,
    counters: { ...counters, revision, forgotten: Math.min(counters.forgotten, revision) },
    accounts: accounts.map(({ settings = [], calendarList = [], ...account }) => ({
      ...account,
      calendarList: calendarList.map(record),
      settings: Array.isArray(settings) ? settings.map(record) : settings,
    })),
    calendars: calendars.map(({ acl = [], events = [], ...calendar }) => ({
      ...record(calendar),
      acl: acl.map(record),
      events: events.map((event) => ({
        ...event,
        etag: etagOf(Number(event.etag.replaceAll('"', '')) / 2 - by),
        updated: earlier(event.updated),
        ...(event.created &&
          Date.parse(event.created) * 1000 > revision && { created: `${earlier(event.created).slice(0, 19)}.000Z` }),
      })),
    })),
  }
}
