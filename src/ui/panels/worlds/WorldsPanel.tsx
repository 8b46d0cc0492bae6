import { useTimeFormat } from '../../account.ts'
import type { WorldSummary } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Progress } from '../../components/Progress.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { type ControlAction, useControlAction } from '../../hooks/useControlAction.ts'
import { openWorld } from '../../route.ts'
import { useSession } from '../../session.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'

export default function WorldsPanel() {
  const { overview, world } = useSession()
  const control = useControlAction()
  const format = useTimeFormat()
  if (!overview.value) return <Progress>Loading</Progress>
  const { worlds } = overview.value
  const busiest = [...worlds].sort((a, b) => b.calls - a.calls)[0]
  const hasCalls = (worlds.find(({ name }) => name === world)?.calls ?? 0) > 0
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
      <Table
        caption="Worlds"
        rows={worlds}
        keyOf={({ name }) => name}
        empty="No worlds yet. A world is created by the first request that names it."
        columns={createWorldColumns(control, format)}
      />
    </section>
  )
}

const createWorldColumns = (control: ControlAction, format: TimeFormat): readonly Column<WorldSummary>[] => [
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
      <Button
        label={`Delete ${name}`}
        rank="danger"
        confirm={`Delete the world “${name}”? Everything in it is lost. The next request that names it creates it anew.`}
        run={() => control('DELETE', `/worlds/${encodeURIComponent(name)}`, `Deleted the world ${name}`)}
      >
        Delete
      </Button>
    ),
  },
]
