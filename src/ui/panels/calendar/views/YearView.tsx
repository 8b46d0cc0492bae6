import { useEffect, useMemo, useRef } from 'preact/hooks'
import { cx } from '../../../components/classNames.ts'
import { formatPlainDate } from '../../../time/timeFormat.ts'
import { addDays, DAY_MS, dateOf, type FloatingTime, msToDate } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'
import { addMonths, formatMonth, listDates, startOfWeek } from '../views.ts'
import { startOfDay } from './layout.ts'
import styles from './YearView.module.css'

type Props = {
  /** A date of the year. Its month is scrolled into view. */
  date: string
  weekStart: number
  items: readonly GridEvent[]
  now: FloatingTime
  openDay(date: string): void
}

const DAY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** The twelve months of a year. Days with events are marked. Arrow keys move between days, and a click calls `openDay`. */
export function YearView({ date, weekStart, items, now, openDay }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const counts = useMemo(() => countEventsByDay(items), [items])
  const months = Array.from({ length: 12 }, (_, index) => addMonths(`${date.slice(0, 4)}-01-01`, index))
  useEffect(() => {
    element.current?.querySelector(`[data-month="${date.slice(0, 7)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [date])
  /** Moves the focus to the day of an arrow key. */
  const onKeyDown = (event: KeyboardEvent) => {
    const shown = (event.target as HTMLElement).dataset.day
    const step = DAY_STEPS[event.key]
    if (shown === undefined || step === undefined || event.altKey) return
    const next = element.current?.querySelector<HTMLElement>(`[data-day="${addDays(shown, step)}"]`)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the days inside
    <div class={styles.year} ref={element} onKeyDown={onKeyDown}>
      {months.map((first) => (
        <section key={first} class={styles.month} data-month={first.slice(0, 7)} aria-label={formatMonth(first)}>
          <h2 class={cx(first.slice(0, 7) === dateOf(now).slice(0, 7) && styles.current)}>
            {formatMonth(first).replace(/ \d+$/, '')}
          </h2>
          <div class={styles.days}>
            {Array.from({ length: (new Date(first).getUTCDay() - weekStart + 7) % 7 }, (_, index) => (
              <span key={addDays(startOfWeek(first, weekStart), index)} />
            ))}
            {listDates(first, addMonths(first, 1)).map((day) => (
              <button
                key={day}
                type="button"
                data-day={day}
                tabIndex={day === date ? 0 : -1}
                class={cx(counts.has(day) && styles.busy, day === dateOf(now) && styles.today)}
                onClick={() => openDay(day)}
              >
                {Number(day.slice(8))}
                <span class="hidden">
                  {formatPlainDate(day).replace(/^\d+/, '')}, {counts.get(day) ?? 0} events
                </span>
              </button>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

/** Returns the number of events on each date. An event of several days counts on each. */
function countEventsByDay(items: readonly GridEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { start, end } of items)
    for (let day = startOfDay(start); day < Math.max(end, start + 1); day += DAY_MS) {
      const date = msToDate(day)
      counts.set(date, (counts.get(date) ?? 0) + 1)
    }
  return counts
}
