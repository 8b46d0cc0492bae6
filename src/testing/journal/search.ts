import { type Criterion, criteria } from '../../matching/criteria.ts'
import { whenTimeIsUp } from '../../time/clock.ts'
import { asText, isBy, isOn, type On, reaches } from '../request.ts'
import type { Journal } from './journal.ts'
import { type JournalEntry, type RecordedCall, toFullCall, toRedactedCall } from './recordedCall.ts'

/**
 * Expected parts of a call, compared partially and deeply. Arrays of objects are matched by key (guests by `email`).
 * Asymmetric matchers, `{ contains }` and `{ matches }` are valid anywhere.
 */
export type CallWanted = {
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

/** A filter of calls: by method, account, calendar, expected parts, and after a number. */
export type CallFilter = {
  method?: On | undefined
  account?: string | undefined
  calendarId?: string | undefined
  where?: CallWanted | undefined
  since?: number | undefined
}

/** Calls, oldest first. */
export type RecordedCalls = RecordedCall[] & {
  /** The number of calls that the journal dropped. If it is not 0, an empty result proves nothing. */
  readonly evicted: number
}

/** Adds `evicted` as a property that is not enumerable, so that comparisons ignore it. */
export const withEvicted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  Object.defineProperty(calls, 'evicted', { value: evicted }) as RecordedCalls

/** Returns the calls that match a filter. */
export const findCalls = (journal: Journal, filter: CallFilter): RecordedCalls =>
  withEvicted(
    journal.entries().flatMap((entry) => matchCall(entry, journal.world, filter) ?? []),
    journal.evicted,
  )

/** Returns the redacted call if an entry matches a filter. Secrets take part in matching. */
export function matchCall(entry: JournalEntry, world: string, filter: CallFilter): RecordedCall | undefined {
  if (!isSelected(entry, filter)) return undefined
  const call = toFullCall(entry, world)
  return filter.where && !criteriaOf(filter.where, call).every(({ met }) => met) ? undefined : toRedactedCall(call)
}

/** Returns true if an entry matches a filter, without its `where`. */
export function isSelected(entry: JournalEntry, { method = '*', account, calendarId, since = 0 }: CallFilter): boolean {
  return (
    entry.n > since &&
    reaches(method, entry.method) &&
    (account === undefined || isBy(entry, account)) &&
    (calendarId === undefined || isOn(entry, calendarId))
  )
}

/** Compares the expected parts of a call. */
export const criteriaOf = (wanted: CallWanted, call: RecordedCall): Criterion[] =>
  criteria({ ...wanted, ...(wanted.params !== undefined && { params: asText(wanted.params) }) }, call)

/**
 * Waits until `count` calls match, earlier ones included, and returns them. `timeout` is real time in milliseconds. A reset
 * does not reduce the count. On timeout, or when the world ends, resolves to the number of calls so far.
 */
export function waitForCalls(
  journal: Journal,
  filter: CallFilter,
  count: number,
  timeout = 5000,
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
          callOff()
          stop()
          reject(error)
        }
      },
      onClose: () => end(calls.length),
    })
    const end = (met: RecordedCall[] | number) => {
      callOff()
      stop()
      resolve(met)
    }
    const callOff = whenTimeIsUp(timeout, () => end(calls.length))
  })
}
