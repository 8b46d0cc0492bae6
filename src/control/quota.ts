import type { WorldClock } from '../model/clock.ts'
import { digest } from '../model/ids.ts'
import { wallTimeAt } from '../recurrence/zone.ts'
import { PROJECT, throwApiError } from '../schema/apiErrors.ts'
import type { ObservedRequest } from './request.ts'

/**
 * Units per minute of the world's clock: of all users together, and of each user; and calls of MCP tools per day of the
 * Pacific time zone.
 */
export type QuotaLimits = {
  perMinute?: number | undefined
  perUserPerMinute?: number | undefined
  toolCallsPerDay?: number | undefined
}

/** The limits of the service for a project of today (behaviour 12.14.1). */
export const GOOGLE_LIMITS: QuotaLimits = { perMinute: 10_000, perUserPerMinute: 600, toolCallsPerDay: 5000 }

/** The limits and the units spent in the last minute. */
export type QuotaState = {
  limits: QuotaLimits | null
  /** The start of the sliding minute, which ends now: an RFC 3339 instant in UTC. */
  windowStart: string
  /** One unit per request, three per PATCH. */
  spent: number
  /** The units by `quotaUser`, or by the address of the account without one. */
  users: Record<string, number>
  /** The calls of MCP tools of the current day. */
  toolCalls: number
}

type Spending = { readonly at: number; readonly user: string; units: number }

const WINDOW_MS = 60_000
const QUOTA_ZONE = 'America/Los_Angeles'
/** A PATCH costs three units, any other request one (behaviour 12.14). */
const PATCH_UNITS = 3

/**
 * The request quota of a world, unlimited by default. It is counted in the last minute of the world's clock (behaviour
 * 14.14). A rejected request spends nothing, and the last request within a limit may exceed it.
 */
export class Quota {
  readonly #clock: WorldClock
  #limits: QuotaLimits | undefined
  #spendings: Spending[] = []
  #day = ''
  #toolCalls = 0

  constructor(clock: WorldClock) {
    this.#clock = clock
  }

  /** What the last minute has spent counts for the new limits too. */
  setLimits(limits: QuotaLimits): void {
    this.#limits = limits
  }

  /** Throws `frontEndRateLimitExceeded` (403) if the last minute has no units left. */
  spend(request: ObservedRequest): void {
    if (!this.#limits) return
    const { perMinute = Number.POSITIVE_INFINITY, perUserPerMinute = Number.POSITIVE_INFINITY } = this.#limits
    const user = request.query.get('quotaUser') || (request.account ?? 'anonymous')
    const at = this.#slideWindow()
    if (sumUnits(this.#spendings) >= perMinute) throwQuotaError('Queries per minute')
    const ofUser = this.#spendings.filter((one) => one.user === user)
    if (sumUnits(ofUser) >= perUserPerMinute) throwQuotaError('Queries per minute per user')
    const units = request.method.endsWith('.patch') ? PATCH_UNITS : 1
    const last = ofUser.at(-1)
    // One entry for each user and instant, because a frozen clock would otherwise keep an entry for each request.
    if (last?.at === at) last.units += units
    else this.#spendings.push({ at, user, units })
  }

  /** Counts a call of an MCP tool. Throws `frontEndRateLimitExceeded` if the day has none left (behaviour 17.8). */
  spendToolCall(): void {
    const { toolCallsPerDay = Number.POSITIVE_INFINITY } = this.#limits ?? {}
    this.#startDay()
    if (this.#toolCalls >= toolCallsPerDay) throwQuotaError('MCP requests per day')
    this.#toolCalls += 1
  }

  #startDay(): void {
    const day = wallTimeAt(this.#clock.now(), QUOTA_ZONE).slice(0, 'yyyy-mm-dd'.length)
    if (day === this.#day) return
    this.#day = day
    this.#toolCalls = 0
  }

  state(): QuotaState {
    const now = this.#slideWindow()
    const users = new Map<string, number>()
    for (const { user, units } of this.#spendings) users.set(user, (users.get(user) ?? 0) + units)
    return {
      limits: this.#limits ? { ...this.#limits } : null,
      windowStart: new Date(now - WINDOW_MS).toISOString(),
      spent: sumUnits(this.#spendings),
      users: Object.fromEntries(users),
      toolCalls: this.#toolCalls,
    }
  }

  clear(): void {
    this.#limits = undefined
    this.#spendings = []
    this.#day = ''
    this.#toolCalls = 0
  }

  /** Drops what was spent outside of the last minute, also if the clock was set back. */
  #slideWindow(): number {
    const now = this.#clock.now()
    this.#spendings = this.#spendings.filter(({ at }) => at > now - WINDOW_MS && at <= now)
    return now
  }
}

const sumUnits = (spendings: readonly Spending[]): number => spendings.reduce((sum, { units }) => sum + units, 0)

const throwQuotaError = (limit: string): never =>
  throwApiError('frontEndRateLimitExceeded', { limit, project: PROJECT })

/** A retry within so many milliseconds of real time has no backoff: the service asks for at least a second (behaviour 2.6). */
const MIN_BACKOFF_MS = 500
const MAX_REMEMBERED = 100

export class Retries {
  readonly #rejected = new Map<string, number>()

  /** True if an equal request was rejected less than half a second of real time before. */
  recordRejection(key: string): boolean {
    const request = digest(key, 'sha1')
    const now = performance.now()
    const before = this.#rejected.get(request)
    this.#rejected.delete(request)
    this.#rejected.set(request, now)
    const [oldest] = this.#rejected.keys()
    if (oldest !== undefined && this.#rejected.size > MAX_REMEMBERED) this.#rejected.delete(oldest)
    return before !== undefined && now - before < MIN_BACKOFF_MS
  }

  clear(): void {
    this.#rejected.clear()
  }
}
