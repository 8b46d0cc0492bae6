import { Cell } from '../store/cell.ts'
import { durationOf } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { Table } from '../store/table.ts'
import { byNumber } from '../store/tree.ts'
import type { ConferencePolicy, ConferenceRule, PendingConference } from '../wire/conferencePolicy.ts'

export type Outcome = 'success' | 'failure'
/** When a request is answered, and with what. */
export type Answer = { outcome: Outcome } & (
  | { mode: 'delay'; delay: number }
  | { mode: 'reads'; reads: number }
  | { mode: 'immediate' | 'manual' }
)

const DEFAULT: Answer = { mode: 'delay', delay: 1000, outcome: 'success' } // behaviour 9.3

/** Requests for conferences in one world: how they are answered, and which are still open, by the order they came in. */
export class Conferences {
  readonly #policy: Cell<Answer>
  readonly #rules: Cell<readonly ConferenceRule[]>
  readonly #pending: Table<number, PendingConference>

  constructor(store: Store) {
    this.#policy = new Cell(store, 'conferences/policy', DEFAULT)
    this.#rules = new Cell(store, 'conferences/rules', [])
    this.#pending = new Table(store, 'conferences/pending', byNumber)
  }

  get policy(): Answer {
    return this.#policy.value
  }

  set policy(policy: Answer) {
    this.#policy.value = policy
  }

  get rules(): readonly ConferenceRule[] {
    return this.#rules.value
  }

  set rules(rules: readonly ConferenceRule[]) {
    this.#rules.value = rules
  }

  /** The requests that are still open, with their numbers. */
  open(): [number: number, request: PendingConference][] {
    return this.#pending.entries()
  }

  /** An open request by its number. */
  request(number: number): PendingConference | undefined {
    return this.#pending.get(number)
  }

  /** Takes up a request, or another state of one that is open. Returns its number. */
  keep(request: PendingConference, number = (this.#pending.last ?? 0) + 1): number {
    this.#pending.set(number, Object.freeze(request))
    return number
  }

  close(number: number): void {
    this.#pending.delete(number)
  }

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
