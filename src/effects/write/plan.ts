import { addressesWithoutResponse, isOrganizerCopy, sequenceOf } from '../../model/events/compose.ts'
import {
  type Composed,
  changedFields,
  eventInOrder,
  FIELD_RULES,
  fieldsOf,
  isStricter,
  isTombstone,
  toCancelled,
  withoutStamps,
} from '../../model/events/fields.ts'
import { readProperties } from '../../model/events/fieldValues.ts'
import { isMaster, linkOf } from '../../model/events/series.ts'
import { type OwnReminders, withStoredReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event, EventAttendee, EventDraft } from '../../schema/event.ts'
import { isSameAddress } from '../../schema/values/address.ts'
import { isEqual, without } from '../../schema/values/json.ts'
import {
  findChangedCopies,
  findChangedExceptions,
  findOrganizerEvent,
  guestsOf,
  type Response,
  resolveResponses,
  toCalendar,
  withGuestResponse,
} from './propagate.ts'
import type { PlacedEvent, WritePlan } from './writePlan.ts'

export type ComposedWrite = {
  readonly composed: Composed
  readonly draft: EventDraft
  readonly ownReminders: OwnReminders | undefined
}

/**
 * Plans a write and everything that follows from it: the changed instances of a series (behaviour 4.6.1), and the
 * copy of every guest of an event that its organizer writes (behaviour 7.1, 7.4). It does so even if the event is
 * unchanged. All-day events take over default reminders.
 */
export function planEvent(plan: WritePlan, calendarId: string, event: Composed, updated?: string): void {
  const after = withStoredReminders(plan.world, calendarId, event)
  const before = plan.find(calendarId, after.id)
  const cancelledAt = plan.cancelledAt(calendarId, after.id)
  plan.add({ calendarId, event: after, updated })
  if (before && isMaster(before)) {
    const exceptions = findChangedExceptions(plan, calendarId, { before, cancelledAt, after })
    for (const exception of exceptions) planEvent(plan, calendarId, exception)
  }
  if (!isOrganizerCopy(after, calendarId)) return
  for (const copy of findChangedCopies(plan, before, after)) planEvent(plan, copy.calendarId, copy.event)
}

/**
 * Plans a write of `composed`, which has no stamps, unless it equals `current` without its stamps (behaviour 14.9). A
 * write that changes only reminders keeps `updated` (behaviour 5.1).
 */
export function planChangedEvent(
  plan: WritePlan,
  calendarId: string,
  current: Composed & { updated?: string },
  composed: Composed,
): void {
  const before = withoutStamps(current)
  const after = withStoredReminders(plan.world, calendarId, composed)
  if (isEqual(before, after)) return
  const isRemindersOnly = isEqual(without(before, 'reminders'), without(after, 'reminders'))
  const planned = plan.planned(calendarId, after.id)
  const updated = planned ? planned.updated : current.updated
  planEvent(plan, calendarId, after, isRemindersOnly ? updated : undefined)
}

/** Plans nothing if nothing changes. */
export function planWrite(
  plan: WritePlan,
  calendar: StoredCalendar,
  current: Event | undefined,
  { composed, draft, ownReminders }: ComposedWrite,
): void {
  if (!current) planEvent(plan, calendar.id, withResponses(plan.world, calendar, current, composed, draft))
  else if (isOrganizerCopy(current, calendar.id)) planOrganizerWrite(plan, calendar, current, composed, draft)
  else planGuestWrite(plan, calendar.id, current, composed)
  if (!ownReminders) return
  // The caller's own reminders change the etag like reminders in the event do (behaviour 5.1).
  if (current && plan.writes.size === 0) planEvent(plan, calendar.id, withoutStamps(current), current.updated)
  plan.reminders.push(ownReminders)
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
  const after = withResponses(plan.world, calendar, current, composed, draft)
  const master = current.recurringEventId && plan.record(calendar.id, current.recurringEventId)
  if (!master) {
    planChangedEvent(plan, calendar.id, current, after)
    return
  }
  const stricter = isStricter(after, master)
  const { visibility } = stricter ? after : master
  if (stricter) planEvent(plan, calendar.id, eventInOrder({ ...withoutStamps(master), visibility }))
  const instance = plan.find(calendar.id, current.id) ?? current
  planChangedEvent(plan, calendar.id, instance, eventInOrder({ ...after, visibility }))
}

function withResponses(
  world: WorldData,
  { id }: StoredCalendar,
  before: Event | undefined,
  after: Composed,
  draft: EventDraft,
): Composed {
  if (!after.attendees) return after
  const write = { calendarId: id, by: id, withoutResponse: addressesWithoutResponse(draft.attendees) }
  return { ...after, attendees: resolveResponses(world, write, before, after) }
}

/**
 * Plans a guest's change of their copy from `current` to `after` (behaviour 7.2, 7.3); a change to `cancelled`
 * declines. The guest's response and the attendees that they add reach the organizer's event, if it is in this world.
 * With `guestsCanModify` so does everything else; without it the rest changes only the copy, until the organizer's
 * next write. The organizer's event is planned first, because the copy that follows from it is then the one to which the
 * guest's own fields are written. Throws `forbiddenForNonOrganizer` for fields that only the organizer writes and for new
 * attendees if guests cannot invite, and the errors of `readProperties`.
 */
function planGuestWrite(plan: WritePlan, calendarId: string, current: Composed, after: Composed): void {
  const changed = changedFields(current, after)
  if (changed.some((field) => FIELD_RULES[field].writer === 'organizer')) throw apiError('forbiddenForNonOrganizer')
  if (after.status === 'cancelled' && current.status !== 'cancelled') {
    planDecline(plan, calendarId, current)
    return
  }
  const meeting = findOrganizerEvent(plan.world, current, plan)
  const { attendees: before = [], guestsCanInviteOthers } = current
  // A guest cannot remove other attendees or change their responses: that part of the write is ignored (behaviour 7.3).
  const isNew = ({ email, self }: EventAttendee) => !self && !before.some((one) => isSameAddress(one.email, email))
  const added = after.attendees?.filter(isNew) ?? []
  if (added.length > 0 && guestsCanInviteOthers === false) throw apiError('forbiddenForNonOrganizer')
  const fields = changed.filter((field) => FIELD_RULES[field].guest !== false)
  if (meeting) {
    const guest = after.attendees?.find(({ self }) => self)
    const attendees = withGuestResponse(meeting.event.attendees, guest, added)
    planMeetingWrite(plan, meeting, { ...meetingChanges(meeting.event, current, after, fields), attendees }, calendarId)
  }
  const copy = plan.find(calendarId, current.id) ?? current
  const attendees = meeting ? copy.attendees : after.attendees
  const own = eventInOrder({ ...withoutStamps(copy), ...fieldsOf(after, fields), attendees, status: after.status })
  planChangedEvent(plan, calendarId, copy, { ...own, htmlLink: linkOf(own, calendarId) })
  if (current.status === 'cancelled' && own.status !== 'cancelled') planReturningInstances(plan, calendarId, own)
}

/**
 * Plans a guest's changes of a meeting, as if the organizer had written them (behaviour 3.2.15, 7.3). All but the number
 * of properties was checked when the guest's copy was composed. `by` is the address of the guest.
 */
function planMeetingWrite(plan: WritePlan, { calendarId, event }: PlacedEvent, changes: Partial<Event>, by: string) {
  const changed = toCalendar(calendarId, { ...withoutStamps(event), ...changes })
  const sequence = sequenceOf(changed, changed, event)
  const attendees = resolveResponses(plan.world, { calendarId, by }, event, changed)
  planChangedEvent(plan, calendarId, event, eventInOrder({ ...changed, sequence, attendees }))
}

/** Plans the return of a series to its guest, with every changed instance that the organizer has (behaviour 7.16). */
function planReturningInstances(plan: WritePlan, calendarId: string, series: Composed): void {
  for (const id of plan.exceptionsOf(calendarId, series.id)) {
    const instance = plan.record(calendarId, id)
    const status =
      instance?.status === 'cancelled' ? findOrganizerEvent(plan.world, instance, plan)?.event.status : undefined
    if (instance && status && status !== 'cancelled')
      planEvent(plan, calendarId, { ...withoutStamps(instance), status })
  }
}

function meetingChanges(
  event: Composed,
  current: Composed,
  after: Composed,
  changed: readonly (keyof Event)[],
): Partial<Event> {
  const { private: own } = event.extendedProperties ?? {}
  const shared = after.extendedProperties?.shared
  const isShared = !isEqual([current.extendedProperties?.shared], [shared])
  const modified = changed.filter((field) => FIELD_RULES[field].owner === 'meeting' && !FIELD_RULES[field].privatePart)
  return {
    ...(current.guestsCanModify && fieldsOf(after, modified)),
    ...(isShared && {
      extendedProperties: readProperties({ ...(own && { private: own }), ...(shared && { shared }) }),
    }),
  }
}

/**
 * Plans a deletion: the organizer's cancels the event for all guests; a guest's cancels the guest's copy and declines
 * the organizer's event (behaviour 7.4).
 */
export function planDeletion(plan: WritePlan, calendarId: string, event: Composed): void {
  const sequence = (event.sequence ?? 0) + 1 // behaviour 3.2.15
  if (isOrganizerCopy(event, calendarId)) planEvent(plan, calendarId, { ...toCancelled(event), sequence })
  else planDecline(plan, calendarId, event)
}

/**
 * Plans the deletion of a guest's copy, which declines the invitation. For a series it declines every instance (behaviour
 * 7.4). Changes only the copy if the organizer has no event in this world.
 */
function planDecline(plan: WritePlan, calendarId: string, current: Composed): void {
  planEvent(plan, calendarId, toCancelled(current))
  const meeting = findOrganizerEvent(plan.world, current, plan)
  if (!meeting) return
  planAttendeeResponse(plan, meeting, calendarId, DECLINED)
  for (const id of plan.exceptionsOf(meeting.calendarId, meeting.event.id)) {
    const event = plan.record(meeting.calendarId, id)
    if (event && !isTombstone(event)) planAttendeeResponse(plan, { ...meeting, event }, calendarId, DECLINED)
  }
}

const DECLINED: Response = { responseStatus: 'declined' }

/** Plans a guest's response without another change: in the organizer's event, or in the copy if there is none in this world. */
export function planGuestResponse(plan: WritePlan, calendarId: string, copy: Composed, response: Response): void {
  planAttendeeResponse(
    plan,
    findOrganizerEvent(plan.world, copy, plan) ?? { calendarId, event: copy },
    calendarId,
    response,
  )
}

/**
 * Plans a guest's response to a meeting. A guest who was invited with a group becomes an attendee, because the next write
 * would otherwise invite them again. Plans nothing for an account that is not a guest.
 */
function planAttendeeResponse(plan: WritePlan, meeting: PlacedEvent, email: string, response: Response): void {
  const { event } = meeting
  if (!guestsOf(plan.world, event).includes(email)) return
  const guest = event.attendees?.find((one) => one.email === email)
  const attendees = withGuestResponse(event.attendees, { ...guest, email, ...response }, [])
  planMeetingWrite(plan, meeting, { attendees }, email)
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
