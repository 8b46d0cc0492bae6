import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { QuotaState } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form, parseNumber } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { TableCard } from '../TableCard.tsx'

export function QuotaCard() {
  const query = useQuery<QuotaState>('/quota', { everyCall: true })
  return <QueryView query={query}>{(state) => <QuotaUsage {...state} />}</QueryView>
}

type Usage = { user: string; used: number; limit: number | undefined }

function QuotaUsage({ limits, windowStart, spent, users }: QuotaState) {
  const control = useControlAction()
  const format = useTimeFormat()
  const [perMinute, setPerMinute] = useState('')
  const [perUserPerMinute, setPerUser] = useState('')
  const ofUsers = Object.entries(users).map(([user, used]) => ({ user, used, limit: limits?.perUserPerMinute }))
  const set = () =>
    control('PUT', '/quota', 'The quota is set', {
      perMinute: parseNumber(perMinute),
      perUserPerMinute: parseNumber(perUserPerMinute),
    })
  const number = { type: 'number', min: 0 }
  return (
    <TableCard<Usage>
      title="Quota"
      rows={limits ? [{ user: 'All', used: spent, limit: limits.perMinute }, ...ofUsers] : []}
      keyOf={({ user }) => user}
      empty="No limits."
      columns={[
        { title: 'User', cell: ({ user }) => user },
        { title: `Used since ${format.instant(windowStart)}`, number: true, cell: ({ used }) => used },
        { title: 'Limit', number: true, cell: ({ limit }) => limit ?? 'none' },
      ]}
    >
      <Form
        label="Set the quota"
        submit="Set"
        run={set}
        actions={
          <Button disabled={!limits} run={() => control('DELETE', '/quota', 'The quota is removed')}>
            Remove
          </Button>
        }
      >
        <Field label="Per minute" {...number} placeholder="600" value={perMinute} change={setPerMinute} />
        <Field label="Per minute and user" {...number} placeholder="60" value={perUserPerMinute} change={setPerUser} />
      </Form>
    </TableCard>
  )
}
