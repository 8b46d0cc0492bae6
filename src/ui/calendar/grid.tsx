import 'fullcalendar/skeleton.css'
import 'fullcalendar/themes/classic/theme.css'
import 'fullcalendar/themes/classic/palette.css'
import { effect } from '@preact/signals'
import { Calendar, type CalendarOptions, type EventApi, type EventDisplayInfo, type EventInput } from 'fullcalendar'
import dayGrid from 'fullcalendar/daygrid'
import interaction from 'fullcalendar/interaction'
import list from 'fullcalendar/list'
import multiMonth from 'fullcalendar/multimonth'
import classic from 'fullcalendar/themes/classic'
import timeGrid from 'fullcalendar/timegrid'
import { useEffect, useRef } from 'preact/hooks'
import { refusalOf } from '../refused.ts'
import { go, route } from '../route.ts'
import { asRange, dropped, openEvent, openNew } from './acts.ts'
import { type Beside, inGrid } from './looks.ts'
import { eventsIn } from './service.ts'
import { Signs } from './signs.tsx'
import { colours, firstDay, now, refusedBy, stale, ticked, zone } from './state.ts'
import { VIEWS, viewOf } from './views.ts'

const besideOf = ({ extendedProps }: Pick<EventApi, 'extendedProps'>): Beside => extendedProps as Beside

/** The events of all calendars that are ticked, each read by itself: one that is refused does not keep back the others. */
async function events({ start, end }: { start: Date; end: Date }): Promise<EventInput[]> {
  const range = { timeMin: start.toISOString(), timeMax: end.toISOString() }
  const refused = new Map()
  const read = await Promise.all(
    ticked.peek().map(async (entry) => {
      try {
        return inGrid(entry, await eventsIn(entry.id, range), colours.peek())
      } catch (error) {
        refused.set(entry.id, refusalOf(error))
        return []
      }
    }),
  )
  refusedBy.value = refused
  return read.flat()
}

/** What is only being dragged out has nothing beside it yet. */
const shownEvent = ({ event, timeText }: EventDisplayInfo) => (
  <span class="shown">
    {timeText && <span class="time">{timeText} </span>}
    <span class="title">{event.title}</span>
    <Signs signs={besideOf(event).signs ?? []} />
  </span>
)

/** How every grid of days looks. */
export const LOOK: CalendarOptions = {
  plugins: [dayGrid, timeGrid, list, multiMonth, interaction, classic],
  headerToolbar: false,
  eventInteractive: true,
  nowIndicator: true,
  navLinks: true,
  lazyFetching: false,
  dayMaxEvents: 4,
  fixedWeekCount: false,
  scrollTime: '07:00:00',
  eventMinHeight: 20,
  eventTimeFormat: { hour: '2-digit', minute: '2-digit', hour12: false },
  slotHeaderFormat: { hour: '2-digit', minute: '2-digit', hour12: false },
  eventContent: shownEvent,
}

/** What may be done in one's own. */
const OPTIONS: CalendarOptions = {
  ...LOOK,
  editable: true,
  selectable: true,
  selectMirror: true,
  eventResizableFromStart: true,
  events,
}

/** The grid of days. What is done in it is done by writes, and what it shows is read again after them. */
export function Grid({ hold }: { hold(calendar: Calendar | undefined): void }) {
  const at = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!at.current) return undefined
    const { view, date } = route.peek()
    const calendar = new Calendar(at.current, {
      ...OPTIONS,
      initialView: VIEWS[viewOf(view)].type,
      height: VIEWS[viewOf(view)].height,
      initialDate: date || now.peek() || '',
      timeZone: zone.peek(),
      now: now.peek() ?? '',
      eventClick: ({ event }) => openEvent(besideOf(event)),
      select: ({ startStr, endStr, allDay }) => {
        calendar.unselect()
        openNew(asRange({ start: startStr, end: endStr, allDay }))
      },
      eventDrop: (info) => void dropped(info, besideOf(info.event)),
      eventResize: (info) => void dropped(info, besideOf(info.event)),
      navLinkDayClick: (day) => go({ view: 'day', date: day.toISOString().slice(0, 10) }),
      loading: (busy) => at.current?.setAttribute('aria-busy', String(busy)),
    })
    calendar.render()
    hold(calendar)
    const ends = [
      effect(() => {
        const { view, date } = route.value
        const { type, height } = VIEWS[viewOf(view)]
        if (calendar.getOption('height') !== height) calendar.setOption('height', height)
        if (calendar.view.type !== type) calendar.changeView(type)
        if (date !== '' && calendar.formatIso(calendar.getDate()).slice(0, 10) !== date) calendar.gotoDate(date)
      }),
      effect(() => calendar.setOption('timeZone', zone.value)),
      effect(() => calendar.setOption('now', now.value ?? '')),
      effect(() => calendar.setOption('firstDay', firstDay.value)),
      effect(() => {
        if (stale.value > 0) calendar.refetchEvents()
      }),
    ]
    return () => {
      for (const end of ends) end()
      hold(undefined)
      calendar.destroy()
    }
  }, [hold])
  return <div class="grid" ref={at} />
}
