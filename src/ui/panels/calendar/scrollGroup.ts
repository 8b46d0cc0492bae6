import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** `hour` is the first one that a grid has asked for, for the dates of `key`. */
export type ScrollGroup = { grids: Set<HTMLElement>; key: string; hour: number }

export const createScrollGroup = (): ScrollGroup => ({ grids: new Set(), key: '', hour: 0 })

export function joinHour(group: ScrollGroup | undefined, key: string, hour: number): number {
  if (!group) return hour
  group.hour = group.key === key ? Math.min(group.hour, hour) : hour
  group.key = key
  return group.hour
}

/** `calendar` is undefined until the grid is drawn. */
export function useScrollGroup(
  element: RefObject<HTMLElement>,
  group: ScrollGroup | undefined,
  calendar: unknown,
): void {
  useEffect(() => {
    const grid = element.current
    if (!grid || !group || !calendar) return undefined
    /** The capture phase is needed, because scroll events do not bubble. */
    const onScroll = ({ target }: Event) => {
      const { scrollTop } = target as HTMLElement
      for (const other of group.grids) {
        const scroller = other === grid ? undefined : findScroller(other)
        if (scroller && Math.abs(scroller.scrollTop - scrollTop) >= 1) scroller.scrollTop = scrollTop
      }
    }
    group.grids.add(grid)
    grid.addEventListener('scroll', onScroll, { capture: true })
    return () => {
      group.grids.delete(grid)
      grid.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [group, calendar])
}

const findScroller = (grid: HTMLElement) =>
  grid.querySelector('.fc-timegrid-body')?.closest<HTMLElement>('.fc-scroller')
