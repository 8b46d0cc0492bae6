import { DAY_MS, MINUTE_MS } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'

/** Returns the midnight before a local time, both in milliseconds. */
export const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/** Orders events by start. Of events with the same start, the longer one comes first. */
const compareByStart = (a: GridEvent, b: GridEvent): number =>
  a.start - b.start || b.end - a.end || (a.key < b.key ? -1 : 1)

/** Returns true for an event that is drawn as a bar above the hours: an all-day event, or one of 24 hours or more over midnight. */
export const isBar = ({ allDay, start, end }: GridEvent): boolean =>
  allDay || (end - start >= DAY_MS && startOfDay(start) !== startOfDay(end - 1))

/** An event in a row of days: the columns that it covers, and its lane. */
export type Segment = {
  item: GridEvent
  lane: number
  firstColumn: number
  columnCount: number
}

/**
 * Places the events of a row of days in lanes, so that none overlap. Bars come first. `rowStart` is a local midnight in
 * milliseconds. An event that is not a bar is placed on its first day only.
 */
export function layOutRow(items: readonly GridEvent[], rowStart: number, dayCount: number): Segment[] {
  const rowEnd = rowStart + dayCount * DAY_MS
  const visible = items.filter((item) => item.start < rowEnd && Math.max(item.end, item.start + 1) > rowStart)
  const sorted = visible.sort((a, b) => Number(isBar(b)) - Number(isBar(a)) || compareByStart(a, b))
  const lanes: boolean[][] = []
  return sorted.map((item) => {
    const lastDay = isBar(item) ? startOfDay(Math.max(item.end - 1, item.start)) : startOfDay(item.start)
    const firstColumn = Math.max(0, Math.round((startOfDay(item.start) - rowStart) / DAY_MS))
    const lastColumn = Math.min(dayCount - 1, Math.round((lastDay - rowStart) / DAY_MS))
    const columnCount = Math.max(1, lastColumn - firstColumn + 1)
    const columns = Array.from({ length: columnCount }, (_, index) => firstColumn + index)
    let lane = lanes.findIndex((occupied) => columns.every((column) => !occupied[column]))
    if (lane < 0) lane = lanes.push([]) - 1
    for (const column of columns) (lanes[lane] as boolean[])[column] = true
    return { item, lane, firstColumn, columnCount }
  })
}

/** An event in a day of hours. `left` and `width` are shares of the column's width; `top` and `height` are in minutes. */
export type Box = { item: GridEvent; left: number; width: number; top: number; height: number }

const MINUTES_PER_DAY = 1440

/**
 * Places the timed events of a day side by side where they overlap. `day` is a local midnight in milliseconds. Shorter events
 * take `minMinutes`, so that each has room for a line of text. Bars are left out.
 */
export function layOutDay(items: readonly GridEvent[], day: number, minMinutes: number): Box[] {
  const boxes = items
    .filter((item) => !isBar(item) && item.start < day + DAY_MS && Math.max(item.end, item.start + 1) > day)
    .sort(compareByStart)
    .map((item) => {
      const top = Math.max(0, (item.start - day) / MINUTE_MS)
      const end = Math.min(MINUTES_PER_DAY, (item.end - day) / MINUTE_MS)
      const height = Math.max(end - top, minMinutes)
      return { item, top: Math.min(top, MINUTES_PER_DAY - height), height, left: 0, width: 1 }
    })
  let group: Box[] = []
  let groupEnd = 0
  for (const box of boxes) {
    if (box.top >= groupEnd) {
      assignColumns(group)
      group = []
    }
    group.push(box)
    groupEnd = Math.max(groupEnd, box.top + box.height)
  }
  assignColumns(group)
  return boxes
}

/** Returns true if two boxes have a minute in common. */
const doOverlap = (a: Box, b: Box): boolean => a.top < b.top + b.height && b.top < a.top + a.height

/** Sets `left` and `width` of a group of overlapping boxes: each gets a column, and grows to the right where there is room. */
function assignColumns(group: readonly Box[]): void {
  const columns: Box[][] = []
  const columnOf = new Map<Box, number>()
  for (const box of group) {
    let index = columns.findIndex((column) => column.every((other) => !doOverlap(box, other)))
    if (index < 0) index = columns.push([]) - 1
    columns[index]?.push(box)
    columnOf.set(box, index)
  }
  for (const box of group) {
    const index = columnOf.get(box) ?? 0
    let span = 1
    while (index + span < columns.length && columns[index + span]?.every((other) => !doOverlap(box, other))) span++
    box.left = index / columns.length
    box.width = span / columns.length
  }
}
