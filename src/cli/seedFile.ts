import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isEmail } from '../http/auth.ts'
import { checkedSeed } from '../life/checkedSeed.ts'
import { fixtureNames, fixtureOf, isFixture } from '../life/fixtures.ts'
import { SeedError } from '../life/seed.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { addressOf } from '../wire/values/address.ts'
import { CommandError } from './commandError.ts'
import { jsonFault } from './jsonFault.ts'

const UNREADABLE: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'reading it is not permitted',
}

/**
 * The seed in a file: JSON, YAML or iCalendar. `name` may also be one of the fixtures, where there is no file of that name.
 * What of a calendar could not be said is told of line by line.
 */
export async function readSeed(name: string, before: readonly Seed[], tell: (line: string) => void): Promise<Seed> {
  try {
    const bytes = isFixture(name) && !existsSync(name) ? undefined : bytesOf(name)
    if (bytes === undefined) return fixtureOf(name)
    const kind = kindOf(name, bytes)
    if (kind === 'ics') return await readCalendar(name, bytes, before, tell)
    const text = bytes.toString('utf8')
    return checkedSeed(kind === 'yaml' ? await parsedYaml(text) : parsed(text))
  } catch (error) {
    throw error instanceof SeedError ? new CommandError(`${name}: ${error.message}`) : error
  }
}

/** By its name, or by how it begins: neither JSON nor YAML does so. */
export function kindOf(name: string, bytes: Buffer): 'json' | 'yaml' | 'ics' {
  if (isCalendar(name, bytes)) return 'ics'
  return /\.ya?ml$/i.test(name) ? 'yaml' : 'json'
}

const isCalendar = (name: string, bytes: Buffer): boolean =>
  /\.(ics|ical|icalendar|ifb|vcs)$/i.test(name) ||
  /^\W*BEGIN\W*:/i.test(bytes.toString('latin1', 0, 64).replaceAll('\0', ''))

async function readCalendar(
  name: string,
  bytes: Buffer,
  before: readonly Seed[],
  tell: (line: string) => void,
): Promise<Seed> {
  const { readICalendar, remarkLine } = await import('../ical/reading.ts')
  const owner = await ownerOf(name, bytes, before)
  try {
    const seed = readICalendar(bytes, { owner, timeZone: zoneOf(owner, before) })
    for (const remark of seed.report) tell(`${name}: ${remarkLine(remark)}`)
    return seed
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${name}: ${error.message.replace(/^text: /, '')}`) : error
  }
}

/** Whose calendar a file of iCalendar is: its name says it, or what it calls itself, or the seeds before it. */
export async function ownerOf(name: string, bytes: Buffer, before: readonly Seed[]): Promise<string> {
  const { ownerSaid } = await import('../ical/reading.ts')
  const known = before.flatMap(({ accounts = [] }) => accounts.map(({ email }) => email))
  const file = basename(name).replace(/\.[a-z]+$/i, '')
  return [file, ownerSaid(bytes), known[0]].find((one) => one !== undefined && isEmail(one)) ?? ANYBODY
}

/** The zone of somebody's calendar, as far as the seeds before tell. */
export function zoneOf(owner: string, before: readonly Seed[]): string | undefined {
  const own = addressOf(owner)
  const told = before.flatMap(({ accounts = [], calendars = [] }) => [
    ...accounts.filter(({ email }) => addressOf(email) === own),
    ...calendars.filter(({ id }) => addressOf(id) === own),
  ])
  return told.findLast(({ timeZone }) => timeZone)?.timeZone ?? undefined
}

/** Whose calendar a file is that says nothing of it: theirs whom a start without a seed has. */
const ANYBODY = 'alice@example.com'

/** What a file holds, whatever it is. */
export function textIn(name: string, what: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CommandError(`${name}: cannot read the ${what}: ${UNREADABLE[code] ?? code}`)
  }
}

/** What a file of a seed holds. */
export function bytesOf(name: string): Buffer {
  try {
    return readFileSync(name)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const others = code === 'ENOENT' && /^[\w-]+$/.test(name) ? `, and no such fixture (only ${fixtureNames()})` : ''
    throw new CommandError(`${name}: cannot read the seed: ${UNREADABLE[code] ?? code}${others}`)
  }
}

/** The reader of YAML is loaded where there is a file of it. */
async function parsedYaml(text: string): Promise<unknown> {
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
    const { line, column, expected } = jsonFault(json) ?? { line: 1, column: 1, expected: 'a value' }
    throw new SeedError(`line ${line}, column ${column}: not JSON: expected ${expected}`)
  }
}
