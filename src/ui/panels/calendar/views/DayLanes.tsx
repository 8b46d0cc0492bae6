import { useState } from 'preact/hooks'
import { Dialog } from '../../../components/Dialog.tsx'
import { formatLongDate } from '../../../time/timeFormat.ts'
import { DAY_MS, msToDate, wallToMs } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'
import styles from './DayLanes.module.css'
import { EventChip } from './EventChip.tsx'
import { isBar, layOutRow } from './layout.ts'

type Props = {
  items: readonly GridEvent[]
  /** The first date. */
  from: string
  dayCount: number
  /** The number of visible lanes. A day with more has a button that lists all its events in a dialog. */
  maxLanes: number
  open(item: GridEvent): void
}

/**
 * Events over a row of days, each on one line. A lane is a line of the row; events in the same lane do not overlap. Events
 * outside of the days are left out. A click on an event calls `open`.
 */
export function DayLanes({ items, from, dayCount, maxLanes, open }: Props) {
  const [shownDay, setShownDay] = useState<number>()
  const start = wallToMs(from)
  const segments = layOutRow([...items], start, dayCount)
  const counts = Array.from({ length: dayCount }, () => 0)
  /** Returns true for a lane that is not visible in one of the columns from `first` on. */
  const isHidden = (lane: number, first: number, count: number): boolean => {
    // The last lane of a crowded day belongs to its button.
    const isCrowded = counts.slice(first, first + count).some((total) => total > maxLanes)
    return lane >= (isCrowded ? maxLanes - 1 : maxLanes)
  }
  for (const { firstColumn, columnCount, lane } of segments)
    for (let column = firstColumn; column < firstColumn + columnCount; column++)
      counts[column] = Math.max(counts[column] ?? 0, lane + 1)
  const hidden = Array.from({ length: dayCount }, () => 0)
  const visible = segments.filter(({ lane, firstColumn, columnCount }) => {
    if (!isHidden(lane, firstColumn, columnCount)) return true
    for (let column = firstColumn; column < firstColumn + columnCount; column++)
      hidden[column] = (hidden[column] ?? 0) + 1
    return false
  })
  /** Returns the segments on a day, given by its column. */
  const dayItems = (day: number) =>
    segments.filter(({ firstColumn, columnCount }) => day >= firstColumn && day < firstColumn + columnCount)
  return (
    <>
      <div class={styles.lanes} style={{ gridTemplateColumns: `repeat(${dayCount}, minmax(0, 1fr))` }}>
        {visible.map(({ item, lane, firstColumn, columnCount }) => (
          <div
            key={`${item.key} ${firstColumn}`}
            class={styles.cell}
            style={{ gridColumn: `${firstColumn + 1} / span ${columnCount}`, gridRow: lane + 1 }}
          >
            <EventChip item={item} isBar={isBar(item)} open={open} />
          </div>
        ))}
        {hidden.map((count, day) =>
          count === 0 ? null : (
            <div
              key={msToDate(start + day * DAY_MS)}
              class={styles.cell}
              style={{ gridColumn: day + 1, gridRow: maxLanes }}
            >
              <button type="button" data-more class={styles.more} onClick={() => setShownDay(day)}>
                +{count}
                <span class={styles.word}> more</span>
                <span class="hidden"> on {formatLongDate(msToDate(start + day * DAY_MS))}</span>
              </button>
            </div>
          ),
        )}
      </div>
      {shownDay !== undefined && (
        <Dialog title={formatLongDate(msToDate(start + shownDay * DAY_MS))} close={() => setShownDay(undefined)}>
          <ul class={styles.list}>
            {dayItems(shownDay).map(({ item }) => (
              <li key={item.key}>
                <EventChip
                  item={item}
                  isBar={isBar(item)}
                  open={(opened) => {
                    setShownDay(undefined)
                    open(opened)
                  }}
                />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
