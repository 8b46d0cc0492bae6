import { useLayoutEffect, useState } from 'preact/hooks'
import { callControl } from '../../api/client.ts'
import { RequestError, toRequestError } from '../../api/errors.ts'
import { findJsonSyntaxError } from '../../api/shared.ts'
import type { SeedCounts } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Progress } from '../../components/Progress.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import { Section } from './Section.tsx'
import styles from './WorldPanel.module.css'

/** `2 accounts, 3 calendars, 1 event` */
const formatSeedCounts = ({ accounts, calendars, events }: SeedCounts): string =>
  `${formatCount(accounts, 'account')}, ${formatCount(calendars, 'calendar')}, ${formatCount(events, 'event')}`

const MODES = [
  {
    ...{ path: '/seed', title: 'Add', result: 'added', text: 'added' },
    description: 'Add: the content of the file is added to the world.',
  },
  {
    ...{ path: '/replace', title: 'Replace', result: 'replaced', text: 'the world now has' },
    description: 'Replace: the world becomes the content of the file, also after a reset. Everything in it is lost.',
  },
] as const
type Mode = (typeof MODES)[number]

export function FilesSection() {
  const session = useSession()
  const control = useControlAction()
  const [file, setFile] = useState<File>()
  const [busyText, setBusyText] = useState('')
  const [error, setError] = useState<RequestError>()
  const isDraggedOver = useDroppedFile(setFile)
  const download = async () => {
    setBusyText('Reading the state')
    try {
      const { data, sent } = await callControl('GET', '/state')
      downloadJson(`${session.world}.json`, data)
      showToast(session, { text: `Saved the state as ${session.world}.json`, sent })
    } finally {
      setBusyText('')
    }
  }
  const load = async (given: File, { path, result, text }: Mode) => {
    setFile(undefined)
    setError(undefined)
    setBusyText(`Reading ${given.name}`)
    try {
      const seed = await readSeedFile(given)
      const message = (response: Record<string, SeedCounts>) => {
        const counts = response[result]
        return `${given.name}: ${text}${counts ? ` ${formatSeedCounts(counts)}` : ''}`
      }
      await control<Record<string, SeedCounts>>('POST', path, message, seed)
    } catch (thrown) {
      setError(toRequestError(thrown))
    }
    setBusyText('')
  }
  return (
    <Section id="files" title="Seed and state">
      <label class={styles.file}>
        Seed file (choose it here, or drop it onto the page)
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            setFile(currentTarget.files?.[0])
            // Otherwise the same file could not be chosen again.
            currentTarget.value = ''
          }}
        />
      </label>
      <div class="actions">
        <Button icon="download" run={download}>
          Save the state as a file
        </Button>
        <Button
          rank="danger"
          confirm={`Reset the world “${session.world}”? It returns to its seed, and everything that was written is lost.`}
          run={() =>
            control<{ reset: SeedCounts }>(
              'POST',
              '/reset',
              ({ reset }) => `The world is reset: ${formatSeedCounts(reset)}`,
            )
          }
        >
          Reset
        </Button>
      </div>
      {busyText !== '' && <Progress>{busyText}</Progress>}
      {error && <ErrorNotice error={error} />}
      {isDraggedOver && <div class={styles.drop}>Drop the seed here</div>}
      {file && <SeedDialog file={file} load={load} close={() => setFile(undefined)} />}
    </Section>
  )
}

type SeedDialogProps = { file: File; load(file: File, mode: Mode): Promise<void>; close(): void }

function SeedDialog({ file, load, close }: SeedDialogProps) {
  const { world } = useSession()
  return (
    <Dialog title={`Seed the world “${world}” with ${file.name}?`} close={close}>
      {MODES.map(({ path, description }) => (
        <p key={path}>{description}</p>
      ))}
      <div class="actions end">
        <button type="button" onClick={close}>
          Cancel
        </button>
        {MODES.map((mode) => (
          <button
            key={mode.path}
            type="button"
            class={mode.path === '/replace' ? 'danger' : 'primary'}
            onClick={() => void load(file, mode)}
          >
            {mode.title}
          </button>
        ))}
      </div>
    </Dialog>
  )
}

function useDroppedFile(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  useLayoutEffect(() => {
    const controller = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      document.addEventListener(type, handle, { signal: controller.signal })
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false)
    })
    on('drop', (event) => {
      const file = event.dataTransfer?.files[0]
      setOver(false)
      if (!file) return
      event.preventDefault()
      take(file)
    })
    return () => controller.abort()
  }, [take])
  return isOver
}

async function readSeedFile(file: File): Promise<unknown> {
  const text = (await file.text()).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text) as unknown
  } catch {
    const { line, column, expected } = findJsonSyntaxError(text) ?? { line: 1, column: 1, expected: 'a value' }
    const message = `${file.name}: line ${line}, column ${column}: not JSON: expected ${expected}`
    const hint = `For other formats, start the server with npx fake-calendar --seed ${file.name}`
    throw new RequestError(message, { status: 0, hint })
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
