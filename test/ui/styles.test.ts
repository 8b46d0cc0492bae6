import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PANELS } from '../../src/ui/panels.ts'
import { ALICE, BOB, hour } from '../support/calendar.ts'
import { inBrowser, lack, skipped } from './browser.ts'

const BUILT = 'dist/ui'

/** Returns the selectors of a style sheet of the build, without frames of animations. */
function selectorsOf(css: string): string[] {
  const rules = css.replace(/@keyframes[^{]*\{(?:[^{}]*\{[^}]*\})*[^}]*\}/g, '')
  return [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, head = '']) =>
    /^\s*[@&]/.test(head) ? [] : head.split(/,(?![^(]*\))/),
  )
}

const sheets = readdirSync(BUILT).filter((name) => /\.css(\.gz)?$/.test(name) && !name.startsWith('index-'))

test.each(sheets)('each selector of %s names a class of its own', (name) => {
  const bytes = readFileSync(join(BUILT, name))
  const selectors = selectorsOf(String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes))

  expect(selectors.length).toBeGreaterThan(0)
  expect(selectors.filter((selector) => !/\._/.test(selector))).toEqual([])
})

/** Runs in the page. Returns the styles of each element that do not depend on the size of the content. */
function readStyles(): string[] {
  const names = [
    ...['display', 'position', 'color', 'background-color', 'font', 'text-align', 'white-space', 'letter-spacing'],
    ...['padding', 'border', 'border-radius', 'row-gap', 'column-gap', 'align-items', 'justify-content', 'overflow'],
  ]
  return [...document.querySelectorAll('main *')].map((element) => {
    const style = getComputedStyle(element)
    return `${element.tagName} ${element.className}: ${names.map((name) => style.getPropertyValue(name)).join('; ')}`
  })
}

describe.skipIf(lack)(`styles of the inspector in Chromium${skipped}`, () => {
  const { inspected } = inBrowser()

  test('a panel looks the same after all others were visited', async () => {
    const { open, as, fake } = await inspected()
    fake.faults.add({ on: 'colors.get', do: { fail: 'backendError' } })
    const lunch = { summary: 'Lunch', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
    await as(ALICE).post('/calendars/primary/events?sendUpdates=all', lunch)
    const show = async (page: Page, title: string) => {
      await page
        .getByRole('navigation', { name: 'Panels' })
        .getByRole('button')
        .filter({ hasText: title })
        .first()
        .click()
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    const visited = await open()
    for (const { title } of PANELS) await show(visited, title)
    for (const { id, title } of PANELS) {
      const fresh = await open(id)
      await fresh.getByRole('heading', { name: title, level: 1 }).waitFor()
      await show(visited, title)

      await expect
        .poll(async () => [title, await visited.evaluate(readStyles)])
        .toEqual([title, await fresh.evaluate(readStyles)])
      await fresh.close()
    }
  })
})
