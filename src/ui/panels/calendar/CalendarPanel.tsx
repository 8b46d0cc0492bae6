import { useMemo, useRef, useState } from 'preact/hooks'
import { calendarName, isWritable, useAccount, useTimeFormat } from '../../account.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { Icon } from '../../components/Icon.tsx'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { Guide } from '../../shell/Guide.tsx'
import { DAY_MS, eventInstant, msToDate, msToWall, wallTimeIn } from '../../time/wallTime.ts'
import { showToast } from '../../toast.ts'
import { CalendarList } from './CalendarList.tsx'
import styles from './CalendarPanel.module.css'
import { type CalendarActions, CalendarContext } from './calendarContext.ts'
import { EventDialog } from './EventDialog.tsx'
import { EventForm } from './EventForm.tsx'
import { type GridEvent, titleOf } from './eventAppearance.ts'
import { tryPlan } from './eventWrites.ts'
import type { Draft } from './formFields.ts'
import { ScopeDialog } from './ScopeDialog.tsx'
import { SearchBox } from './SearchBox.tsx'
import { planChange, type Scope, timesFrom } from './seriesChange.ts'
import { useCalendarKeys } from './useCalendarKeys.ts'
import { useEvents } from './useEvents.ts'
import { ListView } from './views/ListView.tsx'
import { MonthGrid } from './views/MonthGrid.tsx'
import { TimeGrid } from './views/TimeGrid.tsx'
import type { DragSpan } from './views/useGridDrag.ts'
import { YearView } from './views/YearView.tsx'
import {
  findVisibleDates,
  formatViewTitle,
  listDates,
  parseView,
  stepDate,
  VIEW_NAMES,
  VIEWS,
  type ViewName,
} from './views.ts'

/** Below this width, days are listed unless the address names a view. */
const NARROW_PX = 600
/** The hour at which an event of the button "New event" starts. */
const HOUR_START = 9

/** The question of a ScopeDialog: which instances of a series a change applies to. `answer` gets undefined on Cancel. */
type Question = { title: string; answer(scope: Scope | undefined): void }

/**
 * The calendars of the account in a view, with the dialogs of an event. The address has the view, the date and the open event.
 * The result of a write, and its failure, is shown as a toast.
 */
export default function CalendarPanel() {
  const session = useSession()
  const [draft, setDraft] = useState<Draft>()
  const [question, setQuestion] = useState<Question>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const calendar = useCalendarState()
  const actions = useMemo((): CalendarActions => {
    /** Opens the ScopeDialog, and resolves to its answer. */
    const askScope = (event: ServiceEvent, title: string) =>
      event.recurringEventId === undefined
        ? Promise.resolve<Scope>('this')
        : new Promise<Scope | undefined>((resolve) =>
            setQuestion({
              title,
              answer(scope) {
                setQuestion(undefined)
                resolve(scope)
              },
            }),
          )
    return {
      openEvent: (calendarId, eventId) => navigate({ item: `${calendarId}/${eventId}` }),
      edit: setDraft,
      askScope,
    }
  }, [])
  /** Opens the form of a new event, or shows a toast if the account may write to no calendar. */
  const openNew = (start: Draft['start'], end: Draft['end']) => {
    if (calendar.target) setDraft({ calendarId: calendar.target, start, end })
    else if (calendar.isLoaded) showToast(session, { text: 'The account has no calendar that it may write to.' })
  }
  /** Opens the form for a span that was dragged: with dates for whole days, else with times. */
  const create = ({ start, end }: DragSpan) => {
    const isWholeDays = start % DAY_MS === 0 && end % DAY_MS === 0
    if (isWholeDays) openNew({ date: msToDate(start) }, { date: msToDate(end) })
    else openNew(timeAt(start), timeAt(end))
  }
  /** Returns a local time (milliseconds) as a time of the page's zone. */
  const timeAt = (ms: number) => ({ dateTime: msToWall(ms), timeZone: calendar.zone })
  /** Moves an event to a span, after the question for the scope. The result is a toast. */
  const move = async (item: GridEvent, span: DragSpan) => {
    const scope = await actions.askScope(item.event, `Move “${item.title}”`)
    if (scope === undefined) return
    const zone = item.event.start?.timeZone ?? calendar.zone
    const times = toMovedTimes(item, span, { from: calendar.zone, to: zone })
    await tryPlan(session, `Moved “${titleOf(item.event)}” to ${calendar.range(times)}`, () =>
      planChange(item.calendarId, item.event, times, scope),
    )
  }
  /** Opens the form of an event at 9:00 on the visible date. */
  const newEvent = () => {
    /** Returns an hour of the visible date in the page's zone. */
    const at = (hour: number) => ({
      dateTime: `${calendar.date}T${String(hour).padStart(2, '0')}:00:00`,
      timeZone: calendar.zone,
    })
    openNew(at(HOUR_START), at(HOUR_START + 1))
  }
  useCalendarKeys({
    today: () => navigate({ date: calendar.today }),
    step: (by) => navigate({ date: stepDate(calendar.view, calendar.date, by) }),
    show: (view) => navigate({ view }),
    newEvent,
    help: () => setHelpOpen(true),
  })
  const [calendarId = '', eventId = ''] = parseItem(route.value.item)
  return (
    <CalendarContext.Provider value={actions}>
      <Toolbar {...calendar} newEvent={newEvent} toggleList={() => setListOpen(!isListOpen)} isListOpen={isListOpen} />
      <div class={styles.body}>
        <aside class={styles.aside} aria-label="Calendars" data-open={isListOpen}>
          <CalendarList errors={calendar.errors} />
        </aside>
        <div class={styles.view} aria-busy={!calendar.isLoaded}>
          <SelectedView
            {...calendar}
            open={({ calendarId: id, event }) => actions.openEvent(id, event.id)}
            create={create}
            move={(item, span) => void move(item, span)}
          />
        </div>
      </div>
      {eventId && account.value && !draft && (
        <EventDialog key={route.value.item} calendarId={calendarId} eventId={eventId} />
      )}
      {draft && <EventForm draft={draft} close={() => setDraft(undefined)} />}
      {question && <ScopeDialog {...question} />}
      {isHelpOpen && <Guide close={() => setHelpOpen(false)} />}
    </CalendarContext.Provider>
  )
}

/**
 * Returns the state that the panel draws: the view and date of the address, the visible dates (`to` is excluded), the world's
 * local time, the events, and `target`, the calendar for new events. `target` is undefined if the account may write to none.
 */
function useCalendarState() {
  const { overview } = useSession()
  const data = useAccount()
  const format = useTimeFormat()
  const { zone } = format
  const now = wallTimeIn(zone, Date.parse(overview.value?.now ?? '1970-01-01T00:00:00Z'))
  const today = now.slice(0, 10)
  const date = route.value.date || today
  const isNarrow = useRef(innerWidth < NARROW_PX).current
  const view = parseView(route.value.view || (isNarrow ? 'list' : ''))
  const { from, to } = findVisibleDates(view, date, data.weekStart)
  const writable = data.entries.filter(isWritable)
  return {
    ...{ view, date, from, to, now, today, zone },
    ...useEvents(from, to),
    weekStart: data.weekStart,
    target: (writable.find(({ primary }) => primary) ?? writable[0])?.id,
    nameOf: (id: string) => calendarName(data, id),
    range: ({ start, end }: Pick<Draft, 'start' | 'end'>) => format.range(start, end),
  }
}

type CalendarState = ReturnType<typeof useCalendarState>
/**
 * The actions of a view: open the details of an event (a click), open the form of a new event (a click or drag on free time), and
 * change the times of an event (a drag).
 */
type ViewActions = {
  open(item: GridEvent): void
  create(span: DragSpan): void
  move(item: GridEvent, span: DragSpan): void
}

/** The events of the visible dates, in the view of the address. */
function SelectedView({
  view,
  date,
  from,
  to,
  items,
  now,
  isLoaded,
  weekStart,
  nameOf,
  ...actions
}: CalendarState & ViewActions) {
  const { open, create, move } = actions
  /** Shows a date in the day view. */
  const openDay = (day: string) => navigate({ view: 'day', date: day })
  if (view === 'month') return <MonthGrid {...{ from, to, date, items, now, open, create, move, openDay }} />
  if (view === 'list') return <ListView {...{ from, to, items, open, nameOf }} />
  if (view === 'year') return <YearView {...{ date, weekStart, items, now, openDay }} />
  return <TimeGrid days={listDates(from, to)} {...{ items, now, open, create, move, openDay, isLoaded }} />
}

type ToolbarProps = Pick<CalendarState, 'view' | 'date' | 'today' | 'weekStart'> & {
  newEvent(): void
  toggleList(): void
  isListOpen: boolean
}

/**
 * The buttons above a view, the title of the visible dates, and the search. "New event" opens the form; the arrows show the
 * previous and next dates; "Calendars" shows the list on a narrow page.
 */
function Toolbar({ view, date, today, weekStart, newEvent, toggleList, isListOpen }: ToolbarProps) {
  return (
    <div class={styles.toolbar} role="toolbar" aria-label="Calendar view">
      <button type="button" class="primary" onClick={newEvent}>
        <Icon name="plus" /> New event
      </button>
      <button type="button" onClick={() => navigate({ date: today })}>
        Today
      </button>
      <span class={styles.steps}>
        <button
          type="button"
          class="quiet"
          aria-label="Previous"
          onClick={() => navigate({ date: stepDate(view, date, -1) })}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="Next"
          onClick={() => navigate({ date: stepDate(view, date, 1) })}
        >
          <Icon name="right" />
        </button>
      </span>
      <h2 aria-live="polite">{formatViewTitle(view, date, weekStart)}</h2>
      <SearchBox />
      <span class={styles.choices}>
        <button type="button" class={styles.listToggle} aria-expanded={isListOpen} onClick={toggleList}>
          Calendars
        </button>
        <ViewButtons view={view} />
      </span>
    </div>
  )
}

/** One button for each of `views`. A click changes the view in the address. */
export const ViewButtons = ({ view, views = VIEW_NAMES }: { view: ViewName; views?: readonly ViewName[] }) => (
  <span class={styles.views}>
    {views.map((name) => (
      <button key={name} type="button" aria-pressed={name === view} onClick={() => navigate({ view: name })}>
        {VIEWS[name].title}
      </button>
    ))}
  </span>
)

/** Splits the item `<calendarId>/<eventId>` of the address at its last slash, because event ids have none. Empty without a slash. */
function parseItem(item: string): string[] {
  const at = item.lastIndexOf('/')
  return at < 0 ? [] : [item.slice(0, at), item.slice(at + 1)]
}

/**
 * Returns the times of an event that was moved to a span. The span is in the page's zone (`zones.from`), the result in the zone
 * of the event (`zones.to`).
 */
function toMovedTimes(
  item: GridEvent,
  span: DragSpan,
  zones: { from: string; to: string },
): Pick<Draft, 'start' | 'end'> {
  const length = span.end - span.start
  if (item.allDay) return timesFrom(msToDate(span.start), length, zones.to)
  if (zones.from === zones.to) return timesFrom(msToWall(span.start), length, zones.to)
  const instant = eventInstant({ dateTime: msToWall(span.start) }, zones.from)
  return timesFrom(wallTimeIn(zones.to, instant), length, zones.to)
}
