import { Calendar, type CalendarOptions, type EventInput } from '@fullcalendar/core'
import dayGridPlugin from '@fullcalendar/daygrid'
import interactionPlugin from '@fullcalendar/interaction'
import listPlugin from '@fullcalendar/list'
import multiMonthPlugin from '@fullcalendar/multimonth'
import timeGridPlugin from '@fullcalendar/timegrid'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAccount } from '../../account.ts'
import { Icon } from '../../components/Icon.tsx'
import { formatDate } from '../../time/timeFormat.ts'
import { DAY_MS, type FloatingTime, HOUR_MS, msToDate, msToWall } from '../../time/wallTime.ts'
import { type GridEvent, TRAITS } from './eventAppearance.ts'
import { LIST_DAYS, VIEWS, type ViewName } from './views.ts'

const NARROW_PX = 600
/** The styles of several calendars side by side reserve the room of as many. */
const MAX_ALL_DAY_ROWS = 3
/** Unless events are earlier. */
const FIRST_HOUR = 8
/** Below the first hour, on most screens. */
const VISIBLE_HOURS = 10

/** In the page's zone. The end of whole days is the midnight after them. */
export type DragSpan = { start: number; end: number }

type Props = {
  view: ViewName
  date: string
  items: readonly GridEvent[]
  now: FloatingTime
  isLoaded: boolean
  label: string
  /** The hour to scroll to. */
  hour?: number
  open(item: GridEvent): void
  openDay?(date: string): void
  /** Called with the span of a click or drag on free time. */
  create?(span: DragSpan): void
  /** Resolves to false if the event stays. */
  move?(item: GridEvent, span: DragSpan): Promise<boolean>
}

/** FullCalendar has no named zones without a plugin, so it gets local times of the page's zone and treats them as UTC. */
export function EventGrid(props: Props) {
  const { view, date, items, now, isLoaded, hour = findFirstHour(items) } = props
  const { weekStart, hour12 } = useAccount()
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [calendar, setCalendar] = useState<Calendar>()
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const created = new Calendar(element.current, {
      ...createOptions(latest, hour12),
      ...{ initialView: VIEWS[view].type, initialDate: date, firstDay: weekStart, events: [] },
    })
    created.render()
    setCalendar(created)
    return () => created.destroy()
  }, [hour12, weekStart])
  useLayoutEffect(() => {
    if (calendar && calendar.view.type !== VIEWS[view].type) calendar.changeView(VIEWS[view].type, date)
    else calendar?.gotoDate(date)
  }, [calendar, view, date])
  // FullCalendar reads `now` again when the page becomes visible.
  useEffect(() => void document.dispatchEvent(new Event('visibilitychange')), [now])
  // An array with the same ids keeps the elements of the events, and so the focus.
  useLayoutEffect(() => calendar?.setOption('events', toInputs(items, view)), [calendar, items, view])
  useEffect(() => {
    if (isLoaded) calendar?.scrollToTime({ hours: hour, minutes: -10 })
  }, [calendar, isLoaded, view, date])
  return (
    <div class="event-grid">
      <div ref={element} />
    </div>
  )
}

function createOptions(latest: { current: Props }, hour12: boolean): CalendarOptions {
  const itemOf = (key: string) => latest.current.items.find((one) => one.key === key)
  /** Returns the event to its place if the new times are not written. */
  const onDrop = async ({ event, revert }: { event: EventTimes & { id: string }; revert(): void }) => {
    const item = itemOf(event.id)
    if (!item || !(await latest.current.move?.(item, toSpan(event, item)))) revert()
  }
  const { create, move, openDay, label } = latest.current
  const hourFormat = hour12 ? ({ hour: 'numeric' } as const) : ({ hour: '2-digit', minute: '2-digit' } as const)
  const day = { weekday: 'short', day: 'numeric' } as const
  return {
    plugins: [dayGridPlugin, timeGridPlugin, listPlugin, multiMonthPlugin, interactionPlugin],
    views: {
      listDays: { type: 'list', duration: { days: LIST_DAYS } },
      timeGrid: { dayHeaderFormat: day, dayMaxEvents: false, dayMaxEventRows: MAX_ALL_DAY_ROWS },
      multiMonthYear: { fixedWeekCount: true, dayHeaderFormat: { weekday: 'narrow' } },
    },
    ...{ locale: 'en-GB', timeZone: 'UTC', headerToolbar: false, height: '100%', expandRows: true },
    ...{ now: () => latest.current.now, nowIndicator: true },
    ...{ slotDuration: '00:15', slotLabelInterval: '01:00', eventMinHeight: 18, eventShortHeight: 36 },
    ...{ scrollTime: { hours: FIRST_HOUR, minutes: -10 }, scrollTimeReset: false },
    ...{ dayMaxEvents: true, slotEventOverlap: false, moreLinkHint: (count) => `Show ${count} more events` },
    ...{ multiMonthMinWidth: 180, aspectRatio: 1.4, multiMonthMaxColumns: 4, fixedWeekCount: false },
    ...{ eventInteractive: true, selectable: create !== undefined, selectMinDistance: 5 },
    ...{ editable: move !== undefined, navLinks: openDay !== undefined },
    ...{ allDayText: 'All day', noEventsText: 'No events in these days.' },
    slotLabelFormat: { ...hourFormat, hour12 },
    eventTimeFormat: { ...hourFormat, minute: '2-digit', hour12 },
    defaultRangeSeparator: '–',
    ...{ listDayFormat: { ...day, month: 'short', year: 'numeric' }, listDaySideFormat: false },
    // A narrow day has no room for the word.
    moreLinkContent: ({ num }) => (innerWidth < NARROW_PX ? `+${num}` : `+${num} more`),
    navLinkDayClick: (clicked) => latest.current.openDay?.(msToDate(clicked.getTime())),
    eventClick: ({ event }) => {
      const item = itemOf(event.id)
      if (item) latest.current.open(item)
    },
    eventDrop: (drop) => void onDrop(drop as never),
    eventResize: (resize) => void onDrop(resize as never),
    select: ({ start, end, view: { calendar } }) => {
      latest.current.create?.({ start: start.getTime(), end: end.getTime() })
      calendar.unselect()
    },
    dateClick: ({ date, allDay }) =>
      latest.current.create?.({ start: date.getTime(), end: date.getTime() + (allDay ? DAY_MS : HOUR_MS) }),
    eventContent: ({ event, timeText, view: { type } }) => {
      const item = itemOf(event.id)
      if (!item) return undefined
      const hasDot = type === VIEWS.month.type && !event.allDay
      return { domNodes: [renderEvent(item, type === VIEWS.list.type ? '' : timeText, hasDot)] }
    },
    eventDidMount: ({ el, event }) => {
      if (event.display === 'background') return
      el.dataset.event = event.id
      if (el.tagName === 'A') el.setAttribute('role', 'button')
    },
    moreLinkDidMount: ({ el }) => el.setAttribute('role', 'button'),
    // Its name is the date alone, although the cell contains more.
    dayCellDidMount: ({ el }) => el.removeAttribute('aria-labelledby'),
    viewDidMount: ({ el }) => {
      el.setAttribute('role', 'region')
      el.setAttribute('aria-label', label)
    },
  }
}

type EventTimes = { start: Date | null; end: Date | null; allDay: boolean }

/** FullCalendar has no end for an event of the default length. */
function toSpan({ start, end }: EventTimes, item: GridEvent): DragSpan {
  const from = start?.getTime() ?? item.start
  return { start: from, end: end?.getTime() ?? from + (item.end - item.start) }
}

/** Drawn as an outline, as the service's own page does. */
const HOLLOW = ['declined', 'unanswered'] as const

/** The year marks the days that have events instead. */
function toInputs(items: readonly GridEvent[], view: ViewName): EventInput[] {
  if (view === 'year') return [...findBusyDates(items)].map((date) => ({ start: date, display: 'background' }))
  return items.map(({ key, title, start, end, allDay, isEditable, background, traits }) => ({
    ...{ id: key, title, allDay, editable: isEditable },
    ...(allDay ? { start: msToDate(start), end: msToDate(end) } : { start: msToWall(start), end: msToWall(end) }),
    ...{
      backgroundColor: HOLLOW.some((trait) => traits.includes(trait)) ? 'var(--surface)' : background,
      borderColor: background,
    },
    classNames: traits.map((trait) => `is-${trait}`),
  }))
}

/** An event of several days counts on each. */
function findBusyDates(items: readonly GridEvent[]): Set<string> {
  const dates = new Set<string>()
  for (const { start, end } of items)
    for (let day = start - (start % DAY_MS); day < Math.max(end, start + 1); day += DAY_MS) dates.add(msToDate(day))
  return dates
}

/** The hour to scroll to: that of the first event if none would be visible. */
export function findFirstHour(items: readonly GridEvent[]): number {
  const hours = items.filter(({ allDay }) => !allDay).map(({ start }) => Math.floor((start % DAY_MS) / HOUR_MS))
  const isVisible = hours.some((hour) => hour >= FIRST_HOUR && hour < FIRST_HOUR + VISIBLE_HOURS)
  return isVisible || hours.length === 0 ? FIRST_HOUR : Math.min(...hours)
}

/** FullCalendar has a Preact of its own, so it gets finished elements. `time` is empty if it is shown elsewhere. */
export function renderEvent(item: GridEvent, time: string, hasDot: boolean): HTMLElement {
  const element = document.createElement('div')
  element.className = 'event-content'
  element.style.setProperty('--event', item.background)
  render(<EventContent item={item} time={time} hasDot={hasDot} />, element)
  return element
}

/** The icons are for eyes, the words for screen readers. */
function EventContent({ item, time, hasDot }: { item: GridEvent; time: string; hasDot: boolean }) {
  const { title, stripes, start } = item
  const traits = item.traits.map((trait) => ({ icon: undefined, ...TRAITS[trait] }))
  return (
    <>
      {stripes.length > 1 ? (
        <span class="event-stripes" data-stripes={stripes.length} title={`On ${stripes.length} of the shown calendars`}>
          {stripes.map((color, index) => (
            <span key={`${index} ${color}`} style={{ background: color }} />
          ))}
        </span>
      ) : (
        hasDot && <span class="fc-daygrid-event-dot" />
      )}
      <span class="event-text">
        <strong data-event-title>{title}</strong>
        {traits.map(({ icon }) => icon && <Icon key={icon} name={icon} size={12} />)}
        <span class="event-time">{time}</span>
        <span class="hidden">, {formatDate(msToDate(start))}</span>
        {traits.length > 0 && (
          <span class="hidden" data-traits>
            , {traits.map(({ text }) => text).join(', ')}
          </span>
        )}
      </span>
    </>
  )
}
