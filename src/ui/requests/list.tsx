import { useState } from 'preact/hooks'
import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { go, route } from '../route.ts'

/** How many rows there are at a time, however many requests. */
const ROWS = 200

/** The number of the call whose row Tab leads to, and arrows lead on from. */
const rowOf = (n: number): string => `call-${n}`

/** Requests, the latest first, a page at a time. The first page takes in what comes; a later one stays as it is. */
export function CallList({ calls }: { calls: readonly RecordedCall[] }) {
  /** The number of the latest call of the page; none while it is the first page. */
  const [from, setFrom] = useState<number>()
  const latestFirst = [...calls].reverse()
  const at =
    from === undefined
      ? 0
      : Math.max(
          latestFirst.findIndex(({ n }) => n <= from),
          0,
        )
  const page = latestFirst.slice(at, at + ROWS)
  const older = latestFirst[at + ROWS]
  const newer = at > 0 ? latestFirst[Math.max(at - ROWS, 0)] : undefined
  const shown = Number(route.value.item)
  const entry = page.some(({ n }) => n === shown) ? shown : page[0]?.n
  return (
    <>
      <ol class="calls" aria-label="Requests, the latest first" onKeyDown={byArrow}>
        {page.map((call) => (
          <li key={call.n}>
            <Row call={call} isShown={call.n === shown} isEntry={call.n === entry} />
          </li>
        ))}
      </ol>
      {(newer || older) && (
        <div class="actions">
          <button type="button" disabled={!newer} onClick={() => setFrom(undefined)}>
            Latest
          </button>
          <button type="button" disabled={!newer} onClick={() => setFrom(at <= ROWS ? undefined : newer?.n)}>
            Newer
          </button>
          <button type="button" disabled={!older} onClick={() => setFrom(older?.n)}>
            Older
          </button>
          <span>
            {at + 1} to {at + page.length} of {calls.length}
          </span>
        </div>
      )}
    </>
  )
}

const STEPS = new Map([
  ['ArrowDown', 'nextElementSibling'],
  ['ArrowUp', 'previousElementSibling'],
] as const)

/** Up and down lead from row to row, and show the request that they come to where one is shown already. */
function byArrow(event: KeyboardEvent): void {
  const way = STEPS.get(event.key as 'ArrowDown')
  const here = event.target instanceof Element ? event.target.closest('li') : null
  const next = way && here?.[way]?.querySelector('button')
  if (!next) return
  event.preventDefault()
  next.focus()
  if (route.peek().item !== '' && innerWidth > NARROW) next.click()
}

/** In pixels: where the details take the place of the list. */
export const NARROW = 900

function Row({ call, isShown, isEntry }: { call: RecordedCall; isShown: boolean; isEntry: boolean }) {
  const { n, method, status, reason, account, verb, path, ms, at, hints, fault, batch } = call
  return (
    <button
      type="button"
      id={rowOf(n)}
      class="call"
      tabIndex={isEntry ? 0 : -1}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => go({ item: String(n) }, { replace: route.peek().item !== '' })}
    >
      <span class="n">{n}</span>
      <Status status={status} />
      <strong class="method">{method}</strong>
      <span class="account">{account ?? 'nobody'}</span>
      <span class="marks">
        {reason && <span class="mark bad">{reason}</span>}
        {fault && <span class="mark bad">fault</span>}
        {hints.length > 0 && <span class="mark">{hints.map(({ code }) => code).join(' ')}</span>}
        {batch !== undefined && <span class="mark">batch {batch}</span>}
      </span>
      <span class="path">
        {verb} {path.replace(/^\/calendar\/v3(?=\/)/, '')}
      </span>
      <span class="time">
        <time dateTime={at}>{at.slice(11, 19)}</time> {ms.toFixed(1)} ms
      </span>
    </button>
  )
}

/** The status as a figure, which says to whoever sees no colours what they say to others. */
export const Status = ({ status }: { status: number | undefined }) => (
  <span class={status !== undefined && status < 400 ? 'status' : 'status bad'}>{status ?? 'no answer'}</span>
)

/** Puts the focus on the row of a call, where it is shown. */
export const focusRow = (n: number): void => document.getElementById(rowOf(n))?.focus()
