import type { Span } from './time.ts'

/** A practitioner with a calendar for bookings. */
export type Host = { email: string; zone: string; refreshToken: string; connected: boolean }

export type Booking = Span & {
  /** The id of its event, too. */
  id: string
  host: string
  customer: string
  title: string
  status: 'held' | 'cancelled'
  /** The etag of the last read event. */
  etag: string
  /** Its Meet link, pending or created. */
  meet?: { status: 'pending' | 'ready' | 'failed'; link?: string | undefined } | undefined
  /** The rule of a series, and its exceptions by their original starts. */
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
