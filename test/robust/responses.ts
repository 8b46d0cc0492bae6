import { setImmediate as nextTurn, setTimeout as timeIsUp } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FakeWorld } from '../../src/index.ts'
import { mayHang } from './effects.ts'

/** The result of a request: its response, and the effects of faults on it. */
export type ReadResponse = { response: Response | undefined; text: string; isFaulted: boolean; isAbandoned: boolean }

/** The number of turns of the event loop that a request gets if a fault may keep it waiting forever. */
const TURNS = 30
const MAX_RESPONSE_MS = 20_000

/** Returns how often each fault of a world has fired, by its id. */
const countFired = (world: FakeWorld): Map<string, number> =>
  new Map(world.faults.list().map(({ id, fired }) => [id, fired]))

/**
 * Sends a request, and resolves to its response with the whole text. Aborts it only if a fault keeps it waiting. Fails
 * if the response is missing for another reason.
 */
export async function sendRequest(world: FakeWorld, request: Request): Promise<ReadResponse> {
  const before = countFired(world)
  const controller = new AbortController()
  let response: Response | undefined
  let failure: unknown
  let isDone = false
  const pending = world.fetch(request.clone(), { signal: controller.signal }).then(
    (received) => {
      response = received
    },
    (error: unknown) => {
      failure = error
    },
  )
  const done = pending.then(() => {
    isDone = true
  })
  // Removing all faults, or a world, also removes their counts.
  const listFired = () => world.faults.list().filter(({ id, fired }) => fired > (before.get(id) ?? 0))
  // A fault can fire late, because the first request of a method loads its modules.
  const startedAt = performance.now()
  let isAbandoned = false
  while (!isDone && !isAbandoned && performance.now() - startedAt < MAX_RESPONSE_MS) {
    for (let turn = 0; turn < TURNS && !isDone; turn++) await nextTurn()
    isAbandoned = !isDone && listFired().some((fault) => [fault.do].flat().some(mayHang))
    // Turns alone would take processor time while the request waits, and a large run limits that of a request.
    if (!isDone && !isAbandoned) await timeIsUp(1)
  }
  if (isAbandoned) controller.abort()
  const late = await Promise.race([done, timeIsUp(MAX_RESPONSE_MS, 'no answer', { ref: false })])
  expect(late, 'hangs').toBeUndefined()
  const isFaulted = listFired().length > 0
  if (failure !== undefined && !isFaulted) throw failure
  if (isStream(response)) return { response, text: '', isFaulted, isAbandoned }
  try {
    return { response, text: (await response?.clone().text()) ?? '', isFaulted, isAbandoned }
  } catch (error) {
    if (!isFaulted) throw error
    return { response: undefined, text: '', isFaulted, isAbandoned }
  }
}

/** Returns true for a stream of server-sent events. */
export const isStream = (response: Response | undefined): boolean =>
  response?.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Journal streams that are being read, as many as a few programs would open. */
export class Streams {
  readonly #open: { reader: Reader; text: string }[] = []

  /** Reads as long as data is available, and closes the oldest of many streams. */
  async open({ body }: Response): Promise<void> {
    if (body) this.#open.push({ reader: body.getReader(), text: '' })
    if (this.#open.length > 3) await this.#end()
  }

  async close(): Promise<void> {
    while (this.#open.length > 0) await this.#end()
  }

  /** Checks that received data is complete: lines of events with JSON data and increasing ids, each call once. */
  async #end(): Promise<void> {
    const { reader } = this.#open.shift() ?? {}
    if (!reader) return
    let text = ''
    for (;;) {
      const next = await Promise.race([reader.read(), waitForTurn()])
      if (!next || next.done) break
      text += new TextDecoder().decode(next.value)
    }
    await reader.cancel()
    expect(text).toMatch(/^: the journal\n\n/)
    let last = 0
    const numbers = new Set<number>()
    for (const event of text.split('\n\n').slice(1, -1)) {
      if (event === ': keep-alive') continue // on a slow machine
      const [, name = '', data = '', id = ''] = /^event: (\w+)\ndata: (.*)(?:\nid: (\d+))?$/.exec(event) ?? []
      expect(['call', 'reset', 'restored', 'cleared', 'evicted']).toContain(name)
      const { n } = JSON.parse(data)
      if (name !== 'call') continue
      expect(Number(id)).toBeGreaterThan(last)
      expect(numbers).not.toContain(n)
      last = Number(id)
      numbers.add(n)
    }
  }
}

/** Waits for 30 turns of the event loop. */
async function waitForTurn(): Promise<undefined> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
}
