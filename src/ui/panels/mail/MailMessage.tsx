import { useTimeFormat } from '../../account.ts'
import { eventPath, getEvent } from '../../api/calendar.ts'
import { callService } from '../../api/client.ts'
import type { NumberedMail, ServiceEvent } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Progress } from '../../components/Progress.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { navigate } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import { showToast } from '../../toast.ts'
import { OpenItem } from '../ItemList.tsx'

/** The details of the event are read from the calendar of the recipient, else, if that is no account, from the sender's. */
export function MailMessage({ mail }: { mail: NumberedMail }) {
  const session = useSession()
  const format = useTimeFormat()
  const { to, from, eventId, kind } = mail
  const isAccount = (address: string) =>
    session.overview.value?.accounts.some(({ email }) => email === address) === true
  const reader = [to, from].find(isAccount)
  const calendarId = reader === to ? to : mail.calendarId
  const canRead = eventId !== undefined && kind !== 'eventCancellation' && reader !== undefined
  const { data: event } = useLoader(`mail ${mail.id} ${canRead}`, async (signal): Promise<MailEvent> => {
    if (!canRead) return {}
    return getEvent(calendarId, eventId, { account: reader, signal }).catch(() => ({}))
  })
  const subject = formatSubject(mail, format)
  const isGuest = reader === to && event?.attendees?.some(({ self }) => self)
  return (
    <OpenItem label={subject} title={subject}>
      <Facts facts={{ From: mail.from, To: to, Sent: format.instant(mail.sentAt) }} />
      {event ? toParagraphs(mail, event, format).map((line) => <p key={line}>{line}</p>) : <Progress>Loading</Progress>}
      {canRead && (
        <div class="actions">
          {isGuest && (kind === 'eventCreation' || kind === 'eventChange') && (
            <fieldset class="actions" aria-label="Going?">
              <span>Going?</span>
              {ANSWERS.map(([response, title]) => (
                <Button key={response} run={() => answerMail(session, { to, eventId, response, title })}>
                  {title}
                </Button>
              ))}
            </fieldset>
          )}
          <button
            type="button"
            class="link"
            onClick={() => navigate({ panel: 'calendar', account: reader, item: `${calendarId}/${eventId}` })}
          >
            Open the event
          </button>
        </div>
      )}
    </OpenItem>
  )
}

const ANSWERS = [
  ['accepted', 'Yes'],
  ['declined', 'No'],
  ['tentative', 'Maybe'],
] as const

type Answer = { to: string; eventId: string; response: (typeof ANSWERS)[number][0]; title: string }

/** As the account of the recipient `to`. */
async function answerMail(session: WorldSession, { to, eventId, response, title }: Answer): Promise<void> {
  const { attendees, summary = '(No title)' } = await getEvent(to, eventId, { account: to })
  const { sent } = await callService({
    ...{ method: 'events.patch', verb: 'PATCH', path: eventPath(to, eventId), account: to },
    query: { sendUpdates: 'all' },
    body: { attendees: attendees?.map((guest) => (guest.self ? { ...guest, responseStatus: response } : guest)) },
  })
  showToast(session, { text: `Responded ${title} to “${summary}” as ${to}`, sent })
  session.reportChange()
}

/** As the recipient sees it. Empty if there are no details to show. */
type MailEvent = Partial<ServiceEvent>

const RESPONSES: Partial<Record<string, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  tentative: 'Tentatively accepted',
}

/** The first word of the subject and the first sentence. The service's own wording is not known. */
const KINDS: Record<NumberedMail['kind'], (mail: NumberedMail) => readonly [word: string, sentence: string]> = {
  eventCreation: ({ from }) => ['Invitation', `${from} has invited you to this event.`],
  eventChange: ({ from }) => ['Updated invitation', `${from} has changed this event.`],
  eventCancellation: ({ from }) => ['Cancelled event', `${from} has cancelled this event.`],
  eventResponse: ({ from, responseStatus = '' }) => [
    RESPONSES[responseStatus] ?? 'Response',
    `${from} has responded: ${RESPONSES[responseStatus]?.toLowerCase() ?? 'no answer yet'}.`,
  ],
  agenda: () => ['Agenda', 'Your events today.'],
  reminder: () => ['Reminder', 'This event starts soon.'],
  acl: ({ from }) => ['Shared calendar', `${from} has shared a calendar with you.`],
}

/** An agenda has the time at which it was sent, and a shared calendar its id. */
export function formatSubject(mail: NumberedMail, format: TimeFormat): string {
  const own: Partial<Record<NumberedMail['kind'], string>> = {
    agenda: format.instant(mail.sentAt),
    acl: mail.calendarId,
  }
  const title = mail.summary ?? own[mail.kind] ?? '(No title)'
  return `${KINDS[mail.kind](mail)[0]}: ${title}`
}

function toParagraphs(mail: NumberedMail, event: MailEvent, format: TimeFormat): readonly string[] {
  const { start, end, location, description, hangoutLink, attendees = [] } = event
  return [
    KINDS[mail.kind](mail)[1],
    ...(start ? [`When: ${format.range(start, end ?? start)}`] : []),
    ...(location ? [`Where: ${location}`] : []),
    ...(hangoutLink ? [`Joining info: ${hangoutLink}`] : []),
    ...(attendees.length > 0
      ? [`Guests: ${attendees.map(({ displayName, email }) => displayName ?? email).join('; ')}`]
      : []),
    ...(description ? [description] : []),
    ...(mail.events ?? []).map((one) => `${format.range(one.start, one.start)}: ${one.summary ?? '(No title)'}`),
    `Calendar: ${mail.calendarId}`,
  ]
}
