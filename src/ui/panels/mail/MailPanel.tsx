import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import type { NumberedMail } from '../../api/types.ts'
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
import { useSession } from '../../session.ts'
import styles from './MailPanel.module.css'
import { linesOf, type MailEvent, subjectOf } from './message.ts'

/** The outbox: the mail that the service would have sent. The address names the open one by its number. */
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
              <Recipient mail={mail} to={to} change={setTo} />
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
                {open && <Message key={open.id} mail={open} />}
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
        <span class={styles.subject}>{subjectOf(mail, format)}</span>
        <span class={styles.to}>To {mail.to}</span>
        <span class={styles.from}>From {mail.from}</span>
        <time dateTime={mail.sentAt}>{format.instant(mail.sentAt)}</time>
      </button>
    </li>
  )
}

type RecipientProps = { mail: readonly NumberedMail[]; to: string; change(to: string): void }

function Recipient({ mail, to, change }: RecipientProps) {
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

/** A mail. The details of its event come from the recipient's own calendar. */
function Message({ mail }: { mail: NumberedMail }) {
  const { overview } = useSession()
  const format = useTimeFormat()
  const { to, eventId, kind } = mail
  const canRead =
    eventId !== undefined &&
    kind !== 'eventCancellation' &&
    overview.value?.accounts.some(({ email }) => email === to) === true
  const { data, error } = useLoader(`mail ${mail.id} ${canRead}`, async (signal): Promise<MailEvent> => {
    if (!canRead) return {}
    // A recipient without a calendar or without the event gets a mail without details.
    return getEvent(to, eventId, { account: to, signal }).then(
      (event) => event as MailEvent,
      () => ({}),
    )
  })
  const subject = subjectOf(mail, format)
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
          linesOf(mail, data ?? {}, format).map((line) => <p key={line}>{line}</p>)
        ) : (
          <Progress>Loading</Progress>
        )}
      </div>
    </article>
  )
}
