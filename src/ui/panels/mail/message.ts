import type { EventTime, NumberedMail } from '../../api/types.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'

/** The fields of an event that a mail shows, from the recipient's calendar. */
export type MailEvent = {
  start?: EventTime
  end?: EventTime
  location?: string
  description?: string
  attendees?: { email?: string; displayName?: string; responseStatus?: string }[]
}

const RESPONSES = new Map([
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
  ['tentative', 'Tentatively accepted'],
])

/** The first words of each kind of mail. The service's own wording is not known. */
const KINDS: Record<NumberedMail['kind'], (mail: NumberedMail) => { word: string; sentence: string }> = {
  eventCreation: ({ from }) => ({ word: 'Invitation', sentence: `${from} has invited you to this event.` }),
  eventChange: ({ from }) => ({ word: 'Updated invitation', sentence: `${from} has changed this event.` }),
  eventCancellation: ({ from }) => ({ word: 'Cancelled event', sentence: `${from} has cancelled this event.` }),
  eventResponse: ({ from, responseStatus = '' }) => ({
    word: RESPONSES.get(responseStatus) ?? 'Response',
    sentence: `${from} has responded: ${RESPONSES.get(responseStatus)?.toLowerCase() ?? 'no answer yet'}.`,
  }),
  agenda: () => ({ word: 'Agenda', sentence: 'Your events today.' }),
  reminder: () => ({ word: 'Reminder', sentence: 'This event starts soon.' }),
  acl: ({ from }) => ({ word: 'Shared calendar', sentence: `${from} has shared a calendar with you.` }),
}

/** An agenda is titled by its date. */
export const subjectOf = (mail: NumberedMail, format: TimeFormat): string => {
  const title = mail.summary ?? (mail.kind === 'agenda' ? format.instant(mail.sentAt) : '(No title)')
  return `${KINDS[mail.kind](mail).word}: ${title}`
}

/** Returns the paragraphs of a mail. `event` is empty if the mail is about none, or if it no longer exists. */
export function linesOf(mail: NumberedMail, event: MailEvent, format: TimeFormat): readonly string[] {
  const { start, end, location, description, attendees = [] } = event
  const guests = attendees.map(({ displayName, email = '', responseStatus = '' }) =>
    [displayName ?? email, RESPONSES.get(responseStatus)?.toLowerCase()].filter(Boolean).join(', '),
  )
  return [
    KINDS[mail.kind](mail).sentence,
    ...(start ? [`When: ${format.range(start, end ?? start)}`] : []),
    ...(location ? [`Where: ${location}`] : []),
    ...(guests.length > 0 ? [`Guests: ${guests.join('; ')}`] : []),
    ...(description ? [description] : []),
    ...(mail.events ?? []).map((one) => `${format.range(one.start, one.start)}: ${one.summary ?? '(No title)'}`),
    `Calendar: ${mail.calendarId}`,
  ]
}
