import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'

const MAX_LINE_BYTES = 10 * 1024 * 1024
const NEWLINE = 10
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const TOO_LONG = 'A message is at most 10 MB long.'

/**
 * A transport of MCP by lines of JSON. A broken or too long line is answered with an error, and the next one is read. Messages
 * are handed on one at a time, so that a signal ends the process also while others wait.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  #chunks: Buffer[] = []
  #length = 0
  #lines: (string | undefined)[] = []
  #isReading = false
  #isClosed = false
  #drained: Promise<void> | undefined

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    const end = () => void this.close()
    this.#input.on('data', (chunk: Buffer) => this.#split(chunk))
    this.#input.once('end', end)
    this.#input.once('close', end)
    this.#input.on('error', (error: Error) => this.onerror?.(error))
    this.#output.once('error', end)
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
  }

  #split(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, at))
      this.#lines.push(this.#length > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#chunks).toString())
      this.#chunks = []
      this.#length = 0
      from = at + 1
    }
    this.#append(chunk.subarray(from))
    void this.#handOn()
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
    while (this.#lines.length > 0 && !this.#isClosed) {
      this.#receive(this.#lines.shift())
      await nextTurn()
    }
    this.#isReading = false
  }

  #receive(line: string | undefined): void {
    const parsed = line === undefined ? { code: INVALID_REQUEST, error: TOO_LONG } : parseLine(line)
    if ('message' in parsed) {
      if (parsed.message) this.onmessage?.(parsed.message)
    } else {
      const { code, error: message } = parsed
      void this.send({ jsonrpc: '2.0', id: null, error: { code, message } })
    }
  }
}

type Parsed = { message: JSONRPCMessage | undefined } | { code: number; error: string }

/** An empty line has no message. */
function parseLine(line: string): Parsed {
  if (line.trim() === '') return { message: undefined }
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return { code: PARSE_ERROR, error: 'Parse error' }
  }
  const { jsonrpc, id, method } = Object(message) as { jsonrpc?: unknown; id?: unknown; method?: unknown }
  const isKnownId = id === undefined || typeof id === 'string' || Number.isInteger(id)
  const hasForm = jsonrpc === '2.0' && isKnownId && (typeof method === 'string' || id !== undefined)
  if (hasForm && !/\p{Surrogate}/u.test(String(id))) return { message: message as JSONRPCMessage }
  return { code: INVALID_REQUEST, error: 'The line is not one message of JSON-RPC 2.0.' }
}
