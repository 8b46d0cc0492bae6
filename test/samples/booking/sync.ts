import { type Bookings, instantOf, isRefused, spanOf } from './bookings.ts'
import type { CalendarClient, CalendarEvent } from './client.ts'
import type { Database, Host } from './database.ts'

/** Reads the changes by hosts and guests from the hosts' calendars. */
export class Sync {
  readonly #database: Database
  readonly #bookings: Bookings
  readonly #clients: (host: string) => CalendarClient
  /** The running sync, and true if it must run once more because of a later message. */
  readonly #running = new Map<string, { done: Promise<void>; again: boolean }>()

  constructor(database: Database, bookings: Bookings, clients: (host: string) => CalendarClient) {
    this.#database = database
    this.#bookings = bookings
    this.#clients = clients
  }

  run(email: string): Promise<void> {
    const running = this.#running.get(email)
    if (running) {
      running.again = true
      return running.done
    }
    const run = { done: Promise.resolve(), again: true }
    run.done = this.#whileTold(email, run).finally(() => this.#running.delete(email))
    this.#running.set(email, run)
    return run.done
  }

  async #whileTold(email: string, run: { again: boolean }): Promise<void> {
    while (run.again) {
      run.again = false
      await this.#once(this.#database.host(email))
    }
  }

  async #once(host: Host): Promise<void> {
    const client = this.#clients(host.email)
    const cursor = this.#database.cursors.get(host.email)
    // Changes are applied after the last page, so a 410 between pages leaves no partial state.
    const { whole, events, cursor: next } = await this.#changes(client, cursor)
    for (const event of events) this.#apply(event, host)
    if (whole) await this.#missing(events, host, client)
    this.#database.cursors.set(host.email, next)
    if (events.some((event) => !this.#isOurs(event))) await this.#bookings.findClashes(host)
  }

  async #changes(client: CalendarClient, cursor: string | undefined) {
    if (cursor !== undefined)
      try {
        return { whole: false, ...(await client.changes(cursor)) }
      } catch (error) {
        if (!isRefused(error, 410)) throw error
      }
    return { whole: true, ...(await client.changes(undefined)) }
  }

  #isOurs = ({ id, recurringEventId = id }: CalendarEvent): boolean => this.#database.bookings.has(recurringEventId)

  #apply(event: CalendarEvent, { zone }: Host): void {
    const { id, recurringEventId, originalStartTime, status } = event
    const booking = this.#database.bookings.get(recurringEventId ?? id)
    if (!booking) return
    if (!recurringEventId) this.#bookings.apply(booking, event)
    else if (originalStartTime) {
      const slot = instantOf(originalStartTime, zone)
      booking.exceptions.set(slot, status === 'cancelled' ? 'cancelled' : spanOf(event, zone))
    }
  }

  /** A full list contains neither deleted events nor very new ones, so each missing event is read. */
  async #missing(events: readonly CalendarEvent[], { email }: Host, client: CalendarClient): Promise<void> {
    const listed = new Set(events.map(({ id }) => id))
    for (const booking of this.#database.heldBy(email)) {
      if (listed.has(booking.id)) continue
      try {
        this.#bookings.apply(booking, await client.get(booking.id))
      } catch (error) {
        if (!isRefused(error, 404)) throw error
        booking.status = 'cancelled'
      }
    }
  }
}
