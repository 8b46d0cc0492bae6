import type { WorldClock } from '../model/clock.ts'
import { PROJECT, throwApiError } from '../schema/apiErrors.ts'
import type { ObservedRequest } from './request.ts'

/** Units per minute of the world's clock: of all users together, and of each user. */
export type QuotaLimits = { perMinute?: number | undefined; perUserPerMinute?: number | undefined }
/** The limits and the units spent in the current minute. */
export type QuotaState = {
  limits: QuotaLimits | null
  /** The start of the minute. */
  minute: string
  /** One unit per request, three per PATCH. */
  spent: number
  users: Record<string, number>
}

const MINUTE = 60_000
/** A PATCH costs three units, any other request one (behaviour 12.14). */
const PATCH_UNITS = 3

/**
 * The request quota of a world, unlimited by default. It is counted per minute of the world's clock (behaviour 14.14).
 * A rejected request spends nothing, and the last request of a minute may exceed the limit.
 */
export class Quota {
  readonly #clock: WorldClock
  #limits: QuotaLimits | undefined
  #minute = Number.NaN
  #spent = 0
  #byUser: Map<string, number> | undefined

  constructor(clock: WorldClock) {
    this.#clock = clock
  }

  /** Sets the limits, or removes them with null. Resets the counts. */
  limit(limits: QuotaLimits | null): void {
    this.clear()
    this.#limits = limits ?? undefined
  }

  /** Counts a request. Throws a rate limit error if the minute has no units left. */
  spend(request: ObservedRequest): void {
    if (!this.#limits) return
    this.#startMinute()
    const { perMinute = Number.POSITIVE_INFINITY, perUserPerMinute = Number.POSITIVE_INFINITY } = this.#limits
    const user = request.query.get('quotaUser') || (request.account ?? 'anonymous')
    const ofUser = this.#byUser?.get(user) ?? 0
    if (this.#spent >= perMinute) throwQuotaError('Queries per minute')
    if (ofUser >= perUserPerMinute) throwQuotaError('Queries per minute per user')
    const units = request.method.endsWith('.patch') ? PATCH_UNITS : 1
    this.#spent += units
    this.#byUser = (this.#byUser ?? new Map()).set(user, ofUser + units)
  }

  state(): QuotaState {
    this.#startMinute()
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

  /** Starts the current minute. */
  #startMinute(): void {
    const minute = Math.floor(this.#clock.now() / MINUTE) * MINUTE
    if (minute === this.#minute) return
    this.#minute = minute
    this.#spent = 0
    this.#byUser = undefined
  }
}

const throwQuotaError = (limit: string): never =>
  throwApiError('frontEndRateLimitExceeded', { limit, project: PROJECT })
