/**
 * As much of a Request as the service reads. What comes in over a socket is read through this and not made a Request of:
 * the platform's own classes take longer to load than the whole of the service.
 */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null; has(name: string): boolean }
  readonly body: AsyncIterable<Uint8Array> | null
}
