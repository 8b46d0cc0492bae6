import './requests.css'
import { useEffect } from 'preact/hooks'
import { control, noteReads } from '../client.ts'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { tell } from '../parts/toasts.tsx'
import { go, route, world } from '../route.ts'
import { Details } from './details.tsx'
import { chosen, filter, NO_FILTER } from './filter.ts'
import { Filters } from './filters.tsx'
import { HintPage } from './hints.tsx'
import { calls, evicted, HELD, keepJournal, readAgain, reading, unread } from './journal.ts'
import { CallList } from './list.tsx'

/** What is asked of the world, as it is answered. */
export default function Requests() {
  useEffect(keepJournal, [])
  const { item } = route.value
  const [n = '', hint] = item.split('/')
  if (hint !== undefined) return <HintPage code={hint} back={n} />
  if (unread.value) return <Notice refused={unread.value} />
  const found = chosen(calls.value, filter.value)
  return (
    <div class={item === '' ? 'requests' : 'requests one'}>
      <section class="journal" aria-label="Journal">
        <Filters />
        <Above found={found.length} />
        {reading.value ? <Progress>Reading the journal</Progress> : found.length > 0 && <CallList calls={found} />}
        {!reading.value && calls.value.length === 0 && <Nothing />}
      </section>
      {item !== '' && <Details n={Number(n)} />}
    </div>
  )
}

/** How many there are, and what is done with all of them. */
function Above({ found }: { found: number }) {
  const all = calls.value.length
  const clear = async () => {
    const { data, made } = await control<{ cleared: number }>('DELETE', '/calls')
    tell({ text: `Forgot ${data.cleared} ${data.cleared === 1 ? 'request' : 'requests'}`, made })
    go({ item: '' }, { replace: true })
    readAgain()
  }
  return (
    <div class="actions above">
      <p role="status">
        {found === all ? `${all} ${all === 1 ? 'request' : 'requests'}` : `${found} of ${all} requests`}
        {found === 0 && all > 0 && (
          <>
            {': none is as you ask. '}
            <button type="button" onClick={() => (filter.value = NO_FILTER)}>
              Show all
            </button>
          </>
        )}
      </p>
      {evicted.value > 0 && (
        <p class="hint">
          {evicted.value} earlier {evicted.value === 1 ? 'request was' : 'requests were'} dropped from the journal for
          want of room (evicted): raise <code>--journal</code>
        </p>
      )}
      {all === HELD && <p class="hint">The page holds on to the latest {HELD}</p>}
      <label class="tick">
        <input
          type="checkbox"
          checked={noteReads.value}
          onChange={({ currentTarget }) => (noteReads.value = currentTarget.checked)}
        />
        Note what this page reads
      </label>
      <Button
        act={clear}
        disabled={all === 0}
        confirm="Clear the journal? All requests so far are forgotten; their numbers go on."
      >
        Clear
      </Button>
    </div>
  )
}

/** Nothing was asked here: maybe elsewhere. */
function Nothing() {
  const [busiest] = [...(overview.value?.worlds ?? [])]
    .filter(({ name, calls }) => name !== world.value && calls > 0)
    .sort((a, b) => b.calls - a.calls)
  return (
    <div class="none">
      <p>Nothing has been asked of the world “{world.value}” yet. Each request shows here as it is answered.</p>
      {busiest && (
        <p>
          The traffic is in the world “{busiest.name}”: {busiest.calls} {busiest.calls === 1 ? 'request' : 'requests'}.{' '}
          <button type="button" onClick={() => go({ world: busiest.name, account: '', item: '' })}>
            Show {busiest.name}
          </button>
        </p>
      )}
    </div>
  )
}
