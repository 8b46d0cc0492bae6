import { newOrigin } from '../api/events/write.ts'
import { saveEvent } from '../effects/commit.ts'
import { enqueueConferenceRequest } from '../effects/conferences.ts'
import { storedEvents } from '../effects/eventReader.ts'
import { findOrganizerEvent, isRoom, roomResponse } from '../effects/guests.ts'
import { withFileMetadata } from '../model/attachments.ts'
import { addressesWithoutResponse, isOrganizerCopy, withSelf } from '../model/attendees.ts'
import { composeEvent, readEventReminders } from '../model/compose.ts'
import {
  type Composed,
  clientPart,
  copyPart,
  eventInOrder,
  type Origin,
  originOf,
  withoutStamps,
} from '../model/fields.ts'
import { type Identity, identify } from '../model/ids.ts'
import { instanceId, instanceNamed } from '../model/series.ts'
import { instantOfTime, storedTime } from '../model/times.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import type { Solid } from '../wire/json.ts'
import { refuse } from '../wire/refusals.ts'
import type { SeedEvent } from '../wire/seeds/seed.ts'
import { addressOf } from '../wire/values/address.ts'
import { merged, same, without } from '../wire/values/merge.ts'
import type { StoredCalendar, World } from '../world/world.ts'

type Person = Event['organizer']

/** Plants an event of a seed. Unlike a request, a seed may set the service's own fields, such as `created` and `organizer`. */
export function plantEvent(world: World, calendar: StoredCalendar, seed: SeedEvent): Event {
  const draft = without(merged({}, seed), 'kind', 'etag', 'updated', 'htmlLink')
  const instance = instanceMeant(world, calendar, draft)
  const origin = instance ? originOf(instance) : seededOrigin(world, calendar, draft)
  const there = world.events.of(calendar.id).get(origin.id)
  // Where the organizer's calendar was seeded before its guest's, the guest has the meeting already.
  if (there) return isGuestsCopy(world, calendar, there) ? withOwn(world, calendar, there, draft) : refuse('duplicate')
  const { sequence = 0, ...written } = instance ? { ...inherited(instance, seed), ...draft } : draft
  const attachments = withFileMetadata(written.attachments, (id) => world.files.get(id))
  const composed = { ...composeEvent(calendar, { ...written, attachments }, origin), sequence }
  const attendees = withRooms(world, calendar, composed, addressesWithoutResponse(draft.attendees))
  return enqueueConferenceRequest(
    world,
    calendar,
    saveEvent(world, calendar.id, eventInOrder({ ...composed, attendees })),
  )
}

/** What a changed instance has of its series: all but what the seed says anew, or says with `null` that it lacks. */
function inherited(instance: Event, seed: SeedEvent): EventDraft {
  const lacked = new Set(Object.entries(seed).flatMap(([field, value]) => (value === null ? [field] : [])))
  return Object.fromEntries(Object.entries(clientPart(instance)).filter(([field]) => !lacked.has(field))) as EventDraft
}

const isGuestsCopy = (world: World, { id }: StoredCalendar, event: Event): boolean =>
  !isOrganizerCopy(event, id) && findOrganizerEvent(storedEvents(world), event) !== undefined

/** A guest's copy with what the seed says of it that each copy has for itself. */
function withOwn(world: World, calendar: StoredCalendar, there: Event, draft: Solid<SeedEvent>): Event {
  const { reminders, ...said } = copyPart(draft as Partial<Event>)
  const own = draft.extendedProperties?.private
  const changed = eventInOrder<Composed>({
    ...withoutStamps(there),
    ...(said as Partial<Composed>),
    ...(reminders && { reminders: readEventReminders(reminders, there.start.date === undefined) }),
    ...(own && { extendedProperties: { ...there.extendedProperties, private: own } }),
  })
  return same(withoutStamps(there), changed) ? there : saveEvent(world, calendar.id, changed)
}

/** The rooms that a seed leaves without an answer give their own (behaviour 7.17). */
const withRooms = (world: World, { id }: StoredCalendar, event: Composed, unanswered: ReadonlySet<string>) =>
  event.attendees?.map((one) => {
    const answers = unanswered.has(one.email) && isRoom(world, one.email) && isOrganizerCopy(event, id)
    return answers ? { ...one, ...roomResponse(world, one.email, id, event) } : one
  })

/** What a series is called once it was split in two: by the id of the first, and the start of the second (behaviour 4.12.1). */
const SPLIT = /^[a-v0-9_]{5,1024}_R\d{8}(T\d{6})?$/

function seededOrigin(world: World, calendar: StoredCalendar, draft: Solid<SeedEvent>): Origin {
  const { id, iCalUID } = seededIdentity(world, draft)
  const owner = { email: calendar.dataOwner ?? calendar.id }
  const born = newOrigin({ world, calendar, caller: owner, role: 'owner' }, { id, iCalUID })
  const person = (said: Person, otherwise: Person) =>
    said?.email ? withSelf({ ...said, email: addressOf(said.email) }, calendar.id) : otherwise
  return {
    ...born,
    created: draft.created ?? born.created,
    creator: person(draft.creator, born.creator),
    organizer: person(draft.organizer, born.organizer),
  }
}

/** A seed may name both, and bring the service's own ids of split series (behaviour 14.24). */
function seededIdentity(world: World, { id, iCalUID }: Solid<SeedEvent>): Identity {
  if (id && iCalUID) return { id, iCalUID }
  return id && SPLIT.test(id) ? { id, iCalUID: `${id}@google.com` } : identify(world.ids, { id, iCalUID })
}

/** The instance that a seed changes: it names its series, which stands before it, and its original start. */
function instanceMeant(world: World, calendar: StoredCalendar, draft: Solid<SeedEvent>): Event | undefined {
  const { recurringEventId, originalStartTime } = draft
  if (!recurringEventId || !originalStartTime) return undefined
  const events = world.events.of(calendar.id)
  const slot = instantOfTime(storedTime(originalStartTime, calendar.timeZone))
  const master = events.get(recurringEventId)
  const id = master && instanceId(master, slot)
  const instance = id && instanceNamed(id, (masterId) => events.get(masterId), calendar.id)
  return instance || refuse('invalidValue', { field: 'recurringEventId', problem: 'no such instance' })
}
