import { useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { RequestError } from '../../api/errors.ts'
import type { SeedCounts } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Form, Select } from '../../components/Form.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import { Card } from '../TableCard.tsx'

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
