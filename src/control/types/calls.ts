import type { RecordedCall } from '../journal/recordedCall.ts'
import type { ExpectedCall, RecordedCalls } from '../journal/search.ts'
import type { ExpectedCount } from '../matching/report.ts'
import type { MethodPattern } from '../request.ts'
import type { WaitOptions } from './notifications.ts'

/** A filter of calls beside their method. `primary` equals the address of the account. */
export type CallSelector = {
  account?: string | undefined
  calendarId?: string | undefined
  where?: ExpectedCall | undefined
}

/**
 * The journal of a world: all requests, including parts of batches and OAuth, but no control operations. A method is
 * one (`events.insert`), those of a resource (`events.*`), all (`*`), or a list of these. An unknown method throws a
 * RangeError, and so does a journal that is off.
 */
export interface FakeCalls {
  /** Returns the calls of a method, or all. Batches and discovery are included only by name: `batch`, `discovery`. */
  (method?: MethodPattern, which?: CallSelector): RecordedCalls
  /**
   * Waits until there are so many calls, earlier ones included, and returns them. Rejects after `timeout` in real
   * time; the default is five seconds.
   */
  until(method: MethodPattern, count: number, which?: CallSelector & WaitOptions): Promise<RecordedCall[]>
  /** Removes all calls and returns their number. Numbering continues. */
  clear(): number
  /**
   * Throws a VerificationError unless there were calls as expected: at least one, or as many as `times` requires (0
   * is valid). Returns them. The error contains the closest call and its differences.
   */
  verify(
    method: MethodPattern,
    expected?: ExpectedCall,
    options?: Omit<CallSelector, 'where'> & { times?: ExpectedCount | undefined },
  ): RecordedCall[]
}
