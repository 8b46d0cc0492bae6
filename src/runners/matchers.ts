import {
  type CallWanted,
  type ExpectedChange,
  type FakeWorld,
  type Moment,
  type On,
  VerificationError,
} from '../index.ts'
import { assertChanged, assertEvent, assertReceived, assertSent, type WantedMail, type Which } from './asserted.ts'

/** What a runner's `expect` is given for worlds. */
export interface WorldMatchers<R = void> {
  /** The world was called as wanted: `toHaveReceived('events.insert', { body: { summary: 'Lunch' } })`. */
  toHaveReceived(method: On, wanted?: CallWanted, which?: Which): R
  /** There is such an event, in part and deeply: `toHaveEvent({ summary: 'Lunch' }, { calendarId: 'bob@example.com' })`. */
  toHaveEvent(wanted: object, which?: Which): R
  /** Such a mail was sent: `toHaveSent({ to: 'bob@example.com', kind: 'eventCreation' })`. */
  toHaveSent(mail: WantedMail, which?: Pick<Which, 'times'>): R
  /** These are all the changes since the test began, or since a moment. */
  toHaveChanged(expected: readonly ExpectedChange[], since?: Moment): R
}

type Judged = { pass: boolean; message: () => string }
type Expecting = { isNot?: boolean }

/** With `not` there is to be none, and the error says which there are. */
const unless = ({ isNot = false }: Expecting, which: Which = {}): Which =>
  isNot && which.times === undefined ? { ...which, times: 0 } : which

/** With `not` what is verified is that there is none, and what was said of how often is turned round. */
function judged({ isNot = false }: Expecting, verify: () => void, turned: boolean): Judged {
  try {
    verify()
    return { pass: isNot ? turned : true, message: () => 'expected that it is not so, and it is' }
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    return { pass: isNot ? !turned : false, message: () => error.message }
  }
}

export const matchers = {
  toHaveReceived(this: Expecting, fake: FakeWorld, method: On, wanted?: CallWanted, which?: Which): Judged {
    return judged(this, () => assertReceived(fake, method, wanted, unless(this, which)), which?.times !== undefined)
  },
  toHaveEvent(this: Expecting, fake: FakeWorld, wanted: object, which?: Which): Judged {
    return judged(this, () => assertEvent(fake, wanted, unless(this, which)), which?.times !== undefined)
  },
  toHaveSent(this: Expecting, fake: FakeWorld, mail: WantedMail, which?: Pick<Which, 'times'>): Judged {
    return judged(this, () => assertSent(fake, mail, unless(this, which)), which?.times !== undefined)
  },
  toHaveChanged(this: Expecting, fake: FakeWorld, expected: readonly ExpectedChange[], since?: Moment): Judged {
    return judged(this, () => assertChanged(fake, expected, since), true)
  },
}
