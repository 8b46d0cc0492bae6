import { useEffect, useRef, useState } from 'preact/hooks'
import type { Planted } from '../../life/seed.ts'
import { control } from '../client.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { tell } from '../parts/toasts.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { world } from '../route.ts'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'
import { saveFile, seedIn } from './seedFile.ts'

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
const inWords = ({ accounts, calendars, events }: Planted): string =>
  `${counted(accounts, 'account')}, ${counted(calendars, 'calendar')}, ${counted(events, 'event')}`

/** Seeds in and the state out, as files, and the way back to the beginning. */
export function FilesPart() {
  const [file, setFile] = useState<File>()
  const [busy, setBusy] = useState('')
  const [refused, setRefused] = useState<Refused>()
  const picker = useRef<HTMLInputElement>(null)
  const isOver = useDropped(setFile)
  const save = async () => {
    setBusy('Reading the state')
    try {
      const { data, made } = await control('GET', '/state')
      saveFile(`${world.peek()}.json`, data)
      tell({ text: `Saved the state as ${world.peek()}.json`, made })
    } finally {
      setBusy('')
    }
  }
  const plant = async (given: File, how: (typeof WAYS)[number]) => {
    setFile(undefined)
    setRefused(undefined)
    setBusy(`Reading ${given.name}`)
    try {
      const seed = await seedIn(given)
      await steer<Record<string, Planted>>(
        how.verb,
        '/seed',
        ({ [how.answer]: planted }) => `${given.name}: ${how.done}${planted ? ` ${inWords(planted)}` : ''}`,
        seed,
      )
    } catch (error) {
      setRefused(refusalOf(error))
    }
    setBusy('')
  }
  return (
    <Part id="files" title="Seeds, state and reset">
      <label class="pick">
        A seed from a file, chosen here or dropped onto the page
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            setFile(currentTarget.files?.[0])
            // The same file may be chosen again.
            currentTarget.value = ''
          }}
        />
      </label>
      <div class="actions">
        <Button act={save}>Save the state as a file</Button>
        <Button
          class="danger"
          confirm={`Reset the world “${world.value}”? It goes back to what it started from; all that was written is lost.`}
          act={() =>
            steer<{ reset: Planted }>('POST', '/reset', ({ reset }) => `The world is as it began: ${inWords(reset)}`)
          }
        >
          Reset
        </Button>
      </div>
      {busy !== '' && <Progress>{busy}</Progress>}
      {refused && <Notice refused={refused} />}
      {isOver && <div class="drop">Drop the seed here</div>}
      {file && <Ask file={file} plant={plant} close={() => setFile(undefined)} />}
    </Part>
  )
}

const WAYS = [
  {
    verb: 'POST',
    title: 'Add',
    answer: 'added',
    done: 'added',
    says: 'Add: what the file holds comes to what there is.',
  },
  {
    ...{ verb: 'PUT', title: 'Replace', answer: 'replaced', done: 'the world is now' },
    says: 'Replace: the world becomes what the file says, and a reset leads back to that. All that is in it is lost.',
  },
] as const

type Asking = { file: File; plant(file: File, how: (typeof WAYS)[number]): Promise<void>; close(): void }

function Ask({ file, plant, close }: Asking) {
  return (
    <Dialog title={`Seed the world “${world.value}” with ${file.name}?`} close={close}>
      {WAYS.map(({ verb, says }) => (
        <p key={verb}>{says}</p>
      ))}
      <div class="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        {WAYS.map((how) => (
          <button
            key={how.verb}
            type="button"
            class={how.verb === 'PUT' ? 'danger' : 'primary'}
            onClick={() => void plant(file, how)}
          >
            {how.title}
          </button>
        ))}
      </div>
    </Dialog>
  )
}

/** Takes a file that is dropped anywhere onto the page, and says while one is held over it. */
function useDropped(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      document.addEventListener(type, act, { signal: ending.signal })
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
    return () => ending.abort()
  }, [take])
  return isOver
}
