import { createHash } from 'node:crypto'
import { ApiError, type CalendarClient, type CalendarEvent } from './client.ts'
import type { Booking, Database, Host } from './database.ts'
import { HOUR, midnight, nextDay, overlap, type Span, written } from './time.ts'

/** The time is already booked. */
export class Taken extends Error {}

/** The booking was changed since it was read; `booking` is its current state. */
export class Outdated extends Error {
  readonly booking: Booking

  constructor(booking: Booking) {
    super('it has been changed in the meantime')
    this.booking = booking
  }
}

export type Wish = Span & {
  /** The customer's idempotency key: two requests with the same key are one booking. */
  reference: string
  host: string
  customer: string
  title: string
  meet?: boolean
}

/** The id of an event as the API allows it, the same each time it is worked out. */
export const idFor = (reference: string): string => createHash('sha256').update(reference).digest('hex').slice(0, 32)

export const isRefused = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status

export const spanOf = ({ start, end }: CalendarEvent, zone: string): Span => ({
  start: instantOf(start, zone),
  end: instantOf(end, zone),
})

export const instantOf = (moment: CalendarEvent['start'], zone: string): number =>
  moment?.date ? midnight(moment.date, zone) : Date.parse(moment?.dateTime ?? '')

export class Bookings {
  readonly #database: Database
  readonly #clients: (host: string) => CalendarClient

  constructor(database: Database, clients: (host: string) => CalendarClient) {
    this.#database = database
    this.#clients = clients
  }

  /** The hours of a day, by the host's clocks, in which nothing is. */
  async openings(email: string, day: string): Promise<number[]> {
    const { zone } = this.#database.host(email)
    const [start, end] = [midnight(day, zone), midnight(nextDay(day), zone)]
    const busy = await this.#clients(email).busy({ start, end })
    const hours = Array.from({ length: (end - start) / HOUR }, (_, at) => start + at * HOUR)
    return hours.filter((hour) => !busy.some((one) => overlap(one, { start: hour, end: hour + HOUR })))
  }

  async book(wish: Wish): Promise<Booking> {
    const { reference, host, meet } = wish
    const id = idFor(reference)
    const known = this.#database.bookings.get(id)
    if (known) return known
    const client = this.#clients(host)
    if ((await client.busy(wish)).length > 0) throw new Taken('the host is busy')
    const conferenceData = { createRequest: { requestId: id, conferenceSolutionKey: { type: 'hangoutsMeet' } } }
    const draft = { ...this.draft(wish, id), ...(meet && { conferenceData }) }
    const event = await this.insertOnce(client, draft, reference)
    // The time can be booked meanwhile: a booking that finds an earlier one is withdrawn.
    const rivals = (await this.#others(client, wish, id)).filter(({ created = '' }) => created <= (event.created ?? ''))
    if (rivals.length > 0) {
      await client.delete(id)
      throw new Taken('somebody else was faster')
    }
    return this.remember(wish, event)
  }

  /** Moves a booking if it still has the given etag. */
  async reschedule(id: string, span: Span, etag: string): Promise<Booking> {
    const booking = this.#database.booking(id)
    const { zone } = this.#database.host(booking.host)
    const client = this.#clients(booking.host)
    if ((await this.#others(client, span, id)).length > 0) throw new Taken('the host is busy')
    try {
      return this.apply(booking, await client.patch(id, timesOf(span, zone), etag))
    } catch (error) {
      if (!isRefused(error, 412)) throw error
      const current = this.apply(booking, await client.get(id))
      // Our own first attempt may have been carried out unheard.
      if (current.start === span.start && current.end === span.end) return current
      throw new Outdated(current)
    }
  }

  async cancel(id: string): Promise<void> {
    const booking = this.#database.booking(id)
    await this.#clients(booking.host).delete(id)
    booking.status = 'cancelled'
  }

  draft(wish: Wish, id: string) {
    const { zone } = this.#database.host(wish.host)
    return {
      id,
      summary: wish.title,
      ...timesOf(wish, zone),
      attendees: [{ email: wish.customer }],
      extendedProperties: { private: { reference: wish.reference } },
    }
  }

  /** Inserts an event, or finds that an attempt without an answer had done so. */
  async insertOnce(client: CalendarClient, draft: { id: string } & object, reference: string): Promise<CalendarEvent> {
    try {
      return await client.insert(draft, { conferenceDataVersion: 1, sendUpdates: 'all' })
    } catch (error) {
      if (!isRefused(error, 409)) throw error
      const event = await client.get(draft.id)
      if (event.extendedProperties?.private?.reference !== reference) throw error
      if (event.status === 'cancelled') throw new Taken('it has been called off')
      return event
    }
  }

  remember({ host, customer, title, start, end }: Wish, event: CalendarEvent): Booking {
    const { id, etag } = event
    const booking: Booking = {
      ...{ id, host, customer, title, start, end, etag },
      ...{ status: 'held', exceptions: new Map(), clashes: [] },
    }
    this.#database.bookings.set(id, booking)
    return this.apply(booking, event)
  }

  /** Copies the state of the calendar. */
  apply(booking: Booking, event: CalendarEvent): Booking {
    const { zone } = this.#database.host(booking.host)
    booking.etag = event.etag
    if (event.status === 'cancelled') booking.status = 'cancelled'
    else Object.assign(booking, { status: 'held', ...spanOf(event, zone), rule: event.recurrence?.[0] })
    const made = event.conferenceData?.createRequest?.status?.statusCode
    if (event.hangoutLink) booking.meet = { status: 'ready', link: event.hangoutLink }
    else if (made) booking.meet = { status: made === 'failure' ? 'failed' : 'pending' }
    return booking
  }

  /** Returns the bookings that clash with events that their hosts have entered since. */
  async findClashes({ email, zone }: Host): Promise<void> {
    const client = this.#clients(email)
    for (const booking of this.#database.heldBy(email)) {
      if (booking.rule) continue
      booking.clashes = (await this.#others(client, booking, booking.id))
        .filter((event) => overlap(spanOf(event, zone), booking))
        .map(({ id }) => id)
    }
  }

  /** Returns the other events at the time of an event, without those that are transparent. */
  async #others(client: CalendarClient, span: Span, id: string): Promise<CalendarEvent[]> {
    const events = await client.during(span)
    return events.filter((one) => one.id !== id && one.recurringEventId !== id && one.transparency !== 'transparent')
  }
}

export const timesOf = ({ start, end }: Span, timeZone: string) => ({
  start: { dateTime: written(start), timeZone },
  end: { dateTime: written(end), timeZone },
})
