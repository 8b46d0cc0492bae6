import { go, route } from '../route.ts'
import { openNew } from './acts.ts'
import { now, ZONES, zone, zoneOf } from './state.ts'
import { daysLater } from './times.ts'
import { VIEWS, viewOf } from './views.ts'

type Props = { title: string; today(): void; back(): void; forth(): void; help(): void }

const VIEW_NAMES = Object.keys(VIEWS) as (keyof typeof VIEWS)[]
const ZONE_NAMES = Object.keys(ZONES) as (keyof typeof ZONES)[]

/** Where the grid is, and how it looks. */
export function Toolbar({ title, today, back, forth, help }: Props) {
  const shown = viewOf(route.value.view)
  return (
    <div class="toolbar actions" role="toolbar" aria-label="The grid">
      <button type="button" class="primary" onClick={newEvent}>
        New event
      </button>
      <button type="button" onClick={today}>
        Today
      </button>
      <button type="button" aria-label="Back" onClick={back}>
        ‹
      </button>
      <button type="button" aria-label="Forth" onClick={forth}>
        ›
      </button>
      <h2 aria-live="polite">{title}</h2>
      <span class="views">
        {VIEW_NAMES.map((name) => (
          <button key={name} type="button" aria-pressed={name === shown} onClick={() => go({ view: name })}>
            {VIEWS[name].title}
          </button>
        ))}
      </span>
      <label>
        <span>Zone</span>{' '}
        <select
          aria-label="Zone of the grid"
          value={zoneOf.value}
          onChange={({ currentTarget }) => {
            zoneOf.value = ZONE_NAMES.find((name) => name === currentTarget.value) ?? 'calendar'
          }}
        >
          {ZONE_NAMES.map((name) => (
            <option key={name} value={name}>
              {ZONES[name]}
            </option>
          ))}
        </select>{' '}
        <span class="zone">{zone.value}</span>
      </label>
      <button type="button" aria-label="Help" onClick={help}>
        ?
      </button>
    </div>
  )
}

/** An event of an hour, in the morning of the day that is shown. */
export function newEvent(): void {
  const day = route.peek().date || (now.peek() ?? '').slice(0, 10) || daysLater('1970-01-01', 0)
  const timeZone = zone.peek()
  openNew({ start: { dateTime: `${day}T09:00:00`, timeZone }, end: { dateTime: `${day}T10:00:00`, timeZone } })
}
