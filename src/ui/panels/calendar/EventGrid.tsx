import { Calendar, type CalendarOptions, type EventInput } from '@fullcalendar/core'
import dayGridPlugin from '@fullcalendar/daygrid'
import interactionPlugin from '@fullcalendar/interaction'
import listPlugin from '@fullcalendar/list'
import multiMonthPlugin from '@fullcalendar/multimonth'
import timeGridPlugin from '@fullcalendar/timegrid'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAccount } from '../../account.ts'
import { Icon } from '../../components/Icon.tsx'
import { showDate } from '../../time/timeFormat.ts'
import { DAY_MS, type FloatingTime, HOUR_MS, msToDate, msToWall } from '../../time/wallTime.ts'
import { type GridEvent, TRAITS } from './eventAppearance.ts'
import { LIST_DAYS, VIEWS, type ViewName } from './views.ts'

const NARROW_PX = 600
/** The styles of several calendars side by side reserve the room of as many. */
const MAX_ALL_DAY_ROWS = 3
/** The events of a day in the month. It is more than fit, because FullCalendar draws those that do not fit too. */
const MAX_MONTH_EVENTS = 16
/** Events beside each other at one time of a day, and in a narrower week. */
const MAX_STACKED = { day: 12, week: 4 }
/** Drawn at first, and each time that the end of the list comes near. */
const LIST_STEP = 200
const NEAR_PX = 1500

/** A span in the page's zone. The end of whole days is the midnight after them. */
export type DragSpan = { start: number; end: number }

type Props = {
  view: ViewName
  date: string
  items: readonly GridEvent[]
  now: FloatingTime
  label: string
  open(item: GridEvent): void
  openDay?(date: string): void
  /** Called with the span of a click or drag on free time. */
  create?(span: DragSpan): void
  /** Resolves to false if the event stays. */
  move?(item: GridEvent, span: DragSpan): Promise<boolean>
}

/** FullCalendar has no named zones without a plugin, so it gets local times of the page's zone and treats them as UTC. */
export function EventGrid(props: Props) {
  const { view, date, items, now } = props
  const { weekStart, hour12 } = useAccount()
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const surplusOf = useRef<ReadonlyMap<string, number>>(new Map())
  const [calendar, setCalendar] = useState<Calendar>()
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const created = new Calendar(element.current, {
      ...createOptions(latest, surplusOf, hour12),
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
  const [listed, setListed] = useState(LIST_STEP)
  useEffect(() => setListed(LIST_STEP), [view, date])
  const { shown, surplus } = useMemo(() => limitItems(items, view, listed), [items, view, listed])
  surplusOf.current = surplus
  // An array with the same ids keeps the elements of the events, and so the focus.
  useLayoutEffect(() => calendar?.setOption('events', toInputs(shown, view)), [calendar, shown, view])
  const onScroll = ({ target }: Event) => {
    const { scrollTop, clientHeight, scrollHeight } = target as Element
    const isNearEnd = scrollTop + clientHeight > scrollHeight - NEAR_PX
    if (view === 'list' && listed < items.length && isNearEnd) setListed(listed + LIST_STEP)
  }
  return (
    <div class="event-grid" onScrollCapture={onScroll}>
      <div ref={element} />
    </div>
  )
}

type Surplus = ReadonlyMap<string, number>

/** The events of the shown view that are drawn, and the number of the others by their first day. */
function limitItems(items: readonly GridEvent[], view: ViewName, listed: number) {
  const surplus = new Map<string, number>()
  if (view === 'list') return { shown: items.toSorted(byStart).slice(0, listed), surplus }
  if (view !== 'month') return { shown: items, surplus }
  const counts = new Map<string, number>()
  const shown = items.toSorted(byStart).filter(({ start, end, allDay }) => {
    const day = msToDate(start)
    const count = (counts.get(day) ?? 0) + 1
    counts.set(day, count)
    if (count <= MAX_MONTH_EVENTS || (allDay && end - start > DAY_MS)) return true
    surplus.set(day, (surplus.get(day) ?? 0) + 1)
    return false
  })
  return { shown, surplus }
}

/** Events of whole days first. */
const byStart = (a: GridEvent, b: GridEvent): number => Number(b.allDay) - Number(a.allDay) || a.start - b.start

function createOptions(latest: { current: Props }, surplus: { current: Surplus }, hour12: boolean): CalendarOptions {
  const itemOf = (key: string) => latest.current.items.find((one) => one.key === key)
  /** Returns the event to its place if the new times are not written. */
  const onDrop = async ({ event, revert }: { event: EventTimes & { id: string }; revert(): void }) => {
    const item = itemOf(event.id)
    if (!item || !(await latest.current.move?.(item, toSpan(event, item)))) revert()
  }
  const { create, move, openDay, label } = latest.current
  // A day of the month is narrow: 9:30, or 9:30a.
  const monthTime = { hour: 'numeric', minute: '2-digit', hour12, meridiem: 'narrow' } as const
  const hourFormat = hour12 ? ({ hour: 'numeric' } as const) : ({ hour: '2-digit', minute: '2-digit' } as const)
  const day = { weekday: 'short', day: 'numeric' } as const
  return {
    plugins: [dayGridPlugin, timeGridPlugin, listPlugin, multiMonthPlugin, interactionPlugin],
    views: {
      dayGridMonth: { eventTimeFormat: monthTime },
      workWeek: { type: 'timeGridWeek', weekends: false },
      listDays: { type: 'list', duration: { days: LIST_DAYS } },
      timeGrid: { dayHeaderFormat: day, dayMaxEvents: false, dayMaxEventRows: MAX_ALL_DAY_ROWS },
      timeGridDay: { eventMaxStack: MAX_STACKED.day },
      timeGridWeek: { eventMaxStack: MAX_STACKED.week },
      multiMonthYear: { fixedWeekCount: true, dayHeaderFormat: { weekday: 'narrow' } },
    },
    ...{ locale: 'en-GB', timeZone: 'UTC', headerToolbar: false, height: '100%', expandRows: true },
    ...{ now: () => latest.current.now, nowIndicator: true },
    ...{ slotDuration: '00:15', slotLabelInterval: '01:00', eventMinHeight: 18, eventShortHeight: 36 },
    scrollTime: '07:50',
    ...{ dayMaxEvents: true, slotEventOverlap: false, moreLinkHint: (count) => `Show ${count} more events` },
    ...{ multiMonthMinWidth: 180, aspectRatio: 1.4, multiMonthMaxColumns: 4, fixedWeekCount: false },
    ...{ eventInteractive: true, selectable: create !== undefined, selectMinDistance: 5, selectMirror: true },
    ...{ editable: move !== undefined, navLinks: openDay !== undefined },
    ...{ allDayText: 'All day', noEventsText: 'No events in these days.' },
    slotLabelFormat: { ...hourFormat, hour12 },
    eventTimeFormat: { ...hourFormat, minute: '2-digit', hour12 },
    defaultRangeSeparator: '–',
    ...{ listDayFormat: { ...day, month: 'short', year: 'numeric' }, listDaySideFormat: false },
    moreLinkContent: ({ num }) => ({ domNodes: [renderMoreLink(num, surplus)] }),
    moreLinkClick: ({ date, view: { type } }) => {
      const day = msToDate(date.getTime())
      if (type !== VIEWS.month.type || !surplus.current.has(day)) return 'popover'
      latest.current.openDay?.(day)
      return ' '
    },
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
    eventContent: ({ event, timeText, isMirror, view: { type } }) => {
      const item = itemOf(event.id)
      if (!item) return undefined
      // An event of several days is a bar, with its title first.
      const isOfOneDay = !event.allDay && msToDate(item.start) === msToDate(Math.max(item.start, item.end - 1))
      const isInMonth = type === VIEWS.month.type && isOfOneDay
      const time = type === VIEWS.list.type ? '' : timeText
      return { domNodes: [renderEvent(item, { time, hasDot: isInMonth, isTimeFirst: isInMonth || isMirror })] }
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

/** The year marks the days that have events instead. */
function toInputs(items: readonly GridEvent[], view: ViewName): EventInput[] {
  if (view === 'year') return [...findBusyDates(items)].map((date) => ({ start: date, display: 'background' }))
  return items.map(({ key, title, start, end, allDay, isEditable, color, traits }) => ({
    ...{ id: key, title, allDay, editable: isEditable },
    ...(allDay ? { start: msToDate(start), end: msToDate(end) } : { start: msToWall(start), end: msToWall(end) }),
    // The list draws its dot in the colour of the border, and the content draws the rest.
    ...{ backgroundColor: 'transparent', borderColor: color },
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

/** The link of a day counts the events of the day that are not drawn at all. A narrow day has no room for the word. */
function renderMoreLink(hidden: number, surplus: { current: Surplus }): HTMLElement {
  const element = document.createElement('span')
  const write = () => {
    const day = element.closest<HTMLElement>('.fc-daygrid-day')?.dataset.date ?? ''
    const count = hidden + (surplus.current.get(day) ?? 0)
    element.textContent = innerWidth < NARROW_PX ? `+${count}` : `+${count} more`
  }
  write()
  // FullCalendar inserts the element after this call.
  requestAnimationFrame(write)
  return element
}

/** `time` is empty if it is shown elsewhere. It comes first in the month, and while the event is dragged. */
type EventStyle = { time: string; hasDot: boolean; isTimeFirst: boolean }

/** FullCalendar has a Preact of its own, so it gets finished elements. */
export function renderEvent(item: GridEvent, style: EventStyle): HTMLElement {
  const element = document.createElement('div')
  element.className = 'event-content'
  element.style.setProperty('--event', item.color)
  render(<EventContent item={item} {...style} />, element)
  return element
}

/** The icons are for eyes, the words for screen readers. */
function EventContent({ item, time, hasDot, isTimeFirst }: EventStyle & { item: GridEvent }) {
  const { title, start } = item
  const traits = item.traits.map((trait) => ({ icon: undefined, ...TRAITS[trait] }))
  return (
    <>
      {hasDot && <span class="fc-daygrid-event-dot" />}
      <span class="event-text">
        {isTimeFirst && <span class="event-time">{time} </span>}
        <span class="event-title" data-event-title>
          {title}
        </span>
        {traits.map(({ icon }) => icon && <Icon key={icon} name={icon} size={12} />)}
        {!isTimeFirst && <span class="event-time"> {time}</span>}
        <span class="hidden">, {showDate(msToDate(start))}</span>
        {traits.length > 0 && (
          <span class="hidden" data-traits>
            , {traits.map(({ text }) => text).join(', ')}
          </span>
        )}
      </span>
    </>
  )
}
