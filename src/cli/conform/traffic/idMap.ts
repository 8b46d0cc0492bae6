import { isObject } from '../matchers.ts'

/** What the server chooses: it is told apart by where it stands, and nothing is said of which value it has. */
const SERVER_CHOSEN = new Set([
  ...['id', 'iCalUID', 'recurringEventId', 'etag', 'nextSyncToken', 'nextPageToken', 'resourceId'],
  ...['htmlLink', 'hangoutLink', 'conferenceId', 'signature'],
])

/** The names that a recording has for what the fake calls otherwise: ids, etags and tokens. */
export class IdMap {
  readonly #ours = new Map<string, string>()

  /** A text of the recording as the fake says it: the whole of it, or an id with an instance's stamp or a domain behind it. */
  translate(text: string): string {
    const known = this.#ours.get(text)
    if (known !== undefined) return known
    const [, id = '', rest = ''] = /^([0-9a-v_]+?)((?:_R?\d{8}(?:T\d{6}Z?)?)+|@google\.com)$/.exec(text) ?? []
    const ours = this.#ours.get(id)
    return ours === undefined ? text : ours + rest
  }

  /** The same of all texts in a value. */
  translateAll = (value: unknown): unknown => {
    if (typeof value === 'string') return this.translate(value)
    if (Array.isArray(value)) return value.map(this.translateAll)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.translate(name), this.translateAll(one)]),
    )
  }

  /** Learns from an answer and ours to the same request what we call what it names. */
  learn(recorded: unknown, ours: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(ours))
      for (const [one, other] of this.#pairs(recorded, ours)) this.learn(one, other)
    if (!isObject(recorded) || !isObject(ours)) return
    for (const [name, value] of Object.entries(recorded)) {
      const other = ours[name]
      if (SERVER_CHOSEN.has(name) && typeof value === 'string' && typeof other === 'string') this.name(value, other)
      else this.learn(value, other)
    }
  }

  name(recorded: string, ours: string): void {
    if (recorded !== ours || this.#ours.has(recorded)) this.#ours.set(recorded, ours)
  }

  /** Elements that are one and the same: by id where they have one, else by their place. */
  #pairs(recorded: readonly unknown[], ours: readonly unknown[]): [unknown, unknown][] {
    const idOf = (one: unknown) => (isObject(one) && typeof one.id === 'string' ? one.id : undefined)
    const left = new Set(ours)
    const pairs = recorded.map((one): [unknown, unknown] => {
      const id = idOf(one)
      const same = id === undefined ? undefined : ours.find((other) => idOf(other) === this.translate(id))
      left.delete(same)
      return [one, same]
    })
    const rest = [...left]
    return pairs.map(([one, same]) => [one, same ?? rest.shift()])
  }
}
