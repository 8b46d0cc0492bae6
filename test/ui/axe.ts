import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SERIOUS = ['serious', 'critical']
let axe: Promise<string> | undefined

/** A day of the grid is named by its date, and what is in it by itself: it is no control that somebody calls by what stands on it. */
const OPTIONS = JSON.stringify({ rules: { 'label-content-name-mismatch': { enabled: false } } })

/** What axe finds in a page that keeps people out. */
export async function accessFaults(page: Page): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await axe)
  const { violations } = (await page.evaluate(`axe.run(document, ${OPTIONS})`)) as AxeResults
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
