import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import type { Column } from '../../components/Table.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { FirstSteps } from '../../shell/FirstSteps.tsx'
import type { TimeFormat } from '../../time/timeFormat.ts'
import { ItemList } from '../ItemList.tsx'
import { FilterBar, filterCalls, NO_FILTER } from './FilterBar.tsx'
import { RequestDetails } from './RequestDetails.tsx'
import styles from './RequestsPanel.module.css'
import { type ListedCalls, MAX_CALLS, useJournal } from './useJournal.ts'

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
