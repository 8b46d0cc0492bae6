import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { callControl, worldPath } from '../../api/client.ts'
import type { WorldSummary } from '../../api/types.ts'
import { Field, Select } from '../../components/Form.tsx'
import { Progress } from '../../components/Progress.tsx'
import type { Column } from '../../components/Table.tsx'
import { route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { ItemList } from '../ItemList.tsx'
import { Toolbar } from '../TableCard.tsx'
import { NewWorldDialog } from './NewWorldDialog.tsx'
import { ForkDialog, ResultPill, WorldDetails } from './WorldDetails.tsx'

const FIXTURES = ['default', 'company', 'team', 'clinic', 'school'].map((name) => [name, name] as const)

const ORDERS = [
  ['name', 'Name'],
  ['events', 'Most events'],
  ['calls', 'Most requests'],
  ['last', 'Latest request'],
  ['best', 'Highest score'],
  ['worst', 'Lowest score'],
] as const
type Order = (typeof ORDERS)[number][0]

/** Worlds without a score come last. */
function compareWorlds(order: Order, a: WorldSummary, b: WorldSummary): number {
  const byName = a.name.localeCompare(b.name, 'en', { numeric: true })
  if (order === 'name') return byName
  if (order === 'last') return (b.last?.at ?? '').localeCompare(a.last?.at ?? '') || byName
  if (order === 'best') return (b.result?.score ?? -1) - (a.result?.score ?? -1) || byName
  if (order === 'worst') return (a.result?.score ?? 2) - (b.result?.score ?? 2) || byName
  return b[order] - a[order] || byName
}

const RESULTS = [
  ['', 'All worlds'],
  ['attempts', 'Attempts of agents'],
  ['passed', 'Passed'],
  ['failed', 'Failed'],
] as const
type ResultFilter = (typeof RESULTS)[number][0]

const matchesResult = ({ result }: WorldSummary, filter: ResultFilter): boolean =>
  filter === '' || (result !== undefined && (filter === 'attempts' || result.passed === (filter === 'passed')))

/** The item in the address is the name of a world. */
export default function WorldsPanel() {
  const { overview, world } = useSession()
  const [text, setText] = useState('')
  const [filter, setFilter] = useState<ResultFilter>('')
  const [order, setOrder] = useState<Order>('name')
  const [isCreating, setCreating] = useState(false)
  const [isForking, setForking] = useState(false)
  const [seed, setSeed] = useState('default')
  const columns = useWorldColumns()
  if (!overview.value) return <Progress>Loading</Progress>
  const { worlds } = overview.value
  const sought = text.trim().toLowerCase()
  const listed = worlds
    .filter(
      (one) => `${one.name} ${one.result?.task ?? ''}`.toLowerCase().includes(sought) && matchesResult(one, filter),
    )
    .sort((a, b) => compareWorlds(order, a, b))
  const open = worlds.find(({ name }) => name === route.value.item)
  const hasResults = worlds.some(({ result }) => result)
  return (
    <>
      <Toolbar>
        <Field label="Filter" type="search" placeholder="worker-1" value={text} change={setText} />
        {hasResults && (
          <Select label="Show" value={filter} change={(value: ResultFilter) => setFilter(value)} options={RESULTS} />
        )}
        <Select label="Sort by" value={order} change={(value: Order) => setOrder(value)} options={ORDERS} />
        <button type="button" onClick={() => setCreating(true)}>
          New world
        </button>
        <button type="button" onClick={() => setForking(true)}>
          Fork this world
        </button>
        <span role="status" class="muted">
          {listed.length} of {worlds.length}
        </span>
      </Toolbar>
      <ItemList
        caption="Worlds"
        rows={listed}
        idOf={({ name }) => name}
        title="World"
        linkOf={({ name }) => name}
        columns={hasResults ? [RESULT, ...columns.slice(2)] : columns}
        openColumns={hasResults ? [RESULT] : columns.slice(2, 4)}
        empty="No world matches the filter."
      >
        {open && <WorldDetails key={open.name} summary={open} />}
      </ItemList>
      {isForking && <ForkDialog from={world} close={() => setForking(false)} />}
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
    </>
  )
}

const RESULT: Column<WorldSummary> = {
  title: 'Result',
  cell: ({ result }) =>
    result && (
      <span>
        <ResultPill result={result} /> {result.task}, attempt {result.attempt}
      </span>
    ),
}

function useWorldColumns(): readonly Column<WorldSummary>[] {
  const format = useTimeFormat()
  return [
    { title: 'Accounts', number: true, cell: ({ accounts }) => accounts },
    { title: 'Calendars', number: true, cell: ({ calendars }) => calendars },
    { title: 'Events', number: true, cell: ({ events }) => events },
    { title: 'Requests', number: true, cell: ({ calls }) => calls },
    {
      title: 'Last request',
      cell: ({ last }) =>
        last ? `${last.method}${last.account ? ` by ${last.account}` : ''}, ${format.instant(last.at)}` : 'None',
    },
  ]
}
