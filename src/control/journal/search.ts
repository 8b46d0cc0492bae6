import { onAbort, startTimeout } from '../../model/clock.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { matches } from '../matching.ts'
import { isForCalendar, isFromAccount, type MethodPattern, matchesMethod } from '../request.ts'
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
  batch?: unknown
  hints?: unknown
}

/** A filter of calls. `since` is the number of a call: only those that were recorded after it. */
export type CallFilter = {
  method?: MethodPattern | undefined
  account?: string | undefined
  calendarId?: string | undefined
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
  if (!isCallSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  return !filter.where || matches(filter.where, call) ? toRedactedCall(call) : undefined
}

export function isCallSelected(entry: JournalEntry, { method = '*', account, calendarId }: CallFilter): boolean {
  return (
    matchesMethod(method, entry.method) &&
    (account === undefined || isFromAccount(entry, account)) &&
    (calendarId === undefined || isForCalendar(entry, calendarId))
  )
}

/** Resolves to their number on timeout (real milliseconds) or disconnect. A reset does not reduce the count. */
export function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RecordedCall[] | number> {
  const calls: RecordedCall[] = [...findCalls(journal, { ...filter, since: undefined })].slice(0, count)
  if (calls.length >= count) return Promise.resolve(calls)
  return new Promise((resolve, reject) => {
    const cleanUps: (() => void)[] = []
    const end = (settle: () => void) => {
      for (const cleanUp of cleanUps) cleanUp()
      settle()
    }
    const endWithCount = () => end(() => resolve(calls.length))
    cleanUps.push(
      journal.listen({
        onCall(entry) {
          try {
            calls.push(...[matchCall(entry, journal.world, filter) ?? []].flat())
          } catch (error) {
            // An error in a test's own matcher rejects the wait and must not fail the request.
            return end(() => reject(error))
          }
          if (calls.length >= count) end(() => resolve(calls))
        },
        onClose: endWithCount,
      }),
      startTimeout(timeout, endWithCount),
    )
    cleanUps.push(onAbort(signal, endWithCount))
  })
}
