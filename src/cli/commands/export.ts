import type { WorldData } from '../../model/worldData.ts'
import { listNames } from '../../schema/values/limitLines.ts'
import { findLiveCalendar } from '../../seeds/ical/addresses.ts'
import { writeCalendar } from '../../seeds/ical/writing/calendar.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand } from '../defineCommand.ts'
import { text, texts } from '../optionTable.ts'
import { requireInstant } from '../optionValues.ts'
import { readFromWorld } from '../startServer.ts'

export const exportCalendar = defineCommand({
  name: 'export',
  usage: ['export --calendar CALENDAR [options]'],
  options: {
    calendar: text('CALENDAR', 'Id of the calendar; primary is that of the first account'),
    seed: texts(
      'FILE',
      'Initial data of the world: a seed, an exported state, an iCalendar file, or the name of a demo world',
    ),
    now: text('ISO', 'Time of the export, such as 2026-03-02T09:00:00Z (default: now)'),
  },
  examples: [
    ['fake-calendar export --calendar primary > alice.ics', 'the primary calendar of the default world'],
    ['fake-calendar export --calendar rooms@example.com --seed world.json', 'a calendar of a seed'],
    ['fake-calendar export --calendar primary --seed team --now 2026-03-02T09:00:00Z', 'the same bytes each time'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'the calendar was printed'],
    ['1', 'it was not: stderr gives the reason in one line'],
  ],
  run: async ({ calendar, seed = [], now }) => {
    if (!calendar) throw new CommandError('export: requires --calendar CALENDAR (export --help lists the options)')
    const instant = now === undefined ? undefined : requireInstant('--now', now)
    const chunks = await readFromWorld(seed, instant, (world) => toICalendarChunks(world, calendar))
    for (const chunk of chunks) if (!(await writeToStdout(chunk))) return
  },
})

/** False if stdout is closed or full, which the shared handler of all commands reports. */
const writeToStdout = (text: string): Promise<boolean> =>
  new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)))

/** Yields chunks, so that a long calendar needs no second copy in memory. `id` may be `primary`, that of the first account. */
function toICalendarChunks(world: WorldData, id: string): Iterable<string> {
  const [first] = world.accounts.values()
  const calendar = findLiveCalendar(world, id === 'primary' ? (first?.email ?? id) : id)
  if (calendar) return writeCalendar(world, calendar, 'all')
  const ids = [...world.calendars.values()].filter(({ deleted }) => !deleted).map((one) => one.id)
  throw new CommandError(`--calendar: there is no calendar ${id} (only ${listNames(ids)})`)
}
