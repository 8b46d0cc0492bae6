import { useState } from 'preact/hooks'
import type { QuotaState } from '../../testing/quota.ts'
import { Button } from '../parts/button.tsx'
import { Field, Fields, numberIn } from '../parts/fields.tsx'
import { Shown } from '../parts/shown.tsx'
import { Table } from '../parts/table.tsx'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'
import { useWatched } from './watching.ts'

/** How much may be asked in a minute of the world's clock, and what of it is used. */
export function QuotaPart() {
  const read = useWatched<QuotaState>('/quota')
  const [perMinute, setAll] = useState('')
  const [perUserPerMinute, setUser] = useState('')
  const set = () =>
    steer('PUT', '/quota', 'The quota is set', {
      perMinute: numberIn(perMinute),
      perUserPerMinute: numberIn(perUserPerMinute),
    })
  return (
    <Part id="quota" title="Quota">
      <Shown read={read}>{(state) => <Used state={state} />}</Shown>
      <Fields
        label="Set the quota"
        title="Set"
        act={set}
        beside={
          <Button disabled={!read.data?.limits} act={() => steer('PUT', '/quota', 'The quota is lifted', null)}>
            Lift
          </Button>
        }
      >
        <Field label="A minute, of all" type="number" min={0} value={perMinute} change={setAll} />
        <Field label="A minute, of each user" type="number" min={0} value={perUserPerMinute} change={setUser} />
      </Fields>
    </Part>
  )
}

function Used({ state: { limits, minute, spent, users } }: { state: QuotaState }) {
  if (!limits) return <p>Nothing is limited.</p>
  const { perMinute, perUserPerMinute } = limits
  const rows = [
    ['all', spent, perMinute] as const,
    ...Object.entries(users).map((one) => [...one, perUserPerMinute] as const),
  ]
  return (
    <Table
      caption={`Asked in the minute of ${minute.slice(11, 16)} UTC`}
      rows={rows}
      keyOf={([who]) => who}
      columns={[
        { title: 'Whose', cell: ([who]) => who },
        { title: 'Asked', number: true, cell: ([, count]) => count },
        { title: 'Of', number: true, cell: ([, , limit]) => limit ?? 'any number' },
      ]}
    />
  )
}
