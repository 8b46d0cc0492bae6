import { useTimeFormat } from '../../../account.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { formatDate } from '../../../time/timeFormat.ts'
import { DAY_MS, msToDate, msToWall, wallToMs } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'
import { TraitIcons, toEventClass, toEventStyle } from './EventChip.tsx'
import styles from './ListView.module.css'
import { isBar, startOfDay } from './layout.ts'

type Props = {
  from: string
  /** The date after the last one. */
  to: string
  items: readonly GridEvent[]
  open(item: GridEvent): void
  /** Returns the name of a calendar. */
  nameOf(calendarId: string): string
}

/** The events from `from` to before `to`, day by day. An event of several days is listed on each; a day without events is not. */
export function ListView({ from, to, items, open, nameOf }: Props) {
  const format = useTimeFormat()
  const days = new Map<number, GridEvent[]>()
  const [first, end] = [wallToMs(from), wallToMs(to)]
  for (const item of items) {
    const last = isBar(item) ? Math.max(item.end - 1, item.start) : item.start
    for (let day = Math.max(startOfDay(item.start), first); day <= last && day < end; day += DAY_MS)
      days.set(day, [...(days.get(day) ?? []), item])
  }
  if (days.size === 0) return <EmptyState icon="calendar" title="No events in this month." />
  return (
    <div class={styles.list}>
      {[...days.keys()]
        .sort((a, b) => a - b)
        .map((day) => (
          <section key={day} aria-label={formatDate(msToDate(day))}>
            <h2>{formatDate(msToDate(day))}</h2>
            <ul>
              {(days.get(day) ?? [])
                .sort((a, b) => Number(b.allDay) - Number(a.allDay) || a.start - b.start)
                .map((item) => (
                  <li key={item.key}>
                    <button
                      type="button"
                      data-event={item.key}
                      class={`${styles.row} ${toEventClass(item)}`}
                      style={toEventStyle(item)}
                      onClick={() => open(item)}
                    >
                      <span class={styles.dot} />
                      <span class={styles.time}>
                        {item.allDay
                          ? 'All day'
                          : `${format.time(msToWall(item.start))}–${format.time(msToWall(item.end))}`}
                      </span>
                      <span class={styles.title}>
                        <span data-event-title>{item.title}</span> <TraitIcons traits={item.traits} />
                      </span>
                      <span class={styles.calendar}>{nameOf(item.calendarId)}</span>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  )
}
