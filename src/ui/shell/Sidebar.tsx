import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../components/Icon.tsx'
import { PANELS, type Panel } from '../panels.ts'
import { toggleTheme } from '../preferences.ts'
import { account, navigate, openWorld, route } from '../route.ts'
import { useSession } from '../session.ts'
import styles from './Sidebar.module.css'

/** Its id. */
export const SIDEBAR = 'sidebar'

const GROUPS = ['Calendar', 'Traffic', 'Setup'] as const

/** A menu on a narrow page, which closes when the route changes. On a wide page it is always visible. */
export function Sidebar({ openGuide }: { openGuide(): void }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.hidePopover(), [route.value])
  return (
    <aside ref={element} id={SIDEBAR} popover="auto" class={styles.sidebar} aria-label="Sidebar">
      <p class={styles.brand}>
        <Icon name="calendar" size={20} /> fake-calendar
      </p>
      <WorldSelect />
      <AccountSelect />
      <nav class={styles.panels} aria-label="Panels">
        {GROUPS.map((group) => (
          <ul key={group} aria-label={`${group} panels`} data-group={group}>
            {PANELS.filter((panel) => panel.group === group).map((panel) => (
              <li key={panel.id}>
                <PanelLink panel={panel} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div class={styles.foot}>
        <button type="button" class="quiet" onClick={openGuide}>
          <Icon name="help" /> Guide
        </button>
        <button type="button" class="quiet" aria-label="Switch between light and dark" onClick={toggleTheme}>
          <Icon name="moon" />
        </button>
      </div>
    </aside>
  )
}

function PanelLink({ panel: { id, title, icon, count } }: { panel: Panel }) {
  const { overview, world } = useSession()
  const view = overview.value?.worlds.find(({ name }) => name === world)
  const number = view && count?.(view)
  return (
    <button
      type="button"
      aria-current={route.value.panel === id ? 'page' : undefined}
      onClick={() => navigate({ panel: id, item: '' })}
    >
      <Icon name={icon} />
      <span class={styles.title}>{title}</span>
      {number ? <span class={styles.count}>{number}</span> : null}
    </button>
  )
}

/** A world that does not exist yet is listed if it is shown. */
function WorldSelect() {
  const { overview, world } = useSession()
  const names = new Set([world, ...(overview.value?.worlds ?? []).map(({ name }) => name)])
  return (
    <div class={styles.choice}>
      <label for="world">World</label>
      <select id="world" value={world} onChange={({ currentTarget }) => openWorld(currentTarget.value)}>
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** An address without an account is listed if it is shown. */
function AccountSelect() {
  const { overview } = useSession()
  const accounts = overview.value?.accounts ?? []
  const names = new Map(accounts.map(({ email, displayName }) => [email, displayName]))
  const emails = new Set([...names.keys(), ...(account.value ? [account.value] : [])])
  return (
    <div class={styles.choice}>
      <label for="account">Account</label>
      <select
        id="account"
        value={account.value}
        disabled={emails.size === 0}
        onChange={({ currentTarget }) => navigate({ account: currentTarget.value, item: '' })}
      >
        {[...emails].map((email) => (
          <option key={email} value={email}>
            {names.get(email) ? `${names.get(email)} (${email})` : email}
          </option>
        ))}
      </select>
    </div>
  )
}
