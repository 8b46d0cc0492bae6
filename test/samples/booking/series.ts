import { type Bookings, idFor, instantOf, isRefused, Outdated, spanOf, Taken, timesOf, type Wish } from './bookings.ts'
import type { CalendarClient, CalendarEvent } from './client.ts'
import type { Booking, Database } from './database.ts'
import { basic, overlap, SECOND, type Span, written } from './time.ts'

/** Weekly appointments at the same local time of the host. */
export class Series {
  readonly #database: Database
  readonly #bookings: Bookings
  readonly #clients: (host: string) => CalendarClient

  constructor(database: Database, bookings: Bookings, clients: (host: string) => CalendarClient) {
    this.#database = database
    this.#bookings = bookings
    this.#clients = clients
  }

  /** Books so many weeks, all of them or none. */
  async book(wish: Wish, weeks: number): Promise<Booking> {
    return this.#insert(wish, `RRULE:FREQ=WEEKLY;COUNT=${weeks}`)
  }

  /** "This one": moves or calls off the appointment that was to begin at an instant. */
  async changeOne(id: string, slot: number, change: Span | 'cancel'): Promise<void> {
    const { booking, client, zone } = this.#open(id)
    const instance = await this.#instance(client, id, slot)
    if (change === 'cancel') await client.delete(instance.id)
    else {
      const wanted = ({ start, end }: Span) => start === change.start && end === change.end
      try {
        await client.patch(instance.id, timesOf(change, zone), instance.etag)
      } catch (error) {
        // Our own first attempt may have been carried out unheard.
        if (!isRefused(error, 412)) throw error
        if (!wanted(spanOf(await client.get(instance.id), zone))) throw new Outdated(booking)
      }
    }
    booking.exceptions.set(slot, change === 'cancel' ? 'cancelled' : change)
  }

  /**
   * "This and following": the series ends before the appointment that was to begin at an instant, and another begins at the
   * new time. Both halves can be repeated: the first has an etag, the second its own id.
   */
  async changeFollowing(id: string, slot: number, span: Span): Promise<Booking> {
    const { booking, client, zone } = this.#open(id)
    const master = await client.get(id)
    const [rule = ''] = master.recurrence ?? []
    const all = (await client.instances(id, { showDeleted: true })).map(({ originalStartTime: at }) =>
      instantOf(at, zone),
    )
    const left = all.filter((start) => start >= slot).length
    if (left === 0 || left === all.length) throw new Error('a series is divided between two of its appointments')
    const recurrence = [`${withoutEnd(rule)};UNTIL=${basic(slot - SECOND)}`]
    const trimmed = await client.patch(id, { recurrence }, master.etag).catch(async (error) => {
      if (!isRefused(error, 412)) throw error
      const current = await client.get(id)
      if (current.recurrence?.[0] !== recurrence[0]) throw new Outdated(this.#bookings.apply(booking, current))
      return current
    })
    this.#bookings.apply(booking, trimmed)
    // Appointments that were changed by themselves outlive the end of their series.
    for (const left of await client.instances(id))
      if (instantOf(left.originalStartTime, zone) >= slot) await client.delete(left.id)
    const { host, customer, title } = booking
    const wish = { host, customer, title, ...span, reference: `${id} from ${written(slot)}` }
    return this.#insert(wish, `${withoutEnd(rule)};COUNT=${left}`)
  }

  async #insert(wish: Wish, rule: string): Promise<Booking> {
    const client = this.#clients(wish.host)
    const { zone } = this.#database.host(wish.host)
    const id = idFor(wish.reference)
    const draft = { ...this.#bookings.draft(wish, id), recurrence: [rule] }
    const event = await this.#bookings.insertOnce(client, draft, wish.reference)
    const spans = (await client.instances(id)).map((instance) => spanOf(instance, zone))
    const whole = { start: wish.start, end: Math.max(...spans.map(({ end }) => end)) }
    const others = (await client.during(whole)).filter(({ recurringEventId, transparency }) => {
      return recurringEventId !== id && transparency !== 'transparent'
    })
    const conflicts = spans.filter((span) => others.some((other) => overlap(spanOf(other, zone), span)))
    if (conflicts.length > 0) {
      await client.delete(id)
      throw new Taken(`the host is busy at ${conflicts.map(({ start }) => written(start)).join(', ')}`)
    }
    return this.#bookings.remember(wish, event)
  }

  #open(id: string) {
    const booking = this.#database.booking(id)
    return { booking, client: this.#clients(booking.host), zone: this.#database.host(booking.host).zone }
  }

  async #instance(client: CalendarClient, id: string, slot: number): Promise<CalendarEvent> {
    const [instance] = await client.instances(id, { originalStart: written(slot) })
    if (!instance) throw new Error(`nothing of the series begins at ${written(slot)}`)
    return instance
  }
}

const withoutEnd = (rule: string): string => rule.replace(/;(?:COUNT|UNTIL)=[^;]*/g, '')
