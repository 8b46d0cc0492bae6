import { formatPath } from '../../schema/values/issues.ts'
import { type ICalendarOptions, readICalendar } from '../../seeds/ical/readICalendar.ts'
import { findSeedProblems, type SeedProblem } from '../../seeds/problems.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { zoneOf } from '../seedFile.ts'
import { type ParsedDocument, readJson, readYaml } from './document.ts'
import type { TextPosition } from './jsonPositions.ts'

/** A summary of a valid seed, or the problems of an invalid one, one per line. */
export type CheckResult = { summary: string } | { faults: string[] }

export type SeedText = { name: string; bytes: Buffer; kind: 'json' | 'yaml' | 'ics'; owner: string }

/** Checks the text of a seed that is to be added to other seeds. */
export function checkSeed({ name, bytes, kind, owner }: SeedText, before: readonly Seed[]): CheckResult {
  if (kind === 'ics') return checkedCalendar(name, bytes, { owner, timeZone: zoneOf(owner, before) })
  const text = bytes.toString('utf8')
  const read = kind === 'yaml' ? readYaml(text) : readJson(text)
  if ('faults' in read) return { faults: read.faults.map(({ problem, ...place }) => lineOf(name, place, problem)) }
  const faults = findSeedProblems(read.data, before)
    .map((fault) => ({ ...fault, ...placeOf(read, fault) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  if (faults.length === 0) return { summary: `${name}: ${formatCounts(read.data as Seed)}` }
  return {
    faults: faults.map(({ path, problem, ...place }) =>
      lineOf(name, place, `${formatPath(path) || 'seed'}: ${problem}`),
    ),
  }
}

const placeOf = (read: Extract<ParsedDocument, { data: unknown }>, { path, problem }: SeedProblem): TextPosition =>
  read.place(path, problem.startsWith('Unrecognized key') ? 'key' : 'value')

const lineOf = (name: string, { line, column }: TextPosition, problem: string): string =>
  `${name}:${line}:${column}: ${problem}`

function checkedCalendar(name: string, bytes: Buffer, options: ICalendarOptions): CheckResult {
  try {
    const seed = readICalendar(bytes, options)
    if (seed.report.length === 0) return { summary: `${name}: ${formatCounts(seed)}` }
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

/** Formats `4 accounts, 7 calendars, 54 events`. It counts primary calendars that a seed does not list. */
export function formatCounts({ accounts = [], calendars = [] }: Seed): string {
  const ids = new Set(
    [...accounts.map(({ email }) => email), ...calendars.map(({ id }) => id)].map((id) => id.toLowerCase()),
  )
  const events = calendars.reduce((sum, { events }) => sum + (events?.length ?? 0), 0)
  return [
    formatCount(accounts.length, 'account'),
    formatCount(ids.size, 'calendar'),
    formatCount(events, 'event'),
  ].join(', ')
}

const formatCount = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`
