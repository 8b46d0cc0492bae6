import { isOrganizerCopy } from '../model/events/attendees.ts'
import { composeEvent } from '../model/events/compose.ts'
import {
  type Composed,
  changedFields,
  clientPart,
  eventInOrder,
  fieldsOf,
  isTombstone,
  originOf,
  ruleOf,
  toCancelled,
  withNextSequence,
  withoutStamps,
} from '../model/events/fields.ts'
import { linkOf } from '../model/events/series.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import type { Event, EventDraft } from '../schema/event.ts'
import { isEqual } from '../schema/values/merge.ts'
import {
  addedByGuest,
  findOrganizerEvent,
  guestsOf,
  type Meeting,
  resolveResponses,
  withGuestResponse,
} from './guests.ts'
import type { WritePlan } from './writePlan.ts'

/**
 * Plans a guest's write to their copy (behaviour 7.2, 7.3). The guest's response and the attendees that they add reach
 * the organizer's event. With `guestsCanModify` so does everything else; without it the rest changes only the copy,
 * until the organizer's next write. Throws `forbiddenForNonOrganizer` for fields that only the organizer writes.
 */
export function planGuestWrite(plan: WritePlan, calendarId: string, current: Composed, after: Composed): void {
  const changed = changedFields(current, after)
  if (changed.some((field) => ruleOf(field).writer === 'organizer')) throw apiError('forbiddenForNonOrganizer')
  if (after.status === 'cancelled' && current.status !== 'cancelled') {
    planDecline(plan, calendarId, current)
    return
  }
  const meeting = findOrganizerEvent(plan, current)
  const added = addedByGuest(current, after)
  const fields = changed.filter((field) => ruleOf(field).guest !== false)
  if (meeting) {
    const guest = after.attendees?.find(({ self }) => self)
    const attendees = withGuestResponse(meeting.event.attendees, guest, added)
    const changes = { ...meetingChanges(meeting.event, current, after, fields), attendees }
    plan.putIfChanged(meeting.calendarId, meeting.event, composeMeeting(plan, meeting, changes, calendarId))
  }
  const copy = plan.find(calendarId, current.id) ?? current
  const attendees = meeting ? copy.attendees : after.attendees
  const own = eventInOrder({ ...withoutStamps(copy), ...fieldsOf(after, fields), attendees, status: after.status })
  plan.putIfChanged(calendarId, copy, { ...own, htmlLink: linkOf(own, calendarId) })
  if (current.status === 'cancelled' && own.status !== 'cancelled') planReturningInstances(plan, calendarId, own)
}

/**
 * Returns the organizer's event with a guest's changes, composed as if the organizer had written them (behaviour
 * 3.2.15, 7.3).
 */
function composeMeeting(
  { world }: WritePlan,
  { calendarId, event }: Meeting,
  changes: Partial<Event>,
  by: string,
): Composed {
  const calendar = world.calendars.get(calendarId) ?? throwApiError('notFound')
  const draft = { ...clientPart(event), ...changes } as EventDraft
  const composed = composeEvent(calendar, draft, originOf(event), event)
  return eventInOrder({ ...composed, attendees: resolveResponses(world, { calendarId, by }, event, composed) })
}

/** Plans the return of a series to its guest, with every changed instance that the organizer has (behaviour 7.16). */
function planReturningInstances(plan: WritePlan, calendarId: string, series: Composed): void {
  for (const id of plan.exceptionsOf(calendarId, series.id)) {
    const instance = plan.record(calendarId, id)
    const status = instance?.status === 'cancelled' ? findOrganizerEvent(plan, instance)?.event.status : undefined
    if (instance && status && status !== 'cancelled') plan.put(calendarId, { ...withoutStamps(instance), status })
  }
}

/** Returns what a guest's write changes of the meeting: shared properties always, other fields if guests may modify. */
function meetingChanges(
  event: Composed,
  current: Composed,
  after: Composed,
  changed: readonly (keyof Event)[],
): Partial<Event> {
  const { private: own } = event.extendedProperties ?? {}
  const shared = after.extendedProperties?.shared
  const isShared = !isEqual([current.extendedProperties?.shared], [shared])
  const modified = changed.filter((field) => ruleOf(field).owner === 'meeting' && !ruleOf(field).privatePart)
  return {
    ...(current.guestsCanModify && fieldsOf(after, modified)),
    ...(isShared && { extendedProperties: { ...(own && { private: own }), ...(shared && { shared }) } }),
  }
}

/** Plans a deletion: the organizer's for all guests, a guest's only for the guest's copy (behaviour 7.4). */
export function planDeletion(plan: WritePlan, calendarId: string, event: Composed): void {
  if (isOrganizerCopy(event, calendarId)) plan.put(calendarId, withNextSequence(toCancelled(event)))
  else planDecline(plan, calendarId, event)
}

/**
 * Plans the deletion of a guest's copy, which declines the invitation. For a series it declines every instance (behaviour
 * 7.4). Changes only the copy if the organizer has no event in this world.
 */
function planDecline(plan: WritePlan, calendarId: string, current: Composed): void {
  plan.put(calendarId, toCancelled(current))
  const meeting = findOrganizerEvent(plan, current)
  if (!meeting) return
  decline(plan, meeting, calendarId)
  for (const id of plan.exceptionsOf(meeting.calendarId, meeting.event.id)) {
    const instance = plan.record(meeting.calendarId, id)
    if (instance && !isTombstone(instance)) {
      decline(plan, { calendarId: meeting.calendarId, event: instance }, calendarId)
    }
  }
}

/**
 * Plans a guest's response `declined` to a meeting. A guest who was invited with a group becomes an attendee, because the
 * next write would otherwise invite them again. Plans nothing for an account that is not a guest.
 */
function decline(plan: WritePlan, { calendarId, event }: Meeting, email: string): void {
  if (!guestsOf(plan.world, event).includes(email)) return
  const attendee = event.attendees?.find((one) => one.email === email)
  const attendees = withGuestResponse(event.attendees, { ...attendee, email, responseStatus: 'declined' }, [])
  plan.putIfChanged(calendarId, event, { ...withoutStamps(event), attendees })
}

/**
 * Plans the deletion of every event of a calendar that is not cancelled. Deletes series before their exceptions, because
 * the deletion of a series cancels its exceptions, as in `events.delete`.
 */
export function planClear(plan: WritePlan, calendarId: string): void {
  const ids = [...plan.world.events.of(calendarId).values()]
    .map(({ id, recurringEventId }) => ({ id, isException: recurringEventId !== undefined }))
    .sort((a, b) => Number(a.isException) - Number(b.isException))
  for (const { id } of ids) {
    const event = plan.record(calendarId, id)
    if (event && event.status !== 'cancelled') planDeletion(plan, calendarId, event)
  }
}
