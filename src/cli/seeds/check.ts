import { formatPath } from '../../schema/values/issues.ts'
import { readICalendar } from '../../seeds/ical/readICalendar.ts'
import { findSeedProblems, type SeedProblem } from '../../seeds/problems.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import type { ParsedDocument, TextPosition } from './document.ts'
import { parseJsonText } from './json.ts'
import { createImportContext } from './seedFile.ts'
import { parseYamlText } from './yaml.ts'

/** Problems are `file:line:column: path: problem`. */
export type CheckResult = { summary: string } | { problems: string[] }

export type SeedText = { name: string; bytes: Buffer; kind: 'json' | 'yaml' | 'ics' }

/** Problems are in the order of the text. Does not throw for invalid text. */
export function checkSeed({ name, bytes, kind }: SeedText, before: readonly Seed[]): CheckResult {
  if (kind === 'ics') return checkICalendar(name, bytes, before)
  const text = bytes.toString('utf8')
  const read = kind === 'yaml' ? parseYamlText(text) : parseJsonText(text)
  if ('problems' in read)
    return { problems: read.problems.map(({ problem, ...place }) => formatProblem(name, place, problem)) }
  const problems = formatProblems(name, read, findSeedProblems(read.data, before), 'seed')
  return problems.length === 0 ? { summary: `${name}: ${summarizeSeed(read.data as Seed)}` } : { problems }
}

type ReadDocument = Extract<ParsedDocument, { data: unknown }>

/** The most problems whose places are found. A command prints 20. */
const MAX_PLACED_PROBLEMS = 1000

/**
 * `file:line:column: path: problem`, in the order of the text. The path of the whole document is `root`. Problems after the
 * first 1,000 follow without a place.
 */
export function formatProblems(
  name: string,
  read: ReadDocument,
  problems: readonly SeedProblem[],
  root: string,
): string[] {
  const first = problems.slice(0, MAX_PLACED_PROBLEMS)
  const positions = read.findPositions(
    first.map(({ path, isUnknownKey }) => ({ path, what: isUnknownKey ? 'key' : 'value' })),
  )
  const placed = first
    .map((found, at) => ({ ...found, ...(positions[at] ?? { line: 1, column: 1 }) }))
    .sort((a, b) => Number(isRest(a)) - Number(isRest(b)) || a.line - b.line || a.column - b.column)
    .map(({ path, problem, ...place }) => formatProblem(name, place, `${formatPath(path) || root}: ${problem}`))
  return [...placed, ...problems.slice(MAX_PLACED_PROBLEMS).map(({ problem }) => problem)]
}

/** The number of the problems that are not listed, which is printed last. */
const isRest = ({ problem }: SeedProblem): boolean => problem.startsWith('and ')

export const formatProblem = (name: string, { line, column }: TextPosition, problem: string): string =>
  `${name}:${line}:${column}: ${problem}`

function checkICalendar(name: string, bytes: Buffer, before: readonly Seed[]): CheckResult {
  try {
    const seed = readICalendar(bytes, { calendar: 'primary' }, createImportContext(name, before))
    if (seed.report.length === 0) return { summary: `${name}: ${summarizeSeed(seed)}` }
    return {
      problems: seed.report.map(({ uid, line, reason }) =>
        formatProblem(name, { line, column: 1 }, `${uid ?? 'calendar'}: ${reason}`),
      ),
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { problems: [formatProblem(name, { line: 1, column: 1 }, error.message.replace(/^text: /, ''))] }
  }
}

/** `4 accounts, 7 calendars, 54 events`. Primary calendars that the seed does not list count. */
export function summarizeSeed({ accounts = [], calendars = [] }: Seed): string {
  const ids = new Set(
    [...accounts.map(({ email }) => email), ...calendars.map(({ id }) => id)].map((id) => id.toLowerCase()),
  )
  const events = calendars.reduce((sum, { events }) => sum + (events?.length ?? 0), 0)
  return [
    formatNumberOf(accounts.length, 'account'),
    formatNumberOf(ids.size, 'calendar'),
    formatNumberOf(events, 'event'),
  ].join(', ')
}

const formatNumberOf = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`
