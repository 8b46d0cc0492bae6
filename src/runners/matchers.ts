import type { ExpectedChange } from '../control/history/verify.ts'
import type { ExpectedCall } from '../control/journal/search.ts'
import { VerificationError } from '../control/matching.ts'
import type { MethodPattern } from '../control/request.ts'
import type { ExpectedMail } from '../control/types/messages.ts'
import type { FakeWorld, Moment } from '../control/types/world.ts'
import { runForCaller } from '../schema/values/callerStack.ts'
import { assertChanged, assertEvent, assertReceived, assertSent, type ReceivedFilter } from './assertions.ts'

/** The matchers for worlds that a runner's `expect` gets. */
export interface WorldMatchers<R = void> {
  /**
   * Passes if the world received a matching request: `toHaveReceived('events.insert', { body: { summary: 'Lunch' } })`.
   */
  toHaveReceived(method: MethodPattern, expected?: ExpectedCall, which?: ReceivedFilter): R
  /** Passes if a matching event exists: `toHaveEvent({ summary: 'Lunch' }, { calendarId: 'bob@example.com' })`. */
  toHaveEvent(expected: object, which?: ReceivedFilter): R
  /** Passes if a matching mail was sent: `toHaveSent({ to: 'bob@example.com', kind: 'eventCreation' })`. */
  toHaveSent(mail: ExpectedMail, which?: Pick<ReceivedFilter, 'times'>): R
  /** Passes if these are all changes since the test started, or since a moment. */
  toHaveChanged(expected: readonly ExpectedChange[], since?: Moment): R
}

/** The result of a matcher. The runner inverts `pass` with `not`, and prints the message of a failed assertion. */
type MatcherResult = { pass: boolean; message: () => string }
/** The part of `this` that matchers use: `isNot` is true in `expect(…).not`. */
type MatcherContext = { isNot?: boolean }

/** Returns the filter; with `not`, and without `times`, one that expects no match, so that the error lists the matches. */
const expectNoneIfNegated = ({ isNot = false }: MatcherContext, which: ReceivedFilter = {}): ReceivedFilter =>
  isNot && which.times === undefined ? { ...which, times: 0 } : which

/**
 * Runs `verify`, and returns a result that passes unless a VerificationError is thrown. Throws any other error. With `not`, the
 * runner inverts `pass`. If `isInverted` is false, `verify` expects no match already, so that this inverts it once more.
 */
function toMatcherResult(
  { isNot = false }: MatcherContext,
  matcher: (...given: never[]) => MatcherResult,
  verify: () => void,
  isInverted: boolean,
): MatcherResult {
  try {
    runForCaller(matcher, verify)
    return { pass: isNot ? isInverted : true, message: () => 'expected no such match, and found one' }
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    return { pass: isNot ? !isInverted : false, message: () => error.message }
  }
}

/** The functions of `WorldMatchers`, as `expect.extend` takes them. They throw a TypeError if `fake` is not a world. */
export const matchers = {
  toHaveReceived(
    this: MatcherContext,
    fake: FakeWorld,
    method: MethodPattern,
    expected?: ExpectedCall,
    which?: ReceivedFilter,
  ): MatcherResult {
    return toMatcherResult(
      this,
      matchers.toHaveReceived,
      () => assertReceived(fake, method, expected, expectNoneIfNegated(this, which)),
      which?.times !== undefined,
    )
  },
  toHaveEvent(this: MatcherContext, fake: FakeWorld, expected: object, which?: ReceivedFilter): MatcherResult {
    return toMatcherResult(
      this,
      matchers.toHaveEvent,
      () => assertEvent(fake, expected, expectNoneIfNegated(this, which)),
      which?.times !== undefined,
    )
  },
  toHaveSent(
    this: MatcherContext,
    fake: FakeWorld,
    mail: ExpectedMail,
    which?: Pick<ReceivedFilter, 'times'>,
  ): MatcherResult {
    return toMatcherResult(
      this,
      matchers.toHaveSent,
      () => assertSent(fake, mail, expectNoneIfNegated(this, which)),
      which?.times !== undefined,
    )
  },
  toHaveChanged(
    this: MatcherContext,
    fake: FakeWorld,
    expected: readonly ExpectedChange[],
    since?: Moment,
  ): MatcherResult {
    return toMatcherResult(this, matchers.toHaveChanged, () => assertChanged(fake, expected, since), true)
  },
}
