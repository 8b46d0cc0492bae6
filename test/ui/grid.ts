import type { Locator, Page } from 'playwright-core'

/** Returns the event with a title in the calendar; the first of several. */
export const eventNamed = (page: Page, title: string): Locator =>
  page
    .locator('[data-event]')
    .filter({ has: page.locator('[data-event-title]').getByText(title, { exact: true }) })
    .first()

/** Returns the traits that screen readers get of each event, by its title. */
export async function traitsByTitle(page: Page): Promise<Record<string, string[]>> {
  const traits = await page.locator('[data-event]').evaluateAll((events) =>
    events.map((event) => {
      const title = event.querySelector('[data-event-title]')?.textContent ?? ''
      const text = event.querySelector('[data-traits]')?.textContent ?? ''
      return [title, text.split(', ').filter((word) => word !== '')] as const
    }),
  )
  return Object.fromEntries(traits)
}

/**
 * Returns the titles of events that show a part of a character or of a line, or no character at all. A character is whole if it is
 * inside or outside of everything that clips it. An ellipsis needs room beside the first character.
 */
export const cutTitles = (page: Page): Promise<string[]> =>
  page.locator('[data-event]').evaluateAll((events) => {
    const TOLERANCE_PX = 0.75
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const widthOf = (text: string, { font }: CSSStyleDeclaration) => {
      context.font = font
      return context.measureText(text).width
    }
    const characterBoxesOf = (node: Text) =>
      [...(node.textContent ?? '')].flatMap((character, index) => {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + 1)
        return character.trim() === '' ? [] : [...range.getClientRects()]
      })
    const hasEllipsis = (element: Element) => {
      const { textOverflow, webkitLineClamp, display } = getComputedStyle(element)
      const isClamped = webkitLineClamp !== 'none' && display !== 'block' && element.scrollHeight > element.clientHeight
      return isClamped || (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth)
    }
    // Events that the link "+ more" stands for are drawn, but not visible.
    const visible = events.filter((event) => event.checkVisibility({ visibilityProperty: true }))
    return visible.flatMap((event) => {
      const title = event.querySelector('[data-event-title]') as HTMLElement
      // A day of the month on a narrow page shows the time alone.
      const hasTimeAlone = getComputedStyle(title).position === 'absolute'
      const walker = document.createTreeWalker(event, NodeFilter.SHOW_TEXT)
      let isCut = false
      let isShown = false
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        const parent = node.parentElement as HTMLElement
        if (hasTimeAlone && title.contains(parent)) continue
        if (parent.closest('.hidden') || !parent.checkVisibility({ visibilityProperty: true })) continue
        const chain: Element[] = []
        for (let at: Element = parent; at !== event.parentElement; at = at.parentElement as Element) chain.push(at)
        const clips = chain.filter((one) => getComputedStyle(one).overflow !== 'visible')
        const ellipsis = clips.find(hasEllipsis)
        if (ellipsis) {
          const style = getComputedStyle(ellipsis)
          const room =
            ellipsis.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
          const [first = ''] = node.textContent ?? ''
          if (room < widthOf(`${first}…`, getComputedStyle(parent)) - TOLERANCE_PX) isCut = true
        }
        for (const character of characterBoxesOf(node)) {
          const isInside = clips.every((one) => {
            const box = one.getBoundingClientRect()
            const [middle, half] = [(character.top + character.bottom) / 2, 6]
            const isRow = middle - half >= box.top - TOLERANCE_PX && middle + half <= box.bottom + TOLERANCE_PX
            return isRow && character.left >= box.left - TOLERANCE_PX && character.right <= box.right + TOLERANCE_PX
          })
          const isOutside = clips.some((one) => {
            const box = one.getBoundingClientRect()
            const isBelow = character.top >= box.bottom - 3 || character.bottom <= box.top + 3
            return isBelow || character.left >= box.right - TOLERANCE_PX
          })
          if (isInside && (hasTimeAlone || title.contains(parent))) isShown = true
          // An ellipsis replaces the letters from the edge on.
          if (!isInside && !isOutside && !ellipsis) isCut = true
        }
      }
      return isCut || !isShown ? [title.textContent ?? ''] : []
    })
  })

/** Returns the words of titles that continue on another line. */
export const tornWords = (page: Page): Promise<string[]> =>
  page.locator('[data-event-title]').evaluateAll((titles) =>
    titles.flatMap((title) => {
      const text = title.firstChild as Text
      return [...text.data.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        return tops.size > 1 ? [word] : []
      })
    }),
  )

/** Returns the texts of elements that are wider or higher than their boxes. */
export const overflowing = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) => {
    if (all.length === 0) return ['There are no elements.']
    const cut = all.filter((one) => {
      const box = one.getBoundingClientRect()
      const texts = [one, ...one.querySelectorAll(':not(.hidden)')].flatMap(({ childNodes }) =>
        [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
      )
      const parts = texts.map((text) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getBoundingClientRect()
      })
      return parts.some(({ left, right, width }) => width > 0 && (left < box.left - 1 || right > box.right + 1))
    })
    return cut.map((one) => one.textContent ?? '')
  })

/** The pixels of an hour in a view of hours. */
const PX_PER_HOUR = 48

const offsetOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour + minute / 60) * PX_PER_HOUR
}

const column = (page: Page, date: string): Locator => page.locator(`.fc-timegrid-col[data-date="${date}"]`)

/** Drags from a time of a day to another, over empty hours. */
export async function dragHours(page: Page, date: string, from: string, to: string): Promise<void> {
  // The slots of all days lie over the columns.
  await column(page, date).hover({ position: { x: 8, y: offsetOf(from) + 6 }, force: true })
  await page.mouse.down()
  await column(page, date).hover({ position: { x: 8, y: offsetOf(to) - 6 }, force: true })
  await page.mouse.up()
}

/** Drags an event to a day, so that it starts at a time. */
export async function dragEvent(page: Page, event: Locator, date: string, time: string): Promise<void> {
  await event.hover({ position: { x: 8, y: 2 } })
  await page.mouse.down()
  await column(page, date).hover({ position: { x: 8, y: offsetOf(time) + 2 }, force: true })
  await page.mouse.up()
}

/** Drags the lower edge of an event to a time. */
export async function dragEnd(page: Page, event: Locator, date: string, time: string): Promise<void> {
  await event.hover({ position: { x: 8, y: 2 } })
  await event.locator('.fc-event-resizer-end').hover()
  await page.mouse.down()
  await column(page, date).hover({ position: { x: 8, y: offsetOf(time) - 2 }, force: true })
  await page.mouse.up()
}
