import { addressesWithoutResponse, composeEvent, isOrganizerCopy } from '../../model/events/compose.ts'
import {
  type Composed,
  changedFields,
  clientPart,
  eventInOrder,
  fieldsOf,
  isStricter,
  isTombstone,
  originOf,
  ruleOf,
  toCancelled,
  withNextSequence,
  withoutStamps,
} from '../../model/events/fields.ts'
import { instanceNamed, isMaster, linkOf } from '../../model/events/series.ts'
import { type OwnReminders, withStoredReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event, EventDraft } from '../../schema/event.ts'
import { isEqual, without } from '../../schema/values/json.ts'
import {
  addedByGuest,
  type EventReader,
  findChangedCopies,
  findChangedExceptions,
  findOrganizerEvent,
  guestsOf,
  type Meeting,
  type MeetingWrite,
  resolveResponses,
  withGuestResponse,
} from './propagate.ts'

export type PlannedWrite = {
  readonly calendarId: string
  readonly event: Composed
  readonly updated?: string | undefined
}

export type MovedRequests = { readonly eventIds: readonly string[]; readonly from: string; readonly to: string }

export type OrderedWrite = PlannedWrite & { readonly order: number; readonly cancelledAt: number }

type Step =
  | ({ readonly kind: 'write' } & PlannedWrite)
  | { readonly kind: 'copies'; readonly before: Composed | undefined; readonly after: Composed }

const FIRST_PLANNED = Number.MAX_SAFE_INTEGER / 2

/**
 * The event writes of one request. A plan is made first and stored once, by `commitWrites`, so that no collection is
 * read while it is written: `find` and `record` return the planned event, else the stored one. An event that is planned
 * twice is written once, at its last place.
 */
export class WritePlan implements EventReader {
  readonly world: WorldData
  /** True if the service makes these writes by itself: etags that clients have read still match. */
  readonly isAutomatic: boolean
  readonly reminders: OwnReminders[] = []
  readonly movedRequests: MovedRequests[] = []
  readonly #writes = new Map<string, Map<string, OrderedWrite>>()
  #size = 0

  constructor(world: WorldData, { isAutomatic = false } = {}) {
    this.world = world
    this.isAutomatic = isAutomatic
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  record(calendarId: string, id: string): Composed | undefined {
    return this.#planned(calendarId, id)?.event ?? this.world.events.of(calendarId).get(id)
  }

  /**
   * Returns an event as planned, else as stored, else the unchanged instance that the id names; undefined if there is
   * none.
   */
  find(calendarId: string, id: string): Composed | undefined {
    const masterOf = (masterId: string) => this.record(calendarId, masterId) as Event | undefined
    return this.record(calendarId, id) ?? instanceNamed(id, masterOf, calendarId)
  }

  exceptionsOf(calendarId: string, masterId: string): readonly string[] {
    const ids = new Set(this.world.events.of(calendarId).exceptionsOf(masterId))
    for (const { event } of this.#writes.get(calendarId)?.values() ?? []) {
      if (event.recurringEventId === masterId) ids.add(event.id)
    }
    return [...ids]
  }

  cancelledAt(calendarId: string, id: string): number {
    return this.#planned(calendarId, id)?.cancelledAt ?? this.world.events.of(calendarId).cancelledRevision(id)
  }

  *writes(): Generator<OrderedWrite> {
    const all = [...this.#writes.values()].flatMap((byId) => [...byId.values()])
    yield* all.sort((a, b) => a.order - b.order)
  }

  /**
   * Plans a write and everything that follows from it: the changed instances of a series (behaviour 4.6.1), and the
   * copy of every guest of an event that its organizer writes (behaviour 7.1, 7.4). It does so even if the event is
   * unchanged. `updated` is an RFC 3339 time, by default that of the write. All-day events take over default reminders.
   */
  put(calendarId: string, event: Composed, updated?: string): void {
    const steps: Step[] = [{ kind: 'write', calendarId, event, updated }]
    for (let step = steps.pop(); step; step = steps.pop()) {
      if (step.kind === 'copies') steps.push(...toSteps(findChangedCopies(this, step.before, step.after)))
      else steps.push(...this.#write(step))
    }
  }

  #write(write: PlannedWrite): Step[] {
    const { calendarId } = write
    const after = withStoredReminders(this.world, calendarId, write.event)
    const before = this.find(calendarId, after.id)
    const cancelledAt = this.cancelledAt(calendarId, after.id)
    this.#set({ ...write, event: after })
    const next: Step[] = isOrganizerCopy(after, calendarId) ? [{ kind: 'copies', before, after }] : []
    if (!before || !isMaster(before)) return next
    const instances = findChangedExceptions(this, calendarId, { before, cancelledAt, after })
    return [...next, ...toSteps(instances.map((event) => ({ calendarId, event })))]
  }

  #set({ calendarId, event, updated }: PlannedWrite): void {
    const byId = this.#writes.get(calendarId) ?? new Map<string, OrderedWrite>()
    const order = FIRST_PLANNED + this.#size++
    const known = this.cancelledAt(calendarId, event.id) || this.cancelledAt(calendarId, event.recurringEventId ?? '')
    const cancelledAt = event.status === 'cancelled' ? known || FIRST_PLANNED : 0
    byId.set(event.id, { calendarId, event, updated, order, cancelledAt })
    this.#writes.set(calendarId, byId)
  }

  /**
   * Plans a write of `composed`, which has no stamps, unless it equals `current` without its stamps (behaviour 14.9). A
   * write that changes only reminders keeps `updated` (behaviour 5.1).
   */
  putIfChanged(calendarId: string, current: Composed & { updated?: string }, composed: Composed): void {
    const before = withoutStamps(current)
    const after = withStoredReminders(this.world, calendarId, composed)
    if (isEqual(before, after)) return
    const isRemindersOnly = isEqual(without(before, 'reminders'), without(after, 'reminders'))
    const planned = this.#planned(calendarId, after.id)
    const updated = planned ? planned.updated : current.updated
    this.put(calendarId, after, isRemindersOnly ? updated : undefined)
  }

  #planned(calendarId: string, id: string): OrderedWrite | undefined {
    return this.#writes.get(calendarId)?.get(id)
  }
}

const toSteps = (writes: readonly PlannedWrite[]): Step[] =>
  writes.toReversed().map((write) => ({ kind: 'write', ...write }))

export type ComposedWrite = {
  readonly composed: Composed
  readonly draft: EventDraft
  readonly ownReminders: OwnReminders | undefined
}

/** Plans nothing if nothing changes. */
export function planWrite(
  world: WorldData,
  calendar: StoredCalendar,
  current: Event,
  { composed, draft, ownReminders }: ComposedWrite,
): WritePlan {
  const plan = new WritePlan(world)
  if (isOrganizerCopy(current, calendar.id)) planOrganizerWrite(plan, calendar, current, composed, draft)
  else planGuestWrite(plan, calendar.id, current, composed)
  // The caller's own reminders change the etag like reminders in the event do (behaviour 5.1).
  if (ownReminders && plan.isEmpty) plan.put(calendar.id, withoutStamps(current), current.updated)
  if (ownReminders) plan.reminders.push(ownReminders)
  return plan
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

export const byOrganizer = ({ id }: StoredCalendar, given?: EventDraft['attendees']): MeetingWrite => ({
  calendarId: id,
  by: id,
  withoutResponse: addressesWithoutResponse(given),
})

export const withResponses = (
  world: WorldData,
  write: MeetingWrite,
  before: Event | undefined,
  after: Composed,
): Composed =>
  after.attendees ? eventInOrder({ ...after, attendees: resolveResponses(world, write, before, after) }) : after

/**
 * Plans a guest's change of their copy from `current` to `after` (behaviour 7.2, 7.3); a change to `cancelled`
 * declines. The guest's response and the attendees that they add reach the organizer's event, if it is in this world.
 * With `guestsCanModify` so does everything else; without it the rest changes only the copy, until the organizer's
 * next write. Throws `forbiddenForNonOrganizer` for fields that only the organizer writes, and the errors of
 * `composeEvent`.
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
 * 3.2.15, 7.3). `by` is the address of the guest. Throws the errors of `composeEvent`.
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

/**
 * Plans a deletion: the organizer's cancels the event for all guests; a guest's cancels the guest's copy and declines
 * the organizer's event (behaviour 7.4).
 */
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
