import type { Window } from '../../db/indexes.ts'
import { instanceId, instanceOf, isMaster, type Master, slotsIn } from '../../model/events/series.ts'
import type { Event } from '../../schema/event.ts'
import type { Difference } from './change.ts'
import { type MomentView, toRecordKey } from './kinds.ts'

/** A series with more instances is compared itself, too. */
export const MAX_INSTANCES = 366

const ALWAYS: Window = {
  from: Number.NEGATIVE_INFINITY,
  wallFrom: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  wallTo: Number.POSITIVE_INFINITY,
}

/**
 * Yields the differences as people read them: each changed series becomes its instances, so that an excluded date equals a
 * cancelled instance. The cost depends on the changed series alone.
 */
export function* expandSeries(
  differences: Iterable<Difference>,
  before: MomentView,
  after: MomentView,
): Generator<Difference> {
  const series: Difference[] = []
  const exceptions: Difference[] = []
  for (const one of differences) {
    const { was, is } = one as { was?: Event; is?: Event }
    if (!one.name.startsWith('events/')) yield one
    else if ((was && isMaster(was)) || (is && isMaster(is))) series.push(one)
    else if ((is ?? was)?.recurringEventId) exceptions.push(one)
    else yield one
  }
  const expanded = new Set<string>()
  for (const one of series)
    for (const instance of expandDifference(one, before, after)) {
      expanded.add(toRecordKey(instance.name, instance.id))
      yield instance
    }
  for (const one of exceptions) if (!expanded.has(toRecordKey(one.name, one.id))) yield one
}

function* expandDifference(one: Difference, before: MomentView, after: MomentView): Generator<Difference> {
  const { name, id } = one
  const [was, is] = [one.was as Event | undefined, one.is as Event | undefined]
  const former = was && isLive(was) && isMaster(was) ? listSlots(was, name, before) : undefined
  const present = is && isLive(is) && isMaster(is) ? listSlots(is, name, after) : undefined
  if (was && !isMaster(was)) yield { name, id, was, is: { ...was, status: 'cancelled' } }
  if (is && !isMaster(is)) yield { name, id, was: { ...is, status: 'cancelled' }, is }
  // Only the time that both cover is compared.
  const until = Math.min(former?.until ?? Number.POSITIVE_INFINITY, present?.until ?? Number.POSITIVE_INFINITY)
  const slots = new Map([...(former?.slots ?? []), ...(present?.slots ?? [])])
  for (const [key, slot] of slots)
    if (slot <= until)
      yield {
        name,
        id: key,
        was: former?.byId.get(key),
        is: present?.byId.get(key),
        isOfFormerSeries: was !== undefined,
      }
  if (Number.isFinite(until)) yield one
}

const isLive = ({ status }: Event): boolean => status !== 'cancelled'

/** `until` is the last listed slot of a series that goes on, else infinite. */
function listSlots(master: Master, name: string, view: MomentView) {
  const found = slotsIn(master, ALWAYS, MAX_INSTANCES + 1)
  const calendarId = name.slice('events/'.length)
  const slots = found.slice(0, MAX_INSTANCES).map((slot) => [instanceId(master, slot), slot] as const)
  const byId = new Map(
    slots.map(([id, slot]) => [id, (view.get(name, id) as Event | undefined) ?? instanceOf(master, slot, calendarId)]),
  )
  return { slots, byId, until: found.length > MAX_INSTANCES ? slots.at(-1)?.[1] : undefined }
}
