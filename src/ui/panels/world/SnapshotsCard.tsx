import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { Snapshot } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { Card, TableCard } from '../TableCard.tsx'

const snapshotName = ({ name, id }: Snapshot): string => name ?? id
const snapshotPath = (name: string): string => `/snapshots/${encodeURIComponent(name)}`

export function SnapshotsCard() {
  const query = useQuery<{ snapshots: Snapshot[] }>('/snapshots')
  return <QueryView query={query}>{({ snapshots }) => <Snapshots snapshots={snapshots} />}</QueryView>
}

function Snapshots({ snapshots }: { snapshots: readonly Snapshot[] }) {
  const control = useControlAction()
  const format = useTimeFormat()
  const [name, setName] = useState('')
  const [compared, setCompared] = useState<string>()
  const take = async () => {
    const text = ({ snapshot }: { snapshot: Snapshot }) => `Took the snapshot “${snapshotName(snapshot)}”`
    await control('POST', '/snapshots', text, { name: name.trim() || undefined })
    setName('')
  }
  return (
    <>
      <TableCard
        title="Snapshots"
        rows={snapshots}
        keyOf={snapshotName}
        empty="No snapshots."
        columns={[
          { title: 'Snapshot', cell: snapshotName, breakable: true },
          { title: 'Time', cell: ({ at }) => <time dateTime={at}>{format.instant(at)}</time> },
        ]}
        actions={(snapshot) => {
          const one = snapshotName(snapshot)
          return [
            { title: 'Changes since', run: () => setCompared(one) },
            {
              ...{ title: 'Restore', confirm: `Restore “${one}”? Everything that was written since is lost.` },
              run: () => control('POST', `${snapshotPath(one)}/restore`, `Restored “${one}”`),
            },
            {
              ...{ title: 'Delete', confirm: `Delete the snapshot “${one}”? The world stays as it is.` },
              run: () => control('DELETE', snapshotPath(one), `Deleted the snapshot “${one}”`),
            },
          ]
        }}
      >
        <Form label="Take a snapshot" submit="Take" run={take}>
          <Field label="Name" value={name} change={setName} placeholder="before" />
        </Form>
      </TableCard>
      {snapshots.some((one) => snapshotName(one) === compared) && (
        <ChangesCard
          title={`Changes since “${compared}”`}
          path={`/diff?since=${encodeURIComponent(compared ?? '')}`}
          close={() => setCompared(undefined)}
        />
      )}
    </>
  )
}

/** The lines of a diff. `path` is below `/_control`. */
function ChangesCard({ title, path, close }: { title: string; path: string; close(): void }) {
  const query = useQuery<{ text: string }>(path)
  return (
    <Card title={title}>
      <QueryView query={query}>{({ text }) => <pre>{text || 'No changes.'}</pre>}</QueryView>
      <Button run={close}>Close</Button>
    </Card>
  )
}
