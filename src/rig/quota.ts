import type { Clock } from '../time/clock.ts'
import { PROJECT, refuse } from '../wire/refusals.ts'
import type { Asked } from './asked.ts'

/** How many requests a minute of the world's clock takes: of everybody together, and of each user. */
export type QuotaLimits = { perMinute?: number | undefined; perUserPerMinute?: number | undefined }
/** The limits that there are, and what was asked in the minute that it is. */
export type QuotaState = {
  limits: QuotaLimits | null
  /** When the minute began. */
  minute: string
  /** One for each request, three for a PATCH. */
  spent: number
  users: Record<string, number>
}

const MINUTE = 60_000
/** What a PATCH counts; everything else counts one (behaviour 12.14). */
const A_PATCH = 3

/**
 * How much may be asked of a world in a minute of its clock: anything, unless a test author says otherwise. Minutes are
 * those of the clock, and each begins with nothing spent (behaviour 14.14). A request that is refused spends nothing, and
 * the last of a minute may count more than was left.
 */
export class Quota {
  readonly #clock: Clock
  #limits: QuotaLimits | undefined
  #minute = Number.NaN
  #spent = 0
  #byUser: Map<string, number> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Sets the limits, or lifts them. What was spent is forgotten. */
  limit(limits: QuotaLimits | null): void {
    this.clear()
    this.#limits = limits ?? undefined
  }

  /** Counts a request, or refuses it where there were too many. */
  spend(asked: Asked): void {
    if (!this.#limits) return
    this.#turn()
    const { perMinute = Number.POSITIVE_INFINITY, perUserPerMinute = Number.POSITIVE_INFINITY } = this.#limits
    const user = asked.query.get('quotaUser') || (asked.account ?? 'anonymous')
    const ofUser = this.#byUser?.get(user) ?? 0
    if (this.#spent >= perMinute) exceeded('Queries per minute')
    if (ofUser >= perUserPerMinute) exceeded('Queries per minute per user')
    const units = asked.method.endsWith('.patch') ? A_PATCH : 1
    this.#spent += units
    this.#byUser = (this.#byUser ?? new Map()).set(user, ofUser + units)
  }

  state(): QuotaState {
    this.#turn()
    return {
      limits: this.#limits ? { ...this.#limits } : null,
      minute: new Date(this.#minute).toISOString(),
      spent: this.#spent,
      users: Object.fromEntries(this.#byUser ?? []),
    }
  }

  clear(): void {
    this.#limits = undefined
    this.#minute = Number.NaN
    this.#spent = 0
    this.#byUser = undefined
  }

  /** Begins the minute that it is. */
  #turn(): void {
    const minute = Math.floor(this.#clock.now() / MINUTE) * MINUTE
    if (minute === this.#minute) return
    this.#minute = minute
    this.#spent = 0
    this.#byUser = undefined
  }
}

const exceeded = (limit: string): never => refuse('frontEndRateLimitExceeded', { limit, project: PROJECT })
