import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { calendarName, useAccount, useTimeFormat } from '../account.ts'
import { listShownEvents } from '../api/calendar.ts'
import { Dialog } from '../components/Dialog.tsx'
import { ErrorNotice } from '../components/ErrorNotice.tsx'
import { Icon, type IconName } from '../components/Icon.tsx'
import { useLoader } from '../hooks/useQuery.ts'
import { toTimeRange } from '../panels/calendar/useEvents.ts'
import { PANELS } from '../panels.ts'
import { navigate, showWorld } from '../route.ts'
import { useSession } from '../session.ts'
import { DAY_MS, eventWallTime, msToDate, wallToMs } from '../time/wallTime.ts'
import { useNow } from '../useNow.ts'
import styles from './CommandPalette.module.css'

/** `kind` is printed beside the title, and is searched too. */
type Command = { kind: string; title: string; icon: IconName; run(): void }

const MAX_COMMANDS = 12

/** Finds panels, accounts, worlds and events. */
export function CommandPalette({ close }: { close(): void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const places = usePlaces()
  const { isLoaded } = useAccount()
  const { data: events, error } = useFoundEvents(text)
  const isSearching = isLoaded && text.trim().length >= 2 && !events && !error
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = places.filter(({ kind, title }) =>
    words.every((word) => `${kind} ${title}`.toLowerCase().includes(word)),
  )
  const shown = [...matching.slice(0, MAX_COMMANDS), ...(events ?? [])].sort(
    (a, b) => rankTitle(a.title, text) - rankTitle(b.title, text),
  )
  const current = Math.min(selected, shown.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    close()
    command.run()
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
    <Dialog title="Search" close={close}>
      <input
        type="search"
        role="combobox"
        class={styles.input}
        aria-label="Search panels, accounts, worlds and events"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
        placeholder="Panel, account, world or event"
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
            <span>{command.title}</span>
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
      {!isSearching && !error && shown.length === 0 && <p class="muted">Nothing found.</p>}
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

function usePlaces(): readonly Command[] {
  const { accounts = [], worlds = [] } = useSession().overview.value ?? {}
  return [
    ...PANELS.map(({ id, title, icon }) => ({
      ...{ kind: 'Panel', title, icon },
      run: () => navigate({ panel: id, item: '' }),
    })),
    ...accounts.map(({ email, displayName }) => ({
      ...{ kind: 'Account', title: displayName ? `${displayName} (${email})` : email, icon: 'users' as const },
      run: () => navigate({ account: email, item: '' }),
    })),
    ...worlds.map(({ name }) => ({
      ...{ kind: 'World', title: name, icon: 'globe' as const },
      run: () => showWorld(name),
    })),
  ]
}

/** Events of this many days before and after now are found. */
const REACH_DAYS = 180

/** Finds parts of words. Of a series it has the next instance, else the latest. Upcoming events come first. */
function useFoundEvents(text: string) {
  const account = useAccount()
  const format = useTimeFormat()
  const now = wallToMs(useNow())
  const range = toTimeRange(msToDate(now - REACH_DAYS * DAY_MS), msToDate(now + REACH_DAYS * DAY_MS))
  const isSearching = text.trim().length >= 2
  const { data, error } = useLoader(
    `events around ${range.timeMin} of ${account.email}, ${account.entries.length}, ${isSearching}`,
    async (signal) => {
      if (!isSearching) return []
      const lists = account.entries.map(async ({ id }) =>
        (await listShownEvents(id, range, { signal })).map((event) => ({ id, event })),
      )
      return (await Promise.all(lists)).flat()
    },
  )
  const events = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = (data ?? []).flatMap((one) => {
      const { summary, location, description, start } = one.event
      const sought = `${summary} ${location} ${description}`.toLowerCase()
      return start && words.every((word) => sought.includes(word))
        ? [{ ...one, distance: wallToMs(eventWallTime(start, format.zone)) - now }]
        : []
    })
    const isBefore = (a: number, b: number) => (a >= 0 === b >= 0 ? Math.abs(a) - Math.abs(b) : b - a)
    const nearest = new Map<string, (typeof matching)[number]>()
    for (const one of matching.sort((a, b) => isBefore(a.distance, b.distance))) {
      const series = `${one.id}/${one.event.recurringEventId ?? one.event.id}`
      if (!nearest.has(series)) nearest.set(series, one)
    }
    return [...nearest.values()].slice(0, MAX_COMMANDS).map(
      ({ id, event }): Command => ({
        kind: `Event, ${format.range(event.start, event.end)}, ${calendarName(account, id)}`,
        title: event.summary ?? '(No title)',
        icon: 'calendar',
        run: () => navigate({ panel: 'calendar', item: `${id}/${event.id}` }),
      }),
    )
  }, [data, text])
  return { data: data && events, error }
}
