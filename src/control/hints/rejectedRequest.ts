import type { Caller, WorldData } from '../../model/worldData.ts'
import type { ErrorDetails } from '../../schema/apiErrors.ts'
import type { Param } from '../../schema/params.ts'
import { addressOf } from '../../schema/values/address.ts'

export type RejectedRequest = {
  readonly world: WorldData
  readonly caller: Caller | undefined
  readonly params: Readonly<Record<string, string | string[]>>
  readonly declared: Readonly<Record<string, Param>>
  readonly scopes: readonly string[]
  readonly body: unknown
  readonly details: ErrorDetails
  readonly injected: boolean
  /** True if the same request was rejected for its rate less than half a second before. */
  readonly isImmediateRetry: boolean
}

export const resolveCalendarId = (
  { calendarId }: RejectedRequest['params'],
  caller: Caller | undefined,
): string | undefined =>
  calendarId === 'primary' ? caller?.email : typeof calendarId === 'string' ? addressOf(calendarId) : undefined
