// A function whose name ends in `Steps` is a generator. It yields after about 2,000 comparisons, so that other requests
// are answered in between, and throws a RangeError above the limit of its budget.

import { onAbort, startTimeout } from '../../model/clock.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { ComparisonBudget, runInTurns, runSteps, type Steps } from '../matching/comparisonBudget.ts'
import { type Criterion, compareParts } from '../matching/criteria.ts'
import { isForCalendar, isFromAccount, type MethodPattern, matchesMethod } from '../request.ts'
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

/** A filter of calls. `since` is the number of a call: only those that were recorded after it. */
export type CallFilter = {
  method?: MethodPattern | undefined
  account?: string | undefined
  calendarId?: string | undefined
  where?: ExpectedCall | undefined
  since?: number | undefined
}

/** Converting a recorded call takes about as long as this many comparisons. */
const COMPARISONS_PER_CALL = 100

/** Returns the budget of one search or verification of calls. */
export const createCallBudget = (limit?: number): ComparisonBudget =>
  new ComparisonBudget('select calls by method, account or calendarId, or expect fewer parts', limit)

/** Calls, oldest first. */
export type RecordedCalls = RecordedCall[] & {
  /** The number of calls that the journal dropped. If it is not 0, an empty result proves nothing. */
  readonly evicted: number
}

/** Adds `evicted` to a list of calls, and returns it. The property is not enumerable, so that comparisons ignore it. */
export const withEvicted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  withHiddenProperties(calls, { evicted })

/** Returns the recorded calls that match a filter, redacted, sorted by number. Throws a RangeError above MAX_COMPARISONS. */
export function* findCallsSteps(journal: Journal, filter: CallFilter): Steps<RecordedCalls> {
  const budget = createCallBudget()
  const seen = filter.since === undefined ? 0 : journal.findPosition(filter.since)
  const { evicted } = journal
  const calls: RecordedCall[] = []
  for (const entry of journal.listEntries(seen)) {
    const call = yield* matchCallSteps(entry, journal.world, filter, budget)
    if (call) calls.push(call)
  }
  return withEvicted(calls, evicted)
}

/**
 * Resolves to the redacted call if an entry matches a filter, else to undefined. The filter's `since` is ignored.
 * Secrets take part in matching. Between steps other requests are answered. Rejects with a RangeError above
 * MAX_COMPARISONS.
 */
export const matchCallInTurns = async (
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
): Promise<RecordedCall | undefined> => {
  const steps = matchCallSteps(entry, world, filter, createCallBudget())
  return filter.where && isCallSelected(entry, filter) ? runInTurns(steps) : runSteps(steps)
}

/** Returns the redacted call if an entry matches a filter, else undefined, as `matchCallInTurns`. */
function* matchCallSteps(
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
  budget: ComparisonBudget,
): Steps<RecordedCall | undefined> {
  if (!isCallSelected(entry, filter)) return undefined
  const call = yield* toFullCallSteps(entry, world, budget)
  const isMatch = !filter.where || (yield* matchesExpectedSteps(filter.where, call, budget))
  return isMatch ? toRedactedCall(call) : undefined
}

/** Converts an entry to a call with its secrets, for matching only. */
export function* toFullCallSteps(entry: JournalEntry, world: string, budget: ComparisonBudget): Steps<RecordedCall> {
  budget.addWork(COMPARISONS_PER_CALL)
  if (budget.endStep()) yield
  return toFullCall(entry, world)
}

/** Returns true if an entry has the method, account and calendar of a filter. Ignores `where` and `since`. */
export function isCallSelected(entry: JournalEntry, { method = '*', account, calendarId }: CallFilter): boolean {
  return (
    matchesMethod(method, entry.method) &&
    (account === undefined || isFromAccount(entry, account)) &&
    (calendarId === undefined || isForCalendar(entry, calendarId))
  )
}

/** Compares the expected parts of a call, and returns all comparisons. */
export function* criteriaSteps(
  expected: ExpectedCall,
  call: RecordedCall,
  budget: ComparisonBudget,
): Steps<Criterion[]> {
  const criteria: Criterion[] = []
  for (const criterion of compareParts(expected, call, '', budget)) {
    criteria.push(criterion)
    if (budget.endStep()) yield
  }
  return criteria
}

/** Returns true if a call has the expected parts. Stops at the first difference. */
export function* matchesExpectedSteps(
  expected: ExpectedCall,
  call: RecordedCall,
  budget: ComparisonBudget,
): Steps<boolean> {
  for (const { met } of compareParts(expected, call, '', budget)) {
    if (!met) return false
    if (budget.endStep()) yield
  }
  return true
}

/**
 * Waits until `count` calls match, earlier ones included, and returns them. `timeout` is real time in milliseconds. A
 * reset does not reduce the count. On timeout, or when the client or the world is gone, resolves to the number of calls
 * so far. Calls are compared in turns, so that open waits do not delay requests. Rejects with a RangeError above
 * MAX_COMPARISONS.
 */
export function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RecordedCall[] | number> {
  const pending = journal.listEntries().filter((entry) => isCallSelected(entry, filter))
  const calls: RecordedCall[] = []
  const budget = createCallBudget()
  return new Promise((resolve, reject) => {
    let isRunning = false
    let isOver = false
    /** Takes the pending entries in order, compares them, and ends the wait when enough match. */
    function* comparePending(): Steps<void> {
      for (let entry = pending.shift(); entry && !isOver; entry = pending.shift()) {
        const call = yield* matchCallSteps(entry, journal.world, filter, budget)
        if (call) calls.push(call)
        if (calls.length >= count) return resolveWith(calls)
      }
    }
    /**
     * Compares the pending entries, unless this is running already. An error in a test's own matcher rejects the wait
     * and must not fail the request.
     */
    const startComparing = () => {
      if (isRunning) return
      isRunning = true
      runInTurns(comparePending()).then(() => {
        isRunning = false
        if (isTimedOut) resolveWith(calls.length)
      }, rejectWith)
    }
    const stopListening = journal.listen({
      onCall(entry) {
        if (isTimedOut || !isCallSelected(entry, filter)) return
        pending.push(entry)
        startComparing()
      },
      onClose: () => resolveWith(calls.length),
    })
    /** Removes the listeners and the timer. Entries that are still pending are ignored. */
    const cleanUp = () => {
      isOver = true
      cancelTimer()
      stopListening()
      removeAbortListener()
    }
    /** Ends the wait with the calls, or with their number if there are too few. */
    const resolveWith = (result: RecordedCall[] | number) => {
      cleanUp()
      resolve(result)
    }
    /** Ends the wait with an error. */
    const rejectWith = (error: unknown) => {
      cleanUp()
      reject(error)
    }
    let isTimedOut = false
    const cancelTimer = startTimeout(timeout, () => {
      // The calls that came in time still count.
      isTimedOut = true
      if (!isRunning) resolveWith(calls.length)
    })
    let removeAbortListener = () => {}
    removeAbortListener = onAbort(signal, () => resolveWith(calls.length))
    startComparing()
  })
}
