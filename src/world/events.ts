import type { Event, EventBody, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { type Access, atLeast, isPrimary, requireMatch } from './access.ts'
import { answersOf } from './autoDecline.ts'
import { carried, type Knowing } from './carried.ts'
import { requested } from './conferenceRequests.ts'
import { compose } from './eventDraft.ts'
import { type Composed, clientPart, inOrder, type Origin, originOf } from './eventFields.ts'
import { type Identity, identify } from './eventIds.ts'
import { cancelEvent, saveEvent, unstamped } from './eventRecord.ts'
import { checkBirth } from './eventTypes.ts'
import { isPrivate } from './eventView.ts'
import { isStricter, spread } from './exceptions.ts'
import { merged, same } from './merge.ts'
import { instanceNamed, isMaster } from './series.ts'
import type { StoredCalendar, World } from './world.ts'

/** What a write may say beside its body. */
export type WriteParams = Knowing

/** The event, or the instance of a series, that an id names on a calendar. */
export function storedEvent({ world, calendar }: Pick<Access, 'world' | 'calendar'>, eventId: string): Event {
  const events = world.events.of(calendar.id)
  return events.get(eventId) ?? instanceNamed(eventId, (id) => events.get(id), calendar.id) ?? refuse('notFound')
}

export function insertEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const draft = { ...readBody({}, body), ...carried(access, { body, params, how: 'insert' }) }
  checkBirth(draft)
  if (draft.status === 'cancelled') {
    refuse('invalidValue', { field: 'status', problem: 'an event cannot be born cancelled' })
  }
  const identity = identify(world, draft)
  if (world.events.of(calendar.id).get(identity.id)) refuse('duplicate')
  const composed = compose(calendar, draft, newOrigin(access, identity))
  return keepFree(access, saveEvent(world, calendar, requested(world, calendar, composed)))
}

/** Where a new event comes from: made by the caller, organized by the calendar (behaviour 00, 3.2). */
export function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: Identity): Origin {
  const email = caller.email ?? refuse('loginRequired')
  return {
    id,
    iCalUID,
    created: `${new Date(world.clock.now()).toISOString().slice(0, 19)}.000Z`,
    creator: { email, ...(email === calendar.id && { self: true }) },
    organizer: {
      email: calendar.id,
      ...(!isPrimary(world, calendar.id) && { displayName: calendar.summary }),
      self: true,
    },
  }
}

/** A private event is not for those who write without private access. */
function writableEvent(access: Access, eventId: string): Event {
  const event = storedEvent(access, eventId)
  if (isPrivate(event) && !atLeast(access.role, 'writer')) refuse('needsRole', { role: 'writer' })
  return event
}

export type EventWrite = { body: EventBody; params: WriteParams; ifMatch: string | undefined; how: 'patch' | 'update' }

/**
 * PUT replaces what clients write, PATCH merges into it (behaviour 3.9). The first write to an instance stores it, as an
 * exception to its series.
 */
export function writeEvent(access: Access, eventId: string, { body, params, ifMatch, how }: EventWrite): Event {
  const { world, calendar } = access
  const current = writableEvent(access, eventId)
  requireMatch(current.etag, ifMatch)
  const reviving = body.status && body.status !== 'cancelled'
  if (how === 'update' && current.status === 'cancelled' && !reviving) refuse('forbidden')
  const base = how === 'patch' ? clientPart(current) : {}
  const draft = { ...readBody(base, body), ...carried(access, { current, body, params, how }) }
  if (how === 'patch' && body.reminders?.useDefault && !body.reminders.overrides) draft.reminders = { useDefault: true }
  if (how === 'update') draft.reminders ??= { useDefault: true } // behaviour 14.8
  const after = requested(world, calendar, compose(calendar, draft, originOf(current), current))
  const saved = isMaster(current) ? saveSeries(world, calendar, current, after) : saveChanged(access, current, after)
  return saved === current ? saved : keepFree(access, saved)
}

/** Whoever keeps time free declines the invitations that are in the way, where they say so (behaviour 8). */
function keepFree(access: Access, keeper: Event): Event {
  for (const { eventId, body } of answersOf(access.world, access.calendar, keeper)) {
    writeEvent({ ...access, role: 'owner' }, eventId, { body, params: {}, ifMatch: undefined, how: 'patch' })
  }
  return keeper
}

/**
 * A write that changes nothing leaves no trace (behaviour 14.9), and one that changes reminders alone leaves `updated`
 * as it was (behaviour 3.2).
 */
function saveIfNew(world: World, calendar: StoredCalendar, current: Event, after: Composed): Event {
  const before = unstamped(current)
  if (same(before, after)) return current
  const { reminders: _, ...kept } = before
  const { reminders: __, ...wanted } = after
  return saveEvent(world, calendar, after, same(kept, wanted) ? current.updated : undefined)
}

function saveSeries(world: World, calendar: StoredCalendar, current: Event, after: Composed): Event {
  const saved = saveIfNew(world, calendar, current, after)
  if (saved !== current) spread(world, calendar, current, saved)
  return saved
}

/** Saves an event, or an instance; one that is to be hidden more than its series hides the series (behaviour 4.5). */
function saveChanged({ world, calendar }: Access, current: Event, after: Composed): Event {
  const master = current.recurringEventId && world.events.of(calendar.id).get(current.recurringEventId)
  if (!master) return saveIfNew(world, calendar, current, after)
  const { visibility, ...rest } = after
  if (isStricter(after, master)) saveSeries(world, calendar, master, { ...unstamped(master), visibility })
  const shared = { ...rest, visibility: isStricter(after, master) ? visibility : master.visibility }
  return saveIfNew(world, calendar, storedEvent({ world, calendar }, current.id), inOrder(shared))
}

/** A body merged into what was there, but for what the request must say that it knows of. */
const readBody = (
  base: object,
  { attachments: _, conferenceData: __, eventLabelId: ___, ...body }: EventBody,
): EventDraft => merged(base, body)

export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined): void {
  const current = writableEvent(access, eventId)
  if (current.status === 'cancelled') refuse('deleted')
  requireMatch(current.etag, ifMatch)
  const gone = cancelEvent(access.world, access.calendar, current)
  if (isMaster(current)) spread(access.world, access.calendar, current, gone)
}

export function cancelAll(world: World, calendar: StoredCalendar): void {
  for (const event of world.events.of(calendar.id).values()) {
    if (event.status !== 'cancelled') cancelEvent(world, calendar, event)
  }
}
