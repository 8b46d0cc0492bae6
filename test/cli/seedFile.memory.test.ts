import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readSeed } from '../../src/cli/seedFile.ts'
// Loaded here, because loading modules decodes their text.
import '../../src/ical.ts'

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
