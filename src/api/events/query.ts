import type { Window } from '../../db/indexes.ts'
import type { Access } from '../../model/access.ts'
import { windowOf } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { instantOfTimestamp, preciseInstant } from '../../schema/params.ts'
import type { ListTokens, PageQuery } from '../../sync/paging.ts'
import { requireViewZone } from './view.ts'

export type EventQuery = PageQuery & {
  eventTypes?: string[] | undefined
  iCalUID?: string | undefined
  maxAttendees?: number | undefined
  orderBy?: 'startTime' | 'updated' | undefined
  privateExtendedProperty?: string[] | undefined
  q?: string | undefined
  sharedExtendedProperty?: string[] | undefined
  showDeleted?: boolean | undefined
  showHiddenInvitations?: boolean | undefined
  singleEvents?: boolean | undefined
  timeMax?: string | undefined
  timeMin?: string | undefined
  timeZone?: string | undefined
  updatedMin?: string | undefined
}

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

/** A missing bound leaves its side open. All-day events are compared by dates of the reply's zone (behaviour 13.8). */
export const requestedWindow = (access: Access, query: EventQuery): Window =>
  windowOf(parseOptionalInstant(query.timeMin), parseOptionalInstant(query.timeMax), requireViewZone(access, query))

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

/** The parameters that a sync token remembers, and true for those that may not differ from it (behaviour 14.7). */
const REMEMBERED = {
  eventTypes: true,
  showDeleted: false,
  singleEvents: true,
  timeMax: false,
  timeMin: false,
  timeZone: true,
} as const satisfies { [Name in keyof EventQuery]: boolean }

function refuseBesideSyncToken(params: EventQuery): void {
  if (params.orderBy !== undefined) throw apiError('syncTokenWithNonDefaultOrdering')
  for (const location of NOT_WITH_SYNC_TOKEN)
    if (params[location] !== undefined) throw apiError('syncTokenWith', { location })
  if (params.showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
}

/** Returns false for a list with another order or a filter that cannot be synced (behaviour 5.6). */
const isSyncable = ({ orderBy, q, iCalUID, ...filters }: EventQuery): boolean =>
  !orderBy && !q && !iCalUID && !filters.privateExtendedProperty && !filters.sharedExtendedProperty

/** Describes the tokens of a calendar's events. */
export const eventTokens = ({ calendar, caller, role }: Access): ListTokens<EventQuery> => ({
  list: ['events', calendar.id, caller.email ?? ''],
  account: caller.email,
  form: 'base64',
  role,
  remembered: REMEMBERED,
  checkParams: refuseBesideSyncToken,
  isSyncable,
})

export const EVENT_PAGE = { initial: 250, max: 2500 }
