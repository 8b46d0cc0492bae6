import { onAbort, startTimeout } from '../../model/clock.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import {
  COMPARISONS_PER_STEP,
  ComparisonBudget,
  runInTurns,
  runSteps,
  type Steps,
} from '../matching/comparisonBudget.ts'
import { type Criterion, compareParts, listCriteria, matches } from '../matching/criteria.ts'
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

/** Calls that a wait compares between two yields, because converting each takes time too. */
const CALLS_PER_STEP = 20

/** Calls, oldest first. */
export type RecordedCalls = RecordedCall[] & {
  /** The number of calls that the journal dropped. If it is not 0, an empty result proves nothing. */
  readonly evicted: number
}

/** Adds `evicted` to a list of calls, and returns it. The property is not enumerable, so that comparisons ignore it. */
export const withEvicted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  withHiddenProperties(calls, { evicted })

/** Returns the calls that match a filter, redacted, by their numbers. Throws a RangeError above MAX_COMPARISONS. */
export const findCalls = (journal: Journal, filter: CallFilter): RecordedCalls => {
  const budget = new ComparisonBudget()
  const seen = filter.since === undefined ? 0 : journal.findPosition(filter.since)
  return withEvicted(
    journal.listEntries(seen).flatMap((entry) => matchCall(entry, journal.world, filter, budget) ?? []),
    journal.evicted,
  )
}

/**
 * Returns the redacted call if an entry matches a filter, else undefined. Ignores `since`. Secrets take part in
 * matching.
 */
const matchCall = (entry: JournalEntry, world: string, filter: CallFilter, budget: ComparisonBudget) =>
  runSteps(matchCallSteps(entry, world, filter, budget))

/** Resolves to the result of `matchCall`, with a budget of its own. Between steps other requests are answered. */
export const matchCallInTurns = async (
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
): Promise<RecordedCall | undefined> => {
  const steps = matchCallSteps(entry, world, filter, new ComparisonBudget())
  return filter.where && isCallSelected(entry, filter) ? runInTurns(steps) : runSteps(steps)
}

/** Returns the redacted call or undefined, as `matchCall` does, and yields after each 2,000 comparisons. */
function* matchCallSteps(
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
  budget: ComparisonBudget,
): Steps<RecordedCall | undefined> {
  if (!isCallSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  if (!filter.where) return toRedactedCall(call)
  let next = budget.spent + COMPARISONS_PER_STEP
  for (const { met } of compareParts(filter.where, call, '', budget)) {
    if (!met) return undefined
    if (budget.spent < next) continue
    next = budget.spent + COMPARISONS_PER_STEP
    yield
  }
  return toRedactedCall(call)
}

/** Returns true if an entry has the method, account and calendar of a filter. Ignores `where` and `since`. */
export function isCallSelected(entry: JournalEntry, { method = '*', account, calendarId }: CallFilter): boolean {
  return (
    matchesMethod(method, entry.method) &&
    (account === undefined || isFromAccount(entry, account)) &&
    (calendarId === undefined || isForCalendar(entry, calendarId))
  )
}

/** Returns the comparisons of the expected parts with a call. */
export const listCallCriteria = (expected: ExpectedCall, call: RecordedCall, budget?: ComparisonBudget): Criterion[] =>
  listCriteria(expected, call, '', budget)

/** Returns true if a call has the expected parts. */
export const matchesExpected = (expected: ExpectedCall, call: RecordedCall, budget?: ComparisonBudget): boolean =>
  matches(expected, call, budget)

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
  const budget = new ComparisonBudget()
  return new Promise((resolve, reject) => {
    let isRunning = false
    let isOver = false
    /** Compares the pending entries in order, and ends the wait when enough match. */
    function* comparePending(): Steps<void> {
      let [compared, next] = [0, budget.spent + COMPARISONS_PER_STEP]
      for (let entry = pending.shift(); entry && !isOver; entry = pending.shift()) {
        const call = yield* matchCallSteps(entry, journal.world, filter, budget)
        if (call) calls.push(call)
        if (calls.length >= count) return resolveWith(calls)
        compared += 1
        if (compared < CALLS_PER_STEP && budget.spent < next) continue
        ;[compared, next] = [0, budget.spent + COMPARISONS_PER_STEP]
        yield
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
