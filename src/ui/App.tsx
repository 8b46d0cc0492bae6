import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import styles from './App.module.css'
import { AccountContext, useLoadedAccount } from './account.ts'
import { isUnreachable, type RequestError, toRequestError } from './api/errors.ts'
import { ask, QuestionDialog } from './components/ask.tsx'
import { ErrorNotice } from './components/ErrorNotice.tsx'
import { IconSprite } from './components/Icon.tsx'
import { Progress } from './components/Progress.tsx'
import { Toasts } from './components/Toasts.tsx'
import { useKeys } from './hooks/useKeys.ts'
import { MissingWorld } from './panels/FirstSteps.tsx'
import { PANELS } from './panels.ts'
import { route, world } from './route.ts'
import { SessionContext, useSession, WorldSession } from './session.ts'
import { CommandPalette } from './shell/CommandPalette.tsx'
import { Header } from './shell/Header.tsx'
import { Sidebar } from './shell/Sidebar.tsx'
import { StoryBar } from './shell/StoryBar.tsx'

/** A session is the state that the page keeps of one world. The key of its world renews all components below it. */
export const App = () => (
  <>
    <IconSprite />
    <SessionRoot key={world.value} name={world.value} />
  </>
)

function SessionRoot({ name }: { name: string }) {
  const session = useMemo(() => new WorldSession(name), [name])
  useEffect(() => session.start(), [session])
  return (
    <SessionContext.Provider value={session}>
      <Page />
    </SessionContext.Provider>
  )
}

const KEYS =
  'Ctrl K or /: search. In the calendar: d, w, m: day, week, month. t: today. j, k: next, previous. c: new event. ?: this list.'

function Page() {
  const session = useSession()
  const account = useLoadedAccount()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const { panel } = route.value
  const errors = [session.overviewError.value, account.error].flatMap((error) => error ?? [])
  const openPalette = () => setPaletteOpen(true)
  useKeys({ '/': openPalette, 'Ctrl+k': openPalette, '?': () => void ask('Keys', [], { text: KEYS, cancel: 'Close' }) })
  return (
    <AccountContext.Provider value={account}>
      <button type="button" class="skip" onClick={() => document.getElementById('panel')?.focus()}>
        Skip to content
      </button>
      <div class={styles.page}>
        <Sidebar />
        <div class={styles.content}>
          <Header openPalette={openPalette} />
          <StoryBar />
          <main id="panel" class={styles.panel} tabIndex={-1}>
            {errors.some(isUnreachable) ? (
              <p class="notice" role="alert">
                <strong>Not connected.</strong> The server does not respond. The page shows what it read last.
              </p>
            ) : (
              errors.map((error) => <ErrorNotice key={error.message} error={error} />)
            )}
            {session.exists.value === false && panel !== 'worlds' ? (
              <MissingWorld />
            ) : (
              session.exists.value !== undefined && <PanelView key={panel} id={panel} />
            )}
          </main>
          <Toasts />
        </div>
      </div>
      <QuestionDialog />
      {isPaletteOpen && <CommandPalette close={() => setPaletteOpen(false)} />}
    </AccountContext.Provider>
  )
}

function PanelView({ id }: { id: string }) {
  const panel = PANELS.find((one) => one.id === id)
  const isLive = useSession().isLive.value
  const [loaded, setLoaded] = useState<{ component?: ComponentType; error?: RequestError }>({})
  useEffect(() => {
    panel?.load().then(
      (module) => setLoaded({ component: module.default }),
      (error: unknown) => setLoaded({ error: toRequestError(error) }),
    )
  }, [panel, isLive])
  if (!panel) return <p>There is no panel “{id}”.</p>
  if (loaded.error) return isLive ? <ErrorNotice error={loaded.error} /> : null
  const Component = loaded.component
  return Component ? <Component /> : <Progress>Loading</Progress>
}
