import { isRule, writtenLine } from '../recurrence/lines.ts'
import type { Calendar } from '../wire/calendar.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { same } from '../wire/values/merge.ts'
import { readAttachments } from './attachments.ts'
import { readAttendees } from './attendees.ts'
import { COLORS } from './colors.ts'
import { hangoutLinkOf, readConferenceData } from './conference.ts'
import type { Composed } from './fields.ts'
import { eventInOrder, type Origin } from './fields.ts'
import { htmlLink } from './ids.ts'
import { readLabel } from './labels.ts'
import { readReminders, sortReminders } from './reminders.ts'
import { seriesLink } from './series.ts'
import { isMoved, readTimes, type Times } from './times.ts'
import { applyTypeDefaults, checkType } from './types.ts'

/** The event that a draft asks for, as it is stored, or the service's refusal of it. */
export function composeEvent(calendar: Calendar, given: EventDraft, origin: Origin, current?: Composed): Composed {
  const draft = applyTypeDefaults(given, current)
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
  const overrides = given ? sortReminders(readReminders('reminders.overrides', given)) : []
  const useDefault = reminders?.useDefault ?? (given ? false : plain)
  if (useDefault && overrides.length > 0) refuse('remindersBothWays')
  if (overrides.length > 0) return { useDefault, overrides }
  return useDefault ? BY_DEFAULT : ALONE
}

/** What most events say of reminders, for all of them. */
const BY_DEFAULT = Object.freeze({ useDefault: true })
const ALONE = Object.freeze({ useDefault: false })

const MOST_ATTENDEES = 200

/** How long each text of an event may be (behaviour 14.23). */
const LONGEST = { summary: 1024, location: 1024, description: 8192 } as const satisfies Partial<
  Record<keyof EventDraft, number>
>

const TEXTS = Object.entries(LONGEST) as [keyof typeof LONGEST, number][]

/**
 * Refuses what a request makes too large. Seeds and imports are not asked, and what came by them may stay as it is
 * (behaviour 12.17).
 */
export function checkLimits(draft: EventDraft, current?: Event): void {
  for (const [field, longest] of TEXTS) {
    if ((draft[field]?.length ?? 0) > longest && draft[field] !== current?.[field]) refuse('tooLarge')
  }
  if ((draft.attendees?.length ?? 0) > Math.max(MOST_ATTENDEES, current?.attendees?.length ?? 0)) {
    refuse('invalidValue', { field: 'attendees', problem: `more than ${MOST_ATTENDEES} attendees` })
  }
}

/** A recurrence holds so much, wherever it comes from (behaviour 14.22). */
const MOST_LINES = 100
const MOST_RULES = 10
const LARGEST_RECURRENCE = 64 * 1024

/** The lines of a recurrence as they are stored, if there are any. */
export function readRecurrence(lines: readonly string[] = []): string[] | undefined {
  if (lines.length === 0) return undefined
  const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const rules = lines.filter(isRule).length
  if (lines.length > MOST_LINES || rules > MOST_RULES || size > LARGEST_RECURRENCE) refuse('tooLarge')
  return lines.map(writtenLine)
}

/** A sequence that a write says must not be below the one reached (behaviour 3.2.7). */
export function sequenceOf(
  { sequence, status }: EventDraft,
  when: Times & Pick<Event, 'recurrence'>,
  current: Composed | undefined,
): number {
  if (!current) return 0
  const reached = current.sequence ?? 0
  const asked = sequence ?? reached
  if (asked < reached) refuse('sequenceTooLow')
  const goes = status === 'cancelled' && current.status !== 'cancelled'
  const raises = goes || isMoved(current, when) || !same(current.recurrence, when.recurrence)
  return asked + (raises ? 1 : 0)
}

type Gadget = EventDraft['gadget']

/**
 * A gadget as stored: sizes of at least a pixel, links over https, preferences without empty maps (behaviour 3.2.14).
 */
export function readGadget(given: Gadget): Gadget {
  if (!given) return undefined
  for (const size of ['width', 'height'] as const) {
    if ((given[size] ?? 1) < 1) refuse('invalidValue', { field: `gadget.${size}`, problem: 'must be greater than 0' })
  }
  for (const link of ['link', 'iconLink'] as const) {
    if (given[link] && !/^https:\/\//i.test(given[link])) {
      refuse('invalidValue', { field: `gadget.${link}`, problem: 'not https' })
    }
  }
  const { type, title, link, iconLink, width, height, display, preferences } = given
  const read = { type, title, link, iconLink, width, height, display, preferences }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => isSaid(value)))
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0)

type Properties = Record<string, string>

const LONGEST_KEY = 44
const LONGEST_VALUE = 1024
const MOST = 300
const LARGEST = 32 * 1024

/** Properties as stored: a key too long is dropped, a value too long is cut, too many are refused (behaviour 12.8). */
export function readProperties(given: EventDraft['extendedProperties']): Event['extendedProperties'] {
  if (!given) return undefined
  const read = (properties: Properties | undefined): Properties =>
    Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([key]) => key.length <= LONGEST_KEY)
        .map(([key, value]) => [key, value.slice(0, LONGEST_VALUE)]),
    )
  const [secret, shared] = [read(given.private), read(given.shared)]
  const all = [...Object.entries(secret), ...Object.entries(shared)]
  const size = all.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (all.length > MOST || size > LARGEST) {
    refuse('invalidValue', {
      field: 'extendedProperties',
      problem: `more than ${MOST} properties or ${LARGEST / 1024} kB`,
    })
  }
  return {
    ...(Object.keys(secret).length > 0 && { private: secret }),
    ...(Object.keys(shared).length > 0 && { shared }),
  }
}

/** Whether an event has every one of the properties asked for as `name=value` (behaviour 1.18). */
export const hasProperties = (properties: Properties | undefined, asked: readonly string[] = []): boolean =>
  asked.every((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && properties?.[pair.slice(0, at)] === pair.slice(at + 1)
  })
