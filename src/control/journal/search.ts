import { startTimeout } from '../../model/clock.ts'
import { onAbort } from '../../model/onAbort.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { ComparisonBudget } from '../matching/comparisonBudget.ts'
import { type Criterion, criteria, matches } from '../matching/criteria.ts'
import { isBy, isOn, type MethodPattern, matchesMethod } from '../request.ts'
import type { Journal } from './journal.ts'
import { type JournalEntry, type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'

/**
 * Expected parts of a call, compared partially and deeply. Arrays of objects are matched by key (guests by `email`).
 * Asymmetric matchers, `{ contains }` and `{ matches }` are valid anywhere.
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

/** A filter of calls: by method, account, calendar, expected parts, and recorded after the call of a number. */
export type CallFilter = {
  method?: MethodPattern | undefined
  account?: string | undefined
  calendarId?: string | undefined
  where?: ExpectedCall | undefined
  since?: number | undefined
}

/** Calls, oldest first. */
export type RecordedCalls = RecordedCall[] & {
  /** The number of calls that the journal dropped. If it is not 0, an empty result proves nothing. */
  readonly evicted: number
}

/** Adds `evicted` as a property that is not enumerable, so that comparisons ignore it. */
export const withEvicted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  withHiddenProperties(calls, { evicted })

/** Returns the calls that match a filter. */
export const findCalls = (journal: Journal, filter: CallFilter): RecordedCalls => {
  const budget = new ComparisonBudget()
  const seen = filter.since === undefined ? 0 : journal.positionOf(filter.since)
  return withEvicted(
    journal.entries(seen).flatMap((entry) => matchCall(entry, journal.world, filter, budget) ?? []),
    journal.evicted,
  )
}

/** Returns the redacted call if an entry matches a filter, without its `since`. Secrets take part in matching. */
export function matchCall(
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
  budget?: ComparisonBudget,
): RecordedCall | undefined {
  if (!isSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  return filter.where && !matchesExpected(filter.where, call, budget) ? undefined : toRedactedCall(call)
}

/** Returns true if an entry matches a filter, without its `where` and `since`. */
export function isSelected(entry: JournalEntry, { method = '*', account, calendarId }: CallFilter): boolean {
  return (
    matchesMethod(method, entry.method) &&
    (account === undefined || isBy(entry, account)) &&
    (calendarId === undefined || isOn(entry, calendarId))
  )
}

/** Compares the expected parts of a call. */
export const criteriaOf = (expected: ExpectedCall, call: RecordedCall, budget?: ComparisonBudget): Criterion[] =>
  criteria(expected, call, '', budget)

/** Returns true if a call has the expected parts. */
export const matchesExpected = (expected: ExpectedCall, call: RecordedCall, budget?: ComparisonBudget): boolean =>
  matches(expected, call, budget)

/**
 * Waits until `count` calls match, earlier ones included, and returns them. `timeout` is real time in milliseconds. A
 * reset does not reduce the count. On timeout, or when the client or the world is gone, resolves to the number of calls
 * so far.
 */
export function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RecordedCall[] | number> {
  const calls: RecordedCall[] = findCalls(journal, filter)
  if (calls.length >= count) return Promise.resolve(calls)
  return new Promise((resolve, reject) => {
    const stop = journal.listen({
      onCall(entry) {
        // An error in a test's own matcher must not fail the request.
        try {
          const call = matchCall(entry, journal.world, filter)
          if (!call) return
          calls.push(call)
          if (calls.length >= count) end(calls)
        } catch (error) {
          cleanUp()
          reject(error)
        }
      },
      onClose: () => end(calls.length),
    })
    const end = (result: RecordedCall[] | number) => {
      cleanUp()
      resolve(result)
    }
    const cancelTimer = startTimeout(timeout, () => end(calls.length))
    let removeAbortListener = () => {}
    const cleanUp = () => {
      cancelTimer()
      stop()
      removeAbortListener()
    }
    removeAbortListener = onAbort(signal, () => end(calls.length))
  })
}
