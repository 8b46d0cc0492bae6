import type { Event, EventAttendee, EventDateTime } from '../schema/event.ts'
import { EVENT_TYPE_VALUES, type EventType } from '../schema/eventTypeValues.ts'
import { formatTime, withoutMilliseconds } from './times.ts'

/** `OUT_OF_OFFICE` for `outOfOffice` */
const toEnumValue = (type: string): string => type.replace(/[A-Z]/g, '_$&').toUpperCase()

/** The event types of REST, by those of the tools. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPE_VALUES.map((type) => [toEnumValue(type), type]),
)

/** An event in a reply of a tool: at most 26 fields (behaviour 17.4). */
export type ToolEvent = Readonly<Record<string, unknown>>

/**
 * Returns a value without empty parts, at any depth: the service leaves out empty texts and lists, false, 0 and objects
 * without fields (behaviour 17.4). Returns undefined if nothing is left. The values of `ALWAYS_SHOWN` are kept.
 */
export function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === false || value === 0 || value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? item)
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).flatMap(([name, part]) => {
    const shown = ALWAYS_SHOWN.has(name) && part !== undefined ? part : withoutEmpty(part)
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
/** Flags that a reply contains only if they differ from their default, which is true, and the minutes of a reminder. */
const ALWAYS_SHOWN = new Set(['guestsCanInviteOthers', 'guestsCanSeeGuests', 'minutes'])

/** An empty reply is `{}`. */
export const toReply = (value: object): object => (withoutEmpty(value) ?? {}) as object

/** Returns an event with its times in a zone. */
export function toToolEvent(event: Event, zone: string): ToolEvent {
  const toToolTime = ({ date, dateTime, timeZone }: EventDateTime) => ({
    // A date is midnight of that day in UTC (behaviour 17.4).
    date: date && `${date}T00:00:00Z`,
    dateTime: dateTime && formatTime(Date.parse(dateTime), zone),
    timeZone,
  })
  const { summary, description, location, id, status, htmlLink, colorId, recurrence, recurringEventId } = event
  const isFree = event.transparency === 'transparent'
  return toReply({
    ...{ id, summary, description, location, status, htmlLink, colorId, recurrence, recurringEventId },
    start: toToolTime(event.start),
    end: toToolTime(event.end),
    originalStartTime: event.originalStartTime && toToolTime(event.originalStartTime),
    organizer: toPrincipal(event.organizer),
    creator: toPrincipal(event.creator),
    attendees: event.attendees?.map(toToolAttendee),
    availability: isFree ? 'AVAILABILITY_FREE' : undefined,
    transparency: isFree ? 'transparent' : undefined,
    visibility: event.visibility === 'default' ? undefined : event.visibility,
    conferenceUrl: findConferenceUrl(event),
    attachments: event.attachments?.map(({ fileUrl, title }) => ({ fileUrl, title })),
    eventType: toEnumValue(event.eventType ?? 'default'),
    created: event.created && withoutMilliseconds(event.created),
    updated: withoutMilliseconds(event.updated),
    guestPermissions: {
      guestsCanInviteOthers: event.guestsCanInviteOthers === false ? false : undefined,
      guestsCanModify: event.guestsCanModify,
      guestsCanSeeGuests: event.guestsCanSeeOtherGuests === false ? false : undefined,
    },
    overrideReminders: event.reminders?.overrides?.map(({ method, minutes }) => ({ method, minutes })),
    workingLocationProperties: toWorkingLocation(event),
  }) as ToolEvent
}

const toPrincipal = (person: { email?: string; displayName?: string; self?: boolean } | undefined) =>
  person && { displayName: person.displayName, email: person.email, self: person.self }

function toToolAttendee(attendee: EventAttendee): object {
  const { email, displayName, responseStatus, optional, resource, additionalGuests, comment, id, self, organizer } =
    attendee
  const names = { email, displayName, responseStatus, optionalAttendee: optional, resource, additionalGuests }
  return { ...names, comment, id, self, organizer }
}

function findConferenceUrl({ hangoutLink, conferenceData }: Event): string | undefined {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')
  return hangoutLink ?? video?.uri
}

/** Returns the place of work. An office of the organization has no type of its own (behaviour 17.9). */
function toWorkingLocation({ workingLocationProperties: place }: Event): object | undefined {
  if (!place) return undefined
  if (place.type === 'homeOffice') return { type: 'HOME_OFFICE' }
  return { type: 'CUSTOM_LOCATION', customLocationLabel: place.customLocation?.label ?? place.officeLocation?.label }
}
