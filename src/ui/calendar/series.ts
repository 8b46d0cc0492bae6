import { all, call } from '../client.ts'
import { endedBefore, leftAfter, movedBy } from './recurrence.ts'
import { eventOf, eventPath, type Instant, type Shown } from './service.ts'
import { dayOf, daysBetween, instantAt, isDay, later, msOf, wallIn } from './times.ts'
import { inserted, patched, type Step } from './writes.ts'

/** How much of a series a change is of. */
export type Scope = 'this' | 'following' | 'all'

/** What a change makes of an event: fields of a patch. */
export type Change = Readonly<Record<string, unknown>> & { start?: Instant; end?: Instant }

/** A time of an event by the clock of the zone that its series goes by. */
const wallOfTime = (at: Instant, timeZone: string): string =>
  isDay(at) ? at.date : wallIn(timeZone, instantAt(at, timeZone))

type Master = Shown & { recurrence?: string[] }

/** The series of an instance, with its times by its own clock. */
async function masterOf(calendarId: string, instance: Shown): Promise<{ master: Master; zone: string }> {
  const id = instance.recurringEventId ?? instance.id
  const master = await eventOf(calendarId, id)
  return { master, zone: master.start?.timeZone ?? instance.start?.timeZone ?? 'UTC' }
}

/** A change of all of a series, told by what it makes of one instance: the times of the series go as far as those did. */
function ofAll(change: Change, instance: Shown, master: Master, zone: string): Record<string, unknown> {
  const { start, end, ...rest } = change
  if (!start || !end || !instance.start || !master.start) return change
  const first = wallOfTime(master.start, zone)
  if (isDay(start) !== isDay(master.start)) {
    const begin = isDay(start) ? dayOf(first) : `${dayOf(first)}T${wallOfTime(start, zone).slice(11)}`
    return { ...rest, ...span(begin, lengthOf(start, end, zone), zone), ...rulesBy(master, 0) }
  }
  const shift = msOf(wallOfTime(start, zone)) - msOf(wallOfTime(instance.start, zone))
  const begin = later(first, shift)
  const days = daysBetween(wallOfTime(instance.start, zone), wallOfTime(start, zone))
  return {
    ...rest,
    ...span(begin, lengthOf(start, end, zone), zone),
    ...(rest.recurrence ? {} : rulesBy(master, days)),
  }
}

const rulesBy = ({ recurrence }: Master, days: number): { recurrence?: string[] } =>
  recurrence && days !== 0 ? { recurrence: movedBy(recurrence, days) } : {}

const lengthOf = (start: Instant, end: Instant, zone: string): number =>
  msOf(wallOfTime(end, zone)) - msOf(wallOfTime(start, zone))

/** Start and end that begin at a time by the clock of a zone: of days, where it is a day. */
export function span(begin: string, length: number, timeZone: string): { start: Instant; end: Instant } {
  const end = later(begin, length)
  return begin.length === 10
    ? { start: { date: begin, ...NO_TIME }, end: { date: end, ...NO_TIME } }
    : { start: { dateTime: begin, timeZone, ...NO_DAY }, end: { dateTime: end, timeZone, ...NO_DAY } }
}
// In a patch a time of one kind stays beside one of the other, unless it is said to be none.
const NO_TIME = { dateTime: null, timeZone: null } as unknown as Instant
const NO_DAY = { date: null } as unknown as Instant

/** What a series says that a new one says as well. */
const KEPT = [
  ...['summary', 'description', 'location', 'colorId', 'attendees', 'reminders', 'visibility', 'transparency'],
  ...['guestsCanModify', 'guestsCanInviteOthers', 'guestsCanSeeOtherGuests', 'extendedProperties', 'source'],
] as const

/** What has to be written to change an instance alone, it and all that follow, or the whole series. */
export async function changeOf(
  calendarId: string,
  instance: Shown,
  change: Change,
  scope: Scope,
  query: Record<string, string> = {},
): Promise<Step[]> {
  if (scope === 'this') return [patched(calendarId, instance, change, query)]
  const { master, zone } = await masterOf(calendarId, instance)
  const begun = instance.originalStartTime ?? instance.start
  const before = scope === 'all' || !begun ? 0 : await countBefore(calendarId, master.id, begun, zone)
  if (before === 0) return [patched(calendarId, master, ofAll(change, instance, master, zone), query)]
  const { start = instance.start, end = instance.end, ...rest } = change
  if (!start || !end) return []
  const days = instance.start ? daysBetween(wallOfTime(instance.start, zone), wallOfTime(start, zone)) : 0
  const rules = (rest.recurrence as string[] | undefined) ?? movedBy(leftAfter(master.recurrence ?? [], before), days)
  const kept = Object.fromEntries(KEPT.flatMap((name) => (master[name] === undefined ? [] : [[name, master[name]]])))
  const body = {
    ...kept,
    ...rest,
    ...plain(span(wallOfTime(start, zone), lengthOf(start, end, zone), zone)),
    recurrence: rules,
  }
  return [ending(calendarId, master, begun, zone, query), inserted(calendarId, body, query)]
}

/** What has to be written to delete an instance and all that follow. */
export async function endBefore(
  calendarId: string,
  instance: Shown,
  query: Record<string, string> = {},
): Promise<Step | undefined> {
  const { master, zone } = await masterOf(calendarId, instance)
  const begun = instance.originalStartTime ?? instance.start
  if (!begun || (await countBefore(calendarId, master.id, begun, zone)) === 0) return undefined
  return ending(calendarId, master, begun, zone, query)
}

function ending(
  calendarId: string,
  master: Master,
  begun: Instant | undefined,
  zone: string,
  query: Record<string, string>,
): Step {
  const at = begun ?? {}
  const recurrence = endedBefore(master.recurrence ?? [], { date: at.date, instant: instantAt(at, zone) })
  return patched(calendarId, master, { recurrence }, query)
}

/** A new event has no times of the other kind. */
const plain = ({ start, end }: { start: Instant; end: Instant }) => ({ start: said(start), end: said(end) })
const said = (at: Instant): Instant => Object.fromEntries(Object.entries(at).filter(([, value]) => value !== null))

/** How many instances of a series there are before one. */
async function countBefore(calendarId: string, eventId: string, begun: Instant, zone: string): Promise<number> {
  const before = await all<Shown>({
    method: 'events.instances',
    path: `${eventPath(calendarId, eventId)}/instances`,
    query: { timeMax: new Date(instantAt(begun, zone)).toISOString(), maxResults: 2500, showDeleted: true },
  })
  return before.filter(({ originalStartTime, start }) => {
    const at = originalStartTime ?? start
    return at !== undefined && instantAt(at, zone) < instantAt(begun, zone)
  }).length
}

/** The instances of a series, as far as a page goes. */
export async function instancesOf(calendarId: string, eventId: string): Promise<Shown[]> {
  const path = `${eventPath(calendarId, eventId)}/instances`
  const { data } = await call<{ items: Shown[] }>({
    method: 'events.instances',
    path,
    query: { maxResults: 50, showDeleted: true },
  })
  return data.items
}
