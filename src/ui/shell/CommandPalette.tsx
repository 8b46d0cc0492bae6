import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { calendarName, useAccount, useTimeFormat } from '../account.ts'
import { searchEvents } from '../api/calendar.ts'
import { type RequestError, toRequestError } from '../api/errors.ts'
import type { ServiceEvent } from '../api/types.ts'
import { Dialog } from '../components/Dialog.tsx'
import { ErrorNotice } from '../components/ErrorNotice.tsx'
import { Icon, type IconName } from '../components/Icon.tsx'
import { addPreset, FAULT_PRESETS } from '../faultPresets.ts'
import { controlAction } from '../hooks/useControlAction.ts'
import { PANELS } from '../panels.ts'
import { toggleTheme } from '../preferences.ts'
import { navigate, openWorld } from '../route.ts'
import { useSession } from '../session.ts'
import { showToast } from '../toast.ts'
import styles from './CommandPalette.module.css'
import { type Advanced, advancedText } from './WorldClock.tsx'

/** `kind` is printed beside the title, and is searched too. */
type Command = { kind: string; title: string; icon: IconName; run(): unknown }

const MAX_COMMANDS = 12
const SEARCH_DELAY_MS = 150

export function CommandPalette({ close }: { close(): void }) {
  const session = useSession()
  const id = useId()
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const commands = useCommands()
  const { events, isSearching, error } = useFoundEvents(text)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = commands.filter(({ kind, title }) => {
    const name = `${kind} ${title}`.toLowerCase()
    return words.every((word) => name.includes(word))
  })
  const rank = ({ title }: Command) => rankTitle(title, text)
  const best = [...matching].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_COMMANDS)
  const shown = text === '' ? best : [...best, ...events].sort((a, b) => rank(a) - rank(b))
  const current = Math.min(selected, shown.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    close()
    Promise.resolve()
      .then(() => command.run())
      .catch((error) => showToast(session, { text: `Failed: ${command.title}`, error: toRequestError(error) }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setSelected((current + step + shown.length) % Math.max(shown.length, 1))
    else if (event.key === 'Enter') run(shown[current])
    else return
    event.preventDefault()
  }
  useEffect(() => document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' }), [current])
  return (
    <Dialog title="Search" close={close} class={styles.palette}>
      <input
        type="search"
        role="combobox"
        aria-label="Search panels, worlds, accounts, events and actions"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
        placeholder="Panel, world, account, event or action"
        autofocus
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" class={styles.results}>
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input (aria-activedescendant)
          <div
            key={`${command.kind} ${command.title} ${index}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            class={styles.option}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span class={styles.title}>{command.title}</span>
            <span class={styles.kind}>{command.kind}</span>
          </div>
        ))}
      </div>
      {isSearching && (
        <p role="status" class="muted">
          Searching events
        </p>
      )}
      {error && <ErrorNotice error={error} />}
      {shown.length === 0 && !isSearching && !error && <p class="muted">Nothing found.</p>}
    </Dialog>
  )
}

/** 0: the title begins with the text, 1: one of its words does, 2: contains it, 3: otherwise. */
function rankTitle(title: string, text: string): number {
  const [name, sought] = [title.toLowerCase(), text.trim().toLowerCase()]
  if (name.startsWith(sought)) return 0
  if (name.includes(` ${sought}`)) return 1
  return name.includes(sought) ? 2 : 3
}

function useCommands(): Command[] {
  const session = useSession()
  const format = useTimeFormat()
  const { accounts = [], worlds = [] } = session.overview.value ?? {}
  return useMemo(() => {
    const control = controlAction(session)
    const advance = (by: string) => () =>
      control<Advanced>('POST', '/clock/advance', advancedText(format.instant), { by })
    return [
      ...PANELS.map(({ id, title, icon }) => ({
        ...{ kind: 'Panel', title, icon },
        run: () => navigate({ panel: id, item: '' }),
      })),
      ...FAULT_PRESETS.map((preset) => ({
        ...{ kind: 'Fault', title: preset.title, icon: 'zap' as const },
        run: () => addPreset(control, preset),
      })),
      { kind: 'Clock', title: 'Advance by 1 hour', icon: 'clock', run: advance('1h') },
      { kind: 'Clock', title: 'Advance by 1 day', icon: 'clock', run: advance('1d') },
      { kind: 'Clock', title: 'Advance by 1 week', icon: 'clock', run: advance('1w') },
      {
        ...{ kind: 'Clock', title: 'Freeze the clock', icon: 'clock' },
        run: () => control('PUT', '/clock', 'The clock is frozen', { mode: 'frozen' }),
      },
      {
        ...{ kind: 'Action', title: 'Take a snapshot', icon: 'copy' },
        run: () => control('POST', '/snapshots', 'Took a snapshot', {}),
      },
      {
        ...{ kind: 'Action', title: 'Expire all sync tokens', icon: 'replay' },
        run: () => control('POST', '/syncTokens/expire', 'All sync tokens now get 410', {}),
      },
      { kind: 'Action', title: 'Switch between light and dark', icon: 'moon', run: toggleTheme },
      ...accounts.map(({ email, displayName }) => ({
        ...{ kind: 'Account', title: displayName ? `${displayName} (${email})` : email, icon: 'users' as const },
        run: () => navigate({ account: email, item: '' }),
      })),
      ...worlds.map(({ name }) => ({
        ...{ kind: 'World', title: name, icon: 'globe' as const },
        run: () => openWorld(name),
      })),
    ] as Command[]
  }, [session, format, accounts, worlds])
}

/** Empty while `isSearching` is true and after an error. */
type FoundEvents = { events: readonly Command[]; isSearching: boolean; error?: RequestError }

/** Requests are sent 150 ms after the last change of the text. */
function useFoundEvents(text: string): FoundEvents {
  const account = useAccount()
  const format = useTimeFormat()
  const isSearchable = text.trim().length >= 2
  const [found, setFound] = useState<FoundEvents & { text: string }>({ text, events: [], isSearching: isSearchable })
  useEffect(() => {
    if (!isSearchable) return undefined
    const controller = new AbortController()
    const search = async () => {
      const lists = await Promise.all(
        account.entries.map(async ({ id }) =>
          (await searchEvents(id, text, { signal: controller.signal })).map((event) => ({ id, event })),
        ),
      )
      const startOf = ({ event: { start } }: { event: ServiceEvent }) => start?.dateTime ?? start?.date ?? ''
      const newestFirst = lists.flat().sort((a, b) => startOf(b).localeCompare(startOf(a)))
      const commands = newestFirst.map(
        ({ id, event }): Command => ({
          kind: `Event, ${format.range(event.start, event.end)}, ${calendarName(account, id)}`,
          title: event.summary ?? '(No title)',
          icon: 'calendar',
          run: () => navigate({ panel: 'calendar', item: `${id}/${event.id}` }),
        }),
      )
      return commands.slice(0, MAX_COMMANDS)
    }
    const { signal } = controller
    const timer = setTimeout(() => {
      search().then(
        (events) => signal.aborted || setFound({ text, events, isSearching: false }),
        (error: unknown) =>
          signal.aborted || setFound({ text, events: [], isSearching: false, error: toRequestError(error) }),
      )
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text])
  // The result of an earlier text is not shown.
  return found.text === text && isSearchable ? found : { events: [], isSearching: isSearchable }
}
