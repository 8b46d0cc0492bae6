import type { Window } from '../../db/indexes.ts'
import type { Revision } from '../../db/version.ts'
import type { Access } from '../../model/access.ts'
import { windowOf } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import { instantOfTimestamp, preciseInstant } from '../../schema/params.ts'
import type { Role } from '../../schema/roles.ts'
import { isObject } from '../../schema/values/json.ts'
import type { Cursor, PageQuery } from '../../sync/paging.ts'
import {
  decodeToken,
  type EpochId,
  encodeToken,
  epochAt,
  isRevision,
  isString,
  type ListName,
  requireValidSyncToken,
} from '../../sync/tokens.ts'
import { requireViewZone } from './view.ts'

/** The parameters that a sync token remembers from the list that it came with (behaviour 14.7). */
type Remembered = {
  eventTypes?: string[] | undefined
  showDeleted?: boolean | undefined
  singleEvents?: boolean | undefined
  timeMax?: string | undefined
  timeMin?: string | undefined
  timeZone?: string | undefined
}

export type EventQuery = PageQuery &
  Remembered & {
    iCalUID?: string | undefined
    maxAttendees?: number | undefined
    orderBy?: 'startTime' | 'updated' | undefined
    privateExtendedProperty?: string[] | undefined
    q?: string | undefined
    sharedExtendedProperty?: string[] | undefined
    showHiddenInvitations?: boolean | undefined
    updatedMin?: string | undefined
  }

/** The content of a sync token of events. A change of the caller's role invalidates it (behaviour 5.14). */
type SyncTokenContent = { since: Revision; role: Role; remembered: Remembered }
export type EventToken = EpochId & SyncTokenContent

const TOKEN = { since: isRevision, role: isString, remembered: isObject }

/** The earliest `updatedMin` before now (behaviour 5.16). */
const UPDATED_MIN_REACH = 28 * DAY_MS

/**
 * Throws for an empty time range, an `updatedMin` too long ago, an unknown zone, and `orderBy=startTime` without
 * `singleEvents` (behaviour 1.15).
 */
export function checkQuery(access: Access, query: EventQuery): void {
  const { timeMin, timeMax, orderBy, singleEvents, updatedMin } = query
  if (timeMin && timeMax && instantOfTimestamp(timeMax) <= instantOfTimestamp(timeMin)) throw apiError('timeRangeEmpty')
  requireViewZone(access, query)
  if (orderBy === 'startTime' && !singleEvents) throw apiError('orderingNotAvailable')
  if (updatedMin && preciseInstant(updatedMin) < access.world.clock.now() - UPDATED_MIN_REACH)
    throw apiError('updatedMinTooLongAgo')
}

/**
 * Returns the window of a query; a missing bound leaves its side open. All-day events are compared by the dates of the
 * reply's zone (behaviour 13.8). Throws for an unknown zone.
 */
export const requestedWindow = (access: Access, query: EventQuery): Window =>
  windowOf(parseOptionalInstant(query.timeMin), parseOptionalInstant(query.timeMax), requireViewZone(access, query))

/** Returns the epoch milliseconds of a timestamp; undefined if none is given. */
const parseOptionalInstant = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : instantOfTimestamp(timestamp)

/** Parameters that are an error beside a sync token (behaviour 5.8). */
const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
] as const satisfies (keyof EventQuery)[]

/** Parameters that must equal those of the sync token (behaviour 14.7). */
const AS_REMEMBERED = ['eventTypes', 'singleEvents', 'timeZone'] as const satisfies (keyof Remembered)[]

/** Returns the sync token of a request, if any. Throws if it is invalid, expired, or contradicts other parameters. */
export function tokenOf({ world, role, caller }: Access, list: ListName, params: EventQuery): EventToken | undefined {
  if (!params.syncToken) return undefined
  if (params.orderBy !== undefined) throw apiError('syncTokenWithNonDefaultOrdering')
  for (const location of NOT_WITH_SYNC_TOKEN)
    if (params[location] !== undefined) throw apiError('syncTokenWith', { location })
  if (params.showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
  const token = decodeToken<SyncTokenContent>(params.syncToken, list, TOKEN) ?? throwApiError('invalidSyncToken')
  for (const location of AS_REMEMBERED) {
    const [given, known] = [params[location], token.remembered[location]]
    if (given !== undefined && String(given) !== String(known ?? false)) throw apiError('syncTokenWith', { location })
  }
  requireValidSyncToken(world, token, {
    list,
    account: caller.email,
    text: params.syncToken,
    isFirstPage: !params.pageToken,
  })
  if (token.role !== role) throw apiError('fullSyncRequired')
  return token
}

/**
 * Returns the field `nextSyncToken` for the state that the cursor shows, for the last page of a list; `{}` for a list
 * with another order or a filter that cannot be synced (behaviour 5.6).
 */
export function nextSyncToken({ world, role }: Access, list: ListName, cursor: Cursor, query: EventQuery) {
  const { order } = cursor
  const asOf = world.store.committedRevision(cursor.asOf)
  const { orderBy, q, iCalUID, privateExtendedProperty, sharedExtendedProperty } = query
  if (orderBy || q || iCalUID || privateExtendedProperty || sharedExtendedProperty || order === 'startTime') return {}
  const { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone } = query
  const remembered: Remembered = { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone }
  return {
    nextSyncToken: encodeToken(epochAt(world.epoch, asOf), list, {
      since: asOf,
      role,
      remembered,
    } satisfies SyncTokenContent),
  }
}
