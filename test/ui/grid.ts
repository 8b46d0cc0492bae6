import type { Locator, Page } from 'playwright-core'

/** An event in the grid, by what it is called; of several the first. */
export const eventNamed = (page: Page, title: string): Locator =>
  page
    .locator('.grid .event, [role=dialog] .event, .event')
    .filter({ has: page.locator('.title', { hasText: new RegExp(`^${title.replace(/[^\w ]/g, '\\$&')}$`) }) })
    .first()

/** What is said of each event that is shown, beside its title. */
export async function shownAs(page: Page): Promise<Record<string, string[]>> {
  const told = await page.locator('.event').evaluateAll((events) =>
    events.map((event) => {
      const title = event.querySelector('.title')?.textContent ?? ''
      const said = event.querySelector('.unseen')?.textContent ?? ''
      return [title, said.split(', ').filter((word) => word !== '')] as const
    }),
  )
  return Object.fromEntries(told)
}

type Box = { x: number; y: number; width: number; height: number } | null

const middle = (box: Box): { x: number; y: number } => {
  if (!box) throw new Error('what is to be dragged is not to be seen')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 8) }
}

/** Half an hour of a day in a view of hours. */
export async function slot(page: Page, day: string, time: string): Promise<Box> {
  const lane = page.locator(`[role=gridcell][data-date="${day}"], [data-date="${day}"]`).last()
  const row = page.locator(`[data-time="${time}:00"]`).last()
  await row.waitFor()
  const [column, line] = [await lane.boundingBox(), await row.boundingBox()]
  return column && line && { x: column.x, width: column.width, y: line.y, height: line.height }
}

/** Presses in the middle of a place, moves and lets go in that of another. */
export async function drag(page: Page, from: Box, to: Box): Promise<void> {
  const [start, end] = [middle(from), middle(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 3, start.y + 8, { steps: 3 })
  await page.mouse.move(end.x, end.y, { steps: 12 })
  await page.mouse.up()
}
