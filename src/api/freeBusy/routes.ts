import { roleOf } from '../../model/access.ts'
import { busyTimes, type Period } from '../../model/events/busy.ts'
import { formatInZone } from '../../model/events/times.ts'
import type { Caller, WorldData } from '../../model/worldData.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { isZone } from '../../recurrence/zone.ts'
import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { FreeBusyRequest } from '../../schema/bodies.ts'
import { preciseInstant } from '../../schema/params.ts'
import { FREEBUSY } from '../../schema/scopes.ts'
import { addressOf } from '../../schema/values/address.ts'
import { ensureHolidays } from '../calendars/publicCalendars.ts'
import { endpoint } from '../endpoint.ts'
import { isChanged } from '../events/source.ts'

type Fault = { domain: 'global'; reason: string }
type Busy = { errors?: Fault[]; busy: { start: string; end: string }[] }
type GroupFound = { errors: Fault[] } | { calendars: string[] }

const MAX_CALENDARS = 50
const MAX_GROUP_MEMBERS = 100
/** The longest window of a query: three months (behaviour 10.4, 14.38). */
const MAX_RANGE_MS = 93 * DAY_MS

const toFault = (reason: string): Fault => ({ domain: 'global', reason })

/** Merged and clipped to the window. A calendar that cannot be read has errors (behaviour 10.6, 10.11). */
function queryFreeBusy(world: WorldData, caller: Caller, request: FreeBusyRequest) {
  const from = preciseInstant(request.timeMin || throwApiError('missingField', { field: 'timeMin parameter' }))
  const to = preciseInstant(request.timeMax || throwApiError('missingField', { field: 'timeMax parameter' }))
  if (to <= from) throw apiError('timeRangeEmpty')
  if (to - from > MAX_RANGE_MS) throw apiError('timeRangeTooLong')
  const zone = request.timeZone ?? 'UTC'
  if (!isZone(zone)) throwInvalidValue('timeZone', `no time zone ${zone}`)
  const most = requireLimit('calendarExpansionMax', request.calendarExpansionMax, MAX_CALENDARS)
  const mostMembers = requireLimit('groupExpansionMax', request.groupExpansionMax, MAX_GROUP_MEMBERS)
  const ids = (request.items ?? []).map(({ id }) => id ?? throwApiError('missingField', { field: 'item id' }))

  const groups = new Map<string, GroupFound>()
  const wanted = ids.flatMap((id) => {
    const group = world.groups.get(addressOf(id))
    if (!group) return [id]
    const found: GroupFound =
      group.members.length > mostMembers ? { errors: [toFault('groupTooBig')] } : { calendars: group.members }
    groups.set(id, found)
    return 'calendars' in found ? found.calendars : []
  })
  const calendars = [...new Set(wanted)].map((id, at): [string, Busy] => [
    id,
    at < most
      ? findBusy(world, caller, id, { from, to, zone })
      : { errors: [toFault('tooManyCalendarsRequested')], busy: [] },
  ])
  return {
    kind: 'calendar#freeBusy',
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    ...(groups.size > 0 && { groups: Object.fromEntries(groups) }),
    calendars: Object.fromEntries(calendars),
  }
}

function requireLimit(field: string, requested: number | null | undefined, most: number): number {
  if (requested && (requested < 0 || requested > most)) throwInvalidValue(field, `must be at most ${most}`)
  return requested || most
}

type BusyWindow = { from: number; to: number; zone: string }

/** Periods in RFC 3339 of `zone`, or the error `notFound` if the caller has no role on the calendar. */
function findBusy(world: WorldData, caller: Caller, id: string, { from, to, zone }: BusyWindow): Busy {
  ensureHolidays(world, id)
  const calendar = world.calendars.get(id === 'primary' ? (caller.email ?? '') : addressOf(id))
  if (!calendar || calendar.deleted || roleOf(world, calendar.id, caller) === 'none') {
    return { errors: [toFault('notFound')], busy: [] }
  }
  const { id: email, timeZone } = calendar
  const events = world.events.of(email)
  const busy = busyTimes(events.inWindow(from, to, timeZone), {
    isChanged: (series, slot) => isChanged(events.records, series, slot),
    email,
    zone: timeZone,
    from,
    to,
  })
  const periods = mergePeriods(busy).map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
  return { busy: periods.map(({ start, end }) => ({ start: formatInZone(start, zone), end: formatInZone(end, zone) })) }
}

function mergePeriods(periods: readonly Period[]): Period[] {
  const merged: Period[] = []
  for (const { start, end } of periods) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

export const freebusy = [
  endpoint({
    id: 'calendar.freebusy.query',
    path: '/freeBusy',
    summary: 'Returns free/busy information for a set of calendars.',
    scopes: FREEBUSY,
    public: true,
    params: {},
    request: 'FreeBusyRequest',
    response: 'FreeBusyResponse',
    handle: ({ world, caller, body }) => queryFreeBusy(world, caller, body),
  }),
]
