import type { RecordedCall } from '../../api/types.ts'

/** Hidden secrets cannot be compared. */
const HIDDEN = '[redacted]'

/** The input of `calls.verify`. */
export type Expectation = { method: string; where: Record<string, unknown>; account?: string | undefined }

/** Returns the expectation that a request like this one was made: with its parameters, body and status. */
export function expectationOf({ method, params, body, status, account, cut }: RecordedCall): Expectation {
  const parts = Object.entries({ params: withoutHidden(params), body: cut ? undefined : withoutHidden(body), status })
  const where = Object.fromEntries(parts.filter(([, value]) => value !== undefined && !isEmptyObject(value)))
  return { method, where, account }
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

function withoutHidden(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(HIDDEN) ? undefined : value
  if (Array.isArray(value)) return value.map(withoutHidden).filter((one) => one !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [name, withoutHidden(part)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}
