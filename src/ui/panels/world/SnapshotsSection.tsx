import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { callControl, worldPath } from '../../api/client.ts'
import type { Snapshot } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { NewWorldDialog } from '../../shell/NewWorldDialog.tsx'
import { Section } from './Section.tsx'
import styles from './WorldPanel.module.css'

const snapshotName = ({ name, id }: Snapshot): string => name ?? id
const snapshotPath = (one: Snapshot): string => `/snapshots/${encodeURIComponent(snapshotName(one))}`

export function SnapshotsSection() {
  const control = useControlAction()
  const query = useQuery<{ snapshots: Snapshot[] }>('/snapshots')
  const [name, setName] = useState('')
  const [compared, setCompared] = useState<string>()
  const [forked, setForked] = useState<string>()
  const take = async () => {
    const text = ({ snapshot }: { snapshot: Snapshot }) => `Took the snapshot “${snapshotName(snapshot)}”`
    await control('POST', '/snapshots', text, { name: name.trim() || undefined })
    setName('')
  }
  const isKnown = query.data?.snapshots.some((one) => snapshotName(one) === compared)
  return (
    <Section id="snapshots" title="Snapshots" isWide>
      <Form label="Take a snapshot" submit="Take" run={take}>
        <Field label="Name" value={name} change={setName} placeholder="before" />
      </Form>
      <QueryView query={query}>
        {({ snapshots }) => (
          <SnapshotTable snapshots={snapshots} compared={compared} compare={setCompared} fork={setForked} />
        )}
      </QueryView>
      {compared !== undefined && isKnown && <SnapshotChanges since={compared} close={() => setCompared(undefined)} />}
      {forked !== undefined && (
        <NewWorldDialog
          title={`Fork a world from “${forked}”`}
          submit="Fork"
          message={(world) => `Forked the world “${world}” from “${forked}”`}
          create={(world) => callControl('PUT', worldPath(world), { body: { from: forked } })}
          close={() => setForked(undefined)}
        />
      )}
    </Section>
  )
}

type TableProps = {
  snapshots: readonly Snapshot[]
  compared: string | undefined
  /** Undefined hides the changes. */
  compare(name: string | undefined): void
  fork(name: string): void
}

function SnapshotTable({ snapshots, compared, compare, fork }: TableProps) {
  const control = useControlAction()
  const format = useTimeFormat()
  const columns: readonly Column<Snapshot>[] = [
    { title: 'Snapshot', cell: snapshotName, breakable: true },
    { title: 'Time', cell: ({ at }) => <time dateTime={at}>{format.instant(at)}</time> },
    {
      title: 'Actions',
      actions: true,
      cell: (one) => {
        const name = snapshotName(one)
        return (
          <div class="actions">
            <button
              type="button"
              aria-label={`Changes since ${name}`}
              aria-expanded={compared === name}
              onClick={() => compare(compared === name ? undefined : name)}
            >
              Changes
            </button>
            <Button
              label={`Restore ${name}`}
              confirm={`Restore “${name}”? Everything that was written since is lost.`}
              run={() => control('POST', `${snapshotPath(one)}/restore`, `Restored “${name}”`)}
            >
              Restore
            </Button>
            <button type="button" aria-label={`Fork ${name}`} onClick={() => fork(name)}>
              Fork
            </button>
            <Button
              label={`Delete ${name}`}
              confirm={`Delete the snapshot “${name}”? The world stays as it is.`}
              run={() => control('DELETE', snapshotPath(one), `Deleted the snapshot “${name}”`)}
            >
              Delete
            </Button>
          </div>
        )
      },
    },
  ]
  return (
    <Table
      caption="Snapshots"
      isCaptionHidden
      rows={snapshots}
      keyOf={snapshotName}
      empty="No snapshots."
      columns={columns}
    />
  )
}

function SnapshotChanges({ since, close }: { since: string; close(): void }) {
  const query = useQuery<{ text: string }>(`/diff?since=${encodeURIComponent(since)}`)
  return (
    <section class={styles.changes} aria-label={`Changes since ${since}`}>
      <header>
        <h3>Changes since “{since}”</h3>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <QueryView query={query}>
        {({ text }) =>
          text === '' ? (
            <p class="muted">No changes.</p>
          ) : (
            <ul>
              {text.split('\n').map((sentence, index) => (
                <li key={`${index} ${sentence}`}>{sentence}</li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
