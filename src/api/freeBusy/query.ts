import { busyTimes, type Period } from '../../model/busy.ts'
import { formatInZone } from '../../model/times.ts'
import { DAY } from '../../recurrence/days.ts'
import { isZone } from '../../recurrence/zone.ts'
import type { FreeBusyRequest } from '../../wire/freeBusy.ts'
import { preciseInstant } from '../../wire/params.ts'
import { refuse } from '../../wire/refusals.ts'
import { addressOf } from '../../wire/values/address.ts'
import { roleOf } from '../../world/access.ts'
import type { Caller, World } from '../../world/world.ts'
import { isChanged } from '../events/source.ts'

type Fault = { domain: 'global'; reason: string }
type Busy = { errors?: Fault[]; busy: { start: string; end: string }[] }
type GroupFound = { errors: Fault[] } | { calendars: string[] }

const MOST_CALENDARS = 50
const MOST_MEMBERS = 100
/** The longest stretch that may be asked for: three months (behaviour 10.4, 14.38). */
const LONGEST = 93 * DAY

const fault = (reason: string): Fault => ({ domain: 'global', reason })

/** The busy periods of calendars, merged and clipped to the stretch asked for; a calendar that cannot be read has errors instead (behaviour 10.6, 10.11). */
export function queryFreeBusy(world: World, caller: Caller, request: FreeBusyRequest) {
  const from = preciseInstant(request.timeMin || refuse('missingField', { field: 'timeMin parameter' }))
  const to = preciseInstant(request.timeMax || refuse('missingField', { field: 'timeMax parameter' }))
  if (to <= from) refuse('timeRangeEmpty')
  if (to - from > LONGEST) refuse('timeRangeTooLong')
  const zone = request.timeZone ?? 'UTC'
  if (!isZone(zone)) refuse('invalidValue', { field: 'timeZone', problem: `no time zone ${zone}` })
  const most = limit('calendarExpansionMax', request.calendarExpansionMax, MOST_CALENDARS)
  const mostMembers = limit('groupExpansionMax', request.groupExpansionMax, MOST_MEMBERS)
  const asked = (request.items ?? []).map(({ id }) => id ?? refuse('missingField', { field: 'item id' }))

  const groups = new Map<string, GroupFound>()
  const wanted = asked.flatMap((id) => {
    const group = world.groups.get(addressOf(id))
    if (!group) return [id]
    const found: GroupFound =
      group.members.length > mostMembers ? { errors: [fault('groupTooBig')] } : { calendars: group.members }
    groups.set(id, found)
    return 'calendars' in found ? found.calendars : []
  })
  const calendars = [...new Set(wanted)].map((id, at): [string, Busy] => [
    id,
    at < most
      ? busyOf(world, caller, id, { from, to, zone })
      : { errors: [fault('tooManyCalendarsRequested')], busy: [] },
  ])
  return {
    kind: 'calendar#freeBusy',
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    ...(groups.size > 0 && { groups: Object.fromEntries(groups) }),
    calendars: Object.fromEntries(calendars),
  }
}

function limit(field: string, asked: number | null | undefined, most: number): number {
  if (asked && (asked < 0 || asked > most)) refuse('invalidValue', { field, problem: `must be at most ${most}` })
  return asked || most
}

type Asked = { from: number; to: number; zone: string }

function busyOf(world: World, caller: Caller, id: string, { from, to, zone }: Asked): Busy {
  const calendar = world.calendars.get(id === 'primary' ? (caller.email ?? '') : addressOf(id))
  if (!calendar || calendar.deleted || roleOf(world, calendar.id, caller) === 'none') {
    return { errors: [fault('notFound')], busy: [] }
  }
  const { id: email, timeZone } = calendar
  const events = world.events.of(email)
  const taken = busyTimes(events.inWindow(from, to, timeZone), {
    isChanged: (series, slot) => isChanged(events.records, series, slot),
    email,
    zone: timeZone,
    from,
    to,
  })
  const periods = merge(taken).map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
  return { busy: periods.map(({ start, end }) => ({ start: formatInZone(start, zone), end: formatInZone(end, zone) })) }
}

/** Periods that overlap or touch are one. */
function merge(periods: readonly Period[]): Period[] {
  const merged: Period[] = []
  for (const { start, end } of periods) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}
