import { useState } from 'preact/hooks'
import type { Snapshot } from '../../life/snapshots.ts'
import { control } from '../client.ts'
import { changed } from '../live.ts'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Fields } from '../parts/fields.tsx'
import { Shown } from '../parts/shown.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { tell } from '../parts/toasts.tsx'
import { useControl } from '../reading.ts'
import { go, world } from '../route.ts'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'

const routeOf = (name: string): string => `/snapshots/${encodeURIComponent(name)}`
const nameOf = ({ name, id }: Snapshot): string => name ?? id

/** Moments of the world: to go back to, to hold the present against, and to begin other worlds with. */
export function SnapshotsPart() {
  const read = useControl<{ snapshots: Snapshot[] }>('/snapshots')
  const [title, setTitle] = useState('')
  const [since, setSince] = useState<string>()
  const [forked, setForked] = useState<string>()
  const take = async () => {
    await steer<{ snapshot: Snapshot }>(
      'POST',
      '/snapshots',
      ({ snapshot }) => `Took the snapshot “${nameOf(snapshot)}”`,
      {
        name: title.trim() || undefined,
      },
    )
    setTitle('')
  }
  const columns = columnsOf({ shown: since, setSince, setForked })
  const known = read.data?.snapshots.some((one) => nameOf(one) === since)
  return (
    <Part id="snapshots" title="Snapshots" wide>
      <Fields label="Take a snapshot" title="Take" act={take}>
        <Field label="Name" value={title} change={setTitle} placeholder="made up, if none" />
      </Fields>
      <Shown read={read}>
        {({ snapshots }) => (
          <Table
            caption="Taken of this world"
            rows={snapshots}
            keyOf={nameOf}
            none="No snapshot has been taken."
            columns={columns}
          />
        )}
      </Shown>
      {since !== undefined && known && <Since name={since} close={() => setSince(undefined)} />}
      {forked !== undefined && <Fork from={forked} close={() => setForked(undefined)} />}
    </Part>
  )
}

type Doing = { shown: string | undefined; setSince(name?: string): void; setForked(name: string): void }

const columnsOf = ({ shown, setSince, setForked }: Doing): readonly Column<Snapshot>[] => [
  { title: 'Snapshot', cell: nameOf },
  { title: 'Of', cell: ({ at }) => <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time> },
  {
    title: 'What is done with it',
    cell: (one) => {
      const name = nameOf(one)
      return (
        <div class="actions">
          <button
            type="button"
            aria-label={`What has changed since ${name}`}
            aria-expanded={shown === name}
            onClick={() => setSince(shown === name ? undefined : name)}
          >
            What has changed
          </button>
          <Button
            label={`Restore ${name}`}
            confirm={`Restore “${name}”? All that was written since is lost.`}
            act={() => steer('POST', `${routeOf(name)}/restore`, `The world is as it was at “${name}”`)}
          >
            Restore
          </Button>
          <button type="button" aria-label={`Fork a world from ${name}`} onClick={() => setForked(name)}>
            Fork
          </button>
          <Button
            label={`Delete ${name}`}
            confirm={`Delete the snapshot “${name}”? The world stays as it is.`}
            act={() => steer('DELETE', routeOf(name), `Let go of the snapshot “${name}”`)}
          >
            Delete
          </Button>
        </div>
      )
    },
  },
]

/** What has changed since a snapshot, in sentences. */
function Since({ name, close }: { name: string; close(): void }) {
  const read = useControl<{ text: string }>(`/diff?since=${encodeURIComponent(name)}`)
  return (
    <section class="since" aria-label={`Since ${name}`}>
      <header>
        <h3>Since “{name}”</h3>
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <Shown read={read}>
        {({ text }) =>
          text === '' ? (
            <p class="none">Nothing has changed.</p>
          ) : (
            <ul>
              {text.split('\n').map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

/** Begins another world with a snapshot. */
function Fork({ from, close }: { from: string; close(): void }) {
  const [name, setName] = useState('')
  const isTaken = overview.value?.worlds.some((one) => one.name === name) ?? false
  const fork = async () => {
    const { made } = await control('PUT', `/worlds/${encodeURIComponent(name)}`, { body: { from } })
    const undo = { title: `Show ${name}`, act: () => go({ world: name, account: '', item: '' }) }
    tell({ text: `The world “${name}” begins with “${from}” of “${world.peek()}”`, made, undo })
    changed()
    close()
  }
  return (
    <Dialog title={`Fork a world from “${from}”`} close={close}>
      <Fields label="The new world" title={isTaken ? `Replace ${name}` : 'Fork'} act={fork} primary>
        <Field label="Its name" value={name} change={setName} placeholder="w1" required />
      </Fields>
      {isTaken && <p role="status">There is a world of this name: all that is in it is lost.</p>}
    </Dialog>
  )
}
