import { useRef, useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { callControl } from '../../api/client.ts'
import { ALL_METHODS } from '../../api/eventStream.ts'
import { addressOf, matchesMethod } from '../../api/shared.ts'
import type { RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import type { Column } from '../../components/Table.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { type Query, useLoader } from '../../hooks/useQuery.ts'
import { navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import { FirstSteps } from '../FirstSteps.tsx'
import { ItemList } from '../ItemList.tsx'
import { RequestDetails } from './RequestDetails.tsx'
import styles from './RequestsPanel.module.css'

/** The item in the address is the number of a request. */
export default function RequestsPanel() {
  const journal = useJournal()
  return <QueryView query={journal}>{(listed) => <Journal {...listed} />}</QueryView>
}

function Journal({ calls, evicted }: ListedCalls) {
  const format = useTimeFormat()
  const control = useControlAction()
  const [filter, setFilter] = useState(NO_FILTER)
  const n = Number(route.value.item)
  const listed = filterCalls(calls, filter)
  const all = filter.isOwnShown ? calls.length : calls.filter(({ inspector }) => !inspector).length
  const clear = async () => {
    const message = ({ cleared }: { cleared: number }) => `Cleared ${formatCount(cleared, 'request')}`
    await control('DELETE', '/calls', message)
    navigate({ item: '' }, { replace: true })
  }
  return (
    <>
      <FilterBar calls={calls} filter={filter} change={setFilter} />
      <div class={`actions ${styles.summary}`}>
        <p role="status">
          {listed.length === all ? formatCount(all, 'request') : `${listed.length} of ${formatCount(all, 'request')}`}
        </p>
        <Button
          icon="trash"
          run={clear}
          disabled={calls.length === 0}
          confirm="Clear the journal? All recorded requests are removed. Their numbers are not used again."
        >
          Clear
        </Button>
      </div>
      {evicted > 0 && (
        <p class="muted">
          {evicted} earlier {evicted === 1 ? 'request was' : 'requests were'} dropped, because the journal is full.
          Raise <code>--journal</code> to keep more.
        </p>
      )}
      {calls.length === MAX_CALLS && <p class="muted">The page shows the latest {MAX_CALLS}.</p>}
      {all === 0 && <NoRequests own={calls.length} />}
      {(listed.length > 0 || n > 0) && (
        <ItemList
          caption="Requests, the newest first"
          rows={listed.sort((a, b) => b.n - a.n)}
          idOf={(call) => call.n}
          title="Request"
          linkOf={({ n: number, method }) => `${number} ${method}`}
          columns={[...SHORT_COLUMNS, ...createLongColumns(format)]}
          openColumns={SHORT_COLUMNS}
        >
          {n > 0 && <RequestDetails key={n} n={n} call={calls.find((one) => one.n === n)} />}
        </ItemList>
      )}
    </>
  )
}

/** `own` are the requests of the inspector, which the filter hides. */
function NoRequests({ own }: { own: number }) {
  const { world } = useSession()
  return (
    <EmptyState
      icon="activity"
      title={`No requests${own > 0 ? ' of other programs' : ''} to the world “${world}” yet.`}
    >
      {own > 0 && <p>{formatCount(own, 'request')} of this page can be shown by “Inspector's requests”.</p>}
      <FirstSteps />
    </EmptyState>
  )
}

const SHORT_COLUMNS: readonly Column<RecordedCall>[] = [
  {
    title: 'Status',
    cell: ({ status, reason, fault, hints, batch, inspector }) => (
      <span>
        <StatusPill status={status} /> {reason && <span class="bad">{reason} </span>}
        {fault && <span class="bad">fault </span>}
        {hints.map(({ code, what }) => (
          <span key={`${code} ${what}`}>{what} </span>
        ))}
        {batch !== undefined && `batch ${batch} `}
        {inspector && 'inspector'}
      </span>
    ),
  },
]

const createLongColumns = (format: TimeFormat): readonly Column<RecordedCall>[] => [
  { title: 'Account', cell: ({ account = 'none' }) => account },
  { title: 'Path', breakable: true, cell: ({ verb, path }) => `${verb} ${path.replace(/^\/calendar\/v3(?=\/)/, '')}` },
  {
    title: 'Time',
    cell: ({ at, ms }) => (
      <time dateTime={at}>
        {format.clock(at)}, {ms.toFixed(1)} ms
      </time>
    ),
  },
]

/** An empty value does not filter. Methods are `events.insert` or `events.*`, separated by commas. */
export type Filter = { method: string; account: string; status: string; text: string; isOwnShown: boolean }

export const NO_FILTER: Filter = { method: '', account: '', status: '', text: '', isOwnShown: false }

/** The digits with which a status begins, or another property of a request. */
const STATUS_FILTERS = [
  ['', 'All'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['none', 'No response'],
  ['hint', 'Hints'],
  ['fault', 'Faults'],
] as const

function matchesStatus({ hints, fault, status }: RecordedCall, filter: string): boolean {
  if (filter === 'hint') return hints.length > 0
  if (filter === 'fault') return fault !== undefined
  return String(status ?? 'none').startsWith(filter)
}

/** Texts match in any case, in all that the journal has of a request. */
export function filterCalls(calls: readonly RecordedCall[], filter: Filter): RecordedCall[] {
  const { account, status, isOwnShown } = filter
  const methods = filter.method.split(',').flatMap((name) => name.trim() || [])
  const text = filter.text.trim().toLowerCase()
  return calls.filter(
    (call) =>
      (isOwnShown || !call.inspector) &&
      (methods.length === 0 || matchesMethod(methods, call.method)) &&
      (account === '' || addressOf(call.account ?? '') === addressOf(account)) &&
      matchesStatus(call, status) &&
      (text === '' || JSON.stringify(call).toLowerCase().includes(text)),
  )
}

type Props = { calls: readonly RecordedCall[]; filter: Filter; change(filter: Filter): void }

export function FilterBar({ calls, filter, change }: Props) {
  const { overview } = useSession()
  const set = (name: keyof Filter) => (value: string | boolean) => change({ ...filter, [name]: value })
  const methods = [...new Set(calls.map((call) => call.method))].sort()
  const resources = new Set(methods.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
  const emails = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...calls.flatMap((call) => call.account ?? []),
  ])
  return (
    <search class={styles.filters} aria-label="Filter requests">
      <Select label="Status" value={filter.status} change={set('status')} options={STATUS_FILTERS} />
      <Field
        {...{ label: 'Method', list: 'methods', placeholder: 'events.*', value: filter.method, change: set('method') }}
        choices={[...resources, ...methods].map((name) => [name])}
      />
      <Select
        label="Account"
        value={filter.account}
        change={set('account')}
        options={[['', 'All accounts'], ...[...emails].map((email) => [email, email] as const)]}
      />
      <Field label="Text" type="search" placeholder="standup" value={filter.text} change={set('text')} />
      <Checkbox
        label={`Inspector's requests (${calls.filter(({ inspector }) => inspector).length})`}
        checked={filter.isOwnShown}
        change={set('isOwnShown')}
      />
    </search>
  )
}

/** The page keeps the latest ones. */
export const MAX_CALLS = 5000

/** Oldest first. `evicted` counts the requests that the journal has dropped because it was full. */
export type ListedCalls = { calls: readonly RecordedCall[]; evicted: number }

/** Reads the whole journal at first and after it was cleared, else what follows the last request. */
export function useJournal(): Query<ListedCalls> {
  const session = useSession()
  const { world, journalVersion } = session
  const known = useRef<ListedCalls & { version: number }>({ version: -1, calls: [], evicted: 0 })
  return useLoader(
    'journal',
    async (signal) => {
      const version = journalVersion.peek()
      const { calls, evicted } = known.current.version === version ? known.current : { calls: [], evicted: 0 }
      const query = { method: ALL_METHODS, since: calls.at(-1)?.n }
      const { data } = await callControl<ListedCalls>('GET', '/calls', { query, signal, world })
      const all = [...calls.slice(data.evicted - evicted), ...data.calls].slice(-MAX_CALLS)
      known.current = { version, calls: all, evicted: data.evicted }
      return known.current
    },
    { everyCall: true },
  )
}
