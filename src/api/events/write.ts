import { storedEvents } from '../../effects/eventReader.ts'
import { findMeeting, type MeetingWrite, resolveResponses } from '../../effects/guests.ts'
import { planGuestWrite } from '../../effects/guestWrite.ts'
import { runEffects } from '../../effects/runEffects.ts'
import { commitWrites, WritePlan } from '../../effects/writePlan.ts'
import {
  type Access,
  atLeast,
  isPrimary,
  isServiceAccount,
  requireEvent,
  requireEventMatch,
} from '../../model/access.ts'
import { addressesWithoutResponse, isOrganizerCopy, withoutIds } from '../../model/events/attendees.ts'
import {
  type Composed,
  changedFields,
  eventInOrder,
  fieldsWhere,
  isPrivate,
  isStricter,
  isTombstone,
  type Origin,
  ruleOf,
  withoutStamps,
} from '../../model/events/fields.ts'
import type { EventIdentity } from '../../model/events/ids.ts'
import type { MailParams } from '../../model/mail.ts'
import type { OwnReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { formatInstant } from '../../recurrence/format.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDraft } from '../../schema/event.ts'
import { isEqual, mergePatch, without } from '../../schema/values/merge.ts'
import type { FeatureVersions } from './gatedFields.ts'

/** The parameters of methods that write an event. */
export type WriteParams = MailParams & FeatureVersions
/** The parts of a `patch` or `update` request that decide about the write. */
export type WriteRequest = { body: EventBody; params: WriteParams; ifMatch: string | undefined }

/**
 * Returns the event, or the instance of a series, that a request may write. Throws `notFound` (404), `needsRole` (403)
 * for a private event and a role without private access (behaviour 7.6), and `staleEtag` (412).
 */
export function requireWritableEvent(access: Access, eventId: string, ifMatch?: string): Event {
  const event = requireEvent(access, eventId)
  requirePrivateAccess(access, event)
  requireEventMatch(access, event, ifMatch)
  return event
}

/** Throws `needsRole` if an event is private and the role has no private access (behaviour 7.6). */
export function requirePrivateAccess({ role }: Access, event: Event): void {
  if (isPrivate(event) && !atLeast(role, 'writer')) throw apiError('needsRole', { role: 'writer' })
}

const NOT_OF_BODIES = fieldsWhere(({ body }) => body !== undefined)

/** Merges a body into a base, without the fields that `readGatedFields` decides on and those that no body sets. */
export function readBody(base: object, body: EventBody): EventDraft {
  const fields: EventBody = without(body, ...(NOT_OF_BODIES as (keyof EventBody)[]))
  return mergePatch(base, fields.attendees ? { ...fields, attendees: withoutIds(fields.attendees) } : fields)
}

/** A composed change of an event, ready to be planned. */
export type ComposedWrite = {
  current: Event
  draft: EventDraft
  composed: Composed
  /** The caller's reminders, if they are stored apart from the event and have changed. */
  ownReminders: OwnReminders | undefined
}

/**
 * Plans and commits a patch or an update, and runs its effects. Returns the event as they leave it, or `current` if
 * nothing changes. Throws `forbidden` for a change of a locked event.
 */
export function writeEvent(access: Access, write: ComposedWrite, params: WriteParams): Event {
  const { current, draft, composed, ownReminders } = write
  const { world, calendar } = access
  if (current.locked && changedFields(current, composed).some((field) => ruleOf(field).locks)) {
    throw apiError('forbidden')
  }
  if (!isEqual([current.attendees], [composed.attendees])) requireInviter(access, composed)
  const meetingBefore = findMeeting(storedEvents(world), calendar.id, current).event
  const plan = new WritePlan(world)
  if (isOrganizerCopy(current, calendar.id)) planOrganizerWrite(plan, calendar, current, composed, draft)
  else planGuestWrite(plan, calendar.id, current, composed)
  // The caller's own reminders change the etag like reminders in the event do (behaviour 5.1).
  if (ownReminders && plan.isEmpty) plan.put(calendar.id, withoutStamps(current), current.updated)
  if (ownReminders) plan.reminders.push(ownReminders)
  if (plan.isEmpty) return current
  commitWrites(plan)
  const after = requireEvent(access, current.id)
  return runEffects(access, { before: current, after, meetingBefore }, params)
}

/**
 * Plans an organizer's write. Visibility belongs to the series: a stricter visibility of an instance is written to the
 * series, a laxer visibility is ignored (behaviour 4.5.2). Plans nothing if nothing changes.
 */
function planOrganizerWrite(
  plan: WritePlan,
  calendar: StoredCalendar,
  current: Event,
  composed: Composed,
  draft: EventDraft,
): void {
  const after = withResponses(plan.world, byOrganizer(calendar, draft.attendees), current, composed)
  const master = current.recurringEventId && plan.record(calendar.id, current.recurringEventId)
  if (!master) {
    plan.putIfChanged(calendar.id, current, after)
    return
  }
  const stricter = isStricter(after, master)
  const { visibility } = stricter ? after : master
  if (stricter) plan.put(calendar.id, eventInOrder({ ...withoutStamps(master), visibility }))
  const instance = plan.find(calendar.id, current.id) ?? current
  plan.putIfChanged(calendar.id, instance, eventInOrder({ ...after, visibility }))
}

/** Returns an organizer's write. `given` are the attendees in the body. */
export const byOrganizer = ({ id }: StoredCalendar, given?: EventDraft['attendees']): MeetingWrite => ({
  calendarId: id,
  by: id,
  withoutResponse: addressesWithoutResponse(given),
})

/** Returns an event with its attendees' responses as a write leaves them. */
export const withResponses = (
  world: WorldData,
  write: MeetingWrite,
  before: Event | undefined,
  after: Composed,
): Composed =>
  after.attendees ? eventInOrder({ ...after, attendees: resolveResponses(world, write, before, after) }) : after

/** Throws `forbiddenForServiceAccounts` if a service account that acts for no user invites anybody (behaviour 7.21). */
export function requireInviter({ caller }: Access, { attendees }: Composed): void {
  if (attendees?.length && isServiceAccount(caller)) throw apiError('forbiddenForServiceAccounts')
}

/** Throws `invalidTime` for a tombstone, which a move to another calendar leaves (behaviour 2.2.2). */
export function requireContent(event: Event): void {
  if (isTombstone(event)) throw apiError('invalidTime', { which: 'start' })
}

/**
 * Returns the origin of a new event: the caller is its creator, the calendar its organizer (behaviour 3.2.8). Throws
 * `loginRequired` without an account.
 */
export function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: EventIdentity): Origin {
  const email = caller.email ?? throwApiError('loginRequired')
  const created = formatInstant(Math.floor(world.clock.now() / 1000) * 1000)
  const organizer = organizerOf(world, calendar)
  if (email === calendar.id && isPrimary(world, email)) return { id, iCalUID, created, creator: organizer, organizer }
  const creator = { email, ...nameOf(world, email), ...(email === calendar.id && { self: true }) }
  return { id, iCalUID, created, creator, organizer }
}

/** Returns the display name that an account shows: none, unless a seed sets `showDisplayName` (behaviour 3.2.8). */
function nameOf(world: WorldData, email: string): { displayName?: string } {
  const { displayName, showDisplayName } = world.accounts.get(email) ?? {}
  return showDisplayName && displayName ? { displayName } : {}
}

/** Returns a calendar as the organizer of its events. */
export const organizerOf = (world: WorldData, calendar: StoredCalendar): Event['organizer'] => ({
  email: calendar.id,
  ...(isPrimary(world, calendar.id) ? nameOf(world, calendar.id) : { displayName: calendar.summary }),
  self: true,
})
