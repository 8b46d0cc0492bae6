import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'

/** The page as it is built: the build is there already (`pretest`). */
const BUILT = join(ROOT, 'dist', 'ui')

test('all scripts of the inspector together are at most 150 kB, compressed', () => {
  const scripts = readdirSync(BUILT).filter((name) => /\.js(\.gz)?$/.test(name))
  const sizes = scripts.map((name) => {
    const bytes = readFileSync(join(BUILT, name))
    return name.endsWith('.gz') ? bytes.length : gzipSync(bytes, { level: 9 }).length
  })

  expect(scripts).toContainEqual(expect.stringMatching(/^inspector-[\w-]{8}\.js\.gz$/))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000)
})

/** The browser writes out a document that was made of texts, for a frame without scripts. */
const WRITTEN_OUT = 'mail/letter.ts'

test('no script of the inspector makes markup of text', () => {
  const sources = readdirSync(join(ROOT, 'src', 'ui'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const made = sources.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet/.test(
      readFileSync(join(ROOT, 'src', 'ui', name), 'utf8'),
    ),
  )

  expect(sources.length).toBeGreaterThan(20)
  expect(made).toEqual([WRITTEN_OUT])
})
