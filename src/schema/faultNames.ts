import { API_ERRORS, type ApiErrorName } from './apiErrors.ts'
import { OWN_ERRORS } from './errors/ownErrors.ts'
import type { ApiErrorRow } from './errors/row.ts'

type ServiceErrorName = Exclude<ApiErrorName, keyof typeof OWN_ERRORS>

type WireNameOf<Row> = Row extends { oauth: infer Code extends string }
  ? Code
  : Row extends { reason: infer Reason extends string }
    ? Reason
    : never

/** The reason (for OAuth the error code), or the name in `API_ERRORS`, because several errors have the same reason. */
export type FaultName = ServiceErrorName | WireNameOf<(typeof API_ERRORS)[ServiceErrorName]>

const isOwn = (name: string): boolean => Object.hasOwn(OWN_ERRORS, name)
const wireNameOf = ({ oauth, reason }: ApiErrorRow): string => oauth ?? reason
/** Rows in the order of `API_ERRORS`. */
const ROWS = Object.entries<ApiErrorRow>(API_ERRORS).filter(([name]) => !isOwn(name)) as [
  ServiceErrorName,
  ApiErrorRow,
][]

const BY_WIRE_NAME = new Map<string, ServiceErrorName>()
for (const [name, row] of ROWS) {
  const wireName = wireNameOf(row)
  if (name === wireName || !BY_WIRE_NAME.has(wireName)) BY_WIRE_NAME.set(wireName, name)
}

/** Finds the error by its own name, then by its wire name, else `backendError`. */
export const errorOfFault = (name: FaultName): ApiErrorName => {
  if (Object.hasOwn(API_ERRORS, name)) return name as ApiErrorName
  return BY_WIRE_NAME.get(name) ?? 'backendError'
}

/** Names in the order of `ROWS`: the wire name if it stands for the error, else its own name. */
export const FAULT_NAMES = ROWS.map(([name, row]) => {
  const wireName = wireNameOf(row)
  return BY_WIRE_NAME.get(wireName) === name ? wireName : name
}) as [FaultName, ...FaultName[]]

/** Own names of errors that `FAULT_NAMES` lists by their wire names. */
export const FAULT_ALIASES: FaultName[] = ROWS.map(([name]) => name).filter((name) => !FAULT_NAMES.includes(name))
