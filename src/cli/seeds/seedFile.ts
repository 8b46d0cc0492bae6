import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { addressOf } from '../../schema/values/address.ts'
import { describeUnknownFixture, isFixtureName, requireFixture } from '../../seeds/fixtures.ts'
import type { ICalendarOptions, ImportContext } from '../../seeds/ical/readICalendar.ts'
import { parseSeed } from '../../seeds/parseSeed.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { SeedError } from '../../seeds/seedError.ts'
import { STATE_VERSION } from '../../seeds/stateVersion.ts'
import { CommandError, summarizeProblems } from '../commandError.ts'
import { hasICalendarName } from '../optionValues.ts'
import { readFile, readFileHead, readTextFile } from '../readFile.ts'
import type { CalendarFile } from '../serverOptions.ts'
import { parseJsonText } from './json.ts'

/**
 * A fixture (built-in seed) is read if there is no file of that name. `before` are the seeds to which it is added. `report`
 * receives one line for each part of an iCalendar file that a seed cannot express.
 */
export async function readSeed(name: string, before: readonly Seed[], report: (line: string) => void): Promise<Seed> {
  try {
    if (isFixtureName(name) && !existsSync(name)) return requireFixture(name)
    const text = readRegularText(name)
    if (text !== undefined) return await parseSeedText(name, text)
    const bytes = readSeedBytes(name)
    if (detectSeedFormat(name, bytes) !== 'ics') return await parseSeedText(name, bytes.toString('utf8'))
    return await readICalendarSeed(name, bytes, { calendar: 'primary' }, before, report)
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(summarizeProblems(name, error.message)) : error
  }
}

/** Undefined if there is no such file. Throws a CommandError for a file that is no state of this version. */
export function readStateFile(name: string): Seed | undefined {
  if (!existsSync(name)) return undefined
  const read = parseJsonText(readTextFile(name, 'state'))
  const { counters } = ('data' in read ? (read.data ?? {}) : {}) as { counters?: unknown }
  if (typeof counters !== 'object' || counters === null)
    throw new CommandError(`--state: ${name}: not a state, which only fake-calendar writes (--seed takes other seeds)`)
  const { version = 0 } = counters as { version?: number }
  if (version !== STATE_VERSION)
    throw new CommandError(
      `--state: ${name}: a state of version ${Number(version)}, and this fake-calendar reads version ${STATE_VERSION}; delete the file to begin anew`,
    )
  try {
    return parseSeed('data' in read ? read.data : undefined)
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(summarizeProblems(`--state: ${name}`, error.message)) : error
  }
}

const HEAD_BYTES = 64

/** Returns undefined for files that are not regular, because the start of a pipe cannot be read twice. */
function readRegularText(name: string): string | undefined {
  if (!isRegularFile(name)) return undefined
  const head = readFileHead(name, 'seed', HEAD_BYTES)
  return isICalendarFile(name, head) ? undefined : readTextFile(name, 'seed')
}

function isRegularFile(name: string): boolean {
  try {
    return statSync(name).isFile()
  } catch {
    return false
  }
}

const parseSeedText = async (name: string, text: string): Promise<Seed> => parseSeed(await parseDocument(name, text))

const isYamlFile = (name: string): boolean => /\.ya?ml$/i.test(name)

/** Decides by the extension; `ics` also by the first line, and `json` if nothing else is known. */
export function detectSeedFormat(name: string, bytes: Buffer): 'json' | 'yaml' | 'ics' {
  if (isICalendarFile(name, bytes)) return 'ics'
  return isYamlFile(name) ? 'yaml' : 'json'
}

const isICalendarFile = (name: string, bytes: Buffer): boolean =>
  hasICalendarName(name) || /^\W*BEGIN\W*:/i.test(bytes.toString('latin1', 0, HEAD_BYTES).replaceAll('\0', ''))

/** Reads a file of `--ics`. If it names neither owner nor calendar, it becomes a new calendar of the first account. */
export async function readCalendarFile(
  { file, owner, calendar }: CalendarFile,
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  return readICalendarSeed(file, readSeedBytes(file), { owner, calendar }, before, report)
}

async function readICalendarSeed(
  name: string,
  bytes: Buffer,
  target: Pick<ICalendarOptions, 'owner' | 'calendar'>,
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  const { formatRemarks } = await import('../../seeds/ical/remarks.ts')
  const { readICalendar } = await import('../../seeds/ical/readICalendar.ts')
  try {
    const seed = readICalendar(bytes, target, createImportContext(name, before))
    for (const line of formatRemarks(seed.report)) report(`${name}: ${line}`)
    return seed
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${name}: ${error.message.replace(/^text: /, '')}`) : error
  }
}

/** `before` are the seeds to which the file `name` is added. */
export function createImportContext(name: string, before: readonly Seed[]): ImportContext {
  const calendars = before.flatMap(({ calendars = [] }) => calendars)
  const existing = new Set(
    calendars.flatMap(({ id, events = [] }) => events.map((event) => JSON.stringify([addressOf(id), event.id]))),
  )
  return {
    fileName: toFileStem(name),
    accounts: before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email)),
    calendars,
    timeZoneOf: (account) => findOwnerTimeZone(account, before),
    eventExists: (calendarId, eventId) => existing.has(JSON.stringify([calendarId, eventId])),
  }
}

const toFileStem = (name: string): string => basename(name).replace(/\.[a-z]+$/i, '')

function findOwnerTimeZone(owner: string, before: readonly Seed[]): string | undefined {
  const address = addressOf(owner)
  const known = before.flatMap(({ accounts = [], calendars = [] }) => [
    ...accounts.filter(({ email }) => addressOf(email) === address),
    ...calendars.filter(({ id }) => addressOf(id) === address),
  ])
  return known.findLast(({ timeZone }) => timeZone)?.timeZone ?? undefined
}

export function readSeedBytes(name: string): Buffer {
  const isFixtureLike = /^[\w-]{1,100}$/.test(name)
  return readFile(name, 'seed', isFixtureLike ? `, and ${describeUnknownFixture(name)}` : '')
}

async function parseDocument(name: string, text: string): Promise<unknown> {
  // The YAML parser is loaded only if it is needed, so that other starts are faster.
  const read = isYamlFile(name) ? (await import('./yaml.ts')).parseYamlText(text) : parseJsonText(text)
  if ('data' in read) return read.data
  const [{ line, column, problem } = { line: 1, column: 1, problem: 'no document' }] = read.problems
  throw new SeedError(`line ${line}, column ${column}: ${problem}`)
}
