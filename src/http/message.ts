export type HeaderLine = readonly [name: string, value: string]

/** Header lines in order; names are compared without regard to case, and several lines of a name are one value. */
export class HeaderLines implements Iterable<HeaderLine> {
  #lines: HeaderLine[]

  constructor(lines: Iterable<HeaderLine> = []) {
    this.#lines = [...lines]
  }

  has(name: string): boolean {
    return this.#named(name).length > 0
  }

  get(name: string): string | null {
    const lines = this.#named(name)
    return lines.length === 0 ? null : lines.map(([, value]) => value).join(', ')
  }

  set(name: string, value: string): void {
    this.delete(name)
    this.append(name, value)
  }

  append(name: string, value: string): void {
    this.#lines.push([name, value])
  }

  delete(name: string): void {
    const lost = this.#named(name)
    this.#lines = this.#lines.filter((line) => !lost.includes(line))
  }

  [Symbol.iterator](): Iterator<HeaderLine> {
    return this.#lines[Symbol.iterator]()
  }

  #named(name: string): HeaderLine[] {
    return this.#lines.filter(([one]) => one.toLowerCase() === name.toLowerCase())
  }
}

/**
 * As much of a Request as the service reads: a Request is one. What comes in over a socket is read through this and not
 * made a Request of, since the platform's own classes take as long to load as the rest of the service.
 */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null; has(name: string): boolean } & Iterable<HeaderLine>
  readonly body: AsyncIterable<Uint8Array> | null
}

/** An answer, for a socket to write or for a Response to be made of. */
export class Reply {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: string | Uint8Array | null

  constructor(
    body: Reply['body'],
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> | HeaderLines } = {},
  ) {
    this.status = status
    this.headers = headers instanceof HeaderLines ? headers : new HeaderLines(Object.entries(headers))
    this.body = body
  }
}

export function responseOf({ status, headers, body }: Reply): Response {
  const lines = [...headers].map(([name, value]): [string, string] => [name, value])
  return new Response(body as BodyInit | null, { status, headers: lines })
}
