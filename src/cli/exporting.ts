import { calendarNamed } from '../ical/addresses.ts'
import { calendarText } from '../ical/writing/calendar.ts'
import { momentOf } from '../time/clock.ts'
import type { World } from '../world/world.ts'
import { CommandError } from './commandError.ts'

const HELP = `Usage: fake-calendar export --ics CALENDAR [options]

Writes a calendar of a world that seeds make to standard output, as a file of iCalendar.

  --ics CALENDAR  The calendar, by its id; primary is that of the first account
  --seed FILE     What the world is made of: a seed, a state that a server told, a calendar's file, or a fixture; repeatable
  --now ISO       The moment that it is written at, such as 2026-03-02T09:00:00Z
  -h, --help      Print this
`

const OPTIONS = {
  ics: { type: 'string' },
  seed: { type: 'string', multiple: true },
  now: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Makes a world of the seeds that are named, and hands it to what looks at it. */
type Opening = (seeds: readonly string[], now: string | undefined, look: (world: World) => string) => Promise<string>

/** `fake-calendar export`. Whatever is wrong with its line is a CommandError. */
export async function exportCalendar(args: readonly string[], open: Opening): Promise<void> {
  const { ics, seed = [], now, help } = parsed(args)
  if (help) process.stdout.write(HELP)
  else if (!ics) throw new CommandError('export: --ics CALENDAR says which calendar (export --help lists the options)')
  else
    process.stdout.write(
      await open(seed, now === undefined ? undefined : instantIn(now), (world) => fileOf(world, ics)),
    )
}

function fileOf(world: World, named: string): string {
  const [first] = world.accounts.values()
  const calendar = calendarNamed(world, named === 'primary' ? (first?.email ?? named) : named)
  const known = [...world.calendars.values()].filter(({ deleted }) => !deleted).map(({ id }) => id)
  if (!calendar) throw new CommandError(`--ics: there is no calendar ${named} (only ${known.join(', ')})`)
  return calendarText(world, calendar, 'all')
}

function parsed(args: readonly string[]) {
  const { parseArgs } = process.getBuiltinModule('node:util')
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [said = ''] = error.message.split(/\. |\n/)
    throw new CommandError(`export: ${said.replace(/\.$/, '')} (export --help lists the options)`)
  }
}

function instantIn(text: string): string {
  try {
    momentOf(text)
    return text
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`--now: ${error.message}`) : error
  }
}
