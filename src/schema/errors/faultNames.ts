import { API_ERRORS, type ApiErrorName } from '../apiErrors.ts'
import { OWN_ERRORS } from './ownErrors.ts'
import type { ApiErrorRow } from './row.ts'

/** The names of the errors that the service has too. */
type ServiceErrorName = Exclude<ApiErrorName, keyof typeof OWN_ERRORS>

/** The value by which a response names the error: its reason, for OAuth its error code. */
type WireNameOf<Row> = Row extends { oauth: infer Code extends string }
  ? Code
  : Row extends { reason: infer Reason extends string }
    ? Reason
    : never

/**
 * The name of an error that a fault injects: its reason (for OAuth its error code), or its name in `API_ERRORS`, because
 * several errors have the same reason.
 */
export type FaultName = ServiceErrorName | WireNameOf<(typeof API_ERRORS)[ServiceErrorName]>

/** Returns true for the name of an error that only the fake has. */
const isOwn = (name: string): boolean => Object.hasOwn(OWN_ERRORS, name)
/** Returns the name that a response has for an error: the code of OAuth, else the reason. */
const wireNameOf = ({ oauth, reason }: ApiErrorRow): string => oauth ?? reason
/** The errors of the service, in the order of `API_ERRORS`. */
const ROWS = Object.entries<ApiErrorRow>(API_ERRORS).filter(([name]) => !isOwn(name)) as [
  ServiceErrorName,
  ApiErrorRow,
][]

/** The error that each wire name stands for: the one whose own name it is, else the first in `ROWS`. */
const BY_WIRE_NAME = new Map<string, ServiceErrorName>()
for (const [name, row] of ROWS) {
  const wireName = wireNameOf(row)
  if (name === wireName || !BY_WIRE_NAME.has(wireName)) BY_WIRE_NAME.set(wireName, name)
}

/** Returns the error that a fault injects: the one of this name, else the one of this wire name, else `backendError`. */
export const errorOfFault = (name: FaultName): ApiErrorName => {
  if (Object.hasOwn(API_ERRORS, name)) return name as ApiErrorName
  return BY_WIRE_NAME.get(name) ?? 'backendError'
}

/** One name for each error, in the order of `ROWS`: its wire name if that stands for it, else its own name. */
export const FAULT_NAMES = ROWS.map(([name, row]) => {
  const wireName = wireNameOf(row)
  return BY_WIRE_NAME.get(wireName) === name ? wireName : name
}) as [FaultName, ...FaultName[]]

/** Further names that faults accept: own names of errors that `FAULT_NAMES` lists by their wire names. */
export const FAULT_ALIASES: FaultName[] = ROWS.map(([name]) => name).filter((name) => !FAULT_NAMES.includes(name))
