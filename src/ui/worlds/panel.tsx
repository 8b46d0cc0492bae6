import type { WorldView } from '../../control/overview.ts'
import { instant } from '../moments.ts'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Progress } from '../parts/progress.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { go, world } from '../route.ts'
import { steer } from '../steer.ts'

/** The worlds of the server: what each holds, and what was last asked of it. */
export default function Worlds() {
  const seen = overview.value
  if (!seen) return <Progress>Reading</Progress>
  const shown = seen.worlds.find(({ name }) => name === world.value)
  const busiest = [...seen.worlds].sort((a, b) => b.calls - a.calls)[0]
  return (
    <>
      {!shown?.calls && busiest !== undefined && busiest.calls > 0 && (
        <p role="note">
          Nothing has been asked of the world “{world.value}”. The traffic is in{' '}
          <button type="button" class="link" onClick={() => show(busiest)}>
            {busiest.name}
          </button>
          : {busiest.calls} requests.
        </p>
      )}
      <Table
        caption="Worlds"
        rows={seen.worlds}
        keyOf={({ name }) => name}
        none="There is no world yet: one begins with the first request that names it."
        columns={COLUMNS}
      />
    </>
  )
}

const show = ({ name }: WorldView): void => go({ world: name, account: '', item: '', panel: 'calendar' })

const COLUMNS: readonly Column<WorldView>[] = [
  {
    title: 'World',
    cell: (one) => (
      <button type="button" class="link" onClick={() => show(one)}>
        {one.name}
      </button>
    ),
  },
  { title: 'Accounts', number: true, cell: ({ accounts }) => accounts },
  { title: 'Calendars', number: true, cell: ({ calendars }) => calendars },
  { title: 'Events', number: true, cell: ({ events }) => events },
  { title: 'Requests', number: true, cell: ({ calls }) => calls },
  {
    title: 'Last asked',
    cell: ({ last }) =>
      last ? `${last.method}${last.account ? ` by ${last.account}` : ''}, ${instant(last.at)}` : 'never',
  },
  {
    title: 'End',
    cell: ({ name }) => (
      <Button
        label={`Delete ${name}`}
        confirm={`Delete the world “${name}”? All that is in it is lost; it begins anew when it is next named.`}
        act={() => steer('DELETE', `/worlds/${encodeURIComponent(name)}`, `Deleted the world ${name}`)}
      >
        Delete
      </Button>
    ),
  },
]
