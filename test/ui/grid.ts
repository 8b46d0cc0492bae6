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

/** The pixels of an hour in a view of hours. */
const PX_PER_HOUR = 48

const offsetOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour + minute / 60) * PX_PER_HOUR
}

const column = (page: Page, date: string): Locator => page.locator(`[data-date="${date}"]`)

/** Drags from a time of a day to another, over empty hours. */
export async function dragHours(page: Page, date: string, from: string, to: string): Promise<void> {
  await column(page, date).hover({ position: { x: 8, y: offsetOf(from) + 1 } })
  await page.mouse.down()
  await column(page, date).hover({ position: { x: 8, y: offsetOf(to) - 1 } })
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
  await event.locator('[data-resize]').hover()
  await page.mouse.down()
  await column(page, date).hover({ position: { x: 8, y: offsetOf(time) }, force: true })
  await page.mouse.up()
}
