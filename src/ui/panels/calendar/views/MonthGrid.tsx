import { useEffect, useRef, useState } from 'preact/hooks'
import { cx } from '../../../components/classNames.ts'
import { formatDate, formatPlainDate } from '../../../time/timeFormat.ts'
import { addDays, DAY_MS, dateOf, type FloatingTime, wallToMs } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'
import { listDates } from '../views.ts'
import { DayLanes } from './DayLanes.tsx'
import styles from './MonthGrid.module.css'
import { type DragSpan, useKeyboardMove } from './useGridDrag.ts'

const MAX_LANES = 4

type Props = {
  /** The first date of the first week, and the date after the last week. */
  from: string
  to: string
  /** A date of the month. */
  date: string
  items: readonly GridEvent[]
  /** The world's local time. */
  now: FloatingTime
  open(item: GridEvent): void
  openDay?(date: string): void
  /** Called with whole days. Without it, no events can be created. */
  create?(span: DragSpan): void
  /** Called with the new times of an event. Without it, events cannot be moved. */
  move?(item: GridEvent, span: DragSpan): void
}

/**
 * The weeks of a month. A click on an event opens it, and a click on a number the day. Dragging an event, or Alt and an arrow key,
 * moves it. A click on an empty day, or dragging over empty days, creates an event of whole days.
 */
export function MonthGrid({ from, to, date, items, now, open, openDay, create, move }: Props) {
  const weeks = listDates(from, to).filter((_, index) => index % 7 === 0)
  const { range, onPointerDown, onClickCapture } = useDayDrag(items, create, move)
  const onKeyDown = useKeyboardMove(items, move, 7)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and pointers are handled for the events inside
    <div class={styles.month} onPointerDown={onPointerDown} onClickCapture={onClickCapture} onKeyDown={onKeyDown}>
      <div class={styles.weekdays} aria-hidden="true">
        {listDates(from, addDays(from, 7)).map((day) => (
          <span key={day}>{formatDate(day).slice(0, 3)}</span>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week} class={styles.week}>
          <div class={styles.cells}>
            {listDates(week, addDays(week, 7)).map((day) => (
              <div
                key={day}
                data-date={day}
                class={cx(
                  styles.cell,
                  day.slice(0, 7) !== date.slice(0, 7) && styles.outside,
                  range && day >= range.from && day <= range.to && styles.selected,
                )}
              >
                <button
                  type="button"
                  class={cx(styles.number, day === dateOf(now) && styles.today)}
                  onClick={() => openDay?.(day)}
                >
                  {Number(day.slice(8))}
                  <span class="hidden"> {formatPlainDate(day).replace(/^\d+ /, '')}</span>
                </button>
              </div>
            ))}
          </div>
          <DayLanes items={items} from={week} dayCount={7} maxLanes={MAX_LANES} open={open} />
        </div>
      ))}
    </div>
  )
}

type Range = { from: string; to: string }

/**
 * Handles dragging between days. Returns the dates to mark while it lasts (both included; undefined otherwise), and the event
 * handlers of the grid. Escape ends the drag without a change. Touch is ignored, because it scrolls.
 */
function useDayDrag(items: readonly GridEvent[], create: Props['create'], move: Props['move']) {
  const [range, setRange] = useState<Range>()
  const stop = useRef<(() => void) | undefined>(undefined)
  const wasDragged = useRef(false)
  useEffect(() => () => stop.current?.(), [])
  /** Returns the date of the cell at the pointer, or undefined outside of the cells. */
  const dateAt = (event: PointerEvent): string | undefined =>
    document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest<HTMLElement>('[data-date]')?.dataset.date)
      .find((date) => date !== undefined)
  /** Begins a drag of an event or over empty days, if that is allowed. */
  const onPointerDown = (event: PointerEvent) => {
    wasDragged.current = false
    if (event.button !== 0 || event.pointerType === 'touch') return
    const target = event.target as HTMLElement
    const key = target.closest<HTMLElement>('[data-event]')?.dataset.event
    const item = items.find((one) => one.key === key)
    const origin = dateAt(event)
    if (!origin || (item ? !item.isEditable || !move : !create || target.closest('button'))) return
    let current = origin
    /** Marks the dates at the pointer. */
    const onMove = (moved: PointerEvent) => {
      const date = dateAt(moved)
      if (date === undefined || (date === current && !wasDragged.current)) return
      wasDragged.current = true
      current = date
      setRange(item ? { from: date, to: date } : { from: min(origin, date), to: max(origin, date) })
    }
    /** Ends the drag: moves the event, or creates one. */
    const onUp = () => {
      stop.current?.()
      if (item) {
        const shift = wallToMs(current) - wallToMs(origin)
        if (shift !== 0) move?.(item, { start: item.start + shift, end: item.end + shift })
      } else create?.({ start: wallToMs(min(origin, current)), end: wallToMs(max(origin, current)) + DAY_MS })
    }
    /** Ends the drag without a change on Escape. */
    const onKeyDown = ({ key: pressed }: KeyboardEvent) => pressed === 'Escape' && stop.current?.()
    stop.current = () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('keydown', onKeyDown)
      setRange(undefined)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('keydown', onKeyDown)
  }
  /** Stops the click with which browsers end a drag, because it would open the event. */
  const onClickCapture = (event: Event) => {
    if (!wasDragged.current) return
    wasDragged.current = false
    event.stopPropagation()
  }
  return { range, onPointerDown, onClickCapture }
}

/** Returns the earlier one of two ISO dates. */
const min = (a: string, b: string): string => (a < b ? a : b)
/** Returns the later one of two ISO dates. */
const max = (a: string, b: string): string => (a < b ? b : a)
