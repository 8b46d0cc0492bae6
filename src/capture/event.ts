import { isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import type { SeedAccount, SeedEvent } from '../wire/seeds/seed.ts'
import { same, without } from '../wire/values/merge.ts'
import type { Shown } from './service.ts'

type Person = SeedEvent['organizer']
export type OwnReminders = NonNullable<SeedAccount['reminders']>[number]

/** An event as a seed has it, and the reminders that are those of whoever looked at it. */
export type CapturedEvent = { event: SeedEvent; reminders?: OwnReminders }

/** Who looked at a calendar, and who owns its data. */
export type Looking = { calendarId: string; owner: string; email: string; isPrimary: boolean }

/** What each write of the service sets anew. */
const STAMPS = ['kind', 'etag', 'updated', 'htmlLink'] as const

/** The events of a list: series before their changed instances, and of what is cancelled only instances. */
export function captureEvents(items: readonly Shown[], looking: Looking): CapturedEvent[] {
  const events = items as readonly SeedEvent[]
  const series = new Set(events.filter(({ recurrence }) => recurrence).map(({ id }) => id))
  const isInstance = ({ recurringEventId }: SeedEvent) => series.has(recurringEventId)
  const shown = events.filter(
    (event) => event.status !== 'cancelled' || (isInstance(event) && event.originalStartTime != null),
  )
  return [...shown.filter((one) => !isInstance(one)), ...shown.filter(isInstance)].map((event) =>
    captured(isInstance(event) ? event : without(event, 'recurringEventId', 'originalStartTime'), looking),
  )
}

function captured(event: SeedEvent, looking: Looking): CapturedEvent {
  const { creator, organizer, attendees, reminders, ...said } = without(event, ...STAMPS)
  if (event.status === 'cancelled') return { event: { ...said, status: 'cancelled' } }
  const own = isKeepers(event, looking)
  const { calendarId, owner } = looking
  const aside = !own && reminders && !same(reminders, { useDefault: event.start?.date == null })
  return {
    event: {
      ...said,
      ...(isSaid(creator, owner) && { creator: without(creator ?? {}, 'self') }),
      ...(isSaid(organizer, calendarId) && { organizer: without(organizer ?? {}, 'self') }),
      ...(attendees && { attendees: [...attendees.map((one) => without(one, 'self', 'organizer')), ...unseen(event)] }),
      ...(own && reminders && { reminders }),
    },
    ...(aside && event.id && { reminders: { calendarId, eventId: event.id, ...reminders } as OwnReminders }),
  }
}

/** Somebody in place of the guests who are not to be seen: else there would be none (behaviour 7.18). */
const unseen = ({ attendeesOmitted, guestsCanSeeOtherGuests }: SeedEvent) =>
  attendeesOmitted && guestsCanSeeOtherGuests === false ? [{ email: 'other-guests@example.com' }] : []

/** Somebody else than a seed would name by itself, or somebody with a name. */
const isSaid = (person: Person, itself: string): boolean =>
  person?.email != null && (person.email !== itself || person.displayName != null)

/** Whether the reminders that are shown are those of the event itself (behaviour 7.12). */
function isKeepers({ creator }: SeedEvent, { calendarId, email, isPrimary }: Looking): boolean {
  return calendarId === email || isPublicCalendar(calendarId) || (!isPrimary && creator?.email === email)
}
