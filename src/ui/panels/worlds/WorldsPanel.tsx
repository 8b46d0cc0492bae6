import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { callControl, type Result, worldPath } from '../../api/client.ts'
import type { Snapshot, WorldSummary } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Select } from '../../components/Form.tsx'
import { Progress } from '../../components/Progress.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { openWorld } from '../../route.ts'
import { useSession } from '../../session.ts'
import { NewWorldDialog } from '../../shell/NewWorldDialog.tsx'
import styles from './WorldsPanel.module.css'

const FIXTURES = ['default', 'company', 'team', 'clinic', 'school'].map((name) => [name, name] as const)

const ORDERS = [
  ['name', 'Name'],
  ['events', 'Most events'],
  ['calls', 'Most requests'],
  ['last', 'Latest request'],
] as const
type Order = (typeof ORDERS)[number][0]

function compareWorlds(order: Order, a: WorldSummary, b: WorldSummary): number {
  const byName = a.name.localeCompare(b.name)
  if (order === 'name') return byName
  if (order === 'last') return (b.last?.at ?? '').localeCompare(a.last?.at ?? '') || byName
  return b[order] - a[order] || byName
}

/** A snapshot keeps sync tokens valid in the new world. It is deleted again. */
async function forkWorld(from: string, to: string): Promise<Result<unknown>> {
  const { data } = await callControl<{ snapshot: Snapshot }>('POST', '/snapshots', { body: {}, world: from })
  const name = data.snapshot.name ?? data.snapshot.id
  try {
    return await callControl('PUT', worldPath(to), { body: { from: name }, world: from })
  } finally {
    if (to !== from) await callControl('DELETE', `/snapshots/${encodeURIComponent(name)}`, { world: from })
  }
}

export default function WorldsPanel() {
  const { overview, world } = useSession()
  const [text, setText] = useState('')
  const [order, setOrder] = useState<Order>('name')
  const [isCreating, setCreating] = useState(false)
  const [seed, setSeed] = useState('default')
  const [forked, setForked] = useState<string>()
  const columns = useWorldColumns(setForked)
  if (!overview.value) return <Progress>Loading</Progress>
  const { worlds } = overview.value
  const busiest = [...worlds].sort((a, b) => b.calls - a.calls)[0]
  const hasCalls = (worlds.find(({ name }) => name === world)?.calls ?? 0) > 0
  const listed = worlds
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .sort((a, b) => compareWorlds(order, a, b))
  return (
    <section class="card" aria-label="Worlds">
      {!hasCalls && busiest !== undefined && busiest.calls > 0 && (
        <p role="note">
          The world “{world}” has no requests.{' '}
          <button type="button" class="link" onClick={() => openWorld(busiest.name, { panel: 'calendar' })}>
            Open “{busiest.name}”
          </button>
          , which has {busiest.calls}.
        </p>
      )}
      <div class={`actions ${styles.tools}`}>
        <Field label="Filter" type="search" placeholder="worker-1" value={text} change={setText} />
        <Select label="Sort by" value={order} change={(value: Order) => setOrder(value)} options={ORDERS} />
        <button type="button" onClick={() => setCreating(true)}>
          New world
        </button>
      </div>
      <Table
        caption="Worlds"
        rows={listed}
        keyOf={({ name }) => name}
        empty={
          worlds.length > 0
            ? `No world has “${text}” in its name.`
            : 'No worlds yet. A world is created by the first request that names it.'
        }
        columns={columns}
      />
      {isCreating && (
        <NewWorldDialog
          title="New world"
          submit="Create"
          message={(name) => `Created the world “${name}”`}
          create={(name) => callControl('PUT', worldPath(name), { body: { seed } })}
          close={() => setCreating(false)}
        >
          <Select label="Seed" value={seed} change={setSeed} options={FIXTURES} />
        </NewWorldDialog>
      )}
      {forked !== undefined && (
        <NewWorldDialog
          title={`Fork the world “${forked}”`}
          submit="Fork"
          message={(name) => `Forked the world “${name}” from “${forked}”`}
          create={(name) => forkWorld(forked, name)}
          close={() => setForked(undefined)}
        />
      )}
    </section>
  )
}

function useWorldColumns(fork: (name: string) => void): readonly Column<WorldSummary>[] {
  const control = useControlAction()
  const format = useTimeFormat()
  return [
    {
      title: 'World',
      breakable: true,
      cell: ({ name }) => (
        <button type="button" class="link" onClick={() => openWorld(name, { panel: 'calendar' })}>
          {name}
        </button>
      ),
    },
    { title: 'Accounts', number: true, cell: ({ accounts }) => accounts },
    { title: 'Calendars', number: true, cell: ({ calendars }) => calendars },
    { title: 'Events', number: true, cell: ({ events }) => events },
    { title: 'Requests', number: true, cell: ({ calls }) => calls },
    {
      title: 'Last request',
      cell: ({ last }) =>
        last ? `${last.method}${last.account ? ` by ${last.account}` : ''}, ${format.instant(last.at)}` : 'None',
    },
    {
      title: 'Actions',
      actions: true,
      cell: ({ name }) => (
        <div class="actions">
          <button type="button" aria-label={`Fork ${name}`} onClick={() => fork(name)}>
            Fork
          </button>
          <Button
            label={`Delete ${name}`}
            rank="danger"
            confirm={`Delete the world “${name}”? Everything in it is lost. The next request that names it creates it anew.`}
            run={() => control('DELETE', worldPath(name), `Deleted the world ${name}`)}
          >
            Delete
          </Button>
        </div>
      ),
    },
  ]
}
