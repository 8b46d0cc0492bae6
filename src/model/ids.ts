const START = 1
const STEP = 0x6d2b79f5

type DrawCounter = { readonly counters: { ids: number } }

/** The random source of a world: it returns the same ids, codes and tokens in the same order in every world. */
export class Ids {
  readonly #store: DrawCounter

  constructor(store: DrawCounter) {
    this.#store = store
  }

  /** 26 characters of [0-9a-v] (behaviour 3.2.4). */
  eventId(): string {
    return this.#draw(26, '0123456789abcdefghijklmnopqrstuv')
  }

  /** Calendars of Workspace accounts have a prefix (behaviour 3.4.4). */
  calendarId(kind: 'consumer' | 'workspace' = 'consumer'): string {
    return `${kind === 'workspace' ? 'c_' : ''}${this.#draw(64, '0123456789abcdef')}@group.calendar.google.com`
  }

  token(length: number): string {
    return this.#draw(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  }

  userCode(): string {
    const letters = 'BCDFGHJKLMNPQRSTVWXZ'
    return `${this.#draw(4, letters)}-${this.#draw(4, letters)}`
  }

  /** `aaa-bbbb-ccc` (behaviour 9.6). */
  meetingCode(): string {
    return [3, 4, 3].map((length) => this.#draw(length, 'abcdefghijklmnopqrstuvwxyz')).join('-')
  }

  digits(length: number): string {
    return this.#draw(1, '123456789') + this.#draw(length - 1, '0123456789')
  }

  /** The difference between two message numbers of a channel, from 1 to 2 ** 23 (behaviour 6.2.7). */
  step(): number {
    return 1 + (this.#next() % 2 ** 23)
  }

  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** A UUID of version 4 (behaviour 12.9). */
  labelId(): string {
    const digits = (length: number) => this.#draw(length, '0123456789abcdef')
    return `${digits(8)}-${digits(4)}-4${digits(3)}-${this.#draw(1, '89ab')}${digits(3)}-${digits(12)}`
  }

  #draw(length: number, alphabet: string): string {
    const codes = new Array<number>(length)
    for (let at = 0; at < length; at++) codes[at] = alphabet.charCodeAt(this.#next() % alphabet.length)
    return String.fromCharCode(...codes)
  }

  #next(): number {
    const { counters } = this.#store
    counters.ids += 1
    let mixed = (START + Math.imul(counters.ids, STEP)) >>> 0
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

// Loaded on first use, because few requests need it and it would slow every start.
const crypto = () => process.getBuiltinModule('node:crypto')

/** A digest in base64url. */
export const digest = (text: string | Buffer, algorithm: 'sha1' | 'sha256'): string =>
  crypto().hash(algorithm, text, 'base64url')

/** SHA-256. A plain hash is enough here; an HMAC takes six times as long. */
export const keyedDigest = (key: string, text: string): Buffer => crypto().hash('sha256', `${key}\n${text}`, 'buffer')
