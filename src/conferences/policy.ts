import { durationOf } from '../store/clock.ts'
import type { ConferencePolicy, ConferenceRule, PendingConference } from '../wire/conferencePolicy.ts'

export type Outcome = 'success' | 'failure'
/** When a request is answered, and with what. */
export type Answer = { outcome: Outcome } & (
  | { mode: 'delay'; delay: number }
  | { mode: 'reads'; reads: number }
  | { mode: 'immediate' | 'manual' }
)

const DEFAULT: Answer = { mode: 'delay', delay: 1000, outcome: 'success' } // behaviour 9.3

/** Requests for conferences in one world: how they are answered, and which are still open. Plain data. */
export class Conferences {
  policy: Answer = DEFAULT
  rules: ConferenceRule[] = []
  pending: PendingConference[] = []

  /** The answer to a request: by the last rule with its id or its event's, else by the first rule with `next`, else by the policy. */
  answerTo(requestId: string, eventId: string): Answer {
    const named = this.rules.findLast((rule) => rule.requestId === requestId || rule.eventId === eventId)
    const rule = named ?? this.rules.find(({ next }) => next !== undefined)
    if (!rule) return this.policy
    if (rule.next !== undefined) {
      const left = rule.next - 1
      this.rules = this.rules.flatMap((one) => (one !== rule ? [one] : left > 0 ? [{ ...one, next: left }] : []))
    }
    return answerOf(rule, this.policy)
  }
}

/** A policy in full: what it leaves out is as before. Parts that exclude each other are a RangeError. */
export function answerOf({ mode, delay, reads, outcome: said }: ConferencePolicy, before: Answer): Answer {
  if (delay !== undefined && reads !== undefined) throw new RangeError('give either delay or reads')
  const outcome = said ?? before.outcome
  switch (mode ?? (delay !== undefined ? 'delay' : reads !== undefined ? 'reads' : undefined)) {
    case undefined:
      return { ...before, outcome }
    case 'delay':
      return { mode: 'delay', delay: durationOf(delay ?? 1000), outcome }
    case 'reads':
      return { mode: 'reads', reads: reads ?? 1, outcome }
    case 'immediate':
      return { mode: 'immediate', outcome }
    case 'manual':
      return { mode: 'manual', outcome }
  }
}

/** A rule has exactly one of `requestId`, `eventId` and `next`. Any other is a RangeError. */
export function checkedRule(rule: ConferenceRule): ConferenceRule {
  const names = [rule.requestId, rule.eventId, rule.next].filter((name) => name !== undefined)
  if (names.length !== 1) throw new RangeError('give one of requestId, eventId and next')
  answerOf(rule, DEFAULT)
  return rule
}
