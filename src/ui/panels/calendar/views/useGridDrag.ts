import { useEffect, useRef, useState } from 'preact/hooks'
import { DAY_MS, MINUTE_MS, wallToMs } from '../../../time/wallTime.ts'
import type { GridEvent } from '../eventAppearance.ts'

/** Times snap to this many minutes. */
const SNAP_MINUTES = 15
/** A pointer that moves less than this is a click. */
const MIN_DRAG_PX = 4
const MINUTES_PER_DAY = 1440
/** The length of an event that is created with a click. */
const CLICK_MINUTES = 60

/** The times of an event as it is dragged: local times in milliseconds. The end of whole days is the midnight after them. */
export type DragSpan = { start: number; end: number }

/** The dragged object: a new event, or an event that is moved or resized. */
export type Drag = { mode: 'create' | 'move' | 'resize'; item?: GridEvent | undefined; span: DragSpan }

/** The dates of the columns, their scale, and the functions that are called when the pointer is released. */
type Options = {
  days: readonly string[]
  pxPerHour: number
  create?: ((span: DragSpan) => void) | undefined
  move?: ((item: GridEvent, span: DragSpan) => void) | undefined
}

/** Returns minutes as a multiple of 15 within a day. `round` is a function such as `Math.floor`. */
const snap = (minutes: number, round: (value: number) => number): number =>
  Math.min(MINUTES_PER_DAY, Math.max(0, round(minutes / SNAP_MINUTES) * SNAP_MINUTES))

/**
 * Handles dragging in a grid of hours: over empty hours it creates an event, an event moves, and the lower edge of an event
 * resizes it. A click on empty hours creates an event of one hour. Escape ends the drag without a change. Touch is ignored,
 * because it scrolls. Returns the ref and the event handlers of the grid, and the current drag (undefined if there is none).
 */
export function useGridDrag(items: readonly GridEvent[], { days, pxPerHour, create, move }: Options) {
  const body = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const stop = useRef<(() => void) | undefined>(undefined)
  const wasDragged = useRef(false)
  useEffect(() => () => stop.current?.(), [])

  /** Returns the day (its local midnight in milliseconds) and the minute at a point of the window. */
  const pointAt = (x: number, y: number): { day: number; minutes: number } => {
    const columns = [...(body.current?.querySelectorAll('[data-date]') ?? [])].map((one) => one.getBoundingClientRect())
    const index = columns.findIndex(({ right }) => x < right)
    const column = index < 0 ? columns.length - 1 : index
    const top = columns[0]?.top ?? 0
    return { day: wallToMs(days[column] ?? days[0] ?? ''), minutes: ((y - top) / pxPerHour) * 60 }
  }

  /** Begins a drag of an event, of its lower edge, or over empty hours, if that is allowed. */
  const onPointerDown = (event: PointerEvent) => {
    wasDragged.current = false
    const target = event.target as HTMLElement
    if (event.button !== 0 || event.pointerType === 'touch') return
    const key = target.closest<HTMLElement>('[data-event]')?.dataset.event
    const item = items.find((one) => one.key === key)
    if (key !== undefined ? !item?.isEditable || !move : !create || !target.closest('[data-date]')) return
    const origin = pointAt(event.clientX, event.clientY)
    const [startX, startY] = [event.clientX, event.clientY]
    const mode = item ? (target.closest('[data-resize]') ? 'resize' : 'move') : 'create'
    /** Returns the times of the dragged object when the pointer is at a point. */
    const spanAt = ({ day, minutes }: { day: number; minutes: number }): DragSpan => {
      if (!item) {
        const [from, to] = [Math.min(origin.minutes, minutes), Math.max(origin.minutes, minutes)]
        return {
          start: origin.day + snap(from, Math.floor) * MINUTE_MS,
          end: origin.day + snap(to, Math.ceil) * MINUTE_MS,
        }
      }
      if (mode === 'resize') {
        const end = day + snap(minutes, Math.round) * MINUTE_MS
        return { start: item.start, end: Math.max(end, item.start + SNAP_MINUTES * MINUTE_MS) }
      }
      const shift = day - origin.day + Math.round((minutes - origin.minutes) / SNAP_MINUTES) * SNAP_MINUTES * MINUTE_MS
      return { start: item.start + shift, end: item.end + shift }
    }
    let current: Drag | undefined
    /** Draws a drag; undefined removes it. */
    const show = (next: Drag | undefined) => {
      current = next
      setDrag(next)
    }
    /** Draws the drag at the pointer, once it has moved far enough. */
    const onMove = (moved: PointerEvent) => {
      const distance = Math.hypot(moved.clientX - startX, moved.clientY - startY)
      if (!current && distance < MIN_DRAG_PX) return
      wasDragged.current = true
      show({ mode, item, span: spanAt(pointAt(moved.clientX, moved.clientY)) })
    }
    /** Ends the drag: creates, moves or resizes the event. Without a movement over empty hours, creates one of an hour. */
    const onUp = () => {
      const dropped = current
      stop.current?.()
      if (!dropped) {
        if (item || !create) return
        const start =
          origin.day + snap(Math.min(origin.minutes, MINUTES_PER_DAY - CLICK_MINUTES), Math.floor) * MINUTE_MS
        create({ start, end: start + CLICK_MINUTES * MINUTE_MS })
      } else if (!dropped.item) create?.(dropped.span)
      else if (dropped.span.start !== dropped.item.start || dropped.span.end !== dropped.item.end)
        move?.(dropped.item, dropped.span)
    }
    /** Ends the drag without a change on Escape. */
    const onKeyDown = ({ key: pressed }: KeyboardEvent) => pressed === 'Escape' && stop.current?.()
    stop.current = () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('keydown', onKeyDown)
      show(undefined)
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
  return { body, drag, onPointerDown, onClickCapture }
}

const KEY_STEPS: Record<string, { days?: number; minutes?: number }> = {
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: { minutes: -SNAP_MINUTES },
  ArrowDown: { minutes: SNAP_MINUTES },
}

/**
 * Returns the new times of an event after Alt and an arrow key: by a day, or up and down by 15 minutes. In rows of `daysPerRow`
 * days, up and down move by a row. Returns undefined if the key does not move the event.
 */
export function findSpanAfterKey(
  item: GridEvent,
  { key, altKey }: KeyboardEvent,
  daysPerRow = 0,
): DragSpan | undefined {
  const step = altKey ? KEY_STEPS[key] : undefined
  if (!step || !item.isEditable) return undefined
  const rows = step.minutes === undefined ? 0 : Math.sign(step.minutes)
  const isByRow = daysPerRow > 0
  const minutes = isByRow || item.allDay ? 0 : (step.minutes ?? 0)
  const shift = ((step.days ?? 0) + (isByRow ? rows * daysPerRow : 0)) * DAY_MS + minutes * MINUTE_MS
  return shift === 0 ? undefined : { start: item.start + shift, end: item.end + shift }
}

/**
 * Returns the key handler of a grid. Alt and an arrow key call `move` with the focused event and its new times. The event has the
 * focus again when `items` contain it at its new place.
 */
export function useKeyboardMove(
  items: readonly GridEvent[],
  move: ((item: GridEvent, span: DragSpan) => void) | undefined,
  daysPerRow = 0,
) {
  const moved = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (moved.current === undefined || document.querySelector('dialog[open]')) return
    const button = document.querySelector<HTMLElement>(`[data-event="${CSS.escape(moved.current)}"]`)
    if (button && document.activeElement === document.body) button.focus()
  }, [items])
  return (event: KeyboardEvent) => {
    const key = (event.target as HTMLElement).closest<HTMLElement>('[data-event]')?.dataset.event
    const item = items.find((one) => one.key === key)
    const span = item && move && findSpanAfterKey(item, event, daysPerRow)
    if (!item || !span) return
    event.preventDefault()
    moved.current = item.key
    move?.(item, span)
  }
}
