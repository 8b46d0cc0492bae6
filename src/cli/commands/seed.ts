import { nearest } from '../../wire/nearest.ts'
import type { Seed } from '../../wire/seeds/seed.ts'
import { CommandError } from '../commandError.ts'
import { bytesOf, kindOf, ownerOf, readSeed } from '../seedFile.ts'
import { checked } from '../seeds/check.ts'
import { formatted } from '../seeds/format.ts'
import { type Option, rowsOf } from '../serverOptions.ts'
import { writeWhole } from '../writeOutputFile.ts'

const OPTIONS = {
  check: { type: 'boolean', about: 'With format: write nothing, and name the files that are not as it writes them' },
  after: {
    type: 'string',
    multiple: true,
    value: 'SEED',
    about: 'With check: what the files are added to, a file or a fixture; repeatable',
  },
  help: { type: 'boolean', short: 'h', about: 'Print this' },
} as const satisfies Record<string, Option>

const HELP = `Usage: fake-calendar seed check FILE…     (all that is wrong with seeds: file:line:column: path: problem)
       fake-calendar seed format FILE…    (names in the order of the schema, two spaces a level)

Files are JSON, YAML (.yaml, .yml) or, to check, iCalendar (.ics). Exit code 1 where anything is wrong.

${rowsOf(OPTIONS)}`

const VERBS = ['check', 'format']

/** `fake-calendar seed`. What is wrong with its line is a CommandError; what is wrong with files it prints. */
export async function seedCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = read(args)
  const [verb, ...files] = positionals
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  if (verb === undefined || !VERBS.includes(verb)) {
    const meant = verb === undefined ? '' : `: ${verb}; did you mean ${nearest(verb, VERBS)}?`
    throw new CommandError(`seed: check or format${meant} (seed --help lists the options)`)
  }
  if (files.length === 0) throw new CommandError(`seed ${verb}: no file is named (seed --help lists the options)`)
  const before: Seed[] = []
  for (const name of values.after ?? []) before.push(await readSeed(name, before, () => undefined))
  for (const file of files) {
    const good = await told(() => (verb === 'check' ? check(file, before) : format(file, values.check ?? false)))
    if (!good) process.exitCode = 1
  }
}

function read(args: readonly string[]) {
  const { parseArgs } = process.getBuiltinModule('node:util')
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [said = ''] = error.message.split(/\. |\n/)
    throw new CommandError(`seed: ${said.replace(/\.$/, '')} (seed --help lists the options)`)
  }
}

/** A file that cannot be read is one line, and the others are gone on with. */
async function told(act: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`fake-calendar: ${error.message}\n`)
    return false
  }
}

const MOST_LINES = 1000

async function check(name: string, before: readonly Seed[]): Promise<boolean> {
  const bytes = bytesOf(name)
  const found = checked({ name, bytes, kind: kindOf(name, bytes), owner: await ownerOf(name, bytes, before) }, before)
  if ('holds' in found) {
    process.stdout.write(`${found.holds}\n`)
    return true
  }
  for (const line of found.faults.slice(0, MOST_LINES)) process.stdout.write(`${line.replace(/\p{Cc}/gu, ' ')}\n`)
  const more = found.faults.length - MOST_LINES
  if (more > 0) process.stdout.write(`${name}: and ${more} more\n`)
  return false
}

function format(name: string, only: boolean): boolean {
  const bytes = bytesOf(name)
  const kind = kindOf(name, bytes)
  if (kind === 'ics') throw new CommandError(`${name}: a file of iCalendar is not written by this command`)
  const text = bytes.toString('utf8')
  const found = formatted(name, text, kind)
  if ('faults' in found) {
    for (const line of found.faults) process.stdout.write(`${line}\n`)
    return false
  }
  if (found.text === text) return true
  process.stdout.write(only ? `${name}: not as it would be written\n` : `${name}: written\n`)
  if (!only) writeWhole(name, found.text)
  return !only
}
