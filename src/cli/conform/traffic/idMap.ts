import { isObject } from '../../../schema/values/json.ts'

/** Fields whose values the server chooses. They are matched by position and their values are not compared. */
const SERVER_CHOSEN = new Set([
  ...['id', 'iCalUID', 'recurringEventId', 'etag', 'nextSyncToken', 'nextPageToken', 'resourceId'],
  ...['htmlLink', 'hangoutLink', 'conferenceId', 'signature'],
])

/** Maps the ids, etags and tokens of a recording to those that the fake chose for the same resources. */
export class IdMap {
  readonly #ours = new Map<string, string>()

  /**
   * Returns the fake's name for a name of the recording: an id, an etag or a token as a whole, or an id that is
   * followed by the start of an instance or by `@google.com`. Returns other texts as they are.
   */
  translate(text: string): string {
    const known = this.#ours.get(text)
    if (known !== undefined) return known
    const [, id = '', rest = ''] = /^([0-9a-v_]+?)((?:_R?\d{8}(?:T\d{6}Z?)?)+|@google\.com)$/.exec(text) ?? []
    const ours = this.#ours.get(id)
    return ours === undefined ? text : ours + rest
  }

  /** Returns true if the fake's name for a name of the recording is known. */
  has = (recorded: string): boolean => this.#ours.has(recorded)

  /** Returns a copy of JSON data in which all strings and keys are translated. */
  translateAll = (value: unknown): unknown => {
    if (typeof value === 'string') return this.translate(value)
    if (Array.isArray(value)) return value.map(this.translateAll)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.translate(name), this.translateAll(one)]),
    )
  }

  /**
   * Adds the ids, etags and tokens of a recorded response (`recorded`), each with that of the fake's response to the same request
   * (`ours`). Both are JSON data.
   */
  learn(recorded: unknown, ours: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(ours))
      for (const [one, other] of this.#pairs(recorded, ours)) this.learn(one, other)
    if (!isObject(recorded) || !isObject(ours)) return
    for (const [name, value] of Object.entries(recorded)) {
      const other = ours[name]
      if (SERVER_CHOSEN.has(name) && typeof value === 'string' && typeof other === 'string') this.add(value, other)
      else this.learn(value, other)
    }
  }

  /** Maps a name of the recording to the fake's. A later call for the same name replaces the entry. */
  add(recorded: string, ours: string): void {
    this.#ours.set(recorded, ours)
  }

  /**
   * Pairs each recorded element with one of ours: by id if it has one, else, or if none matches, with the next one
   * left. The second of a pair is undefined if none is left.
   */
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
