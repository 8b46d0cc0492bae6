import { useEffect, useState } from 'preact/hooks'
import { type AccountData, calendarName, useAccount, useTimeFormat } from '../../account.ts'
import { getEvent, pathOfEvent } from '../../api/calendar.ts'
import { callControl, callService } from '../../api/client.ts'
import { formatSubject } from '../../api/shared.ts'
import type { NumberedMail } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Field, Select } from '../../components/Form.tsx'
import { Link } from '../../components/Link.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import type { Column } from '../../components/Table.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader, useQuery } from '../../hooks/useQuery.ts'
import { navigate, route } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import { showToast } from '../../toast.ts'
import { AnswerButtons, type GivenResponse, RESPONSES } from '../calendar/Guests.tsx'
import { ItemList, OpenItem } from '../ItemList.tsx'
import { Toolbar } from '../TableCard.tsx'

/** The item in the address is the number of the open mail. */
export default function MailPanel() {
  const query = useQuery<{ mail: NumberedMail[] }>('/mail')
  return <QueryView query={query}>{({ mail }) => <Outbox mail={mail} />}</QueryView>
}

function Outbox({ mail }: { mail: readonly NumberedMail[] }) {
  const session = useSession()
  const { overview } = session
  const control = useControlAction()
  const format = useTimeFormat()
  const account = useAccount()
  const [to, setTo] = useState('')
  const [text, setText] = useState('')
  const accounts = (overview.value?.accounts ?? []).map(({ email }) => email)
  const addresses = [...new Set([...accounts, ...mail.map((one) => one.to)])].sort()
  const sought = text.trim().toLowerCase()
  const matches = (one: NumberedMail) =>
    `${subjectOf(one, format, account)} ${JSON.stringify(one)}`.toLowerCase().includes(sought)
  const listed = mail.filter((one) => (to === '' || one.to === to) && matches(one)).reverse()
  const open = mail.find(({ id }) => String(id) === route.value.item)
  const unread = mail.filter(({ id }) => !session.readMail.value.has(id)).length
  useEffect(() => {
    if (open) session.readMail.value = new Set([...session.readMail.peek(), open.id])
  }, [open?.id])
  const recipient: Column<NumberedMail> = { title: 'To', cell: (one) => one.to, breakable: true }
  const clear = async () => {
    await control('DELETE', '/mail', 'Emptied the outbox')
    navigate({ item: '' }, { replace: true })
  }
  return (
    <>
      <Toolbar>
        <Select
          label="Recipient"
          value={to}
          change={setTo}
          options={[['', 'All recipients'], ...addresses.map((address) => [address, address] as const)]}
        />
        <Field label="Search" type="search" placeholder="Invitation" value={text} change={setText} />
        <Button
          icon="trash"
          disabled={mail.length === 0}
          confirm={`Empty the outbox? ${formatCount(mail.length, 'mail')} ${mail.length === 1 ? 'is' : 'are'} lost.`}
          run={clear}
        >
          Empty the outbox
        </Button>
        <span role="status" class="muted">
          {unread} unread
        </span>
      </Toolbar>
      {listed.length === 0 ? (
        <EmptyState icon="mail" title={mail.length === 0 ? 'No mail yet.' : 'No mail matches.'}>
          <p>
            Mail is sent by writes with <code>sendUpdates=all</code>, and by reminders that become due.
          </p>
        </EmptyState>
      ) : (
        <ItemList
          caption="Mail, the newest first"
          rows={listed}
          idOf={({ id }) => id}
          title="Subject"
          linkOf={(one) => subjectOf(one, format, account)}
          isNew={({ id }) => !session.readMail.value.has(id)}
          columns={[
            recipient,
            { title: 'From', cell: ({ from }) => from, breakable: true },
            {
              title: 'Sent',
              cell: ({ sentAt }) => <time dateTime={sentAt}>{format.instant(sentAt)}</time>,
            },
          ]}
          openColumns={[recipient]}
        >
          {open && <MailMessage key={open.id} mail={open} />}
        </ItemList>
      )}
    </>
  )
}

/** The mail as it was sent. Only the chosen answer is that of now, on the calendar of the recipient, else of the sender. */
function MailMessage({ mail }: { mail: NumberedMail }) {
  const session = useSession()
  const account = useAccount()
  const format = useTimeFormat()
  const { id, to, from, start, end, eventId, kind, events = [] } = mail
  const nameOf = (address: string) => account.names.get(address) ?? address
  const isAccount = (address: string) =>
    session.overview.value?.accounts.some(({ email }) => email === address) === true
  const reader = [to, from].find(isAccount)
  const calendarId = reader === to ? to : mail.calendarId
  const canRead = eventId !== undefined && kind !== 'eventCancellation' && reader !== undefined
  const { data: event } = useLoader(`mail ${id} ${canRead}`, async (signal) =>
    canRead ? getEvent(calendarId, eventId, { account: reader, signal }).catch(() => undefined) : undefined,
  )
  const message = useLoader(`message ${id}`, async (signal) =>
    parseMailMessage((await callControl<string>('GET', `/mail/${id}.eml`, { signal })).data),
  )
  const subject = subjectOf(mail, format, account)
  const guest = event?.attendees?.find(({ email }) => email === to)
  return (
    <OpenItem label={subject} title={subject}>
      <QueryView query={message}>
        {({ rows, source, calendar }) => (
          <>
            <Facts
              facts={{
                ...{ From: from, To: to, Sent: format.instant(mail.sentAt) },
                ...{ Calendar: calendarName(account, mail.calendarId), ...rows },
                When: start && format.range(start, end ?? start),
                Guests: rows.Guests?.split(', ').map(nameOf).join(', '),
              }}
            />
            {events.map((one) => (
              <p key={one.eventId}>{`${format.range(one.start, one.start)}: ${one.summary ?? '(No title)'}`}</p>
            ))}
            {canRead && (
              <div class="actions">
                {guest && (kind === 'eventCreation' || kind === 'eventChange') && (
                  <AnswerButtons
                    answer={guest.responseStatus}
                    respond={(response) => answerMail(session, { to, reader, calendarId, eventId, response })}
                  />
                )}
                <Link to={{ panel: 'calendar', account: reader, item: `${calendarId}/${eventId}` }}>
                  Open the event
                </Link>
              </div>
            )}
            {calendar && <MessagePart title="invite.ics" text={calendar} />}
            <MessagePart title="Source" text={source} />
          </>
        )}
      </QueryView>
    </OpenItem>
  )
}

const MessagePart = ({ title, text }: { title: string; text: string }) => (
  <details>
    <summary>{title}</summary>
    <CopyableText name={title} text={text} />
  </details>
)

/** Splits a message of the server, whose parts are a text with a row for each fact, and perhaps an event in iCalendar. */
function parseMailMessage(source: string) {
  const [, boundary = ''] = /boundary="(.+)"/.exec(source) ?? []
  const [, text = '', calendar] = source
    .split(`--${boundary}`)
    .map((part) => part.slice(part.indexOf('\r\n\r\n')).trim())
    .filter((part) => part !== '--')
  const rows = text.split(/\r\n(?=\w+: )/).map((row) => row.split(/: (.*)/s).slice(0, 2))
  return { source, calendar, rows: Object.fromEntries(rows) as Record<string, string> }
}

type Answer = Record<'to' | 'reader' | 'calendarId' | 'eventId', string> & { response: GivenResponse }

/**
 * Answers as the account of the recipient `to`. A guest outside of the world has no calendar here: the service then
 * stores the answer on the organizer's calendar, which the account `reader` writes.
 */
async function answerMail(session: WorldSession, answer: Answer): Promise<void> {
  const { to, reader, calendarId, eventId, response } = answer
  const { attendees, summary = '(No title)' } = await getEvent(calendarId, eventId, { account: reader })
  const { sent } = await callService({
    ...{ method: 'events.patch', verb: 'PATCH', path: pathOfEvent(calendarId, eventId), account: reader },
    query: { sendUpdates: reader === to ? 'all' : 'none' },
    body: {
      attendees: attendees?.map((guest) => (guest.email === to ? { ...guest, responseStatus: response } : guest)),
    },
  })
  showToast(session, { text: `Responded ${RESPONSES[response]} to “${summary}” as ${to}`, sent })
  session.reportChange()
}

/** An agenda has the time at which it was sent, and a shared calendar its name. */
function subjectOf(mail: NumberedMail, format: TimeFormat, account: AccountData): string {
  const { kind, calendarId, summary = kind === 'acl' ? calendarId : '(No title)' } = mail
  const name = kind === 'acl' ? calendarName(account, calendarId) : kind === 'agenda' ? format.instant(mail.sentAt) : ''
  return formatSubject(mail, name === calendarId ? summary : name || summary)
}
