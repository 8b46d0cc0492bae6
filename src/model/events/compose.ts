import { formatLine, isRule, isTrim } from '../../recurrence/lines.ts'
import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Calendar } from '../../schema/calendar.ts'
import type { Event, EventAttendee, EventDraft } from '../../schema/event.ts'
import { addressOf, isSameAddress, shownAddress } from '../../schema/values/address.ts'
import { isEqual, without } from '../../schema/values/json.ts'
import { hangoutLinkOf, readConferenceData } from './conference.ts'
import { type Composed, eventInOrder, MAX_TEXT_LENGTHS, type Origin } from './fields.ts'
import {
  colorOfLabel,
  readAttachments,
  readGadget,
  readProperties,
  readSource,
  requireColor,
  requireLabel,
} from './fieldValues.ts'
import { htmlLink, seriesLink } from './series.ts'
import { isMoved, readTimes, type Times } from './times.ts'
import { applyTypeDefaults, checkType, readEventReminders } from './types.ts'

/**
 * A draft has the fields that a client writes, the origin those of the service; the result has no stamps. Throws an API error
 * (400) for an invalid field, `sequenceTooLow`, and the errors of `checkType`. Writes nothing.
 */
export function composeEvent(calendar: Calendar, given: EventDraft, origin: Origin, current?: Composed): Composed {
  const draft = applyTypeDefaults(given, current)
  const recurrence = draft.recurrence && readRecurrence(draft.recurrence)
  if (recurrence && origin.recurringEventId) throw apiError('invalidRecurrence') // behaviour 14.4
  const { start, end } = draft
  const times = readTimes({ start, end, recurring: recurrence !== undefined }, calendar.timeZone)
  const conferenceData = draft.conferenceData && readConferenceData(draft.conferenceData)
  const eventLabelId = draft.eventLabelId ? requireLabel(calendar, draft.eventLabelId, current) : undefined
  const colorId = draft.colorId && requireColor(draft.colorId)
  // A seed may have a link of an old call, without its conference, which later writes keep (behaviour 14.24.1).
  const linkWithoutConference = current?.conferenceData ? undefined : current?.hangoutLink
  const { id, iCalUID, created, creator, organizer, recurringEventId, originalStartTime } = origin
  const read: Composed = {
    id,
    iCalUID,
    created,
    creator,
    organizer,
    recurringEventId,
    originalStartTime,
    status: draft.status ?? 'confirmed',
    colorId: eventLabelId ? colorOfLabel(calendar, eventLabelId) : colorId,
    start: times.start,
    end: times.end,
    recurrence,
    htmlLink: recurrence
      ? seriesLink({ id: origin.id, start: times.start, recurrence }, calendar.id)
      : htmlLink(origin.id, calendar.id),
    sequence: current ? sequenceOf(draft, { ...times, recurrence }, current) : 0,
    attendees: readAttendees(draft.attendees, origin.organizer?.email ?? '', calendar.id, current?.attendees),
    extendedProperties: draft.extendedProperties && readProperties(draft.extendedProperties),
    conferenceData,
    hangoutLink: conferenceData ? hangoutLinkOf(conferenceData) : linkWithoutConference,
    gadget: draft.gadget && readGadget(draft.gadget),
    source: draft.source && readSource(draft.source),
    attachments: draft.attachments && readAttachments(draft.attachments),
    eventLabelId,
    reminders: readEventReminders(draft.reminders, draft.eventType),
    eventType: draft.eventType,
  }
  const composed = eventInOrder(read, draft, origin)
  checkType(calendar, { draft, event: composed, current })
  return composed
}

const MAX_ATTENDEES = 200

/**
 * Throws `fieldTooLong` or `invalidValue` (400). Seeds and imports have no limits, and their values may stay (behaviour 12.17).
 */
export function checkLimits(draft: EventDraft, current?: Event): void {
  for (const [field, longest] of MAX_TEXT_LENGTHS) {
    if ((draft[field]?.length ?? 0) > longest && draft[field] !== current?.[field]) throw apiError('fieldTooLong')
  }
  if ((draft.attendees?.length ?? 0) > Math.max(MAX_ATTENDEES, current?.attendees?.length ?? 0))
    throwInvalidValue('attendees', `more than ${MAX_ATTENDEES} attendees`)
}

/** The limit holds in seeds and imports too (behaviour 14.22). */
const MAX_RECURRENCE_LINES = 100
const MAX_RECURRENCE_RULES = 10
const MAX_RECURRENCE_BYTES = 64 * 1024

function readRecurrence(lines: readonly string[]): string[] | undefined {
  if (lines.length === 0) return undefined
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const rules = lines.filter(isRule).length
  if (lines.length > MAX_RECURRENCE_LINES || rules > MAX_RECURRENCE_RULES || size > MAX_RECURRENCE_BYTES)
    throw apiError('fieldTooLong')
  return lines.map(formatLine)
}

/**
 * One more for a cancellation, new times or new rules. Throws `sequenceTooLow` (400) if the draft's is below
 * the present one (behaviour 3.2.7).
 */
export function sequenceOf(
  { sequence, status }: EventDraft,
  when: Times & Pick<Event, 'recurrence'>,
  current: Composed,
): number {
  const reached = current.sequence ?? 0
  const requested = sequence ?? reached
  if (requested < reached) throw apiError('sequenceTooLow')
  const isCancellation = status === 'cancelled' && current.status !== 'cancelled'
  const hasNewRules = !isEqual(current.recurrence, when.recurrence) && !isTrim(current.recurrence, when.recurrence)
  const raises = isCancellation || isMoved(current, when) || hasNewRules
  return requested + (raises ? 1 : 0)
}

/** All properties, each given as `name=value` (behaviour 1.18). */
export const hasProperties = (
  properties: Record<string, string> | undefined,
  requested: readonly string[] = [],
): boolean =>
  requested.every((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && properties?.[pair.slice(0, at)] === pair.slice(at + 1)
  })

/** A domain needs no dot (behaviour 7.11.1). */
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * One for each address, without flags that are false (behaviour 3.2.3, 7.11). `organizer` and `self` of a request are ignored.
 * `resource` is set when an attendee is added and never changes (behaviour 7.11.1). Throws `missingAttendeeEmail` and
 * `invalidAttendeeEmail`.
 */
export function readAttendees(
  given: EventDraft['attendees'],
  organizer: string,
  calendarId: string,
  known: readonly EventAttendee[] = [],
): EventAttendee[] {
  if (!given?.length) return []
  const before = new Map(known.map(({ email, id, resource }) => [addressOf(email), { id, resource }]))
  const byEmail = new Map<string, EventAttendee>()
  for (const [at, attendee] of given.entries()) {
    const field = `attendees[${at}].email`
    const email = shownAddress(attendee.email || throwApiError('missingAttendeeEmail', { field }))
    if (!EMAIL.test(email)) throw apiError('invalidAttendeeEmail', { field, value: attendee.email ?? '' })
    const address = addressOf(email)
    const entry = { ...byEmail.get(address), ...attendee, ...before.get(address), email }
    byEmail.set(address, readAttendee(entry, organizer, calendarId))
  }
  return [...byEmail.values()]
}

const NOBODY: ReadonlySet<string> = new Set()

export function addressesWithoutResponse(given: EventDraft['attendees']): ReadonlySet<string> {
  if (!given?.length) return NOBODY
  const addresses = (some: typeof given) => some.flatMap(({ email }) => (email ? [addressOf(email)] : []))
  const responding = new Set(addresses(given.filter(({ responseStatus }) => responseStatus)))
  return new Set(addresses(given).filter((email) => !responding.has(email)))
}

/** Replaces fields of some attendees; new ones are added at the end (behaviour 7.19). Throws `missingAttendeeEmail` (400). */
export function mergeAttendees(all: readonly EventAttendee[], changed: EventDraft['attendees'] = []): EventAttendee[] {
  const byEmail = new Map(all.map((one) => [addressOf(one.email), one]))
  for (const one of changed) {
    const email = addressOf(one.email || throwApiError('missingAttendeeEmail'))
    byEmail.set(email, { ...byEmail.get(email), ...one, email: shownAddress(one.email ?? email) })
  }
  return [...byEmail.values()]
}

const readAttendee = (given: EventAttendee, organizer: string, calendarId: string): EventAttendee => ({
  ...(given.id && { id: given.id }),
  email: given.email,
  ...(given.displayName && { displayName: given.displayName }),
  ...(isSameAddress(given.email, organizer) && { organizer: true }),
  ...(isSameAddress(given.email, calendarId) && { self: true }),
  ...(given.resource && { resource: true }),
  ...(given.optional && { optional: true }),
  responseStatus: given.responseStatus ?? 'needsAction',
  ...(given.comment && { comment: given.comment }),
  ...(given.additionalGuests && { additionalGuests: given.additionalGuests }),
})

/** The organizer's event, which the guests' copies follow. A private copy has none (behaviour 7.3). */
export const isOrganizerCopy = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

export function withSelf(person: Event['organizer'], calendarId: string): Event['organizer'] {
  if (!person) return undefined
  return { ...without(person, 'self'), ...(person.email === calendarId && { self: true }) }
}
