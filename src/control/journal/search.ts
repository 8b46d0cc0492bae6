import { onAbort, startTimeout } from '../../model/clock.ts'
import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import { ComparisonBudget } from '../matching/comparisonBudget.ts'
import { type Criterion, compare, criteria, matches } from '../matching/criteria.ts'
import { COMPARISONS_PER_STEP, runInTurns, runSteps, type Steps } from '../matching/turns.ts'
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

/** Calls that a wait compares between two yields, because converting each takes time too. */
const CALLS_PER_STEP = 20

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
const matchCall = (entry: JournalEntry, world: string, filter: CallFilter, budget: ComparisonBudget) =>
  runSteps(matchSteps(entry, world, filter, budget))

/** Returns what `matchCall` returns. Between steps other requests are answered. */
export const matchCallInTurns = async (
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
): Promise<RecordedCall | undefined> => {
  const steps = matchSteps(entry, world, filter, new ComparisonBudget())
  return filter.where && isSelected(entry, filter) ? runInTurns(steps) : runSteps(steps)
}

function* matchSteps(
  entry: JournalEntry,
  world: string,
  filter: CallFilter,
  budget: ComparisonBudget,
): Steps<RecordedCall | undefined> {
  if (!isSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  if (!filter.where) return toRedactedCall(call)
  let next = budget.spent + COMPARISONS_PER_STEP
  for (const { met } of compare(filter.where, call, '', budget)) {
    if (!met) return undefined
    if (budget.spent < next) continue
    next = budget.spent + COMPARISONS_PER_STEP
    yield
  }
  return toRedactedCall(call)
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
 * so far. Calls are compared in turns, so that open waits do not delay requests. Rejects with a RangeError above
 * MAX_COMPARISONS.
 */
export function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  { timeout = 5000, signal }: { timeout?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RecordedCall[] | number> {
  const pending = journal.entries().filter((entry) => isSelected(entry, filter))
  const calls: RecordedCall[] = []
  const budget = new ComparisonBudget()
  return new Promise((resolve, reject) => {
    let isRunning = false
    let isOver = false
    function* comparePending(): Steps<void> {
      let [compared, next] = [0, budget.spent + COMPARISONS_PER_STEP]
      for (let entry = pending.shift(); entry && !isOver; entry = pending.shift()) {
        const call = yield* matchSteps(entry, journal.world, filter, budget)
        if (call) calls.push(call)
        if (calls.length >= count) return end(calls)
        compared += 1
        if (compared < CALLS_PER_STEP && budget.spent < next) continue
        ;[compared, next] = [0, budget.spent + COMPARISONS_PER_STEP]
        yield
      }
    }
    const check = () => {
      if (isRunning) return
      isRunning = true
      // An error in a test's own matcher must not fail the request.
      runInTurns(comparePending()).then(() => {
        isRunning = false
        if (isTimedOut) end(calls.length)
      }, fail)
    }
    const stopListening = journal.listen({
      onCall(entry) {
        if (isTimedOut || !isSelected(entry, filter)) return
        pending.push(entry)
        check()
      },
      onClose: () => end(calls.length),
    })
    const cleanUp = () => {
      isOver = true
      cancelTimer()
      stopListening()
      removeAbortListener()
    }
    const end = (result: RecordedCall[] | number) => {
      cleanUp()
      resolve(result)
    }
    const fail = (error: unknown) => {
      cleanUp()
      reject(error)
    }
    let isTimedOut = false
    const cancelTimer = startTimeout(timeout, () => {
      // The calls that came in time still count.
      isTimedOut = true
      if (!isRunning) end(calls.length)
    })
    let removeAbortListener = () => {}
    removeAbortListener = onAbort(signal, () => end(calls.length))
    check()
  })
}
