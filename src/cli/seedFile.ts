import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { isEmail } from '../oauth/credentials.ts'
import { addressOf } from '../schema/values/address.ts'
import { findJsonSyntaxError } from '../schema/values/json.ts'
import { fixtureNames, isFixture, requireFixture } from '../seeds/fixtures.ts'
import type { ICalendarOptions } from '../seeds/ical/readICalendar.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { SeedError } from '../seeds/seedError.ts'
import type { CalendarFile } from './calendarFiles.ts'
import { CommandError, summarizeProblems } from './commandError.ts'
import { readFile } from './readFile.ts'

/**
 * Reads a seed from a JSON, YAML or iCalendar file, or a fixture if there is no file of that name. `report` receives one line for
 * each part of an iCalendar file that a seed cannot express. Throws a CommandError.
 */
export async function readSeed(
  name: string,
  before: readonly Seed[],
  report: (line: string) => void,
  now?: string,
): Promise<Seed> {
  try {
    const bytes = isFixture(name) && !existsSync(name) ? undefined : bytesOf(name)
    if (bytes === undefined) return requireFixture(name, now)
    const kind = kindOf(name, bytes)
    if (kind === 'ics')
      return await readCalendar(name, bytes, { owner: await ownerOf(name, bytes, before) }, before, report)
    const text = bytes.toString('utf8')
    return parseSeed(kind === 'yaml' ? await parseYaml(text) : parsed(text))
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(summarizeProblems(name, error.message)) : error
  }
}

/** Returns the format of a file, from its name or its first line. */
export function kindOf(name: string, bytes: Buffer): 'json' | 'yaml' | 'ics' {
  if (isCalendar(name, bytes)) return 'ics'
  return /\.ya?ml$/i.test(name) ? 'yaml' : 'json'
}

const isCalendar = (name: string, bytes: Buffer): boolean =>
  /\.(ics|ical|icalendar|ifb|vcs)$/i.test(name) ||
  /^\W*BEGIN\W*:/i.test(bytes.toString('latin1', 0, 64).replaceAll('\0', ''))

/** Reads a file of `--ics`. Without an owner and a calendar, it becomes a new calendar of the first account. */
export async function readCalendarFile(
  { file, owner, calendar }: CalendarFile,
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  const bytes = bytesOf(file)
  const [{ findCalendarName }, { importTarget }] = await Promise.all([
    import('../seeds/ical/readICalendar.ts'),
    import('../seeds/ical/target.ts'),
  ])
  const accounts = before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email))
  const names = { calname: findCalendarName(bytes), fileName: baseName(file) }
  const target = importTarget({ owner, calendar }, names, { accounts, calendars: calendarsOf(before) })
  return readCalendar(file, bytes, target, before, report)
}

const calendarsOf = (seeds: readonly Seed[]) => seeds.flatMap(({ calendars = [] }) => calendars)

async function readCalendar(
  name: string,
  bytes: Buffer,
  target: Pick<ICalendarOptions, 'calendar' | 'name'> & { owner: string },
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  const { readICalendar, formatRemark } = await import('../seeds/ical/readICalendar.ts')
  const existing = new Set(
    calendarsOf(before).flatMap(({ id, events = [] }) =>
      events.map((event) => JSON.stringify([addressOf(id), event.id])),
    ),
  )
  try {
    const seed = readICalendar(bytes, { ...target, timeZone: zoneOf(target.owner, before) }, (calendarId, eventId) =>
      existing.has(JSON.stringify([calendarId, eventId])),
    )
    for (const remark of seed.report) report(`${name}: ${formatRemark(remark)}`)
    return seed
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${name}: ${error.message.replace(/^text: /, '')}`) : error
  }
}

const baseName = (name: string): string => basename(name).replace(/\.[a-z]+$/i, '')

/** Returns the owner of an iCalendar file: by its name, its X-WR-CALNAME, or the first account of the seeds before it. */
export async function ownerOf(name: string, bytes: Buffer, before: readonly Seed[]): Promise<string> {
  const { findCalendarName } = await import('../seeds/ical/readICalendar.ts')
  const known = before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email))
  const owners = [baseName(name), findCalendarName(bytes), known[0]]
  return owners.find((one) => one !== undefined && isEmail(one)) ?? DEFAULT_OWNER
}

/** Returns the time zone that the seeds before it give an owner; undefined if none. */
export function zoneOf(owner: string, before: readonly Seed[]): string | undefined {
  const own = addressOf(owner)
  const known = before.flatMap(({ accounts = [], calendars = [] }) => [
    ...accounts.filter(({ email }) => addressOf(email) === own),
    ...calendars.filter(({ id }) => addressOf(id) === own),
  ])
  return known.findLast(({ timeZone }) => timeZone)?.timeZone ?? undefined
}

/** The account of the default seed. */
const DEFAULT_OWNER = 'alice@example.com'

/** Reads the bytes of a seed file. */
export function bytesOf(name: string): Buffer {
  const isFixtureLike = /^[\w-]+$/.test(name)
  return readFile(name, 'seed', isFixtureLike ? `, and no such fixture (only ${fixtureNames()})` : '')
}

/** Parses YAML. The parser is loaded on first use. */
async function parseYaml(text: string): Promise<unknown> {
  const { readYaml } = await import('./seeds/document.ts')
  const read = readYaml(text)
  if ('data' in read) return read.data
  const [{ line, column, problem } = { line: 1, column: 1, problem: 'not YAML' }] = read.faults
  throw new SeedError(`line ${line}, column ${column}: ${problem}`)
}

function parsed(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch {
    const { line, column, expected } = findJsonSyntaxError(json) ?? { line: 1, column: 1, expected: 'a value' }
    throw new SeedError(`line ${line}, column ${column}: not JSON: expected ${expected}`)
  }
}
