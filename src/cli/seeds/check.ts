import { faultsOf, type SeedFault } from '../../life/faults.ts'
import { type ICalendarOptions, readICalendar } from '../../seeds/ical/reading.ts'
import { pathOf } from '../../wire/issues.ts'
import type { Seed } from '../../wire/seeds/seed.ts'
import { zoneOf } from '../seedFile.ts'
import { type Place, type Read, readJson, readYaml } from './document.ts'

/** A summary of a valid seed, or all problems of an invalid one, one a line. */
export type Checked = { holds: string } | { faults: string[] }

export type Text = { name: string; bytes: Buffer; kind: 'json' | 'yaml' | 'ics'; owner: string }

/** Checks the text of a seed, as it would be added to others. */
export function checked({ name, bytes, kind, owner }: Text, before: readonly Seed[]): Checked {
  if (kind === 'ics') return checkedCalendar(name, bytes, { owner, timeZone: zoneOf(owner, before) })
  const text = bytes.toString('utf8')
  const read = kind === 'yaml' ? readYaml(text) : readJson(text)
  if ('faults' in read) return { faults: read.faults.map(({ problem, ...place }) => lineOf(name, place, problem)) }
  const faults = faultsOf(read.data, before)
    .map((fault) => ({ ...fault, ...placeOf(read, fault) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  if (faults.length === 0) return { holds: `${name}: ${contents(read.data as Seed)}` }
  return {
    faults: faults.map(({ path, problem, ...place }) => lineOf(name, place, `${pathOf(path) || 'seed'}: ${problem}`)),
  }
}

const placeOf = (read: Extract<Read, { data: unknown }>, { path, problem }: SeedFault): Place =>
  read.place(path, problem.startsWith('Unrecognized key') ? 'key' : 'value')

const lineOf = (name: string, { line, column }: Place, said: string): string => `${name}:${line}:${column}: ${said}`

function checkedCalendar(name: string, bytes: Buffer, options: ICalendarOptions): Checked {
  try {
    const seed = readICalendar(bytes, options)
    if (seed.report.length === 0) return { holds: `${name}: ${contents(seed)}` }
    return {
      faults: seed.report.map(({ uid, line, reason }) =>
        lineOf(name, { line, column: 1 }, `${uid ?? 'calendar'}: ${reason}`),
      ),
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { faults: [lineOf(name, { line: 1, column: 1 }, error.message.replace(/^text: /, ''))] }
  }
}

/** `4 accounts, 7 calendars, 54 events`: of calendars also the primary ones that nobody has to name. */
export function contents({ accounts = [], calendars = [] }: Seed): string {
  const ids = new Set(
    [...accounts.map(({ email }) => email), ...calendars.map(({ id }) => id)].map((id) => id.toLowerCase()),
  )
  const events = calendars.reduce((sum, { events }) => sum + (events?.length ?? 0), 0)
  return [counted(accounts.length, 'account'), counted(ids.size, 'calendar'), counted(events, 'event')].join(', ')
}

const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`
