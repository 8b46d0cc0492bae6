import { enqueueConferenceRequest } from '../effects/conferences.ts'
import { saveEvent } from '../effects/write/commit.ts'
import { newOrigin } from '../effects/write/compose.ts'
import { findOrganizerEvent, isRoom, roomResponse } from '../effects/write/propagate.ts'
import { addressesWithoutResponse, composeEvent, isOrganizerCopy, withSelf } from '../model/events/compose.ts'
import {
  type Composed,
  clientPart,
  eventInOrder,
  type Origin,
  originOf,
  toTombstone,
  withCopyPart,
  withoutStamps,
} from '../model/events/fields.ts'
import { withFileMetadata } from '../model/events/fieldValues.ts'
import { type EventIdentity, hasInstance, htmlLink, identify, instanceOf, isMaster } from '../model/events/series.ts'
import { instantOfTime, storedTime } from '../model/events/times.ts'
import { readEventReminders } from '../model/events/types.ts'
import type { StoredCalendar, WorldData } from '../model/worldData.ts'
import { formatInstant } from '../recurrence/format.ts'
import { throwApiError, throwInvalidValue } from '../schema/apiErrors.ts'
import type { Event, EventDraft } from '../schema/event.ts'
import type { WithoutNulls } from '../schema/jsonSchema.ts'
import { addressOf, shownAddress } from '../schema/values/address.ts'
import { isEqual, mergePatch, without } from '../schema/values/json.ts'
import type { SeedEvent } from './schema/seed.ts'
import { isServiceId, seedIdFromUid } from './seedIds.ts'

type Person = Event['organizer']

/**
 * Unlike a request, a seed may set fields of the service, such as `created` and `organizer`, and sends no mail. Throws an
 * ApiError: 400 for an invalid event, and `duplicate` (409) for an id that is in use.
 */
export function applyEvent(world: WorldData, calendar: StoredCalendar, seed: SeedEvent): Event {
  const draft = without(mergePatch({}, seed), 'kind', 'etag', 'updated', 'htmlLink')
  const instance = resolveInstance(world, calendar, draft)
  const origin = instance ? originOf(instance) : toSeedOrigin(world, calendar, draft)
  const existing = world.events.of(calendar.id).get(origin.id)
  if (existing)
    return isExistingGuestCopy(world, calendar, existing)
      ? updateGuestCopy(world, calendar, existing, draft)
      : throwApiError('duplicate')
  if (isDeletedStub(draft)) {
    const { id, iCalUID } = origin
    return saveEvent(world, calendar.id, toTombstone({ id, iCalUID, htmlLink: htmlLink(id, calendar.id) } as Composed))
  }
  const { sequence = 0, ...written } = instance ? { ...inheritedFields(instance, seed), ...draft } : draft
  const attachments = withFileMetadata(written.attachments, (id) => world.files.get(id))
  const composed = { ...composeEvent(calendar, { ...written, attachments }, origin), sequence }
  const attendees = withRoomResponses(world, calendar, composed, addressesWithoutResponse(draft.attendees))
  const hangoutLink = composed.hangoutLink ?? (composed.conferenceData ? undefined : draft.hangoutLink)
  return enqueueConferenceRequest(
    world,
    calendar,
    saveEvent(world, calendar.id, eventInOrder({ ...composed, attendees, hangoutLink }), {
      updated: resolveUpdated(world, seed),
    }),
  )
}

/** Undefined for the time of the write. An event is not changed before it was created, or after the present (behaviour 14.58). */
function resolveUpdated({ changes, clock }: WorldData, { created, updated }: SeedEvent): string | undefined {
  const given = Date.parse(updated ?? created ?? '')
  if (Number.isNaN(given) || (updated === undefined && given <= changes.writeTime)) return undefined
  return formatInstant(Math.min(given, clock.now()))
}

/** The form of a deleted event in an incremental answer (behaviour 14.24.1). */
const isDeletedStub = ({ id, status, start, end, recurringEventId }: WithoutNulls<SeedEvent>): boolean =>
  id !== undefined && status === 'cancelled' && !start && !end && !recurringEventId

function inheritedFields(instance: Event, seed: SeedEvent): EventDraft {
  const lacked = new Set(Object.entries(seed).flatMap(([field, value]) => (value === null ? [field] : [])))
  return Object.fromEntries(Object.entries(clientPart(instance)).filter(([field]) => !lacked.has(field))) as EventDraft
}

const isExistingGuestCopy = (world: WorldData, { id }: StoredCalendar, event: Event): boolean =>
  !isOrganizerCopy(event, id) && findOrganizerEvent(world, event) !== undefined

/** Sets the fields that each copy has for itself, such as `reminders` and `colorId`. Writes nothing if none differs. */
function updateGuestCopy(
  world: WorldData,
  calendar: StoredCalendar,
  existing: Event,
  draft: WithoutNulls<SeedEvent>,
): Event {
  const { reminders } = draft
  const own = { ...draft, ...(reminders && { reminders: readEventReminders(reminders) }) }
  const changed = eventInOrder(withCopyPart(withoutStamps(existing), own as Partial<Event>))
  return isEqual(withoutStamps(existing), changed) ? existing : saveEvent(world, calendar.id, changed)
}

/** Rooms that have no response in the seed respond (behaviour 7.17). */
const withRoomResponses = (
  world: WorldData,
  { id }: StoredCalendar,
  event: Composed,
  unanswered: ReadonlySet<string>,
) =>
  event.attendees?.map((one) => {
    const answers =
      unanswered.has(addressOf(one.email)) && isRoom(world, addressOf(one.email)) && isOrganizerCopy(event, id)
    return answers ? { ...one, ...roomResponse(world, addressOf(one.email), id, event) } : one
  })

function toSeedOrigin(world: WorldData, calendar: StoredCalendar, draft: WithoutNulls<SeedEvent>): Origin {
  const { id, iCalUID } = resolveSeedIdentity(world, draft)
  const owner = { email: calendar.dataOwner ?? calendar.id }
  const ownOrigin = newOrigin({ world, calendar, caller: owner, role: 'owner' }, { id, iCalUID })
  const resolvePerson = (value: Person, otherwise: Person) =>
    value?.email ? withSelf({ ...value, email: resolveAddress(world, value.email) }, calendar.id) : otherwise
  return {
    ...ownOrigin,
    created: draft.created ?? ownOrigin.created,
    creator: resolvePerson(draft.creator, ownOrigin.creator),
    organizer: resolvePerson(draft.organizer, ownOrigin.organizer),
  }
}

/** A person without a calendar in this world is shown as written. */
const resolveAddress = (world: WorldData, email: string): string =>
  world.calendars.get(addressOf(email)) ? addressOf(email) : shownAddress(email)

/** The id and the UID follow from each other. A seed may set both, and use the ids of split series (behaviour 14.24). */
function resolveSeedIdentity(world: WorldData, { id, iCalUID }: WithoutNulls<SeedEvent>): EventIdentity {
  if (iCalUID) return { id: id ?? seedIdFromUid(iCalUID), iCalUID }
  return id && isServiceId(id) ? { id, iCalUID: `${id}@google.com` } : identify(world.ids, { id })
}

/** Undefined without `recurringEventId` and `originalStartTime`. The series must precede the instance in the seed. */
function resolveInstance(
  world: WorldData,
  calendar: StoredCalendar,
  draft: WithoutNulls<SeedEvent>,
): Event | undefined {
  const { recurringEventId, originalStartTime } = draft
  if (!recurringEventId || !originalStartTime) return undefined
  const events = world.events.of(calendar.id)
  const slot = instantOfTime(storedTime(originalStartTime, calendar.timeZone))
  const master = events.get(recurringEventId)
  const instance = master && isMaster(master) && hasInstance(master, slot) && instanceOf(master, slot, calendar.id)
  return instance || throwInvalidValue('recurringEventId', 'no such instance')
}
