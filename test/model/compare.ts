/** Defines the parts of a reply that are compared with the model, and the reasons for the others. */
import { expect } from 'vitest'
import { isoOf, type Time } from './times.ts'
import type { EventView, Item } from './views.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
export type Json = any
export type Reply = { status: number; reason?: string; body: Json }

/**
 * Left out of every event:
 * - `kind` and `htmlLink`, because they follow from the ids, and other tests read them;
 * - `etag`, `created` and `updated`, because the model counts versions and has no microseconds: see `Stamps`.
 * And out of cancelled instances `reminders`, because which changes of the series these follow is unknown.
 */
const NOT_COMPARED = ['kind', 'htmlLink', 'etag', 'created', 'updated']

/** An event of a reply in the form of the model: instants in UTC, lists in a fixed order. */
export function comparable(event: Json): EventView {
  const isCancelledInstance = event.status === 'cancelled' && event.recurringEventId !== undefined
  const skipped = isCancelledInstance ? [...NOT_COMPARED, 'reminders'] : NOT_COMPARED
  const compared = Object.fromEntries(Object.entries(event).filter(([name]) => !skipped.includes(name)))
  const times = ['start', 'end', 'originalStartTime']
    .filter((name) => compared[name])
    .map((name) => [name, timeOf(compared[name])])
  return { ...compared, ...Object.fromEntries(times) } as EventView
}

/** A time without its zone: every zone in these worlds is UTC, and a stub of an instance has none (behaviour 4.1.5). */
export const timeOf = (time: Json): Time | object =>
  time.date ? { date: time.date } : { dateTime: isoOf(Date.parse(time.dateTime)) }

const ofModel = (view: EventView): EventView => JSON.parse(JSON.stringify(comparable(view)))

export function expectEvent(actual: Json, expected: EventView): void {
  expect(comparable(actual)).toEqual(ofModel(expected))
}

/** Compares items without their order: the order among items of one request is the service's own. */
export function expectItems(actual: Json[], expected: Item[], message: string): void {
  const byId = (items: EventView[]) => Object.fromEntries(items.map((one) => [one.id, one]).sort())
  const ids = actual.map(({ id }) => id)
  expect(new Set(ids).size, `${message}: an id comes twice`).toBe(ids.length)
  expect(byId(actual.map(comparable)), message).toEqual(byId(expected.map(({ view }) => ofModel(view))))
}

/**
 * The stamps of one world: two replies show one etag if and only if the model has one version of the event, and `updated`
 * never goes back from one version to the next.
 */
export class Stamps {
  readonly #seen = new Map<string, Map<number, { etag: string; updated?: string }>>()

  check(calendarId: string, item: Item, { etag, updated }: { etag: string; updated?: string }): void {
    const key = JSON.stringify([calendarId, item.view.id])
    const versions = this.#seen.get(key) ?? new Map()
    this.#seen.set(key, versions)
    for (const [version, stamp] of versions) {
      const message = `etags of ${item.view.id} in versions ${version} and ${item.version}`
      if (version === item.version) expect(etag, message).toBe(stamp.etag)
      else expect(etag, message).not.toBe(stamp.etag)
      const [first, second] = version < item.version ? [stamp.updated, updated] : [updated, stamp.updated]
      if (first && second)
        expect(Date.parse(second), `updated of ${item.view.id}`).toBeGreaterThanOrEqual(Date.parse(first))
    }
    versions.set(item.version, { etag, updated: updated ?? versions.get(item.version)?.updated })
  }
}
