import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { live } from './live.ts'
import { keepOverview, lost, overview } from './overview.ts'
import { PANELS } from './panels.tsx'
import { Notice } from './parts/notice.tsx'
import { Progress } from './parts/progress.tsx'
import { Toasts } from './parts/toasts.tsx'
import { type Refused, refusalOf } from './refused.ts'
import { account, go, route, world } from './route.ts'

/** The page: what is chosen above, the tabs, and the panel that is shown. */
export function Shell() {
  useEffect(keepOverview, [])
  const { panel } = route.value
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('panel')?.focus()}>
        Skip to the panel
      </button>
      <header class="bar">
        <h1>fake-calendar</h1>
        <WorldChooser />
        <AccountChooser />
        <span class="live" role="status">
          {live.value ? 'Live' : 'Not connected'}
        </span>
      </header>
      <nav class="tabs" aria-label="Panels">
        {PANELS.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-current={id === panel ? 'page' : undefined}
            onClick={() => go({ panel: id, item: '' })}
          >
            {title}
          </button>
        ))}
      </nav>
      {lost.value && <Notice refused={lost.value} />}
      <main id="panel" tabIndex={-1}>
        <Shown key={panel} id={panel} />
      </main>
      <Toasts />
    </>
  )
}

function WorldChooser() {
  const names = new Set([world.value, ...(overview.value?.worlds ?? []).map(({ name }) => name)])
  return (
    <label>
      <span>World</span>{' '}
      <select
        aria-label="World"
        value={world.value}
        onChange={({ currentTarget }) => go({ world: currentTarget.value, account: '', item: '' })}
      >
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function AccountChooser() {
  const people = overview.value?.accounts ?? []
  const emails = new Set([...people.map(({ email }) => email), ...(account.value ? [account.value] : [])])
  return (
    <label>
      Act as{' '}
      <select value={account.value} onChange={({ currentTarget }) => go({ account: currentTarget.value, item: '' })}>
        {[...emails].map((email) => (
          <option key={email} value={email}>
            {email}
          </option>
        ))}
      </select>
    </label>
  )
}

const loaded = signal(new Map<string, ComponentType>())
const failed = signal<Refused | undefined>(undefined)

/** The panel of an id, once it is loaded. */
function Shown({ id }: { id: string }) {
  const panel = PANELS.find((one) => one.id === id)
  useEffect(() => {
    failed.value = undefined
    if (!panel || loaded.peek().has(id)) return
    panel.load().then(
      (module) => {
        loaded.value = new Map(loaded.peek()).set(id, module.default)
      },
      (error: unknown) => {
        failed.value = refusalOf(error)
      },
    )
  }, [panel, id])
  if (!panel) return <p>There is no panel of this name.</p>
  if (failed.value) return <Notice refused={failed.value} />
  const Panel = loaded.value.get(id)
  return Panel ? <Panel /> : <Progress>Loading</Progress>
}
