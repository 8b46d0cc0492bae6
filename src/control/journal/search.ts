import { waitFor } from '../../model/clock.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { matches } from '../matching.ts'
import { isSelected, type RequestFilter } from '../request.ts'
import type { Journal } from './journal.ts'
import { type JournalEntry, type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'

/**
 * Expected parts of a call, compared partially and deeply. Arrays of objects are matched by key (guests by `email`).
 * Asymmetric matchers, and `{ contains }` and its kin, are valid anywhere.
 */
export type ExpectedCall = {
  params?: unknown
  body?: unknown
  account?: unknown
  client?: unknown
  verb?: unknown
  path?: unknown
  status?: unknown
  reason?: unknown
  response?: unknown
  fault?: unknown
  /** The number of the tool call of MCP above a request. */
  toolCall?: unknown
  batch?: unknown
  hints?: unknown
}

/** A filter of calls. `since` is the number of a call: only those that were recorded after it. */
export type CallFilter = RequestFilter & {
  where?: ExpectedCall | undefined
  since?: number | undefined
}

export type RecordedCalls = RecordedCall[] & {
  readonly evicted: number
}

export const withEvicted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  withHiddenProperties(calls, { evicted })

export function findCalls(journal: Journal, filter: CallFilter): RecordedCalls {
  const seen = filter.since === undefined ? 0 : journal.findPosition(filter.since)
  const found = journal.listEntries(seen).flatMap((entry) => matchCall(entry, journal.world, filter) ?? [])
  return withEvicted(found, journal.evicted)
}

/** Secrets take part in matching, and are redacted in the result. */
export function matchCall(entry: JournalEntry, world: string, filter: CallFilter): RecordedCall | undefined {
  if (!isSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  return !filter.where || matches(filter.where, call) ? toRedactedCall(call) : undefined
}

/**
 * Resolves to their number on timeout (real milliseconds) or disconnect. A reset does not reduce the count. An error of a
 * test's own matcher rejects the wait, and does not fail the request.
 */
export async function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RecordedCall[] | number> {
  const calls: RecordedCall[] = []
  const unread = journal.listEntries()
  const find = () => {
    for (const entry of unread.splice(0)) calls.push(...[matchCall(entry, journal.world, filter) ?? []].flat())
    return calls.length >= count ? calls.slice(0, count) : undefined
  }
  const listen = (check: () => void, giveUp: () => void) =>
    journal.listen({
      onCall(entry) {
        unread.push(entry)
        check()
      },
      onClose: giveUp,
    })
  return (await waitFor(find, listen, { timeout, signal })) ?? calls.length
}
