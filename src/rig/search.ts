import { type Criterion, criteria } from '../matching/criteria.ts'
import { whenTimeIsUp } from '../time/clock.ts'
import { asText, isBy, isOn, type On, reaches } from './asked.ts'
import type { Journal } from './journal.ts'
import { type Note, type RecordedCall, told, whole } from './recorded.ts'

/**
 * What is wanted of a call: partly and deeply, of as many of its parts as are given. Arrays of objects are matched by key
 * (guests by `email`), and asymmetric matchers, `{ contains }` and `{ matches }` hold anywhere.
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

/** Which calls: of a method, an account, a calendar, those that are as wanted, those after a number. */
export type Which = {
  method?: On | undefined
  account?: string | undefined
  calendarId?: string | undefined
  where?: CallWanted | undefined
  since?: number | undefined
}

/** Calls, the oldest first. */
export type RecordedCalls = RecordedCall[] & {
  /** How many were dropped from the journal for want of room: where there are any, an answer of none says nothing. */
  readonly evicted: number
}

/** Not among its elements, nor in what they are compared with. */
export const counted = (calls: RecordedCall[], evicted: number): RecordedCalls =>
  Object.defineProperty(calls, 'evicted', { value: evicted }) as RecordedCalls

export const find = (journal: Journal, which: Which): RecordedCalls =>
  counted(
    journal.notes().flatMap((note) => picked(note, journal.world, which) ?? []),
    journal.evicted,
  )

/** A call as it is told of, where it is one of those. What is wanted is held against what was really said. */
export function picked(note: Note, world: string, which: Which): RecordedCall | undefined {
  if (!isAmong(note, which)) return undefined
  const call = whole(note, world)
  return which.where && !asked(which.where, call).every(({ met }) => met) ? undefined : told(call)
}

/** Whether a call is one of those, whatever was said in it. */
export function isAmong(note: Note, { method = '*', account, calendarId, since = 0 }: Which): boolean {
  return (
    note.n > since &&
    reaches(method, note.method) &&
    (account === undefined || isBy(note, account)) &&
    (calendarId === undefined || isOn(note, calendarId))
  )
}

/** What is wanted of a call, in parts. */
export const asked = (wanted: CallWanted, call: RecordedCall): Criterion[] =>
  criteria({ ...wanted, ...(wanted.params !== undefined && { params: asText(wanted.params) }) }, call)

/**
 * Waits until there are so many such calls, those that are there already among them, and finds them. In real time; a
 * reset on the way takes nothing from what was counted. If not in time, or where the world ends, how many there were.
 */
export function until(journal: Journal, which: Which, count: number, timeout = 5000): Promise<RecordedCall[] | number> {
  const calls: RecordedCall[] = find(journal, which)
  if (calls.length >= count) return Promise.resolve(calls)
  return new Promise((resolve, reject) => {
    const stop = journal.listen({
      called(note) {
        // What is wanted may be a matcher of the test's own: what goes wrong in it is no matter of the request's.
        try {
          const call = picked(note, journal.world, which)
          if (!call) return
          calls.push(call)
          if (calls.length >= count) end(calls)
        } catch (error) {
          callOff()
          stop()
          reject(error)
        }
      },
      closed: () => end(calls.length),
    })
    const end = (met: RecordedCall[] | number) => {
      callOff()
      stop()
      resolve(met)
    }
    const callOff = whenTimeIsUp(timeout, () => end(calls.length))
  })
}
