import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'

/** The built page. `pretest` builds it. */
const BUILT = join(ROOT, 'dist', 'ui')
const MAX_BYTES = 180_000

test('all files of the inspector together are at most 180 kB, compressed', () => {
  const files = readdirSync(BUILT)
  const sizes = files.map((name) => {
    const bytes = readFileSync(join(BUILT, name))
    return name.endsWith('.gz') ? bytes.length : gzipSync(bytes, { level: 9 }).length
  })

  expect(files).toContainEqual(expect.stringMatching(/^inspector-[\w-]{8}\.js\.gz$/))
  expect(files).toContain('index.html')
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES)
})

test('no script of the inspector creates HTML from text', () => {
  const sources = readdirSync(join(ROOT, 'src', 'ui'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const unsafe = sources.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet/.test(
      readFileSync(join(ROOT, 'src', 'ui', name), 'utf8'),
    ),
  )

  expect(sources.length).toBeGreaterThan(20)
  expect(unsafe).toEqual([])
})
