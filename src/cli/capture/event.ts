import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import { clientPart } from '../../model/events/fields.ts'
import type { Event } from '../../schema/event.ts'
import { isEqual, without } from '../../schema/values/json.ts'
import type { SeedAccount, SeedEvent } from '../../seeds/schema/seed.ts'
import type { ServiceResource } from './service.ts'

type Person = SeedEvent['organizer']
export type CapturedReminders = NonNullable<SeedAccount['reminders']>[number]

export type CapturedEvent = { event: SeedEvent; reminders?: CapturedReminders }

export type CaptureContext = { calendarId: string; owner: string; email: string; isPrimary: boolean }

const STAMPS = ['kind', 'etag', 'updated', 'htmlLink'] as const

/**
 * Series and single events precede exceptions, each by start and then by id. Cancelled events are omitted, except cancelled
 * instances of a series in `items`. An instance whose series is not in `items` becomes a single event.
 */
export function captureEvents(items: readonly ServiceResource[], context: CaptureContext): CapturedEvent[] {
  const events = items as readonly SeedEvent[]
  const series = new Map(events.filter(({ recurrence }) => recurrence).map((event) => [event.id, event]))
  const isInstance = ({ recurringEventId }: SeedEvent) => series.has(recurringEventId)
  const shown = events.filter(
    (event) => event.status !== 'cancelled' || (isInstance(event) && event.originalStartTime != null),
  )
  const sortEvents = (some: readonly SeedEvent[]) =>
    some.toSorted((one, other) => compareKeys(eventSortKey(one), eventSortKey(other)))
  return [...sortEvents(shown.filter((one) => !isInstance(one))), ...sortEvents(shown.filter(isInstance))].map(
    (event) =>
      isInstance(event)
        ? captureException(event, series.get(event.recurringEventId), context)
        : captureEvent(without(event, 'recurringEventId', 'originalStartTime'), context),
  )
}

/** Start in milliseconds and id: it does not depend on when the event was last written. */
function eventSortKey({ start, originalStartTime, id }: SeedEvent): [number, string] {
  const time = originalStartTime ?? start
  return [Date.parse(time?.dateTime ?? time?.date ?? '') || 0, id ?? '']
}

const compareKeys = ([start, id]: [number, string], [otherStart, otherId]: [number, string]): number =>
  start - otherStart || (id < otherId ? -1 : 1)

/** A field of the series that the instance lacks is null, because it would be inherited. */
function captureException(event: SeedEvent, series: SeedEvent | undefined, context: CaptureContext): CapturedEvent {
  const captured = captureEvent(event, context)
  if (event.status === 'cancelled') return captured
  const inherited = Object.keys(without(clientPart(series as Partial<Event>), 'recurrence', 'reminders'))
  const lacking = inherited.filter((field) => !Object.hasOwn(event, field)).map((field) => [field, null])
  return { ...captured, event: { ...captured.event, ...Object.fromEntries(lacking) } }
}

function captureEvent(event: SeedEvent, context: CaptureContext): CapturedEvent {
  const { creator, organizer, attendees, reminders, ...fields } = without(event, ...STAMPS)
  if (event.status === 'cancelled') return { event: { ...fields, status: 'cancelled' } }
  const own = hasOwnReminders(event, context)
  const { calendarId, owner } = context
  const aside = !own && reminders && !isEqual(reminders, { useDefault: event.start?.date == null })
  return {
    event: {
      ...fields,
      ...(isStatedPerson(creator, owner) && { creator: without(creator ?? {}, 'self') }),
      ...(isStatedPerson(organizer, calendarId) && { organizer: without(organizer ?? {}, 'self') }),
      ...(attendees && {
        attendees: [...attendees.map((one) => without(one, 'self', 'organizer')), ...listHiddenGuests(event)],
      }),
      ...(own && reminders && { reminders }),
    },
    ...(aside && event.id && { reminders: { calendarId, eventId: event.id, ...reminders } as CapturedReminders }),
  }
}

/** A placeholder guest stands for a hidden guest list, because the event would have no guests (behaviour 7.18). */
const listHiddenGuests = ({ attendeesOmitted, guestsCanSeeOtherGuests }: SeedEvent) =>
  attendeesOmitted && guestsCanSeeOtherGuests === false ? [{ email: 'other-guests@example.com' }] : []

/** A creator or an organizer with another address than the default, or with a display name, must be in the seed. */
const isStatedPerson = (person: Person, defaultEmail: string): boolean =>
  person?.email != null && (person.email !== defaultEmail || person.displayName != null)

/** True if the shown reminders are those of the event itself (behaviour 7.12). */
function hasOwnReminders({ creator }: SeedEvent, { calendarId, email, isPrimary }: CaptureContext): boolean {
  return calendarId === email || isPublicCalendar(calendarId) || (!isPrimary && creator?.email === email)
}
