import '../calendar/calendar.css'
import './side.css'
import { effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { titleOf } from '../calendar/looks.ts'
import { readList } from '../calendar/state.ts'
import { VIEWS, viewOf } from '../calendar/views.ts'
import { changes } from '../live.ts'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Table } from '../parts/table.tsx'
import { account, go, route, world } from '../route.ts'
import { Column } from './column.tsx'
import { show, shown, zone } from './people.ts'
import { copies, uid } from './same.ts'
import { later, today } from './steps.ts'

const VIEW_NAMES = Object.keys(VIEWS) as (keyof typeof VIEWS)[]

/** The calendars of several accounts beside each other: the same days, and of an event what each of them sees. */
export default function Side() {
  // The zone, the colours and the first day of the week are those of the account that the page acts as.
  useEffect(() => effect(() => void readList(world.value, account.value, changes.value)), [])
  const people = overview.value?.accounts ?? []
  const view = viewOf(route.value.view)
  const turn = (by: number) => () => go({ view, date: later(route.peek().date || today(), view, by) })
  return (
    <>
      <fieldset class="actions" aria-label="Whose calendars">
        {people.map(({ email }) => (
          <label key={email}>
            <input
              type="checkbox"
              checked={shown.value.includes(email)}
              onChange={({ currentTarget }) => show(email, currentTarget.checked)}
            />{' '}
            {email}
          </label>
        ))}
      </fieldset>
      <div class="toolbar actions" role="toolbar" aria-label="The grids">
        <button type="button" onClick={() => go({ date: today() })}>
          Today
        </button>
        <button type="button" aria-label="Back" onClick={turn(-1)}>
          ‹
        </button>
        <button type="button" aria-label="Forth" onClick={turn(1)}>
          ›
        </button>
        <span class="views">
          {VIEW_NAMES.map((name) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => go({ view: name })}>
              {VIEWS[name].title}
            </button>
          ))}
        </span>
        <span class="zone">{zone.value}</span>
      </div>
      {uid.value !== '' && <Copies />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by the keyboard */}
      <section class={`columns ${VIEWS[view].type}`} tabIndex={0} aria-label="Calendars side by side">
        {shown.value.map((email) => (
          <Column key={email} email={email} />
        ))}
        {shown.value.length === 0 && <p class="none">Nobody is chosen.</p>}
      </section>
    </>
  )
}

/** The event that was clicked, in the eyes of each account. */
const Copies = () => (
  <div class="copies">
    <Table
      caption="The same event, as each sees it"
      rows={copies.value}
      keyOf={({ email, calendar }) => `${email} ${calendar}`}
      none="Nobody here sees it in these days."
      columns={[
        { title: 'Account', cell: ({ email }) => email },
        { title: 'On', cell: ({ calendar }) => calendar },
        { title: 'Title', cell: ({ event }) => titleOf(event) },
        { title: 'Own answer', cell: ({ event }) => event.attendees?.find(({ self }) => self)?.responseStatus ?? '' },
        {
          title: 'Guests seen',
          cell: ({ event }) =>
            (event.attendees ?? []).map(({ email, responseStatus }) => `${email}: ${responseStatus}`).join(', '),
        },
        { title: 'Visibility', cell: ({ event }) => event.visibility ?? 'default' },
      ]}
    />
    <Button
      act={() => {
        uid.value = ''
      }}
    >
      Close
    </Button>
  </div>
)
