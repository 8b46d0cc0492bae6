import type { RecordedCall } from '../testing/journal/recordedCall.ts'
import type { CallWanted, RecordedCalls } from '../testing/journal/search.ts'
import type { Times } from '../testing/journal/verify.ts'
import type { On } from '../testing/request.ts'
import type { Patience } from './notifications.ts'

/** Which calls, besides their method. `primary` and the account's address are one calendar. */
export type CallsOf = { account?: string | undefined; calendarId?: string | undefined; where?: CallWanted | undefined }

/**
 * The journal of a world: every request that it was asked, parts of batches and signing in among them, but not what a test
 * author does. A method is one (`events.insert`), those of a resource (`events.*`), all (`*`), or a list of these; one
 * that there is not throws a RangeError, and so does a journal that is off.
 */
export interface FakeCalls {
  /** The calls of a method, or all; batches as such and who reads discovery alone by name, `batch` and `discovery`. */
  (method?: On, which?: CallsOf): RecordedCalls
  /**
   * Waits until there are so many calls, those that were made already among them, and returns them; in real time, five
   * seconds unless a `timeout` says otherwise. It rejects where they do not come in time.
   */
  until(method: On, count: number, which?: CallsOf & Patience): Promise<RecordedCall[]>
  /** Forgets the calls so far; their numbers go on. Returns how many there were. */
  clear(): number
  /**
   * Throws a VerificationError unless there were calls as wanted: at least one, or as many as `times` says (0 among them).
   * Returns them. The error names the closest call, and what of it differs.
   */
  verify(
    method: On,
    wanted?: CallWanted,
    options?: Omit<CallsOf, 'where'> & { times?: Times | undefined },
  ): RecordedCall[]
}
