import { LazyTable } from '../db/lazyTable.ts'
import { LazyValue } from '../db/lazyValue.ts'
import type { Store } from '../db/store.ts'
import { byNumber } from '../db/tree.ts'
import { durationOf } from '../time/clock.ts'
import type { ConferencePolicy, ConferenceRule, PendingConference } from '../wire/conferencePolicy.ts'
import { isRegion, REGIONS } from './dialIn.ts'

export type Outcome = 'success' | 'failure'
/** When a request is answered, and with what. */
export type Answer = { outcome: Outcome; phone?: Phone } & (
  | { mode: 'delay'; delay: number }
  | { mode: 'reads'; reads: number }
  | { mode: 'nextRequest' | 'immediate' | 'manual' }
)
/** Where the telephone numbers of a conference are. */
export type Phone = { region: string }

const DEFAULT: Answer = { mode: 'nextRequest', outcome: 'success' } // behaviour 14.30

/** Requests for conferences in one world: how they are answered, and which are still open, by the order they came in. */
export class Conferences {
  readonly #policy: LazyValue<Answer>
  readonly #rules: LazyValue<readonly ConferenceRule[]>
  readonly #pending: LazyTable<number, PendingConference>

  constructor(store: Store) {
    this.#policy = new LazyValue(store, 'conferences/policy', DEFAULT)
    this.#rules = new LazyValue(store, 'conferences/rules', [])
    this.#pending = new LazyTable(store, 'conferences/pending', byNumber)
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

  /** The answer to a request: by the last rule with its id or its event's, else by the first rule that counts its `times`, else by the policy. */
  answerTo(requestId: string, eventId: string): Answer {
    const named = this.rules.findLast((rule) => rule.requestId === requestId || rule.eventId === eventId)
    const rule = named ?? this.rules.find(({ times }) => times !== undefined)
    if (!rule) return this.policy
    if (rule.times !== undefined) {
      const times = rule.times - 1
      this.rules = this.rules.flatMap((one) => (one !== rule ? [one] : times > 0 ? [{ ...one, times }] : []))
    }
    return answerOf(rule, this.policy)
  }
}

/** A policy in full: what it leaves out is as before. Parts that exclude each other are a RangeError. */
export function answerOf(policy: ConferencePolicy, before: Answer): Answer {
  const { delay, reads } = policy
  if (delay !== undefined && reads !== undefined) throw new RangeError('give either delay or reads')
  const phone = policy.phone ? checkedPhone(policy.phone) : before.phone
  const said = { outcome: policy.outcome ?? before.outcome, ...(phone && { phone }) }
  const mode = policy.mode ?? (delay !== undefined ? 'delay' : reads !== undefined ? 'reads' : undefined)
  switch (mode) {
    case undefined:
      return { ...before, ...said }
    case 'delay':
      return { mode, delay: durationOf(delay ?? 1000), ...said }
    case 'reads':
      return { mode, reads: reads ?? 1, ...said }
    default:
      return { mode, ...said }
  }
}

function checkedPhone({ region }: Phone): Phone {
  if (!isRegion(region))
    throw new RangeError(`no telephone numbers in ${region} (expected one of ${REGIONS.join(', ')})`)
  return { region }
}

/** A rule has exactly one of `requestId`, `eventId` and `times`. Any other is a RangeError. */
export function checkedRule({ next, ...rest }: ConferenceRule): ConferenceRule {
  const { requestId, eventId } = rest
  if (next !== undefined && rest.times !== undefined) throw new RangeError('next is the older name of times: give one')
  const times = rest.times ?? next
  const names = [requestId, eventId, times].filter((name) => name !== undefined)
  if (names.length !== 1) throw new RangeError('give one of requestId, eventId and times')
  answerOf(rest, DEFAULT)
  return { ...rest, ...(times !== undefined && { times }) }
}
