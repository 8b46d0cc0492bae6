import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../components/Icon.tsx'
import { PANELS, type Panel } from '../panels.ts'
import { account, navigate, route, showWorld } from '../route.ts'
import { useSession } from '../session.ts'
import styles from './Sidebar.module.css'

/** Its id. */
export const SIDEBAR = 'sidebar'

const GROUPS = ['Calendar', 'Traffic', 'Setup'] as const

/** A menu on a narrow page, which closes when the route changes. On a wide page it is always visible. */
export function Sidebar() {
  const element = useRef<HTMLElement>(null)
  const { overview, world } = useSession()
  const worlds = new Map((overview.value?.worlds ?? []).map(({ name }) => [name, name]))
  const accounts = new Map(
    (overview.value?.accounts ?? []).map(({ email, displayName }) => [
      email,
      displayName ? `${displayName} (${email})` : email,
    ]),
  )
  useEffect(() => element.current?.hidePopover(), [route.value])
  return (
    <aside ref={element} id={SIDEBAR} popover="auto" class={styles.sidebar} aria-label="Sidebar">
      <p class={styles.brand}>
        <Icon name="calendar" size={20} /> fake-calendar
      </p>
      <Choice id="world" label="World" value={world} names={worlds} change={(name) => showWorld(name)} />
      <Choice
        id="account"
        label="Account"
        value={account.value}
        names={accounts}
        change={(email) => navigate({ account: email, item: '' })}
      />
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
      {number ? <span class="pill">{number}</span> : null}
    </button>
  )
}

type ChoiceProps = {
  id: string
  label: string
  value: string
  names: ReadonlyMap<string, string>
  change(value: string): void
}

/** A value that is none of the names is listed too: a world that does not exist yet, or an address without an account. */
function Choice({ id, label, value, names, change }: ChoiceProps) {
  const values = new Set([...(value === '' ? [] : [value]), ...names.keys()])
  return (
    <div class={styles.choice}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={values.size === 0}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {[...values].map((one) => (
          <option key={one} value={one}>
            {names.get(one) ?? one}
          </option>
        ))}
      </select>
    </div>
  )
}
