import type { ExpectedChange } from '../control/history/verify.ts'
import type { ExpectedCall } from '../control/journal/search.ts'
import { VerificationError } from '../control/matching/verificationError.ts'
import type { MethodPattern } from '../control/request.ts'
import type { Moment } from '../control/types/history.ts'
import type { FakeWorld } from '../control/types/world.ts'
import {
  assertChanged,
  assertEvent,
  assertReceived,
  assertSent,
  type ExpectedMail,
  type ReceivedFilter,
} from './assertions.ts'

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

type MatcherResult = { pass: boolean; message: () => string }
type MatcherContext = { isNot?: boolean }

/** Expects zero matches with `not`, so that the error lists the matches. */
const withNegation = ({ isNot = false }: MatcherContext, which: ReceivedFilter = {}): ReceivedFilter =>
  isNot && which.times === undefined ? { ...which, times: 0 } : which

/** Runs a verification. With `not`, an explicit number of matches inverts the result. */
function toMatcherResult({ isNot = false }: MatcherContext, verify: () => void, isInverted: boolean): MatcherResult {
  try {
    verify()
    return { pass: isNot ? isInverted : true, message: () => 'expected that it is not so, and it is' }
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    return { pass: isNot ? !isInverted : false, message: () => error.message }
  }
}

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
      () => assertReceived(fake, method, expected, withNegation(this, which)),
      which?.times !== undefined,
    )
  },
  toHaveEvent(this: MatcherContext, fake: FakeWorld, expected: object, which?: ReceivedFilter): MatcherResult {
    return toMatcherResult(
      this,
      () => assertEvent(fake, expected, withNegation(this, which)),
      which?.times !== undefined,
    )
  },
  toHaveSent(
    this: MatcherContext,
    fake: FakeWorld,
    mail: ExpectedMail,
    which?: Pick<ReceivedFilter, 'times'>,
  ): MatcherResult {
    return toMatcherResult(this, () => assertSent(fake, mail, withNegation(this, which)), which?.times !== undefined)
  },
  toHaveChanged(
    this: MatcherContext,
    fake: FakeWorld,
    expected: readonly ExpectedChange[],
    since?: Moment,
  ): MatcherResult {
    return toMatcherResult(this, () => assertChanged(fake, expected, since), true)
  },
}
