import type { Span } from './time.ts'

/** A practitioner whose calendar the service fills. */
export type Host = { email: string; zone: string; refreshToken: string; connected: boolean }

export type Booking = Span & {
  /** The id of its event, too. */
  id: string
  host: string
  customer: string
  title: string
  status: 'held' | 'cancelled'
  /** Of the event as it was last seen. */
  etag: string
  /** Its Meet link, while it is being made and once it is there. */
  meet?: { status: 'pending' | 'ready' | 'failed'; link?: string | undefined } | undefined
  /** Of a series its rule, and what became of single appointments, by the instants at which they were to begin. */
  rule?: string | undefined
  exceptions: Map<number, Span | 'cancelled'>
  /** The ids of other events of the host at that time. */
  clashes: string[]
}

export type PushChannel = { id: string; resourceId: string; token: string; host: string }

/** All that the service remembers. */
export class Database {
  readonly hosts = new Map<string, Host>()
  readonly bookings = new Map<string, Booking>()
  /** The sync token of each host's calendar. */
  readonly cursors = new Map<string, string>()
  readonly channels = new Map<string, PushChannel>()

  host(email: string): Host {
    const host = this.hosts.get(email)
    if (!host) throw new Error(`${email} is no host`)
    return host
  }

  booking(id: string): Booking {
    const booking = this.bookings.get(id)
    if (!booking) throw new Error(`there is no booking ${id}`)
    return booking
  }

  heldBy(email: string): Booking[] {
    return [...this.bookings.values()].filter(({ host, status }) => host === email && status === 'held')
  }
}
