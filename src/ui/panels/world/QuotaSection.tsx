import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { QuotaState } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form, parseNumber } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { Table } from '../../components/Table.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { Section } from './Section.tsx'

export function QuotaSection() {
  const control = useControlAction()
  const query = useQuery<QuotaState>('/quota', { everyCall: true })
  const [perMinute, setPerMinute] = useState('')
  const [perUserPerMinute, setPerUser] = useState('')
  return (
    <Section id="quota" title="Quota">
      <QueryView query={query}>{(state) => <QuotaUsage state={state} />}</QueryView>
      <Form
        label="Set the quota"
        submit="Set"
        run={() =>
          control('PUT', '/quota', 'The quota is set', {
            perMinute: parseNumber(perMinute),
            perUserPerMinute: parseNumber(perUserPerMinute),
          })
        }
        actions={
          <Button disabled={!query.data?.limits} run={() => control('DELETE', '/quota', 'The quota is removed')}>
            Remove
          </Button>
        }
      >
        <Field label="Per minute" type="number" min={0} placeholder="600" value={perMinute} change={setPerMinute} />
        <Field
          label="Per minute and user"
          type="number"
          min={0}
          placeholder="60"
          value={perUserPerMinute}
          change={setPerUser}
        />
      </Form>
    </Section>
  )
}

function QuotaUsage({ state: { limits, windowStart, spent, users } }: { state: QuotaState }) {
  const format = useTimeFormat()
  if (!limits) return <p class="muted">No limits.</p>
  const { perMinute, perUserPerMinute } = limits
  const rows = [
    ['All', spent, perMinute] as const,
    ...Object.entries(users).map((one) => [...one, perUserPerMinute] as const),
  ]
  return (
    <Table
      caption={`Used since ${format.instant(windowStart)}`}
      rows={rows}
      keyOf={([user]) => user}
      columns={[
        { title: 'User', cell: ([user]) => user },
        { title: 'Used', number: true, cell: ([, count]) => count },
        { title: 'Limit', number: true, cell: ([, , limit]) => limit ?? 'none' },
      ]}
    />
  )
}
