import { useMemo, useRef, useState } from 'preact/hooks'
import { isWritable, useAccount, useTimeFormat } from '../../account.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { Icon } from '../../components/Icon.tsx'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { FirstSteps } from '../../shell/FirstSteps.tsx'
import { Guide } from '../../shell/Guide.tsx'
import { DAY_MS, eventInstant, HOUR_MS, msToDate, msToWall, wallTimeIn, wallToMs } from '../../time/wallTime.ts'
import { showToast } from '../../toast.ts'
import { CalendarList } from './CalendarList.tsx'
import { type CalendarActions, CalendarContext } from './calendarContext.ts'
import { EventDialog } from './EventDialog.tsx'
import { EventForm } from './EventForm.tsx'
import { type DragSpan, EventGrid } from './EventGrid.tsx'
import type { GridEvent } from './eventAppearance.ts'
import { tryPlan } from './eventWrites.ts'
import type { Draft } from './formFields.ts'
import { ScopeDialog } from './ScopeDialog.tsx'
import { planChange, type Scope, timesFrom } from './seriesChange.ts'
import { useCalendarKeys } from './useCalendarKeys.ts'
import { useEvents } from './useEvents.ts'
import { ViewToolbar } from './ViewToolbar.tsx'
import { findVisibleDates, parseView, stepDate } from './views.ts'

/** Below it, days are listed unless the address names a view. */
const NARROW_PX = 600
/** Of a new event on another day than today. */
const MORNING_HOUR = 9

/** `answer` gets undefined on Cancel. */
type Question = { title: string; answer(scope: Scope | undefined): void }

type CopyQuestion = { item: GridEvent; answer(isConfirmed: boolean): void }

export default function CalendarPanel() {
  const session = useSession()
  const [draft, setDraft] = useState<Draft>()
  const [question, setQuestion] = useState<Question>()
  const [copyQuestion, setCopyQuestion] = useState<CopyQuestion>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isListOpen, setListOpen] = useState(false)
  const calendar = useCalendarState()
  const { view, date, today, zone } = calendar
  const actions = useMemo((): CalendarActions => {
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
  /** A guest's own copy moves alone: the organizer's event stays. */
  const confirmCopy = (item: GridEvent) =>
    new Promise<boolean>((resolve) =>
      setCopyQuestion({
        item,
        answer(isConfirmed) {
          setCopyQuestion(undefined)
          resolve(isConfirmed)
        },
      }),
    )
  const openNew = (start: Draft['start'], end: Draft['end']) => {
    if (calendar.target) setDraft({ calendarId: calendar.target, start, end })
    else if (calendar.isLoaded) showToast(session, { text: 'The account has no calendar that it may write to.' })
  }
  const timeAt = (ms: number) => ({ dateTime: msToWall(ms), timeZone: zone })
  /** Dates for whole days, else times. */
  const create = ({ start, end }: DragSpan) => {
    const isWholeDays = start % DAY_MS === 0 && end % DAY_MS === 0
    if (isWholeDays) openNew({ date: msToDate(start) }, { date: msToDate(end) })
    else openNew(timeAt(start), timeAt(end))
  }
  /** Resolves to false if the event stays. */
  const move = async (item: GridEvent, span: DragSpan) => {
    if (isGuestCopy(item.event) && !(await confirmCopy(item))) return false
    const scope = await actions.askScope(item.event, `Move “${item.title}”`)
    if (scope === undefined) return false
    const times = toMovedTimes(item, span, { from: zone, to: item.event.start?.timeZone ?? zone })
    return tryPlan(session, `Moved “${item.title}” to ${calendar.range(times)}`, () =>
      planChange(item.calendarId, item.event, times, scope),
    )
  }
  const newEvent = () => {
    const start =
      date === today ? Math.ceil(wallToMs(calendar.now) / HOUR_MS) * HOUR_MS : wallToMs(date) + MORNING_HOUR * HOUR_MS
    openNew(timeAt(start), timeAt(start + HOUR_MS))
  }
  useCalendarKeys({
    today: () => navigate({ date: today }),
    step: (by) => navigate({ date: stepDate(view, date, by) }),
    show: (name) => navigate({ view: name }),
    newEvent,
    help: () => setHelpOpen(true),
  })
  const [calendarId = '', eventId = ''] = parseItem(route.value.item)
  return (
    <CalendarContext.Provider value={actions}>
      <ViewToolbar view={view} date={date} today={today}>
        <button type="button" class="primary" onClick={newEvent}>
          <Icon name="plus" /> New event
        </button>
        <button type="button" class="list-toggle" aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)}>
          Calendars
        </button>
      </ViewToolbar>
      <div class="calendar-body">
        <aside class="calendar-aside" aria-label="Calendars" data-open={isListOpen}>
          <CalendarList errors={calendar.errors} />
        </aside>
        <div class="calendar-view" aria-busy={!calendar.isLoaded}>
          {calendar.isEmptyWorld && (
            <section class="card first-steps" aria-label="First steps">
              <h3>This world has no events yet</h3>
              <FirstSteps createEvent={newEvent} />
            </section>
          )}
          <EventGrid
            {...calendar}
            label="Events"
            open={(item) => actions.openEvent(item.calendarId, item.event.id)}
            openDay={(day) => navigate({ view: 'day', date: day })}
            create={create}
            move={move}
          />
        </div>
      </div>
      {eventId && account.value && !draft && (
        <EventDialog key={route.value.item} calendarId={calendarId} eventId={eventId} />
      )}
      {draft && <EventForm draft={draft} close={() => setDraft(undefined)} />}
      {question && <ScopeDialog {...question} />}
      {copyQuestion && <CopyDialog {...copyQuestion} />}
      {isHelpOpen && <Guide close={() => setHelpOpen(false)} />}
    </CalendarContext.Provider>
  )
}

/** Returns true for a guest's copy, whose times do not change those of the organizer's event (behaviour 7.3). */
const isGuestCopy = ({ organizer, attendees, guestsCanModify }: ServiceEvent): boolean =>
  organizer !== undefined && !organizer.self && !guestsCanModify && attendees?.some(({ self }) => self) === true

function CopyDialog({ item: { title, event }, answer }: CopyQuestion) {
  const organizer = event.organizer?.displayName ?? event.organizer?.email
  return (
    <Dialog title={`Move only your copy of “${title}”?`} close={() => answer(false)}>
      <p>You are a guest. Your copy moves, and the event of {organizer} and the other guests keeps its time.</p>
      <div class="actions end">
        <button type="button" onClick={() => answer(false)}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => answer(true)}>
          Move my copy
        </button>
      </div>
    </Dialog>
  )
}

function useCalendarState() {
  const { overview, world } = useSession()
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
    ...{ view, date, now, today, zone },
    ...useEvents(from, to),
    isEmptyWorld: overview.value?.worlds.find(({ name }) => name === world)?.events === 0,
    target: (writable.find(({ primary }) => primary) ?? writable[0])?.id,
    range: ({ start, end }: Pick<Draft, 'start' | 'end'>) => format.range(start, end),
  }
}

/** Splits `<calendarId>/<eventId>` at the last slash, because event ids have none. */
function parseItem(item: string): string[] {
  const at = item.lastIndexOf('/')
  return at < 0 ? [] : [item.slice(0, at), item.slice(at + 1)]
}

/** From the page's zone (`zones.from`) to the zone of the event (`zones.to`). */
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
