import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { findMessageProblem, INVALID_REQUEST, PARSE_ERROR } from './message.ts'

const MAX_LINE_BYTES = 10 * 1024 * 1024
const NEWLINE = 10
const TOO_LONG = { code: INVALID_REQUEST, message: 'A message is at most 10 MB long.' }
/** In a row. Each is answered. */
const MAX_BROKEN_LINES = 1000

/**
 * A transport of MCP by lines of JSON. A broken or too long line is answered with an error, and the next one is read; 1,000 of
 * them in a row close the transport. Messages are handed on one at a time, so that a signal ends the process also while
 * others wait.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Resolves when the transport is closed: by `close`, or after the messages before the end of the input. */
  readonly closed: Promise<void>
  #resolveClosed = () => {}
  readonly #input: Readable
  readonly #output: Writable
  #chunks: Buffer[] = []
  #length = 0
  #lines: (string | undefined)[] = []
  #brokenCount = 0
  #isReading = false
  #hasEnded = false
  #isClosed = false
  #drained: Promise<void> | undefined

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  async start(): Promise<void> {
    const end = () => {
      this.#hasEnded = true
      if (!this.#isReading) void this.close()
    }
    this.#input.on('data', (chunk: Buffer) => this.#split(chunk))
    this.#input.once('end', end)
    this.#input.once('close', end)
    this.#input.on('error', (error: Error) => this.onerror?.(error))
    this.#output.once('error', () => void this.close())
  }

  /** Resolves when the output takes more. */
  async send(message: object): Promise<void> {
    if (this.#isClosed || this.#output.write(`${JSON.stringify(message)}\n`)) return
    this.#drained ??= new Promise((resolve) => {
      this.#output.once('drain', () => {
        this.#drained = undefined
        resolve()
      })
    })
    await this.#drained
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#lines = []
    this.#input.pause()
    this.onclose?.()
    this.#resolveClosed()
  }

  #split(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (at > from || this.#length > 0) this.#endLine(chunk.subarray(from, at))
      from = at + 1
    }
    this.#append(chunk.subarray(from))
    void this.#handOn()
  }

  #endLine(part: Buffer): void {
    this.#append(part)
    const line = this.#length > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#chunks).toString()
    if (line?.trim() !== '') this.#lines.push(line)
    this.#chunks = []
    this.#length = 0
  }

  /** Keeps nothing of a line that is too long. */
  #append(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_LINE_BYTES) this.#chunks = []
    else this.#chunks.push(part)
  }

  async #handOn(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    this.#input.pause()
    while (this.#lines.length > 0 && !this.#isClosed) {
      this.#receive(this.#lines.shift())
      await nextTurn()
    }
    this.#isReading = false
    if (this.#hasEnded) await this.close()
    else if (!this.#isClosed) this.#input.resume()
  }

  #receive(line: string | undefined): void {
    const read = line === undefined ? { id: null, error: TOO_LONG } : parseLine(line)
    if ('message' in read) {
      this.#brokenCount = 0
      this.onmessage?.(read.message)
      return
    }
    void this.send({ jsonrpc: '2.0', ...read })
    if (++this.#brokenCount < MAX_BROKEN_LINES) return
    this.onerror?.(new Error(`closed, because ${MAX_BROKEN_LINES} lines in a row are no messages of MCP`))
    void this.close()
  }
}

type ReadLine = { message: JSONRPCMessage } | { id: string | number | null; error: { code: number; message: string } }

function parseLine(line: string): ReadLine {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return { id: null, error: { code: PARSE_ERROR, message: 'Parse error' } }
  }
  const { jsonrpc, id, method } = Object(message) as { jsonrpc?: unknown; id?: unknown; method?: unknown }
  const isKnownId = id === undefined || typeof id === 'string' || Number.isInteger(id)
  const hasForm = jsonrpc === '2.0' && isKnownId && (typeof method === 'string' || id !== undefined)
  if (!hasForm || /\p{Surrogate}/u.test(String(id)))
    return { id: null, error: { code: INVALID_REQUEST, message: 'The line is not one message of JSON-RPC 2.0.' } }
  const error = findMessageProblem(message)
  return error ? { id: (id as string | number | undefined) ?? null, error } : { message: message as JSONRPCMessage }
}
