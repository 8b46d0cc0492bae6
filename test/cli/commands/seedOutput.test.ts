import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { seed } from '../../../src/cli/commands/seed.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-seed-output-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

test.each([
  ['check', '{'],
  ['check', '{}'],
  ['format', '{'],
  ['format', '{"accounts":[]}'],
])('seed %s of %s escapes control characters of the file name', async (action, text) => {
  const name = join(folder, 'clear\u001b[2J.json')
  writeFileSync(name, text)
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await seed.run([action, name])
  const output = write.mock.calls.map(([chunk]) => String(chunk)).join('')

  expect(output).toContain('clear\\u001b[2J.json:')
  expect(output).not.toContain('\u001b')
})
