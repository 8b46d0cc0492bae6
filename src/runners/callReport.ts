import { formatHint, formatParams } from '../control/journal/recordedCall.ts'
import type { FakeWorld } from '../control/types/world.ts'
import { formatWorld, NO_EVENTS } from '../control/worlds/formatWorld.ts'
import { findAttachedWorld } from '../control/worlds/world.ts'
import { shorten } from '../schema/values/shownText.ts'

/** The requests of a test's world that have no response yet, such as `POST /calendar/v3/calendars/primary/events`. */
const inFlight = new WeakMap<FakeWorld, Set<{ line: string }>>()

const MAX_REPORTED_CALLS = 10
const MAX_REPORTED_LINES = 15

/**
 * Replaces `fetch` and `request` of a world by functions that record which requests are in flight. Call it once per world,
 * before clients take the functions.
 */
export function trackCalls(fake: FakeWorld): void {
  inFlight.set(fake, new Set())
  const { fetch, request } = fake
  fake.fetch = (input, init) => sendReported(reportCall(fake, input, init), () => fetch(input, init))
  fake.request = (path, init) => sendReported(reportCall(fake, path, init), () => request(path, init))
}

function sendReported(end: () => void, send: () => Promise<Response>): Promise<Response> {
  try {
    return send().finally(end)
  } catch (error) {
    end()
    throw error
  }
}

/** Records a call in flight. Returns the function that ends it. */
export function reportCall(fake: FakeWorld, input: string | URL | Request, init?: RequestInit): () => void {
  const call = { line: formatRequestLine(input, init) }
  inFlight.get(fake)?.add(call)
  return () => void inFlight.get(fake)?.delete(call)
}

function formatRequestLine(input: string | URL | Request, init: RequestInit | undefined): string {
  const isRequest = typeof input === 'object' && 'headers' in input
  const url = isRequest ? input.url : String(input)
  const path = URL.canParse(url) ? new URL(url).pathname : url.replace(/\?.*/s, '')
  return shorten(`${init?.method ?? (isRequest ? input.method : 'GET')} ${path}`)
}

/** Returns one line without a line feed; undefined if no request is in flight. */
export function formatInFlight(fake: FakeWorld): string | undefined {
  const lines = [...(inFlight.get(fake) ?? [])].map(({ line }) => line)
  if (lines.length === 0) return undefined
  const count = lines.length === 1 ? '1 call is' : `${lines.length} calls are`
  return `${count} in flight: ${lines.join(', ')} (is an await missing?)`
}

/**
 * Formats the last calls of the world, at most ten, each in a line, with each kind of hint once, and those in flight. Adds the
 * events of a small world.
 */
export function formatCallReport(fake: FakeWorld): string {
  const calls = fake.calls()
  const last = calls.slice(-MAX_REPORTED_CALLS)
  const count = last.length < calls.length ? `the last ${last.length} of ${calls.length} calls` : 'the calls'
  const explained = new Set<string>()
  const lines = last.flatMap(
    ({ n, method, params, account = '-', status = 'no response', reason, fault, hints = [] }) => {
      const line = [
        `  ${n} ${method} ${shorten(account)} ${status}`,
        ...formatParams(params),
        ...(reason === undefined ? [] : [`reason=${reason}`]),
        ...(fault === undefined ? [] : [`fault=${fault}`]),
        ...hints.map(({ code }) => `hint=${code}`),
      ].join(' ')
      const unexplained = hints.filter(({ code }) => !explained.has(code))
      const texts = unexplained.flatMap((hint) => [`    ${formatHint(hint)}`, `    ${hint.why}`])
      for (const { code } of hints) explained.add(code)
      return [line, ...texts]
    },
  )
  const pending = formatInFlight(fake)
  const world = findAttachedWorld(fake)
  const events = world ? formatWorld(world).split('\n') : []
  const isShort = events.length <= MAX_REPORTED_LINES && events[1] !== NO_EVENTS
  const head = calls.length === 0 ? 'the journal of the failed test has no calls' : `${count} of the failed test`
  return [
    `fake-calendar: ${head}`,
    ...lines,
    ...(pending === undefined ? [] : [`  ${pending}`]),
    ...(isShort ? events.map((line) => `  ${line}`) : []),
  ].join('\n')
}

type PrintedError = { name?: unknown; message?: unknown; stack?: unknown; code?: unknown }

/**
 * Adds the hints of the last call to the error of a failed test, if the service refused that call. An error of an assertion
 * gets none, because the test may have expected the refusal.
 */
export function addHints(fake: FakeWorld, error: unknown): void {
  const { name, message, stack, code } = Object(error) as PrintedError
  if (typeof message !== 'string' || Object.isFrozen(error)) return
  if (/AssertionError|VerificationError|JestAssertionError/.test(String(name)) || code === 'ERR_ASSERTION') return
  if ('matcherResult' in Object(error)) return
  const { status = 0, hints = [] } = fake.calls().at(-1) ?? {}
  const added = hints.map(formatHint).filter((text) => !message.includes(text))
  if (status < 400 || added.length === 0) return
  const full = [message, ...added].join('\n')
  const traced = typeof stack === 'string' && { stack: stack.replace(message, () => full) }
  Object.assign(error as object, { message: full, ...traced })
}
