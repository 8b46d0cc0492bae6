import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

let axe: Promise<string> | undefined

/** Only violations are described in full, because the descriptions of the rest take longer than the checks. */
const ALL_RULES: RunOptions = { resultTypes: ['violations'] }
/** The rules whose results depend on the colours of a page: those of the tag `cat.color` that are on by default. */
const RULES_OF_COLORS: RunOptions = { ...ALL_RULES, runOnly: ['color-contrast', 'link-in-text-block'] }

/** Returns the violations that axe finds in a page. */
async function findViolations(page: Page, options: RunOptions): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(await axe)
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

/** Expects no violations in a page: of all rules in its light colours, of the rules of colours also in its dark ones. */
export async function expectAccessible(page: Page, message?: string): Promise<void> {
  for (const [colorScheme, options] of [
    ['dark', RULES_OF_COLORS],
    ['light', ALL_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await expect
      .poll(() => findViolations(page, options), { message: [message, colorScheme].filter(Boolean).join(', ') })
      .toEqual([])
  }
}
