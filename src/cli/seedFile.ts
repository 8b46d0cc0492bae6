import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { isEmail } from '../oauth/credentials.ts'
import { addressOf } from '../schema/values/address.ts'
import { findJsonSyntaxError } from '../schema/values/json.ts'
import { formatFixtureNames, isFixtureName, requireFixture } from '../seeds/fixtures.ts'
import type { ICalendarOptions } from '../seeds/ical/readICalendar.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { SeedError } from '../seeds/seedError.ts'
import { CommandError, summarizeProblems } from './commandError.ts'
import { readFile, readFileHead, readTextFile } from './readFile.ts'
import type { CalendarFile } from './serverOptions.ts'

/**
 * Reads a seed (initial data of a world) from a JSON, YAML or iCalendar file, or a fixture (built-in seed) if there is no file
 * of that name. `before` are the seeds to
 * which it is added, and `now` is the instant (RFC 3339) around which a fixture has its events. `report` receives one line for
 * each part of an iCalendar file that a seed cannot express. Rejects with a CommandError for a file that cannot be read, or is
 * not a seed.
 */
export async function readSeed(
  name: string,
  before: readonly Seed[],
  report: (line: string) => void,
  now?: string,
): Promise<Seed> {
  try {
    if (isFixtureName(name) && !existsSync(name)) return requireFixture(name, now)
    const text = readRegularText(name)
    if (text !== undefined) return await parseSeedText(name, text)
    const bytes = readSeedBytes(name)
    if (detectSeedFormat(name, bytes) !== 'ics') return await parseSeedText(name, bytes.toString('utf8'))
    const owner = await findCalendarOwner(name, bytes, before)
    return await readICalendarSeed(name, bytes, { owner }, before, report)
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(summarizeProblems(name, error.message)) : error
  }
}

const HEAD_BYTES = 64

/**
 * Returns the text of a regular file in JSON or YAML, without a second copy of its bytes. Returns undefined for other
 * files: the start of a pipe cannot be read twice. Throws a CommandError if the file cannot be read.
 */
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

/**
 * Parses the text of a seed in JSON or YAML, by the extension of its name. Rejects with a SeedError, whose message has a line for
 * each problem.
 */
const parseSeedText = async (name: string, text: string): Promise<Seed> =>
  parseSeed(isYamlFile(name) ? await parseYamlSeed(text) : parseJsonSeed(text))

const isYamlFile = (name: string): boolean => /\.ya?ml$/i.test(name)

/** Returns the format of a file, from its extension; `ics` also from its first line, and `json` if nothing else is known. */
export function detectSeedFormat(name: string, bytes: Buffer): 'json' | 'yaml' | 'ics' {
  if (isICalendarFile(name, bytes)) return 'ics'
  return isYamlFile(name) ? 'yaml' : 'json'
}

export const hasICalendarName = (name: string): boolean => /\.(ics|ical|icalendar|ifb|vcs)$/i.test(name)

const isICalendarFile = (name: string, bytes: Buffer): boolean =>
  hasICalendarName(name) || /^\W*BEGIN\W*:/i.test(bytes.toString('latin1', 0, HEAD_BYTES).replaceAll('\0', ''))

/**
 * Reads a file of `--ics` as a seed to be added to the seeds `before`. Without an owner and a calendar, it becomes a new
 * calendar of the first account. `report` receives one line for each part that a seed cannot express. Rejects with a
 * CommandError for a file that cannot be read, or is not iCalendar.
 */
export async function readCalendarFile(
  { file, owner, calendar }: CalendarFile,
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  const bytes = readSeedBytes(file)
  const { findCalendarName, resolveImportTarget } = await import('../seeds/ical/readICalendar.ts')
  const accounts = before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email))
  const names = { calname: findCalendarName(bytes), fileName: toFileStem(file) }
  const target = resolveImportTarget({ owner, calendar }, names, { accounts, calendars: listSeedCalendars(before) })
  return readICalendarSeed(file, bytes, target, before, report)
}

const listSeedCalendars = (seeds: readonly Seed[]) => seeds.flatMap(({ calendars = [] }) => calendars)

/**
 * Converts an iCalendar file into a seed for the calendar `target`. Events whose id the seeds `before` contain are left out.
 * `report` receives one line for each part that a seed cannot express.
 * Rejects with a CommandError for bytes that are not iCalendar.
 */
async function readICalendarSeed(
  name: string,
  bytes: Buffer,
  target: Pick<ICalendarOptions, 'calendar' | 'name'> & { owner: string },
  before: readonly Seed[],
  report: (line: string) => void,
): Promise<Seed> {
  const { readICalendar, formatRemark } = await import('../seeds/ical/readICalendar.ts')
  const existing = new Set(
    listSeedCalendars(before).flatMap(({ id, events = [] }) =>
      events.map((event) => JSON.stringify([addressOf(id), event.id])),
    ),
  )
  try {
    const seed = readICalendar(
      bytes,
      { ...target, timeZone: findOwnerTimeZone(target.owner, before) },
      (calendarId, eventId) => existing.has(JSON.stringify([calendarId, eventId])),
    )
    for (const remark of seed.report) report(`${name}: ${formatRemark(remark)}`)
    return seed
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${name}: ${error.message.replace(/^text: /, '')}`) : error
  }
}

const toFileStem = (name: string): string => basename(name).replace(/\.[a-z]+$/i, '')

/**
 * Returns the address of the owner of an iCalendar file: the name of the file or its X-WR-CALNAME if one is an address, the
 * first account of the seeds before it, or the account of the default seed.
 */
export async function findCalendarOwner(name: string, bytes: Buffer, before: readonly Seed[]): Promise<string> {
  const { findCalendarName } = await import('../seeds/ical/readICalendar.ts')
  const known = before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email))
  const owners = [toFileStem(name), findCalendarName(bytes), known[0]]
  return owners.find((one) => one !== undefined && isEmail(one)) ?? DEFAULT_OWNER
}

/** Returns the time zone that the last of the seeds gives an owner, as account or calendar; undefined if none does. */
export function findOwnerTimeZone(owner: string, before: readonly Seed[]): string | undefined {
  const address = addressOf(owner)
  const known = before.flatMap(({ accounts = [], calendars = [] }) => [
    ...accounts.filter(({ email }) => addressOf(email) === address),
    ...calendars.filter(({ id }) => addressOf(id) === address),
  ])
  return known.findLast(({ timeZone }) => timeZone)?.timeZone ?? undefined
}

const DEFAULT_OWNER = 'alice@example.com'

/** Reads the bytes of a seed file. Throws a CommandError, which lists the fixtures if the name could be one. */
export function readSeedBytes(name: string): Buffer {
  const isFixtureLike = /^[\w-]+$/.test(name)
  return readFile(name, 'seed', isFixtureLike ? `, and no such fixture (only ${formatFixtureNames()})` : '')
}

/** Parses YAML. The parser is loaded on first use. Rejects with a SeedError that names the position of the first problem. */
async function parseYamlSeed(text: string): Promise<unknown> {
  const { parseYamlText } = await import('./seeds/document.ts')
  const read = parseYamlText(text)
  if ('data' in read) return read.data
  const [{ line, column, problem } = { line: 1, column: 1, problem: 'not YAML' }] = read.problems
  throw new SeedError(`line ${line}, column ${column}: ${problem}`)
}

/** Parses JSON, with or without a byte order mark. Throws a SeedError that names the position of the problem. */
function parseJsonSeed(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch {
    const { line, column, expected } = findJsonSyntaxError(json) ?? { line: 1, column: 1, expected: 'a value' }
    throw new SeedError(`line ${line}, column ${column}: not JSON: expected ${expected}`)
  }
}
