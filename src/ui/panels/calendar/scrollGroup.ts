import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** Grids that show the same hours. */
export type ScrollGroup = Set<HTMLElement>

/** Scrolls the hours of all grids of a group together. `calendar` is undefined until the grid is drawn. */
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
      for (const other of group) {
        const scroller = other === grid ? undefined : findScroller(other)
        if (scroller && Math.abs(scroller.scrollTop - scrollTop) >= 1) scroller.scrollTop = scrollTop
      }
    }
    group.add(grid)
    grid.addEventListener('scroll', onScroll, { capture: true })
    return () => {
      group.delete(grid)
      grid.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [group, calendar])
}

/** Returns the element that scrolls the hours of a grid. */
const findScroller = (grid: HTMLElement) =>
  grid.querySelector('.fc-timegrid-body')?.closest<HTMLElement>('.fc-scroller')
