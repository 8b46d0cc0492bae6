import {
  type Access,
  atLeast,
  isPrimary,
  isServiceAccount,
  requireEvent,
  requireEventMatch,
} from '../../model/access.ts'
import type { Phone } from '../../model/conferencePolicy.ts'
import { checkLimits, composeEvent, mergeAttendees } from '../../model/events/compose.ts'
import { conferenceAfter, conferenceOf } from '../../model/events/conference.ts'
import { withoutConferenceBlocks } from '../../model/events/conferenceBlock.ts'
import { fieldsWhere, type GatedField, isPrivate, type Origin } from '../../model/events/fields.ts'
import { withFileMetadata } from '../../model/events/fieldValues.ts'
import type { EventIdentity } from '../../model/events/series.ts'
import { requireNamedZones } from '../../model/events/times.ts'
import { isPlainType } from '../../model/events/types.ts'
import { separateReminders } from '../../model/reminders.ts'
import type { StoredCalendar, WorldData } from '../../model/worldData.ts'
import { formatInstant } from '../../recurrence/format.ts'
import { apiError, throwApiError } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDraft } from '../../schema/event.ts'
import { isEqual, mergePatch, without } from '../../schema/values/json.ts'
import type { MailParams } from '../mailbox.ts'
import type { ComposedWrite } from './plan.ts'

export type WriteParams = MailParams & FeatureVersions
export type WriteRequest = { body: EventBody; params: WriteParams; ifMatch: string | undefined }

/** Throws `notFound`, `staleEtag`, and `needsRole` for a private event without private access (behaviour 7.6). */
export function requireWritableEvent(access: Access, eventId: string, ifMatch?: string): Event {
  const event = requireEvent(access, eventId)
  requirePrivateAccess(access, event)
  if (ifMatch !== undefined) requireEventMatch(access, event, ifMatch)
  return event
}

/** Throws `needsRole` if an event is private and the role has no private access (behaviour 7.6). */
export function requirePrivateAccess({ role }: Access, event: Event): void {
  if (isPrivate(event) && !atLeast(role, 'writer')) throw apiError('needsRole', { role: 'writer' })
}

/** The id of an event, of an instance, and of a series that was split from another. Ids that derive from a UID begin with `_`. */
const EVENT_ID = /^_?[0-9a-v]+(_R?\d{8}(T\d{6}Z?)?)?$/

/** Throws `invalidSeriesId` for a `recurringEventId` that is no event id; any other is ignored (behaviour 2.2.4). */
export function checkSeriesId({ recurringEventId }: EventBody): void {
  if (recurringEventId && !EVENT_ID.test(recurringEventId)) throw apiError('invalidSeriesId')
}

const NOT_OF_BODIES = fieldsWhere(({ body }) => body !== undefined)

/** Merges a body into a base: without the fields that no body sets, and with those that `readGatedFields` decides on. */
export function readDraft(access: Access, base: object, write: GatedWrite): EventDraft {
  const fields: EventBody = without(write.body, ...(NOT_OF_BODIES as (keyof EventBody)[]))
  if (fields.description) fields.description = withoutConferenceBlocks(fields.description) ?? null
  if (fields.attendees) fields.attendees = fields.attendees.map((attendee) => without(attendee, 'id')) // behaviour 1.9.1
  return Object.assign(mergePatch(base, fields), readGatedFields(access, write))
}

/** Reminders of the caller are apart. Throws the errors of `composeEvent`. */
export function composeWrite(
  access: Access,
  { current, body }: Pick<GatedWrite, 'current' | 'body'>,
  draft: EventDraft,
  origin: Origin,
): ComposedWrite {
  if (current?.recurringEventId && body.recurrence !== undefined) throw apiError('invalidRecurrence') // behaviour 14.4
  const { attendees = [] } = current ?? {}
  if (current && body.attendeesOmitted) draft.attendees = mergeAttendees(attendees, draft.attendees) // behaviour 7.19
  checkLimits(draft, current)
  requireNamedZones(body, draft)
  const event = composeEvent(access.calendar, draft, origin, current)
  return { draft, ...separateReminders(access, current, event) }
}

/** The caller is creator, the calendar organizer (behaviour 3.2.8). Throws `loginRequired` without an account. */
export function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: EventIdentity): Origin {
  const email = caller.email ?? throwApiError('loginRequired')
  const created = formatInstant(Math.floor(world.changes.writeTime / 1000) * 1000)
  const organizer = organizerOf(world, calendar)
  if (email === calendar.id && isPrimary(world, email)) return { id, iCalUID, created, creator: organizer, organizer }
  const creator = { email, ...shownNameOf(world, email), ...(email === calendar.id && { self: true }) }
  return { id, iCalUID, created, creator, organizer }
}

/** Returns the display name that an account shows: none, unless a seed sets `showDisplayName` (behaviour 3.2.8). */
function shownNameOf(world: WorldData, email: string): { displayName?: string } {
  const { displayName, showDisplayName } = world.accounts.get(email) ?? {}
  return showDisplayName && displayName ? { displayName } : {}
}

export function organizerOf(world: WorldData, calendar: StoredCalendar): Event['organizer'] {
  const { id } = calendar
  const name = isPrimary(world, id) ? shownNameOf(world, id) : { displayName: calendar.summary }
  const organizer = { email: id, ...name, self: true }
  if (!isEqual(organizer, lastOrganizer)) lastOrganizer = organizer
  return lastOrganizer
}

/** Shared by the events that follow each other, because most of them have the same one. */
let lastOrganizer: Event['organizer']

/** The parameters that enable fields of a body. Without them these fields are ignored. */
export type FeatureVersions = {
  conferenceDataVersion?: number | undefined
  eventLabelVersion?: number | undefined
  supportsAttachments?: boolean | undefined
}

export type GatedWrite = {
  current?: Event
  body: EventBody
  params: FeatureVersions
  how: 'insert' | 'patch' | 'update'
}

/**
 * Returns the gated fields: fields that a write changes only if a query parameter enables them, or if the caller created
 * the event (behaviour 3.9.1, 8.16, 9.1). Otherwise they keep their stored values. Throws `forbiddenForNonCreator` if
 * another caller changes `source`.
 */
function readGatedFields(access: Access, { current, body, params, how }: GatedWrite) {
  const base = how === 'patch' ? (current ?? {}) : {}
  const { source, attachments, eventLabelId } = mergePatch(base, {
    source: body.source,
    attachments: body.attachments,
    eventLabelId: body.eventLabelId,
  })
  const isCreator = !current || current.creator?.email === access.caller.email
  const givesSource = how === 'patch' ? body.source !== undefined : Boolean(body.source)
  // Other callers do not see the source, so they may omit it (behaviour 7.14.1).
  if (!isCreator && givesSource && !isEqual(source, current.source)) throw apiError('forbiddenForNonCreator')
  return {
    source: isCreator ? source : current.source,
    endTimeUnspecified: current?.endTimeUnspecified, // no body sets it (behaviour 1.9.1)
    attachments: params.supportsAttachments
      ? withFileMetadata(attachments, (id) => access.world.files.get(id))
      : current?.attachments,
    eventLabelId: params.eventLabelVersion
      ? eventLabelId
      : body.colorId && body.colorId !== current?.colorId // another colour replaces the label
        ? undefined
        : current?.eventLabelId,
    conferenceData: params.conferenceDataVersion
      ? conferenceAfter({
          given: body.conferenceData,
          before: current?.conferenceData,
          how,
          allowed: solutionsFor(access),
        })
      : (current?.conferenceData ?? (how === 'insert' ? automaticConference(access, body) : undefined)),
    ...(!current &&
      body.birthdayProperties && { birthdayProperties: { type: body.birthdayProperties.type ?? undefined } }),
  } satisfies Record<GatedField, unknown> & Partial<EventDraft>
}

/** A service account that acts for no user has none (behaviour 9.10). */
const solutionsFor = ({ calendar, caller }: Access): readonly string[] =>
  isServiceAccount(caller) ? [] : (calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? [])

/**
 * Returns the conference that the setting `autoAddHangouts` adds to events of requests without `conferenceDataVersion`
 * (behaviour 9.14).
 */
function automaticConference({ world, caller, calendar }: Access, { eventType }: EventBody) {
  const [type] = calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? []
  const wanted = caller.email && world.settings.of(caller.email).get('autoAddHangouts')?.value === 'true'
  return wanted && type && isPlainType(eventType)
    ? conferenceOf(type, { ids: world.ids, phone: phoneOf(world, calendar.id) })
    : undefined
}

/** Consumers' conferences have no telephone numbers (behaviour 9.5). */
export function phoneOf(
  world: WorldData,
  calendarId: string,
  preferred = world.conferences.policy.value.phone,
): Phone | undefined {
  const owner = world.calendars.get(calendarId)?.dataOwner ?? calendarId
  return world.accounts.get(owner)?.kind === 'workspace' ? (preferred ?? { region: 'US' }) : undefined
}
