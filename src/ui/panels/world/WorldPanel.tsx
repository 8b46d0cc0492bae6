import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { callControl } from '../../api/client.ts'
import { RequestError } from '../../api/errors.ts'
import { instantAt } from '../../api/shared.ts'
import type { ClockMode, ClockState, SeedCounts, Snapshot } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, Form, Select } from '../../components/Form.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import { useSession } from '../../session.ts'
import { placeOf } from '../../time/timeFormat.ts'
import { showToast } from '../../toast.ts'
import { Card, Cards, TableCard, Toolbar } from '../TableCard.tsx'
import { type Advanced, advancedText, CLOCK_MODES } from './WorldClock.tsx'

/** Routes below `/_control` that return a part of the world's state. */
const PARTS = [
  ['/channels', 'Push channels'],
  ['/notifications', 'Push messages'],
  ['/conferences', 'Conference requests'],
  ['/oauth', 'OAuth tokens and consents'],
  ['/quota', 'Quota'],
] as const

export default function WorldPanel() {
  return (
    <Cards>
      <ClockCard />
      <StateCard />
      <SnapshotsCard />
      <PartsCard />
    </Cards>
  )
}

function PartsCard() {
  const [path, setPath] = useState<(typeof PARTS)[number][0]>('/channels')
  const query = useQuery<object>(path, { everyCall: true })
  return (
    <Card title="Details">
      <Toolbar>
        <Select label="Part of the world" value={path} change={(value) => setPath(value)} options={PARTS} />
      </Toolbar>
      <QueryView query={query}>{(value) => <JsonText value={value} label="State as JSON" />}</QueryView>
      <p class="muted">
        Changed by requests to <code>/_control{path}</code>.
      </p>
    </Card>
  )
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/

const MODE_BUTTONS: readonly (readonly [ClockMode, string])[] = [
  ['frozen', 'Freeze'],
  ['set', 'Run'],
  ['real', 'Use real time'],
]

export function ClockCard() {
  const query = useQuery<ClockState>('/clock')
  return (
    <Card title="Clock">
      <QueryView query={query}>{(state) => <ClockControls {...state} />}</QueryView>
    </Card>
  )
}

function ClockControls(state: ClockState) {
  const { mode } = state
  const time = useTicking(state)
  const control = useControlAction()
  const format = useTimeFormat()
  const [duration, setDuration] = useState('')
  const [instant, setInstant] = useState('')
  const set = (body: Partial<ClockState>) =>
    control<ClockState>('PUT', '/clock', ({ now }) => `The clock shows ${format.instant(now)}`, body)
  const advance = (body: { by?: string; to?: string }) =>
    control<Advanced>('POST', '/clock/advance', advancedText(format.instant), body)
  const toInstant = () => {
    const ms = TIME.test(instant.trim())
      ? instantAt(instant.trim().replace(' ', 'T').padEnd(19, ':00'), format.zone)
      : Number.NaN
    if (Number.isNaN(ms)) throw new Error('Write the time as 2026-03-02 09:00.')
    return new Date(ms).toISOString()
  }
  return (
    <>
      <div class="actions">
        {MODE_BUTTONS.map(([name, title]) => (
          <Button key={name} disabled={name === mode} run={() => set({ mode: name })}>
            {title}
          </Button>
        ))}
        <span class="muted">
          {CLOCK_MODES[mode].title}. {CLOCK_MODES[mode].description} It shows {format.clock(time)}.
        </span>
      </div>
      <Form label="Advance by a duration" submit="Advance" run={() => advance({ by: duration.trim() })}>
        <Field label="Duration" value={duration} change={setDuration} placeholder="1h30m" size={8} required />
      </Form>
      <Form
        label="Set the clock"
        submit="Set"
        run={() => set({ now: toInstant() })}
        actions={
          <Button disabled={instant === ''} run={() => advance({ to: toInstant() })}>
            Advance to
          </Button>
        }
      >
        <Field
          label={`Time in ${placeOf(format.zone)}`}
          value={instant}
          change={setInstant}
          placeholder="2026-03-02 09:00"
          size={18}
          required
        />
      </Form>
    </>
  )
}

/** `2 accounts, 3 calendars, 1 event` */
const formatSeedCounts = ({ accounts, calendars, events }: SeedCounts): string =>
  `${formatCount(accounts, 'account')}, ${formatCount(calendars, 'calendar')}, ${formatCount(events, 'event')}`

/** The route, and its description. */
const MODES = [
  ['/seed', 'Add to the world'],
  ['/replace', 'Replace the world, also after a reset'],
] as const
type SeedReply = { added?: SeedCounts; replaced?: SeedCounts }

export function StateCard() {
  const session = useSession()
  const control = useControlAction()
  const [file, setFile] = useState<File>()
  const [path, setPath] = useState<(typeof MODES)[number][0]>('/seed')
  const save = async () => {
    const { data, sent } = await callControl('GET', '/state')
    downloadJson(`${session.world}.json`, data)
    showToast(session, { text: `Saved the state as ${session.world}.json`, sent })
  }
  const load = async () => {
    if (!file) return
    const message = ({ added, replaced }: SeedReply) => {
      const counts = added ?? replaced
      const text = added ? 'added' : 'the world now has'
      return `${file.name}: ${text} ${counts && formatSeedCounts(counts)}`
    }
    await control<SeedReply>('POST', path, message, await readSeedFile(file))
  }
  const formatReset = ({ reset }: { reset: SeedCounts }) => `The world is reset: ${formatSeedCounts(reset)}`
  return (
    <Card title="Seed and state">
      <Form label="Load a seed file" submit="Load" run={load}>
        <label>
          Seed file{' '}
          <input
            type="file"
            accept=".json,application/json"
            required
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          />
        </label>
        <Select label="Mode" value={path} change={(value) => setPath(value)} options={MODES} />
      </Form>
      <div class="actions">
        <Button icon="download" run={save}>
          Save the state as a file
        </Button>
        <Button
          rank="danger"
          confirm={`Reset the world “${session.world}”? It returns to its seed, and everything that was written is lost.`}
          run={() => control('POST', '/reset', formatReset)}
        >
          Reset
        </Button>
      </div>
    </Card>
  )
}

async function readSeedFile(file: File): Promise<unknown> {
  try {
    return JSON.parse((await file.text()).replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    const hint = `For other formats, start the server with npx fake-calendar --seed ${file.name}`
    throw new RequestError(`${file.name}: ${(error as SyntaxError).message}`, { status: 0, hint })
  }
}

function downloadJson(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

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
