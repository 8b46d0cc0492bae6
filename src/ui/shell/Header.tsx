import { useAccount, zoneOf } from '../account.ts'
import { Icon } from '../components/Icon.tsx'
import { WorldClock } from '../panels/world/WorldClock.tsx'
import { PANELS } from '../panels.ts'
import { navigate, route } from '../route.ts'
import { useSession } from '../session.ts'
import { placeOf } from '../time/timeFormat.ts'
import styles from './Header.module.css'
import { SIDEBAR } from './Sidebar.tsx'

/** The state of the event stream is `Live` if it is open. */
export function Header({ openPalette }: { openPalette(): void }) {
  const session = useSession()
  const { panel, account } = route.value
  const owner = session.overview.value?.accounts.find(({ email }) => email === account)?.displayName ?? account
  const status = session.exists.value === false ? 'No such world' : session.isLive.value ? 'Live' : 'Not connected'
  return (
    <header class={styles.header}>
      <button type="button" class={`quiet ${styles.menu}`} aria-label="Open the menu" popovertarget={SIDEBAR}>
        <Icon name="menu" size={20} />
      </button>
      <h1>{PANELS.find(({ id }) => id === panel)?.title ?? panel}</h1>
      {panel === 'calendar' && owner && (
        <span class={styles.owner} title={account}>
          of {owner}
        </span>
      )}
      <span class={styles.live} data-live={session.isLive.value} role="status" title={status}>
        <span>{status}</span>
      </span>
      {session.exists.value && <WorldClock />}
      {session.exists.value && <ZoneSelect />}
      <button type="button" class="quiet" aria-label="Search" title="Search (Ctrl K)" onClick={openPalette}>
        <Icon name="search" />
      </button>
    </header>
  )
}

const ZONES = { '': 'calendar', account: 'account', utc: 'UTC', browser: 'browser' }

function ZoneSelect() {
  const account = useAccount()
  return (
    <select
      class={styles.zone}
      aria-label="Time zone"
      title={`Time zone: ${zoneOf(account)}`}
      value={route.value.zone}
      onChange={({ currentTarget }) => navigate({ zone: currentTarget.value }, { replace: true })}
    >
      {Object.entries(ZONES).map(([choice, name]) => (
        <option key={choice} value={choice}>
          {choice === 'utc' ? 'UTC' : `${placeOf(zoneOf(account, choice))} (${name})`}
        </option>
      ))}
    </select>
  )
}
