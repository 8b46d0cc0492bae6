import type { RequestContext } from '../requestContext.ts'

/** Counts the request against the quota of the world. Throws 403 or 429 if it is exceeded. */
export function spendQuota(context: RequestContext): void {
  context.controls?.quota.spend(context)
}
