import { useEffect, useState } from 'preact/hooks'
import type { Mail as AMail } from '../../wire/mail.ts'
import { call } from '../client.ts'
import { instant } from '../moments.ts'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Shown } from '../parts/shown.tsx'
import { Table } from '../parts/table.tsx'
import { useControl } from '../reading.ts'
import { go, route } from '../route.ts'
import { steer } from '../steer.ts'
import { type About, letterOf, pageOf } from './letter.ts'

/** The outbox: what the service would have mailed. The one that the address names (`item`: how many came before it) is open. */
export default function Mail() {
  const [to, setTo] = useState('')
  const read = useControl<{ mail: AMail[] }>('/mail')
  return (
    <Shown read={read}>
      {({ mail }) => {
        const rows = mail.map((one, at) => ({ one, at })).filter(({ one }) => to === '' || one.to === to)
        const open = mail[Number(route.value.item || -1)]
        return (
          <>
            <div class="actions">
              <Addressee mail={mail} to={to} choose={setTo} />
              <Button
                disabled={mail.length === 0}
                confirm={`Empty the outbox? ${mail.length === 1 ? '1 mail is' : `${mail.length} mails are`} lost.`}
                act={() => emptied()}
              >
                Empty the outbox
              </Button>
            </div>
            <Table
              caption="Mail"
              rows={rows.reverse()}
              keyOf={({ at }) => at}
              none="Nobody has been written to. Mail goes out where a write says sendUpdates=all, and of reminders that are due."
              columns={[
                { title: 'To', cell: ({ one }) => one.to },
                { title: 'From', cell: ({ one }) => one.from },
                {
                  title: 'Subject',
                  cell: ({ one, at }) => (
                    <button type="button" class="link" onClick={() => go({ item: String(at) })}>
                      {letterOf(one).subject}
                    </button>
                  ),
                },
                { title: 'Sent', cell: ({ one }) => instant(one.sentAt) },
              ]}
            />
            {open && <Letter key={route.value.item} mail={open} />}
          </>
        )
      }}
    </Shown>
  )
}

async function emptied(): Promise<void> {
  const { cleared } = await steer<{ cleared: number }>('DELETE', '/mail', 'Emptied the outbox')
  if (cleared > 0) go({ item: '' }, { replace: true })
}

function Addressee({ mail, to, choose }: { mail: readonly AMail[]; to: string; choose(to: string): void }) {
  const addresses = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...mail.map(({ to }) => to),
  ])
  return (
    <label>
      Written to{' '}
      <select value={to} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">anybody</option>
        {[...addresses].sort().map((address) => (
          <option key={address} value={address}>
            {address}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A mail as mail looks. Whoever got it may read of its event what their own calendar shows them. */
function Letter({ mail }: { mail: AMail }) {
  const [about, setAbout] = useState<About>()
  const { to, eventId, kind } = mail
  const known = overview.value?.accounts.some(({ email }) => email === to) === true && kind !== 'eventCancellation'
  useEffect(() => {
    if (eventId === undefined || !known) {
      setAbout({})
      return
    }
    const path = `/calendars/${encodeURIComponent(to)}/events/${encodeURIComponent(eventId)}`
    // Who has no calendar here, or whose copy is gone, is told less.
    call<About>({ method: 'events.get', path, account: to }).then(
      ({ data }) => setAbout(data),
      () => setAbout({}),
    )
  }, [to, eventId, known])
  const letter = letterOf(mail, about)
  return (
    <article class="letter" aria-label={letter.subject}>
      <header>
        <h2>{letter.subject}</h2>
        <dl>
          <dt>From</dt>
          <dd>{mail.from}</dd>
          <dt>To</dt>
          <dd>{mail.to}</dd>
          <dt>Sent</dt>
          <dd>{instant(mail.sentAt)}</dd>
        </dl>
      </header>
      {about && <iframe title={`The mail: ${letter.subject}`} sandbox="" srcdoc={pageOf(letter)} />}
    </article>
  )
}
