import { etagOf, updatedAt } from '../../model/collections.ts'
import type { WorldState } from '../../seeds/worldState.ts'

/** Returns the etag of so many microseconds earlier. The etag of a record that was never written stays. */
const shiftEtag = (etag: string, by: number): string => {
  const digits = etag.replaceAll('"', '')
  return Number(digits) === 0 ? etag : `"${String(Number(digits) - by).padStart(digits.length, '0')}"`
}

/**
 * Returns a state as if all its writes had been so many microseconds earlier, in whole milliseconds. The `created`
 * time of an event is moved only if it would lie in the future.
 */
export function shiftBack(
  { counters, accounts = [], calendars = [], ...state }: WorldState,
  by: number,
  latest: number,
): WorldState {
  const record = <R extends { etag: string }>(one: R): R => ({ ...one, etag: shiftEtag(one.etag, by) })
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
