import { useState } from 'preact/hooks'
import { callControl, type Result, worldPath } from '../../api/client.ts'
import type { Snapshot, WorldResult, WorldSummary } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatePill } from '../../components/StatusPill.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader } from '../../hooks/useQuery.ts'
import { navigate, showWorld, world } from '../../route.ts'
import { OpenItem } from '../ItemList.tsx'
import { NewWorldDialog } from './NewWorldDialog.tsx'
import { Replay } from './Replay.tsx'

export const ResultPill = ({ result: { passed, secure, score } }: { result: WorldResult }) => (
  <>
    <StatePill kind={passed ? 'ok' : 'bad'}>{`${passed ? 'passed' : 'failed'} ${score.toFixed(2)}`}</StatePill>{' '}
    {secure !== undefined && <StatePill kind={secure ? 'ok' : 'bad'}>{secure ? 'secure' : 'not secure'}</StatePill>}
  </>
)

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

export const ForkDialog = ({ from, close }: { from: string; close(): void }) => (
  <NewWorldDialog
    title={`Fork the world “${from}”`}
    submit="Fork"
    message={(to) => `Forked the world “${to}” from “${from}”`}
    create={(to) => forkWorld(from, to)}
    close={close}
  />
)

/** The result of an attempt, what was written since the start, and the requests one by one. */
export function WorldDetails({ summary: { name, result } }: { summary: WorldSummary }) {
  const control = useControlAction()
  const [isForking, setForking] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const rename = async (to: string) => {
    const result = await callControl('POST', `${worldPath(name)}/rename`, { body: { to } })
    navigate(world.peek() === name ? { world: to, item: to } : { item: to }, { replace: true })
    return result
  }
  const diff = useLoader(
    `diff of ${name}`,
    async (signal) => (await callControl<{ text: string }>('GET', '/diff', { world: name, signal })).data.text,
  )
  const remove = async () => {
    await control('DELETE', worldPath(name), `Deleted the world ${name}`)
    navigate({ item: '' }, { replace: true })
  }
  return (
    <OpenItem label={`World ${name}`} title={name}>
      <div class="actions">
        <button type="button" class="primary" onClick={() => showWorld(name, { panel: 'calendar' })}>
          Open the calendar
        </button>
        <button type="button" onClick={() => showWorld(name, { panel: 'requests' })}>
          Open the requests
        </button>
        <button type="button" onClick={() => setForking(true)}>
          Fork
        </button>
        <button type="button" onClick={() => setRenaming(true)}>
          Rename
        </button>
        <Button
          rank="danger"
          confirm={`Delete the world “${name}”? Everything in it is lost. The next request that names it creates it anew.`}
          run={remove}
        >
          Delete
        </Button>
      </div>
      {result && <Report result={result} />}
      <h3>Changes since the start</h3>
      <QueryView query={diff}>{(text) => <pre>{text || 'No changes.'}</pre>}</QueryView>
      <Replay world={name} />
      {isRenaming && (
        <NewWorldDialog
          title={`Rename the world “${name}”`}
          submit="Rename"
          message={(to) => `Renamed the world “${name}” to “${to}”`}
          create={rename}
          close={() => setRenaming(false)}
          isReplacing={false}
        >
          <p>
            The world keeps everything in it. Addresses and tokens with the name “{name}” no longer reach it: a request
            that uses one creates a new world.
          </p>
        </NewWorldDialog>
      )}
      {isForking && <ForkDialog from={name} close={() => setForking(false)} />}
    </OpenItem>
  )
}

function Report({ result }: { result: WorldResult }) {
  const { task, attempt, missing, unexpected, calls, errors } = result
  const lines = [
    ...missing.map(({ text }) => `Missing: ${text}`),
    ...unexpected.map(({ text }) => `Unexpected: ${text}`),
  ]
  return (
    <section aria-label="Result">
      <h3>
        {task}, attempt {attempt}
      </h3>
      <ResultPill result={result} /> {formatCount(calls, 'call')}, {formatCount(errors, 'error')}
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
