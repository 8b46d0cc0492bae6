import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

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
