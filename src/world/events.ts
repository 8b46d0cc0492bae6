import type { Event, EventBody, EventDraft } from '../wire/event.ts'
import type { Solid } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'
import type { SeedEvent } from '../wire/seed.ts'
import { type Access, atLeast, isPrimary, requireMatch } from './access.ts'
import { type Composed, compose } from './eventDraft.ts'
import { clientPart, type Origin, originOf } from './eventFields.ts'
import { htmlLink, type Identity, identify } from './eventIds.ts'
import { isPrivate } from './eventView.ts'
import { merged, same } from './merge.ts'
import { type StoredCalendar, updatedAt, type World } from './world.ts'

/** What a write may say beside its body. */
export type WriteParams = { conferenceDataVersion?: number | undefined; supportsAttachments?: boolean | undefined }

export function storedEvent({ world, calendar }: Access, eventId: string): Event {
  return world.events.of(calendar.id).get(eventId) ?? refuse('notFound')
}

export function insertEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const draft = readBody({}, body, params)
  if (draft.status === 'cancelled')
    refuse('invalidValue', { field: 'status', problem: 'an event cannot be born cancelled' })
  const identity = identify(world, draft)
  if (world.events.of(calendar.id).get(identity.id)) refuse('duplicate')
  return save(world, calendar, compose(calendar, draft, newOrigin(access, identity)))
}

/** Where a new event comes from: made by the caller, organized by the calendar (behaviour 00, 3.2). */
function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: Identity): Origin {
  const email = caller.email ?? refuse('loginRequired')
  return {
    id,
    iCalUID,
    htmlLink: htmlLink(id, calendar.id),
    created: `${new Date(world.clock.now()).toISOString().slice(0, 19)}.000Z`,
    creator: { email, ...(email === calendar.id && { self: true }) },
    organizer: {
      email: calendar.id,
      ...(!isPrimary(world, calendar.id) && { displayName: calendar.summary }),
      self: true,
    },
  }
}

/** An event of a seed: what it says of the service's own fields is taken at its word. */
export function plantEvent(world: World, calendar: StoredCalendar, seed: SeedEvent): Event {
  const { kind: _, etag: __, updated: ___, htmlLink: ____, ...draft }: Solid<SeedEvent> = merged({}, seed)
  const { id, iCalUID } = draft.id && draft.iCalUID ? { id: draft.id, iCalUID: draft.iCalUID } : identify(world, draft)
  if (world.events.of(calendar.id).get(id)) refuse('duplicate')
  const owner = { email: calendar.dataOwner ?? calendar.id }
  const born = newOrigin({ world, calendar, caller: owner, role: 'owner' }, { id, iCalUID })
  const { created = born.created, creator = born.creator, organizer = born.organizer } = draft
  const composed = compose(calendar, draft, { ...born, created, creator, organizer })
  return save(world, calendar, { ...composed, sequence: draft.sequence ?? 0 })
}

/** A private event is not for those who write without private access. */
function writableEvent(access: Access, eventId: string): Event {
  const event = storedEvent(access, eventId)
  if (isPrivate(event) && !atLeast(access.role, 'writer')) refuse('needsRole', { role: 'writer' })
  return event
}

export type EventWrite = { body: EventBody; params: WriteParams; ifMatch: string | undefined; how: 'patch' | 'update' }

/**
 * PUT replaces what clients write, PATCH merges into it (behaviour 3.9). A write that changes nothing leaves no trace
 * (behaviour 14.9), and one that changes reminders alone leaves `updated` as it was (behaviour 3.2).
 */
export function writeEvent(access: Access, eventId: string, { body, params, ifMatch, how }: EventWrite): Event {
  const { world, calendar } = access
  const current = writableEvent(access, eventId)
  requireMatch(current.etag, ifMatch)
  if (how === 'update' && current.status === 'cancelled' && (!body.status || body.status === 'cancelled'))
    refuse('forbidden')
  const draft = readBody(how === 'patch' ? clientPart(current) : untouchedByPut(current, params), body, params)
  if (how === 'patch' && body.reminders?.useDefault && !body.reminders.overrides) draft.reminders = { useDefault: true }
  if (how === 'update') draft.reminders ??= { useDefault: true } // behaviour 14.8
  const { kind: _, etag: __, updated, ...before } = current
  const after = compose(calendar, draft, originOf(current), current)
  if (same(before, after)) return current
  const { reminders: ___, ...kept } = before
  const { reminders: ____, ...wanted } = after
  return save(world, calendar, after, same(kept, wanted) ? updated : undefined)
}

/** The fields that a PUT replaces only where the request says that it knows of them (behaviour 3.9). */
function untouchedByPut(
  { attachments, conferenceData }: Event,
  { supportsAttachments, conferenceDataVersion }: WriteParams,
): EventDraft {
  return { ...(!supportsAttachments && { attachments }), ...(!conferenceDataVersion && { conferenceData }) }
}

/** A body merged into what was there, without what its request does not say that it knows of. */
function readBody(base: object, { attachments, conferenceData, ...body }: EventBody, params: WriteParams): EventDraft {
  return merged(base, {
    ...body,
    ...(params.supportsAttachments && { attachments }),
    ...(params.conferenceDataVersion && { conferenceData }),
  })
}

/** A deletion is a record: the event stays, cancelled, and its id stays taken (behaviour 2.3). */
export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined): void {
  const current = writableEvent(access, eventId)
  if (current.status === 'cancelled') refuse('deleted')
  requireMatch(current.etag, ifMatch)
  cancel(access.world, access.calendar, current)
}

export function cancelAll(world: World, calendar: StoredCalendar): void {
  for (const event of world.events.of(calendar.id).values())
    if (event.status !== 'cancelled') cancel(world, calendar, event)
}

const cancel = (world: World, calendar: StoredCalendar, { kind: _, etag: __, updated: ___, ...event }: Event): Event =>
  save(world, calendar, { ...event, status: 'cancelled' })

/** An event's etag is twice the microsecond of its last write (behaviour 00). */
function save(
  world: World,
  calendar: StoredCalendar,
  { id, status, htmlLink, created, ...event }: Composed,
  updated?: string,
): Event {
  return world.events.of(calendar.id).put(id, (revision) => ({
    kind: 'calendar#event',
    etag: `"${2 * revision}"`,
    id,
    status,
    htmlLink,
    created,
    updated: updated ?? updatedAt(revision),
    ...event,
  }))
}
