import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useTimeFormat } from '../../../account.ts'
import { cx } from '../../../components/classNames.ts'
import { formatDate, formatLongDate, placeOf } from '../../../time/timeFormat.ts'
import { dateOf, type FloatingTime, MINUTE_MS, msToWall, wallToMs } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'
import { DayLanes } from './DayLanes.tsx'
import eventStyles from './Event.module.css'
import { TraitIcons, toEventClass, toEventStyle } from './EventChip.tsx'
import { type Box, isBar, layOutDay } from './layout.ts'
import styles from './TimeGrid.module.css'
import { type DragSpan, useGridDrag, useKeyboardMove } from './useGridDrag.ts'

const PX_PER_HOUR = 48
const LINE_PX = 16
const BORDERS_PX = 2
/** Shorter events are drawn with this length, so that they have room for one line. */
const MIN_EVENT_MINUTES = 25
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** The first visible hour of a day, unless an event starts earlier. */
const FIRST_HOUR = 8
const SCROLL_MARGIN_MINUTES = 10
/** About the height of the sticky head. */
const HEAD_PX = 100

type Props = {
  /** The dates of the columns. */
  days: readonly string[]
  items: readonly GridEvent[]
  /** The world's local time. */
  now: FloatingTime
  open(item: GridEvent): void
  /** Called with the date of a heading. Without it, headings are not buttons. */
  openDay?(date: string): void
  /** Called with the times of a new event. Without it, no events can be created. */
  create?(span: DragSpan): void
  /** Called with the new times of an event. Without it, events cannot be moved or resized. */
  move?(item: GridEvent, span: DragSpan): void
  /** True when the events of the days are loaded, so that the grid can scroll to the first. */
  isLoaded: boolean
  /** The accessible name. */
  label?: string
  /** The grids that show the same hours. */
  group?: ScrollGroup
}

/** Grids that scroll together. `key` names the days that `top` was chosen for, the scroll position in pixels. */
export type ScrollGroup = { elements: Set<HTMLElement>; key: string; top: number }

/** Returns a group without grids. */
export const createScrollGroup = (): ScrollGroup => ({ elements: new Set(), key: '', top: 0 })

/**
 * Days with their hours, and a row for events of whole days above them. A click on an event calls `open`. A click or drag on free
 * hours calls `create`; a drag of an event, or of its lower edge, calls `move`.
 */
export function TimeGrid({ days, items, now, open, openDay, create, move, isLoaded, label = 'Hours', group }: Props) {
  const format = useTimeFormat()
  const { body, drag, onPointerDown, onClickCapture } = useGridDrag(items, {
    ...{ days, pxPerHour: PX_PER_HOUR, create, move },
  })
  const onKeyDown = useKeyboardMove(items, move)
  const scroller = useInitialScroll(days, items, isLoaded, group)
  const bars = items.filter(isBar)
  const columns = { gridTemplateColumns: `3.5rem repeat(${days.length}, minmax(0, 1fr))` }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it
    <section ref={scroller} class={styles.scroller} aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
      <div class={styles.head} style={columns}>
        <span class={styles.zone} title={format.zone}>
          {placeOf(format.zone)}
        </span>
        {days.map((date) => (
          <DayHead key={date} date={date} isToday={date === dateOf(now)} openDay={openDay} />
        ))}
        <span class={styles.allDay}>All day</span>
        <DayLanes items={bars} from={days[0] ?? ''} dayCount={days.length} maxLanes={3} open={open} />
      </div>
      <div
        ref={body}
        class={styles.body}
        style={{ ...columns, height: `${24 * PX_PER_HOUR}px` }}
        onPointerDown={onPointerDown}
        onClickCapture={onClickCapture}
      >
        <div class={styles.hours} aria-hidden="true">
          {HOURS.slice(1).map((hour) => (
            <span key={hour} style={{ top: `${hour * PX_PER_HOUR}px` }}>
              {format.hour(hour)}
            </span>
          ))}
        </div>
        {days.map((date) => (
          <div key={date} class={styles.column} data-date={date}>
            {date === dateOf(now) && (
              <div class={styles.now} style={{ top: `${toMinutesOfDay(now) * (PX_PER_HOUR / 60)}px` }} />
            )}
            {layOutDay(items, wallToMs(date), MIN_EVENT_MINUTES).map((box) => (
              <EventBox
                key={box.item.key}
                box={box}
                open={open}
                isDragged={drag?.item?.key === box.item.key}
                canResize={move !== undefined}
              />
            ))}
            {drag && <DropTarget span={drag.span} date={date} title={drag.item?.title ?? 'New event'} />}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Returns the minutes since midnight of a local time. */
const toMinutesOfDay = (wall: FloatingTime): number => (wallToMs(wall) - wallToMs(dateOf(wall))) / MINUTE_MS

type HeadProps = { date: string; isToday: boolean; openDay: Props['openDay'] }

/** The heading of a column: the weekday and the day of the month. */
function DayHead({ date, isToday, openDay }: HeadProps) {
  const [weekday, day] = formatDate(date).split(' ')
  const text = (
    <>
      <span>{weekday}</span> <strong>{day}</strong>
    </>
  )
  const className = cx(styles.dayHead, isToday && styles.today)
  return openDay ? (
    <button type="button" data-day-head class={className} onClick={() => openDay(date)}>
      {text}
    </button>
  ) : (
    <span data-day-head class={className}>
      {text}
    </span>
  )
}

type BoxProps = { box: Box; isDragged: boolean; canResize: boolean; open(item: GridEvent): void }

/**
 * An event as a button at its hours. A short event is one line; a longer one has its time below the title. A line without room
 * is left out. With `canResize`, the lower edge of an editable event can be dragged.
 */
function EventBox({ box: { item, left, width, top, height }, isDragged, canResize, open }: BoxProps) {
  const format = useTimeFormat()
  const px = height * (PX_PER_HOUR / 60) - 2
  const lines = Math.max(1, Math.floor((px - BORDERS_PX) / LINE_PX))
  const time = format.time(msToWall(item.start))
  return (
    <button
      type="button"
      data-event={item.key}
      class={cx(...[eventStyles.event, eventStyles.bar, styles.box, toEventClass(item)], isDragged && styles.dragged)}
      title={`${item.title}, ${time}`}
      style={{
        ...toEventStyle(item),
        ...{ top: `${top * (PX_PER_HOUR / 60)}px`, height: `${px}px` },
        ...{ left: `${left * 100}%`, width: `calc(${width * 100}% - 2px)` },
      }}
      onClick={() => open(item)}
    >
      {lines === 1 ? (
        <span class={styles.line}>
          <span data-event-title class={styles.name}>
            {item.title}
          </span>
          <span class={styles.time}>, {time}</span>
          <TraitIcons traits={item.traits} />
        </span>
      ) : (
        <>
          <span class={styles.lines} style={{ '--lines': String(lines), '--title-lines': String(lines - 1) }}>
            <span data-event-title class={styles.name}>
              {item.title}
            </span>{' '}
            <TraitIcons traits={item.traits} />
          </span>
          <span class={styles.time}>
            <span>{time}</span>
            <span>–{format.time(msToWall(item.end))}</span>
          </span>
        </>
      )}
      <span class="hidden">, {formatLongDate(msToWall(item.start))}</span>
      {canResize && item.isEditable && <span class={styles.resize} data-resize />}
    </button>
  )
}

/** The part of the dragged span in the column of a date; nothing if the span is on other days. */
function DropTarget({ span, date, title }: { span: DragSpan; date: string; title: string }) {
  const format = useTimeFormat()
  const day = wallToMs(date)
  const [from, to] = [(span.start - day) / MINUTE_MS, (span.end - day) / MINUTE_MS]
  if (from >= 1440 || to <= 0) return null
  const [top, bottom] = [Math.max(0, from), Math.min(1440, to)]
  return (
    <div
      class={styles.ghost}
      style={{ top: `${top * (PX_PER_HOUR / 60)}px`, height: `${(bottom - top) * (PX_PER_HOUR / 60)}px` }}
    >
      {title}, {format.time(msToWall(span.start))}–{format.time(msToWall(span.end))}
    </div>
  )
}

/**
 * Scrolls the grid once for its days, when their events are loaded: to 8:00, or to the first event if none would be visible. A
 * single day also scrolls to an earlier first event. Grids of a group scroll to the earliest position, and then together.
 * Returns the ref of the element that scrolls.
 */
function useInitialScroll(
  days: readonly string[],
  items: readonly GridEvent[],
  isLoaded: boolean,
  group?: ScrollGroup,
) {
  const scroller = useRef<HTMLDivElement>(null)
  const key = `${days[0]} ${days.length}`
  const scrolled = useRef('')
  useEffect(() => {
    const element = scroller.current
    if (!element || !group) return undefined
    /** Scrolls the other grids of the group. */
    const onScroll = () => scrollAll(group, element.scrollTop)
    group.elements.add(element)
    element.addEventListener('scroll', onScroll)
    return () => {
      group.elements.delete(element)
      element.removeEventListener('scroll', onScroll)
    }
  }, [group])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !isLoaded || scrolled.current === key) return
    scrolled.current = key
    const boxes = days.flatMap((date) =>
      // The rest of an event of the day before does not count.
      layOutDay(items, wallToMs(date), MIN_EVENT_MINUTES).filter(({ item }) => item.start >= wallToMs(date)),
    )
    const visibleMinutes = ((element.clientHeight - HEAD_PX) / PX_PER_HOUR) * 60
    const top = (findFirstMinute(boxes, visibleMinutes, days.length === 1) / 60) * PX_PER_HOUR
    if (!group) {
      element.scrollTop = top
      return
    }
    group.top = group.key === key ? Math.min(group.top, top) : top
    group.key = key
    group.elements.add(element)
    scrollAll(group, group.top)
  }, [key, isLoaded])
  return scroller
}

/** Scrolls all grids of a group to `top`, in pixels. */
function scrollAll({ elements }: ScrollGroup, top: number): void {
  for (const one of elements) if (Math.abs(one.scrollTop - top) >= 1) one.scrollTop = top
}

/**
 * Returns the minute of the day to scroll to. `visibleMinutes` is the height of the grid, `isDay` true for a single day. An
 * event that would be cut at the top is shown from its start, because its title is there.
 */
function findFirstMinute(boxes: readonly Box[], visibleMinutes: number, isDay: boolean): number {
  const morning = FIRST_HOUR * 60
  /** Returns true for an event that starts in the hours that are visible from the morning on. */
  const isVisible = ({ top }: Box) => top >= morning && top < morning + visibleMinutes
  /** Returns a function that returns true for an event that goes on over a minute of the day. */
  const isCutAt = (minute: number) => (box: Box) => box.top < minute && box.top + box.height > minute
  const first = Math.min(...boxes.map(({ top }) => top))
  const isEarly = isDay && first < morning
  let minute = boxes.length > 0 && (isEarly || !boxes.some(isVisible)) ? first : morning
  for (let cut = boxes.filter(isCutAt(minute)); cut.length > 0; cut = boxes.filter(isCutAt(minute)))
    minute = Math.min(...cut.map(({ top }) => top))
  return boxes.some(isCutAt(minute - SCROLL_MARGIN_MINUTES)) ? minute : minute - SCROLL_MARGIN_MINUTES
}
