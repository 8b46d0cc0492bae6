import { useState } from 'preact/hooks'
import { SYNCED_LISTS } from '../../api/shared.ts'
import { Field, Form, parseNumber, Select } from '../../components/Form.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useSession } from '../../session.ts'
import { Card } from '../TableCard.tsx'

/** With "After uses", tokens are valid for so many uses first. */
export function SyncTokensCard() {
  const { overview } = useSession()
  const control = useControlAction()
  const [account, setAccount] = useState('')
  const [calendarId, setCalendarId] = useState('')
  const [collection, setCollection] = useState('')
  const [afterUses, setAfterUses] = useState('')
  const uses = parseNumber(afterUses)
  const parts = [account, calendarId && `calendar ${calendarId}`, collection].filter(Boolean)
  const which = `Sync tokens${parts.length > 0 ? ` of ${parts.join(', ')}` : ''}`
  const expire = () =>
    control(
      'POST',
      '/syncTokens/expire',
      uses === undefined ? `${which} now get 410` : `${which} get 410 after ${uses} uses`,
      {
        account: account || undefined,
        calendarId: calendarId.trim() || undefined,
        collection: collection || undefined,
        afterUses: uses,
      },
    )
  return (
    <Card title="Sync tokens">
      <p class="muted">An expired sync token gets 410, and the client has to start over.</p>
      <Form label="Expire sync tokens" submit="Expire" run={expire}>
        <Select
          label="Account"
          value={account}
          change={setAccount}
          options={[
            ['', 'All accounts'],
            ...(overview.value?.accounts ?? []).map(({ email }) => [email, email] as const),
          ]}
        />
        <Field label="Calendar" value={calendarId} change={setCalendarId} placeholder="bob@example.com" />
        <Select
          label="Collection"
          value={collection}
          change={setCollection}
          options={[['', 'All'], ...SYNCED_LISTS.map((name) => [name, name] as const)]}
        />
        <Field label="After uses" type="number" min={1} value={afterUses} change={setAfterUses} placeholder="0" />
      </Form>
    </Card>
  )
}
