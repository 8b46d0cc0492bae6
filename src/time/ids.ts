/** The first value of the generator, and what each draw adds to it, modulo 2 ** 32. */
const START = 1
const STEP = 0x6d2b79f5

/** The number of draws so far, which is part of the world's data. */
type DrawCounter = { readonly counters: { ids: number } }

/** The one source of chance: the same seed gives the same ids, codes and tokens in the same order. */
export class Ids {
  readonly #store: DrawCounter

  constructor(store: DrawCounter) {
    this.#store = store
  }

  /** 26 characters of [0-9a-v], as the service makes event ids (behaviour 3.2.4). */
  eventId(): string {
    return this.#draw(26, '0123456789abcdefghijklmnopqrstuv')
  }

  /** A secondary calendar's id (behaviour 3.4.4). */
  calendarId(): string {
    return `c_${this.#draw(64, '0123456789abcdef')}@group.calendar.google.com`
  }

  /** The random part of a token of OAuth. */
  token(length: number): string {
    return this.#draw(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  }

  /** What a person types in at a device's page: `GQVQ-JKEC`. */
  userCode(): string {
    const letters = 'BCDFGHJKLMNPQRSTVWXZ'
    return `${this.#draw(4, letters)}-${this.#draw(4, letters)}`
  }

  /** A meeting code, `aaa-bbbb-ccc` (behaviour 9.6). */
  meetingCode(): string {
    return [3, 4, 3].map((length) => this.#draw(length, 'abcdefghijklmnopqrstuvwxyz')).join('-')
  }

  /** A number of so many digits, which begins with none of value zero. */
  digits(length: number): string {
    return this.#draw(1, '123456789') + this.#draw(length - 1, '0123456789')
  }

  /** How far a channel's message number is from the one before (behaviour 6.2.7). */
  step(): number {
    return 1 + (this.#next() % 2 ** 23)
  }

  /** From 0 up to 1, which is left out. */
  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** A label's id: a UUID of version 4 (behaviour 12.9). */
  labelId(): string {
    const digits = (length: number) => this.#draw(length, '0123456789abcdef')
    return `${digits(8)}-${digits(4)}-4${digits(3)}-${this.#draw(1, '89ab')}${digits(3)}-${digits(12)}`
  }

  #draw(length: number, alphabet: string): string {
    // Made of one piece: a text that grows is a chain of texts, which whoever compares it first has to put together.
    const drawn = new Array<number>(length)
    for (let at = 0; at < length; at++) drawn[at] = alphabet.charCodeAt(this.#next() % alphabet.length)
    return String.fromCharCode(...drawn)
  }

  /** Mulberry32 as a function of the number of draws. */
  #next(): number {
    const { counters } = this.#store
    counters.ids += 1
    let mixed = (START + Math.imul(counters.ids, STEP)) >>> 0
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
