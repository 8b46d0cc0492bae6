import { expect, test, vi } from 'vitest'
import { exportCalendar } from '../../../src/cli/commands/export.ts'

vi.mock('../../../src/seeds/ical/writing/calendar.ts', () => ({
  *writeCalendar() {
    yield ''
    throw new Error('no text')
  },
}))

test('an error while the text of a calendar is created ends the command with that error', async () => {
  await expect(exportCalendar.run(['--calendar', 'primary'])).rejects.toThrow('no text')
})
