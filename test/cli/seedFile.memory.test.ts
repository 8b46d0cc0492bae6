import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const reads = vi.hoisted(() => ({ whole: [] as unknown[] }))
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const readFileSync = (name: string, encoding: BufferEncoding) => {
    reads.whole.push(encoding)
    return fs.readFileSync(name, encoding)
  }
  return { ...fs, readFileSync }
})

// Files of a process share its modules, and another may have loaded this one with the original of `node:fs`.
vi.resetModules()
const { readSeed } = await import('../../src/cli/seeds/seedFile.ts')
// Loaded here, because loading modules decodes their text.
await import('../../src/ical.ts')

test.each([
  ['seed.json', '\uFEFF{"accounts":[{"email":"ann@example.com"}]}', 'utf8'],
  ['seed.yaml', 'accounts: [{ email: ann@example.com }]', 'utf8'],
  ['calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', undefined],
])('a regular file is read once, and as text unless it is iCalendar: %s', async (file, text, encoding) => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
  const name = join(folder, file)
  writeFileSync(name, text)
  reads.whole.length = 0
  const seed = await readSeed(name, [], () => undefined)
  rmSync(folder, { recursive: true })

  expect(reads.whole).toEqual([encoding])
  if (encoding !== undefined) expect(seed.accounts).toEqual([{ email: 'ann@example.com' }])
})

test.each([
  ['a name', 'X-WR-CALNAME:Club'],
  ['no name', 'PRODID:-//example'],
])('an iCalendar file with %s is decoded once', async (_, head) => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
  const name = join(folder, 'long.ics')
  const event = [
    'BEGIN:VEVENT',
    'UID:u',
    'DTSTART:20260302T090000Z',
    `DESCRIPTION:${'x'.repeat(1_000_000)}`,
    'END:VEVENT',
  ]
  writeFileSync(name, ['BEGIN:VCALENDAR', 'VERSION:2.0', head, ...event, 'END:VCALENDAR', ''].join('\r\n'))
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  const seed = await readSeed(name, [], () => undefined)
  const decoded = decode.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0)
  decode.mockRestore()
  rmSync(folder, { recursive: true })

  expect(seed.calendars?.[0]?.events).toHaveLength(1)
  expect(decoded).toBeLessThan(1_100_000)
})
