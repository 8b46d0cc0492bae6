import type { Window } from '../../db/byInterval.ts'
import { type LifeName, lifeAt } from '../../db/epoch.ts'
import type { Revision } from '../../db/version.ts'
import { windowOf } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import type { Cursor, PageQuery } from '../../sync/paging.ts'
import { isObject, isRevision, isText, requireFresh, seal, unseal } from '../../sync/tokens.ts'
import { instantOfTimestamp, preciseInstant } from '../../wire/params.ts'
import { refuse } from '../../wire/refusals.ts'
import type { Role } from '../../wire/roles.ts'
import type { Access } from '../../world/access.ts'
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

/** What a sync token of events holds: a change of the caller's role makes it void (behaviour 5.14). */
type Token = { since: Revision; role: Role; remembered: Remembered }
export type EventToken = LifeName & Token

const TOKEN = { since: isRevision, role: isText, remembered: isObject }

/** How far back `updatedMin` may lie (behaviour 5.16). */
const UPDATED_MIN_REACH = 28 * DAY

export function checkQuery(access: Access, query: EventQuery): void {
  const { timeMin, timeMax, orderBy, singleEvents, updatedMin } = query
  if (timeMin && timeMax && instantOfTimestamp(timeMax) <= instantOfTimestamp(timeMin)) refuse('timeRangeEmpty')
  requireViewZone(access, query)
  if (orderBy === 'startTime' && !singleEvents) refuse('orderingNotAvailable')
  if (updatedMin && preciseInstant(updatedMin) < access.world.clock.now() - UPDATED_MIN_REACH)
    refuse('updatedMinTooLongAgo')
}

/** The stretch of time that a query asks for, with dates read in the zone of the reply (behaviour 13.8). */
export const windowAsked = (access: Access, query: EventQuery): Window =>
  windowOf(instantAsked(query.timeMin), instantAsked(query.timeMax), requireViewZone(access, query))

const instantAsked = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : instantOfTimestamp(timestamp)

/** Parameters that are refused beside a sync token (behaviour 5.8). */
const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
] as const satisfies (keyof EventQuery)[]

/** Beside a sync token these may only say again what it remembers (behaviour 14.7). */
const AS_REMEMBERED = ['eventTypes', 'singleEvents', 'timeZone'] as const satisfies (keyof Remembered)[]

/** The sync token of a request, if it gives one that is good. */
export function tokenOf({ world, role, caller }: Access, list: string, asked: EventQuery): EventToken | undefined {
  if (!asked.syncToken) return undefined
  for (const location of NOT_WITH_SYNC_TOKEN) if (asked[location] !== undefined) refuse('syncTokenWith', { location })
  if (asked.showDeleted === false) refuse('syncTokenWith', { location: 'showDeleted' })
  const token = unseal<Token>(asked.syncToken, list, TOKEN) ?? refuse('invalidSyncToken')
  for (const location of AS_REMEMBERED) {
    const [said, known] = [asked[location], token.remembered[location]]
    if (said !== undefined && String(said) !== String(known ?? false)) refuse('syncTokenWith', { location })
  }
  requireFresh(world, token, { list, account: caller.email, text: asked.syncToken, first: !asked.pageToken })
  if (token.role !== role) refuse('fullSyncRequired')
  return token
}

/** The sync token of a last page. A list in another order or of some events only has none (behaviour 5.6). */
export function nextSyncToken({ world, role }: Access, list: string, { asOf, order }: Cursor, query: EventQuery) {
  const { orderBy, q, iCalUID, privateExtendedProperty, sharedExtendedProperty } = query
  if (orderBy || q || iCalUID || privateExtendedProperty || sharedExtendedProperty || order === 'startTime') return {}
  const { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone } = query
  const remembered: Remembered = { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone }
  return { nextSyncToken: seal(lifeAt(world.life, asOf), list, { since: asOf, role, remembered } satisfies Token) }
}
