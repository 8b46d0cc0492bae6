import { Bookings } from './bookings.ts'
import { CalendarClient, type Config, Disconnected } from './client.ts'
import { Database } from './database.ts'
import { Series } from './series.ts'
import { Sync } from './sync.ts'
import { HOUR, machineTime, type Time } from './time.ts'
import { Webhook } from './webhook.ts'

/** Push messages get lost, so every calendar is also read now and then. */
const POLL = HOUR

/** A service that books appointments in the calendars of its hosts, and follows the changes there. */
export class BookingService {
  readonly database = new Database()
  readonly bookings: Bookings
  readonly series: Series
  /** Errors in the background, for the operator of the service. */
  readonly troubles: string[] = []
  readonly #config: Config
  readonly #time: Time
  readonly #clients = new Map<string, CalendarClient>()
  readonly #sync: Sync
  readonly #webhook: Webhook
  readonly #timers = new Map<string, () => void>()
  readonly #busy = new Set<Promise<void>>()
  #channels = 0

  constructor(config: Config, time: Time = machineTime) {
    this.#config = config
    this.#time = time
    const clients = (email: string) => this.#client(email)
    this.bookings = new Bookings(this.database, clients)
    this.series = new Series(this.database, this.bookings, clients)
    this.#sync = new Sync(this.database, this.bookings, clients)
    this.#webhook = new Webhook(this.database, (host) => this.#behind(host, () => this.sync(host)))
  }

  listen = (port = 0): Promise<string> => this.#webhook.listen(port)

  /** A host has allowed the service to use their calendar: for the first time, or once more. */
  async connect(email: string, zone: string, refreshToken: string): Promise<void> {
    this.#clients.delete(email)
    this.database.hosts.set(email, { email, zone, refreshToken, connected: true })
    await this.#watch(email)
    await this.sync(email)
    this.#poll(email)
  }

  async sync(email: string): Promise<void> {
    try {
      await this.#sync.run(email)
    } catch (error) {
      if (error instanceof Disconnected) this.#disconnect(email)
      throw error
    }
  }

  /** Once all that push messages and timers have begun is done. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy)
  }

  async close(): Promise<void> {
    for (const callOff of this.#timers.values()) callOff()
    await this.#webhook.close()
    await this.idle()
  }

  #client(email: string): CalendarClient {
    const host = this.database.host(email)
    const client = this.#clients.get(email) ?? new CalendarClient(this.#config, this.#time, host)
    this.#clients.set(email, client)
    return client
  }

  #disconnect(email: string): void {
    this.database.host(email).connected = false
    for (const name of [`poll ${email}`, `watch ${email}`]) this.#timers.get(name)?.()
  }

  /** Opens a channel, and in time before it ends the next one. */
  async #watch(email: string): Promise<void> {
    const client = this.#client(email)
    const [id, token] = [`${email.replace(/\W/g, '-')}-${++this.#channels}`, crypto.randomUUID()]
    // Stored before the response, because the first message can arrive earlier.
    this.database.channels.set(id, { id, resourceId: '', token, host: email })
    const address = this.#config.publicUrl ?? this.#webhook.url
    const { resourceId, expiration } = await client.watch({ id, token, type: 'web_hook', address })
    const former = [...this.database.channels.values()].filter((one) => one.host === email && one.id !== id)
    this.database.channels.set(id, { id, resourceId, token, host: email })
    for (const channel of former) {
      this.database.channels.delete(channel.id)
      await client.stop(channel)
    }
    const next = Number(expiration) - this.#time.now() - HOUR
    this.#later(`watch ${email}`, next, () => this.#behind(email, () => this.#watch(email)))
  }

  #poll(email: string): void {
    this.#later(`poll ${email}`, POLL, () => {
      this.#poll(email)
      this.#behind(email, () => this.sync(email))
    })
  }

  #later(name: string, length: number, act: () => void): void {
    this.#timers.get(name)?.()
    this.#timers.set(name, this.#time.after(length, act))
  }

  #behind(email: string, act: () => Promise<void>): void {
    const done = act()
      .catch((error: Error) => {
        if (error instanceof Disconnected) this.#disconnect(email)
        this.troubles.push(error.message)
      })
      .finally(() => this.#busy.delete(done))
    this.#busy.add(done)
  }
}
