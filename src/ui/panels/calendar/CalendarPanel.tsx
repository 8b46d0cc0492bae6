import { useEffect, useRef, useState } from 'preact/hooks'
import { isWritable, useAccount, useTimeFormat } from '../../account.ts'
import { isUnreachable } from '../../api/errors.ts'
import { isWeekend } from '../../api/shared.ts'
import type { EventTime } from '../../api/types.ts'
import { ask } from '../../components/ask.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Progress } from '../../components/Progress.tsx'
import { useKeys } from '../../hooks/useKeys.ts'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import {
  DAY_MS,
  eventInstant,
  HOUR_MS,
  msToDate,
  msToWall,
  timesFrom,
  wallTimeIn,
  wallToMs,
} from '../../time/wallTime.ts'
import { showToast } from '../../toast.ts'
import { useNow } from '../../useNow.ts'
import { FirstSteps } from '../FirstSteps.tsx'
import { CalendarList } from './CalendarList.tsx'
import { EventDialog } from './EventDialog.tsx'
import { EventForm } from './EventForm.tsx'
import { type DragSpan, EventGrid } from './EventGrid.tsx'
import type { GridEvent } from './eventAppearance.ts'
import { tryPlan } from './eventWrites.ts'
import type { Draft } from './formFields.ts'
import { MiniMonth } from './MiniMonth.tsx'
import { askMail, askScope, isGuestCopy, planChange } from './seriesChange.ts'
import { useEvents } from './useEvents.ts'
import { ViewToolbar } from './ViewToolbar.tsx'
import { findVisibleDates, parseView, stepDate } from './views.ts'

/** The width below which days are listed unless the address names a view. */
const NARROW_PX = 600
/** The width above which the calendars are listed beside the view. */
const WIDE_PX = 1200
/** The start of a new event on another day than today. */
const MORNING_HOUR = 9

export default function CalendarPanel() {
  const session = useSession()
  const [draft, setDraft] = useState<Draft>()
  const [isListOpen, setListOpen] = useState(false)
  const format = useTimeFormat()
  const { zone } = format
  const { view, date, now, today, isEmptyWorld } = useCalendarState()
  const { entries, weekStart } = useAccount()
  const { from, to } = findVisibleDates(view, date, weekStart)
  const { items, error, isLoaded } = useEvents(from, to)
  // On a weekend whose week is over, the next week is shown.
  const isPast = items.length > 0 && items.every(({ allDay, end }) => allDay || end <= wallToMs(now))
  const isOver = isLoaded && isPast && isWeekend(wallToMs(today) / DAY_MS) && (view === 'week' || view === 'workWeek')
  useEffect(() => {
    if (isOver && route.peek().date === '' && to > today) navigate({ date: to }, { replace: true })
  }, [isOver])
  const create = ({ start, end }: DragSpan) => {
    const writable = entries.filter(isWritable)
    const target = writable.find(({ primary }) => primary) ?? writable[0]
    const isWholeDays = start % DAY_MS === 0 && end % DAY_MS === 0
    const times = timesFrom(isWholeDays ? msToDate(start) : msToWall(start), end - start, zone)
    if (target) setDraft({ calendarId: target.id, ...times })
    else if (isLoaded) showToast(session, { text: 'The account has no calendar that it may write to.' })
  }
  const newEvent = () => {
    const start =
      date === today ? Math.ceil(wallToMs(now) / HOUR_MS) * HOUR_MS : wallToMs(date) + MORNING_HOUR * HOUR_MS
    create({ start, end: start + HOUR_MS })
  }
  /** Resolves to false if the event stays. */
  const move = async (item: GridEvent, span: DragSpan) => {
    if (isGuestCopy(item.event) && !(await confirmCopy(item))) return false
    const isResize = span.start === item.start
    const scope = await askScope(item.event, `${isResize ? 'Resize' : 'Move'} “${item.title}”`)
    if (scope === undefined) return false
    const sendUpdates = await askMail(item.event, `${isResize ? 'Resize' : 'Move'} “${item.title}”`)
    if (sendUpdates === undefined) return false
    const times = toMovedTimes(item, span, zone)
    const text = `${isResize ? 'Resized' : 'Moved'} “${item.title}” to ${format.range(times.start, times.end)}`
    return tryPlan(session, text, item.event, () => planChange(item.calendarId, item.event, times, scope, sendUpdates))
  }
  const step = (by: 1 | -1) => navigate({ date: stepDate(view, date, by) })
  useKeys({
    ...{
      d: () => navigate({ view: 'day' }),
      w: () => navigate({ view: 'week' }),
      m: () => navigate({ view: 'month' }),
    },
    ...{ t: () => navigate({ date: today }), j: () => step(1), k: () => step(-1), c: newEvent },
  })
  const [calendarId = '', eventId = ''] = parseItem(route.value.item)
  return (
    <>
      <button type="button" class="skip" onClick={focusFirstEvent}>
        Skip to the events
      </button>
      <ViewToolbar view={view} date={date} today={today}>
        <button type="button" class="primary" onClick={newEvent}>
          <Icon name="plus" /> New event
        </button>
        <button type="button" class="list-toggle" aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)}>
          Calendars
        </button>
      </ViewToolbar>
      {error && !isUnreachable(error) && <ErrorNotice error={error} />}
      <div class="calendar-body">
        <aside class="calendar-aside" aria-label="Calendars" data-open={isListOpen}>
          {(isListOpen || innerWidth > WIDE_PX) && <MiniMonth date={date} today={today} shown={{ from, to }} />}
          <CalendarList />
        </aside>
        <div class="calendar-view" aria-busy={!isLoaded}>
          {isEmptyWorld && (
            <section class="card" aria-label="First steps">
              <h3>This world has no events yet</h3>
              <FirstSteps createEvent={newEvent} />
            </section>
          )}
          {!isLoaded && !error && (
            <div class="calendar-loading">
              <Progress>Loading events</Progress>
            </div>
          )}
          <EventGrid
            {...{ view, date, now, items, create, move }}
            label="Events"
            open={(item) => navigate({ item: item.key })}
            openDay={(day) => navigate({ view: 'day', date: day })}
          />
        </div>
      </div>
      {eventId && account.value && !draft && (
        <EventDialog key={route.value.item} calendarId={calendarId} eventId={eventId} edit={setDraft} />
      )}
      {draft && <EventForm key={draft.event?.etag} draft={draft} edit={setDraft} close={() => setDraft(undefined)} />}
    </>
  )
}

/** That of today, else the first one of the view. */
function focusFirstEvent(): void {
  const event =
    document.querySelector<HTMLElement>('.fc-day-today [data-event]') ?? document.querySelector('[data-event]')
  event?.focus()
}

const confirmCopy = ({ title, event: { organizer } }: GridEvent): Promise<boolean | undefined> =>
  ask(`Move only your copy of “${title}”?`, [{ value: true, title: 'Move my copy', rank: 'primary' }], {
    text: `You are a guest. Your copy moves, and the event of ${organizer?.displayName ?? organizer?.email} and the other guests keeps its time. No mail is sent.`,
  })

function useCalendarState() {
  const { overview, world } = useSession()
  const now = useNow()
  const today = now.slice(0, 10)
  const isNarrow = useRef(innerWidth < NARROW_PX).current
  return {
    ...{ now, today, date: route.value.date || today },
    view: parseView(route.value.view || (isNarrow ? 'list' : '')),
    isEmptyWorld: overview.value?.worlds.find(({ name }) => name === world)?.events === 0,
  }
}

/** Splits `<calendarId>/<eventId>` at the last slash, because event ids have none. */
function parseItem(item: string): string[] {
  const at = item.lastIndexOf('/')
  return at < 0 ? [] : [item.slice(0, at), item.slice(at + 1)]
}

/** Converts from the page's zone to the zone of the event. */
function toMovedTimes(
  { allDay, event }: GridEvent,
  { start, end }: DragSpan,
  zone: string,
): Record<'start' | 'end', EventTime> {
  if (allDay) return timesFrom(msToDate(start), end - start, zone)
  const eventZone = event.start?.timeZone ?? zone
  const instant = eventInstant({ dateTime: msToWall(start) }, zone)
  return timesFrom(wallTimeIn(eventZone, instant), end - start, eventZone)
}
