import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { NumberedMail } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import type { Column } from '../../components/Table.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { ItemList } from '../ItemList.tsx'
import { Toolbar } from '../TableCard.tsx'
import { formatSubject, MailMessage } from './MailMessage.tsx'

/** The item in the address is the number of the open mail. */
export default function MailPanel() {
  const query = useQuery<{ mail: NumberedMail[] }>('/mail')
  return <QueryView query={query}>{({ mail }) => <Outbox mail={mail} />}</QueryView>
}

function Outbox({ mail }: { mail: readonly NumberedMail[] }) {
  const { overview } = useSession()
  const control = useControlAction()
  const format = useTimeFormat()
  const [to, setTo] = useState('')
  const accounts = (overview.value?.accounts ?? []).map(({ email }) => email)
  const addresses = [...new Set([...accounts, ...mail.map((one) => one.to)])].sort()
  const listed = mail.filter((one) => to === '' || one.to === to).reverse()
  const open = mail.find(({ id }) => String(id) === route.value.item)
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
        <Button
          icon="trash"
          disabled={mail.length === 0}
          confirm={`Empty the outbox? ${formatCount(mail.length, 'mail')} ${mail.length === 1 ? 'is' : 'are'} lost.`}
          run={clear}
        >
          Empty the outbox
        </Button>
      </Toolbar>
      {listed.length === 0 ? (
        <EmptyState icon="mail" title={to === '' ? 'No mail yet.' : `No mail to ${to}.`}>
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
          linkOf={(one) => formatSubject(one, format)}
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
