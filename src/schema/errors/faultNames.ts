import { API_ERRORS, type ApiErrorName } from '../apiErrors.ts'
import { OWN_ERRORS } from './ownErrors.ts'
import type { ApiErrorRow } from './row.ts'

type ServiceErrorName = Exclude<ApiErrorName, keyof typeof OWN_ERRORS>
type ReasonOf<Row> = Row extends { oauth: infer Code extends string }
  ? Code
  : Row extends { reason: infer Reason extends string }
    ? Reason
    : never

/**
 * An error that a fault may inject: the reason of an error of the service (for OAuth its error code), or its name in the
 * table of errors, because several errors have the same reason.
 */
export type FaultName = ServiceErrorName | ReasonOf<(typeof API_ERRORS)[ServiceErrorName]>

const isOwn = (name: string): boolean => Object.hasOwn(OWN_ERRORS, name)
const ROWS = Object.entries<ApiErrorRow>(API_ERRORS).filter(([name]) => !isOwn(name)) as [
  ServiceErrorName,
  ApiErrorRow,
][]

/** The error of each reason: the one of that name, else the first in the table. */
const BY_REASON = new Map<string, ServiceErrorName>()
for (const [name, { oauth, reason }] of ROWS) {
  const wireName = oauth ?? reason
  if (name === wireName || !BY_REASON.has(wireName)) BY_REASON.set(wireName, name)
}

/** Returns the error that a fault injects. */
export const errorOfFault = (name: FaultName): ApiErrorName =>
  Object.hasOwn(API_ERRORS, name) ? (name as ApiErrorName) : (BY_REASON.get(name) ?? 'backendError')

/** The names on offer: the reason of an error, or the name of one that shares its reason. */
export const FAULT_NAMES = ROWS.map(([name, { oauth, reason }]) => {
  const wireName = oauth ?? reason
  return BY_REASON.get(wireName) === name ? wireName : name
}) as [FaultName, ...FaultName[]]

/** The other names of errors with a reason of their own, which are accepted too. */
export const FAULT_ALIASES = ROWS.map(([name]) => name).filter((name) => !FAULT_NAMES.includes(name))
