import { useState } from 'preact/hooks'
import { isUnreachable } from '../../api/errors.ts'
import { Button } from '../../components/Button.tsx'
import { cx } from '../../components/classNames.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Progress } from '../../components/Progress.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { navigate, openWorld, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { FirstSteps } from '../../shell/FirstSteps.tsx'
import { FilterBar } from './FilterBar.tsx'
import { type Filter, filterCalls, NO_FILTER } from './filter.ts'
import { HintPage } from './Hints.tsx'
import { RequestDetails } from './RequestDetails.tsx'
import { RequestList } from './RequestList.tsx'
import styles from './RequestsPanel.module.css'
import { type JournalState, MAX_CALLS, useJournal } from './useJournal.ts'

/** The item in the address is the number of a request, or `<number>/<code>` for the explanation of one of its hints. */
export default function RequestsPanel() {
  const journal = useJournal()
  const [filter, setFilter] = useState<Filter>(NO_FILTER)
  const { item } = route.value
  const [n = '', hint] = item.split('/')
  if (hint !== undefined) return <HintPage code={hint} back={n} />
  if (journal.error && !isUnreachable(journal.error)) return <ErrorNotice error={journal.error} />
  const { calls, isLoading } = journal
  const listed = filterCalls(calls, filter)
  const all = filter.isOwnShown ? calls.length : calls.filter(({ inspector }) => !inspector).length
  return (
    <div class={cx(styles.panel, item !== '' && styles.withDetails)}>
      <section class={styles.journal} aria-label="Journal">
        <FilterBar calls={calls} filter={filter} change={(part) => setFilter({ ...filter, ...part })} />
        <JournalSummary journal={journal} listed={listed.length} all={all} clearFilter={() => setFilter(NO_FILTER)} />
        {isLoading && <Progress>Loading the journal</Progress>}
        {listed.length > 0 && <RequestList calls={listed} />}
        {!isLoading && !journal.error && all === 0 && (
          <NoRequests own={calls.length} showOwn={() => setFilter({ ...filter, isOwnShown: true })} />
        )}
      </section>
      {item !== '' && (
        <RequestDetails
          n={Number(n)}
          call={calls.find((one) => one.n === Number(n))}
          isLoading={isLoading}
          setFilter={setFilter}
        />
      )}
    </div>
  )
}

type SummaryProps = {
  journal: JournalState & { reload(): void }
  listed: number
  all: number
  clearFilter(): void
}

function JournalSummary({ journal: { calls, evicted, reload }, listed, all, clearFilter }: SummaryProps) {
  const control = useControlAction()
  const clear = async () => {
    await control<{ cleared: number }>(
      'DELETE',
      '/calls',
      ({ cleared }) => `Cleared ${formatCount(cleared, 'request')}`,
    )
    navigate({ item: '' }, { replace: true })
    reload()
  }
  return (
    <div class={`actions ${styles.summary}`}>
      <p role="status">
        {listed === all ? formatCount(all, 'request') : `${listed} of ${formatCount(all, 'request')}`}
      </p>
      {listed === 0 && all > 0 && (
        <button type="button" onClick={clearFilter}>
          Show all
        </button>
      )}
      <Button
        icon="trash"
        run={clear}
        disabled={calls.length === 0}
        confirm="Clear the journal? All recorded requests are removed. Their numbers are not used again."
      >
        Clear
      </Button>
      {evicted > 0 && (
        <p class={`muted ${styles.wide}`}>
          {evicted} earlier {evicted === 1 ? 'request was' : 'requests were'} dropped, because the journal is full.
          Raise <code>--journal</code> to keep more.
        </p>
      )}
      {calls.length === MAX_CALLS && <p class={`muted ${styles.wide}`}>The page shows the latest {MAX_CALLS}.</p>}
    </div>
  )
}

type NoRequestsProps = {
  /** Requests of the inspector, which the filter hides. */
  own: number
  showOwn(): void
}

function NoRequests({ own, showOwn }: NoRequestsProps) {
  const { overview, world } = useSession()
  const busiest = [...(overview.value?.worlds ?? [])]
    .filter(({ name, calls }) => name !== world && calls > 0)
    .sort((a, b) => b.calls - a.calls)[0]
  return (
    <EmptyState icon="activity" title={`No requests to the world “${world}” yet.`}>
      {own > 0 && (
        <p>
          {formatCount(own, 'request')} of this page {own === 1 ? 'is' : 'are'} hidden by “Inspector's requests”.{' '}
          <button type="button" class="link" onClick={showOwn}>
            Show {own === 1 ? 'it' : 'them'}
          </button>
        </p>
      )}
      <p>Each request appears here when it is answered.</p>
      <FirstSteps />
      {busiest && (
        <button type="button" onClick={() => openWorld(busiest.name)}>
          Show the world “{busiest.name}” with {formatCount(busiest.calls, 'request')}
        </button>
      )}
    </EmptyState>
  )
}
