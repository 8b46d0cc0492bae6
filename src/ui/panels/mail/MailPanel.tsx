import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { eventPath, getEvent } from '../../api/calendar.ts'
import { callService } from '../../api/client.ts'
import type { EventTime, NumberedMail, ServiceEvent } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { cx } from '../../components/classNames.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Select } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Progress } from '../../components/Progress.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader, useQuery } from '../../hooks/useQuery.ts'
import { navigate, route } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import { showToast } from '../../toast.ts'
import styles from './MailPanel.module.css'

/** The item in the address is the number of the open mail. */
export default function MailPanel() {
  const [to, setTo] = useState('')
  const control = useControlAction()
  const query = useQuery<{ mail: NumberedMail[] }>('/mail')
  return (
    <QueryView query={query}>
      {({ mail }) => {
        const listed = mail.filter((one) => to === '' || one.to === to).reverse()
        const open = mail.find(({ id }) => String(id) === route.value.item)
        const clear = async () => {
          await control('DELETE', '/mail', 'Emptied the outbox')
          navigate({ item: '' }, { replace: true })
        }
        return (
          <>
            <div class={styles.toolbar}>
              <RecipientSelect mail={mail} to={to} change={setTo} />
              <Button
                icon="trash"
                disabled={mail.length === 0}
                confirm={`Empty the outbox? ${mail.length === 1 ? '1 mail is' : `${mail.length} mails are`} lost.`}
                run={clear}
              >
                Empty the outbox
              </Button>
            </div>
            {listed.length === 0 ? (
              <EmptyState icon="mail" title={to === '' ? 'No mail yet.' : `No mail to ${to}.`}>
                <p>
                  Mail is sent by writes with <code>sendUpdates=all</code>, and by reminders that become due.
                </p>
              </EmptyState>
            ) : (
              <div class={cx(styles.panel, open && styles.withMessage)}>
                <ol class={styles.list} aria-label="Mail, the newest first">
                  {listed.map((one) => (
                    <MailRow key={one.id} mail={one} isOpen={one === open} />
                  ))}
                </ol>
                {open && <MailMessage key={open.id} mail={open} />}
              </div>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

function MailRow({ mail, isOpen }: { mail: NumberedMail; isOpen: boolean }) {
  const format = useTimeFormat()
  return (
    <li>
      <button
        type="button"
        class={styles.row}
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => navigate({ item: String(mail.id) })}
      >
        <span class={styles.subject}>{formatSubject(mail, format)}</span>
        <span class={styles.to}>To {mail.to}</span>
        <span class={styles.from}>From {mail.from}</span>
        <time dateTime={mail.sentAt}>{format.instant(mail.sentAt)}</time>
      </button>
    </li>
  )
}

type RecipientProps = { mail: readonly NumberedMail[]; to: string; change(to: string): void }

function RecipientSelect({ mail, to, change }: RecipientProps) {
  const { overview } = useSession()
  const addresses = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...mail.map((one) => one.to),
  ])
  return (
    <Select
      label="Recipient"
      value={to}
      change={change}
      options={[['', 'All recipients'], ...[...addresses].sort().map((address) => [address, address] as const)]}
    />
  )
}

/** The details of the event are read from the recipient's own calendar, if there is one. */
function MailMessage({ mail }: { mail: NumberedMail }) {
  const session = useSession()
  const { overview } = session
  const format = useTimeFormat()
  const { to, eventId, kind } = mail
  const canRead =
    eventId !== undefined &&
    kind !== 'eventCancellation' &&
    overview.value?.accounts.some(({ email }) => email === to) === true
  const { data, error } = useLoader(`mail ${mail.id} ${canRead}`, async (signal): Promise<MailEvent> => {
    if (!canRead) return {}
    return getEvent(to, eventId, { account: to, signal }).then(
      (event) => event as MailEvent,
      () => ({}),
    )
  })
  const subject = formatSubject(mail, format)
  return (
    <article class={styles.message} aria-label={subject}>
      <header>
        <button type="button" class={`quiet ${styles.back}`} onClick={() => navigate({ item: '' })}>
          <Icon name="left" /> Back to the list
        </button>
        <h2>{subject}</h2>
        <dl>
          <dt>From</dt>
          <dd>{mail.from}</dd>
          <dt>To</dt>
          <dd>{mail.to}</dd>
          <dt>Sent</dt>
          <dd>{format.instant(mail.sentAt)}</dd>
        </dl>
      </header>
      <div class={styles.text}>
        {data || error ? (
          toParagraphs(mail, data ?? {}, format).map((line) => <p key={line}>{line}</p>)
        ) : (
          <Progress>Loading</Progress>
        )}
      </div>
      {canRead && eventId !== undefined && (
        <footer class="actions">
          {isInvitation(mail) && data?.attendees?.some(({ self }) => self) && (
            <fieldset class="actions" aria-label="Going?">
              <span>Going?</span>
              {ANSWERS.map(([responseStatus, title]) => (
                <Button
                  key={responseStatus}
                  {...(data.attendees?.find(({ self }) => self)?.responseStatus === responseStatus && {
                    rank: 'primary' as const,
                  })}
                  run={() => answerMail(session, { to, eventId, responseStatus, title })}
                >
                  {title}
                </Button>
              ))}
            </fieldset>
          )}
          <button
            type="button"
            class="link"
            onClick={() => navigate({ panel: 'calendar', account: to, item: `${to}/${eventId}` })}
          >
            Open the event
          </button>
        </footer>
      )}
    </article>
  )
}

const isInvitation = ({ kind }: NumberedMail): boolean => kind === 'eventCreation' || kind === 'eventChange'

const ANSWERS = [
  ['accepted', 'Yes'],
  ['declined', 'No'],
  ['tentative', 'Maybe'],
] as const

type Answer = { to: string; eventId: string; responseStatus: (typeof ANSWERS)[number][0]; title: string }

/** As the account of the recipient `to`. */
async function answerMail(session: WorldSession, { to, eventId, responseStatus, title }: Answer): Promise<void> {
  const event = await getEvent(to, eventId, { account: to })
  const attendees = event.attendees?.map((guest) => (guest.self ? { ...guest, responseStatus } : guest))
  const { sent } = await callService({
    ...{ method: 'events.patch', verb: 'PATCH', path: eventPath(to, eventId), account: to },
    ...{ query: { sendUpdates: 'all' }, body: { attendees } },
  })
  showToast(session, { text: `Responded ${title} to “${titleOfEvent(event)}” as ${to}`, sent })
  session.reportChange()
}

const titleOfEvent = ({ summary }: ServiceEvent): string => summary ?? '(No title)'

/** As the recipient sees them. */
type MailEvent = {
  start?: EventTime
  end?: EventTime
  location?: string
  description?: string
  attendees?: { email?: string; displayName?: string; responseStatus?: string; self?: boolean }[]
}

const RESPONSES = new Map([
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
  ['tentative', 'Tentatively accepted'],
])

/** The first word of the subject and the first sentence. The service's own wording is not known. */
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

/** An agenda has the time at which it was sent. */
const formatSubject = (mail: NumberedMail, format: TimeFormat): string => {
  const title = mail.summary ?? (mail.kind === 'agenda' ? format.instant(mail.sentAt) : '(No title)')
  return `${KINDS[mail.kind](mail).word}: ${title}`
}

/** `event` is empty if there are no details to show. */
function toParagraphs(mail: NumberedMail, event: MailEvent, format: TimeFormat): readonly string[] {
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
