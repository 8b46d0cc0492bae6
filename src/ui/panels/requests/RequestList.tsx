import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { RecordedCall } from '../../api/types.ts'
import { cx } from '../../components/classNames.ts'
import { Icon } from '../../components/Icon.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { navigate, route } from '../../route.ts'
import styles from './RequestsPanel.module.css'

const PAGE_SIZE = 200
/** Below it, the details take the place of the list. */
export const NARROW_PX = 1100

const rowId = (n: number): string => `call-${n}`

/** Has no effect if the list does not show the row. */
export const focusRow = (n: number): void => document.getElementById(rowId(n))?.focus()

/** The first page shows new requests as they arrive; later pages keep theirs. */
export function RequestList({ calls }: { calls: readonly RecordedCall[] }) {
  /** Undefined on the first page. */
  const [newestOfPage, setNewestOfPage] = useState<number>()
  const newestFirst = [...calls].reverse()
  const start =
    newestOfPage === undefined
      ? 0
      : Math.max(
          newestFirst.findIndex(({ n }) => n <= newestOfPage),
          0,
        )
  const page = newestFirst.slice(start, start + PAGE_SIZE)
  const older = newestFirst[start + PAGE_SIZE]
  const newer = start > 0 ? newestFirst[Math.max(start - PAGE_SIZE, 0)] : undefined
  const shown = Number(route.value.item)
  const tabStop = page.some(({ n }) => n === shown) ? shown : page[0]?.n
  return (
    <>
      <ol class={styles.calls} aria-label="Requests, the newest first" onKeyDown={moveFocus}>
        {page.map((call) => (
          <li key={call.n}>
            <RequestRow call={call} isShown={call.n === shown} isTabStop={call.n === tabStop} />
          </li>
        ))}
      </ol>
      {(newer || older) && (
        <div class="actions">
          <button type="button" disabled={!newer} onClick={() => setNewestOfPage(undefined)}>
            Newest
          </button>
          <button
            type="button"
            disabled={!newer}
            onClick={() => setNewestOfPage(start <= PAGE_SIZE ? undefined : newer?.n)}
          >
            Newer
          </button>
          <button type="button" disabled={!older} onClick={() => setNewestOfPage(older?.n)}>
            Older
          </button>
          <span class="muted">
            {start + 1} to {start + page.length} of {calls.length}
          </span>
        </div>
      )}
    </>
  )
}

/** Details that are open beside the list follow the focus. */
function moveFocus(event: KeyboardEvent): void {
  const item = event.target instanceof Element ? event.target.closest('li') : null
  const sibling = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key]
  const button = sibling?.querySelector('button')
  if (!button) return
  event.preventDefault()
  button.focus()
  if (route.peek().item !== '' && innerWidth > NARROW_PX) button.click()
}

const formatPath = (path: string): string => path.replace(/^\/calendar\/v3(?=\/)/, '')

/** `isTabStop` is true for the one row that the Tab key reaches. */
function RequestRow({ call, isShown, isTabStop }: { call: RecordedCall; isShown: boolean; isTabStop: boolean }) {
  const format = useTimeFormat()
  const { n, method, status, reason, account, verb, path, ms, at, hints, fault, batch, inspector } = call
  return (
    <button
      type="button"
      id={rowId(n)}
      class={styles.call}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => navigate({ item: String(n) }, { replace: route.peek().item !== '' })}
    >
      <span class={styles.number} data-number>
        {n}
      </span>
      <StatusPill status={status} />
      <strong class={styles.method} data-method>
        {method}
      </strong>
      <span class={styles.account}>{account ?? 'no account'}</span>
      <span class={styles.path}>
        {reason && <span class="bad">{reason} </span>}
        {fault && (
          <span class={cx(styles.mark, 'bad')}>
            <Icon name="zap" size={12} /> fault{' '}
          </span>
        )}
        {hints.map(({ code, what }) => (
          <span key={`${code} ${what}`} class={styles.mark} title={code}>
            <Icon name="info" size={12} /> {what}{' '}
          </span>
        ))}
        {batch !== undefined && <span class={styles.mark}>batch {batch} </span>}
        {inspector && <span class={styles.mark}>inspector </span>}
        {verb} {formatPath(path)}
      </span>
      <span class={styles.time}>
        <time dateTime={at}>{format.clock(at)}</time> <span class={styles.ms}>{ms.toFixed(1)} ms</span>
      </span>
    </button>
  )
}
