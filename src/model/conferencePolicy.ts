import { byNumber, byTuple, LazyTable, LazyValue, type Store, startsWith, type Tuple } from '../db/store.ts'
import type { ConferencePolicy, ConferenceRule, PendingConference } from '../schema/conferencePolicy.ts'
import { parseDuration } from './clock.ts'
import { isRegion, REGIONS } from './dialIn.ts'

export type ConferenceOutcome = 'success' | 'failure'
/** `delay` is milliseconds on the world's clock, `reads` the number of reads during which the request stays pending. */
export type ConferenceAnswer = { outcome: ConferenceOutcome; phone?: Phone } & (
  | { mode: 'delay'; delay: number }
  | { mode: 'reads'; reads: number }
  | { mode: 'nextRequest' | 'immediate' | 'manual' }
)
export type Phone = { region: string }

const DEFAULT: ConferenceAnswer = { mode: 'nextRequest', outcome: 'success' } // behaviour 14.30
type NumberedRequest = [number: number, request: PendingConference]

export class ConferenceRequests {
  readonly policy: LazyValue<ConferenceAnswer>
  readonly rules: LazyValue<readonly ConferenceRule[]>
  readonly #pending: LazyTable<number, PendingConference>
  /** A number is not used again, because a task of the clock may still refer to it. */
  readonly #lastNumber: LazyValue<number>
  readonly #index: LazyTable<Tuple, true>

  constructor(store: Store) {
    this.policy = new LazyValue(store, 'conferences/policy', DEFAULT)
    this.rules = new LazyValue(store, 'conferences/rules', [])
    this.#pending = new LazyTable(store, 'conferences/pending', byNumber)
    this.#lastNumber = new LazyValue(store, 'conferences/lastNumber', 0)
    this.#index = new LazyTable(store, 'conferences/index', byTuple)
  }

  listOpen(): NumberedRequest[] {
    return this.#pending.entries()
  }

  findOpen(number: number): PendingConference | undefined {
    return this.#pending.get(number)
  }

  /** Those of an event, or those that wait for the world's next request. */
  listOpenBy(...key: ['event', id: string] | ['nextRequest']): NumberedRequest[] {
    return this.#index
      .range(key, (entry) => startsWith(entry, key))
      .flatMap((entry): NumberedRequest[] => {
        const number = Number(entry.at(-1))
        const request = this.#pending.get(number)
        return request ? [[number, request]] : []
      })
  }

  put(request: PendingConference, number = this.#lastNumber.value + 1): number {
    if (number > this.#lastNumber.value) this.#lastNumber.value = number
    this.close(number)
    this.#pending.set(number, Object.freeze(request))
    for (const key of keysOf(request)) this.#index.set([...key, number], true)
    return number
  }

  close(number: number): void {
    const request = this.#pending.get(number)
    if (!request) return
    for (const key of keysOf(request)) this.#index.delete([...key, number])
    this.#pending.delete(number)
  }

  /**
   * Takes the last rule with the request's id or event, else the first rule with `times`, else the policy. Removes a rule after
   * its last use.
   */
  takeAnswer(requestId: string, eventId: string): ConferenceAnswer {
    const { policy, rules } = this
    const named = rules.value.findLast((rule) => rule.requestId === requestId || rule.eventId === eventId)
    const rule = named ?? rules.value.find(({ times }) => times !== undefined)
    if (!rule) return policy.value
    if (rule.times !== undefined) {
      const times = rule.times - 1
      rules.value = rules.value.flatMap((one) => (one !== rule ? [one] : times > 0 ? [{ ...one, times }] : []))
    }
    return answerOf(rule, policy.value)
  }
}

const keysOf = ({ eventId, nextRequest }: PendingConference): Tuple[] => [
  ['event', eventId],
  ...(nextRequest ? [['nextRequest']] : []),
]

/**
 * Completes a policy with the values of `before`. Throws a RangeError for both `delay` and `reads`, an invalid delay, and a
 * region without telephone numbers.
 */
export function answerOf(policy: ConferencePolicy, before: ConferenceAnswer): ConferenceAnswer {
  const { delay, reads } = policy
  if (delay !== undefined && reads !== undefined) throw new RangeError('give either delay or reads')
  const phone = policy.phone ? requireRegion(policy.phone) : before.phone
  const common = { outcome: policy.outcome ?? before.outcome, ...(phone && { phone }) }
  const mode = policy.mode ?? (delay !== undefined ? 'delay' : reads !== undefined ? 'reads' : undefined)
  switch (mode) {
    case undefined:
      return { ...before, ...common }
    case 'delay':
      return { mode, delay: parseDuration(delay ?? 1000), ...common }
    case 'reads':
      return { mode, reads: reads ?? 1, ...common }
    default:
      return { mode, ...common }
  }
}

function requireRegion({ region }: Phone): Phone {
  if (!isRegion(region))
    throw new RangeError(`no telephone numbers in ${region} (expected one of ${REGIONS.join(', ')})`)
  return { region }
}

/** Throws a RangeError unless the rule has exactly one of `requestId`, `eventId` and `times`, and where `answerOf` throws one. */
export function checkConferenceRule(rule: ConferenceRule): void {
  const { requestId, eventId, times } = rule
  const names = [requestId, eventId, times].filter((name) => name !== undefined)
  if (names.length !== 1) throw new RangeError('give one of requestId, eventId and times')
  answerOf(rule, DEFAULT)
}
