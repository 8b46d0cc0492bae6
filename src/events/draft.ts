import { hangoutLinkOf, readConferenceData } from '../conferences/conference.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { readAttachments } from './attachments.ts'
import { readAttendees } from './attendees.ts'
import { COLORS } from './colors.ts'
import { readProperties } from './extendedProperties.ts'
import { type Composed, eventInOrder, type Origin } from './fields.ts'
import { readGadget } from './gadget.ts'
import { htmlLink } from './ids.ts'
import { readLabel } from './labels.ts'
import { readRecurrence } from './limits.ts'
import { readReminders, sorted } from './reminders.ts'
import { sequenceOf } from './sequence.ts'
import { seriesLink } from './series.ts'
import { readTimes } from './times.ts'
import { typed } from './typedDraft.ts'
import { checkType } from './types.ts'

/** The event that a draft asks for, as it is stored, or the service's refusal of it. */
export function composeEvent(calendar: Calendar, given: EventDraft, origin: Origin, current?: Event): Composed {
  const draft = typed(given, current)
  const recurrence = readRecurrence(draft.recurrence)
  if (recurrence && origin.recurringEventId) refuse('invalidRecurrence') // behaviour 14.4
  const { start, end } = draft
  const times = readTimes({ start, end, recurring: recurrence !== undefined }, calendar.timeZone)
  const conferenceData = readConferenceData(draft.conferenceData)
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
    colorId: readColor(draft.colorId),
    start: times.start,
    end: times.end,
    recurrence,
    htmlLink: recurrence
      ? seriesLink({ id: origin.id, start: times.start, recurrence }, calendar.id)
      : htmlLink(origin.id, calendar.id),
    sequence: sequenceOf(draft, { ...times, recurrence }, current),
    attendees: readAttendees(draft.attendees, origin.organizer?.email ?? '', calendar.id, current?.attendees),
    extendedProperties: readProperties(draft.extendedProperties),
    conferenceData,
    hangoutLink: hangoutLinkOf(conferenceData),
    gadget: readGadget(draft.gadget),
    source: readSource(draft.source),
    attachments: readAttachments(draft.attachments),
    eventLabelId: readLabel(calendar, draft.eventLabelId, current),
    reminders: readEventReminders(draft.reminders, times.start.date === undefined && draft.eventType === 'default'),
    eventType: draft.eventType,
  }
  const composed = eventInOrder(read, draft, origin)
  checkType(calendar, { draft, event: composed, current })
  return composed
}

function readColor(colorId: string | undefined): string | undefined {
  if (colorId && !Object.hasOwn(COLORS.event, colorId))
    refuse('invalidValue', { field: 'colorId', problem: `no color ${colorId}` })
  return colorId
}

function readSource(source: EventDraft['source']): EventDraft['source'] {
  if (source?.url && !/^https?:\/\//i.test(source.url))
    refuse('invalidValue', { field: 'source.url', problem: 'not http or https' })
  return source
}

/** Plain timed events use the calendar's reminders and others none, unless the draft says otherwise (behaviour 3.2.10, 8.6, 14.8). */
export function readEventReminders(reminders: EventDraft['reminders'], plain: boolean): Event['reminders'] {
  const given = reminders?.overrides
  const overrides = given ? sorted(readReminders('reminders.overrides', given)) : []
  const useDefault = reminders?.useDefault ?? (given ? false : plain)
  if (useDefault && overrides.length > 0) refuse('remindersBothWays')
  if (overrides.length > 0) return { useDefault, overrides }
  return useDefault ? BY_DEFAULT : ALONE
}

/** What most events say of reminders, for all of them. */
const BY_DEFAULT = Object.freeze({ useDefault: true })
const ALONE = Object.freeze({ useDefault: false })
