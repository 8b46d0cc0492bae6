import { effect, signal } from '@preact/signals'
import { Calendar, type EventInput } from 'fullcalendar'
import { useEffect, useRef } from 'preact/hooks'
import { LOOK } from '../calendar/grid.tsx'
import { type Beside, inGrid } from '../calendar/looks.ts'
import { calendarList, eventsIn } from '../calendar/service.ts'
import { colours, firstDay, now, stale } from '../calendar/state.ts'
import { VIEWS, viewOf } from '../calendar/views.ts'
import { Notice } from '../parts/notice.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { go, route } from '../route.ts'
import { zone } from './people.ts'
import { type Seen, seen, uid } from './same.ts'

type Range = { start: Date; end: Date }

/** All that an account has ticked on its own list, as that account sees it. */
async function read(email: string, { start, end }: Range): Promise<{ inputs: EventInput[]; seen: Seen[] }> {
  const range = { timeMin: start.toISOString(), timeMax: end.toISOString() }
  const entries = (await calendarList(email)).filter(({ selected }) => selected)
  const read = await Promise.all(
    entries.map(async (entry) => ({ entry, events: await eventsIn(entry.id, range, email) })),
  )
  return {
    inputs: read.flatMap(({ entry, events }) =>
      inGrid(entry, events, colours.peek()).map((input) => ({ ...input, editable: false })),
    ),
    seen: read.flatMap(({ entry, events }) => events.map((event) => ({ email, calendar: entry.summary, event }))),
  }
}

/** One account's calendar. Its date and view are those of the address, as those of the columns beside it. */
export function Column({ email }: { email: string }) {
  const at = useRef<HTMLDivElement>(null)
  const refused = useRef(signal<Refused | undefined>(undefined)).current
  useEffect(() => {
    if (!at.current) return undefined
    const { view, date } = route.peek()
    const calendar = new Calendar(at.current, {
      ...LOOK,
      height: 'auto',
      // A whole day is seen at once.
      slotDuration: '01:00:00',
      initialView: VIEWS[viewOf(view)].type,
      initialDate: date || now.peek() || '',
      now: now.peek() ?? '',
      timeZone: zone.peek(),
      eventClick: ({ event }) => {
        uid.value = (event.extendedProps as Beside).event.iCalUID ?? ''
      },
      navLinkDayClick: (day) => go({ view: 'day', date: day.toISOString().slice(0, 10) }),
      loading: (busy) => at.current?.setAttribute('aria-busy', String(busy)),
      events: async (range: Range) => {
        try {
          const found = await read(email, range)
          seen.value = new Map(seen.peek()).set(email, found.seen)
          refused.value = undefined
          return found.inputs
        } catch (error) {
          refused.value = refusalOf(error)
          return []
        }
      },
    })
    calendar.render()
    const ends = [
      effect(() => {
        const { view, date } = route.value
        const { type } = VIEWS[viewOf(view)]
        if (calendar.view.type !== type) calendar.changeView(type)
        if (date !== '' && calendar.formatIso(calendar.getDate()).slice(0, 10) !== date) calendar.gotoDate(date)
      }),
      effect(() => calendar.setOption('timeZone', zone.value)),
      effect(() => calendar.setOption('firstDay', firstDay.value)),
      effect(() => {
        if (stale.value > 0) calendar.refetchEvents()
      }),
    ]
    return () => {
      for (const end of ends) end()
      calendar.destroy()
    }
  }, [email, refused])
  return (
    <section class="column" aria-label={`As ${email} sees it`}>
      <h2>{email}</h2>
      {refused.value && <Notice refused={refused.value} />}
      <div ref={at} />
    </section>
  )
}
