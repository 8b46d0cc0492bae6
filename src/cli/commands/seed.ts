import { limitLines } from '../../schema/values/limitLines.ts'
import { shortenLine } from '../../schema/values/shownText.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand } from '../defineCommand.ts'
import { flag, texts } from '../optionTable.ts'
import { printError } from '../output.ts'
import { checkSeed } from '../seeds/check.ts'
import { formatSeed } from '../seeds/format.ts'
import { detectSeedFormat, readSeed, readSeedBytes } from '../seeds/seedFile.ts'
import { writeOutputFile } from '../writeOutputFile.ts'

const ACTIONS = ['check', 'format']

export const seed = defineCommand({
  name: 'seed',
  usage: [
    'seed check FILE…     (lists problems as file:line:column: path: problem)',
    'seed format FILE…    (sorts keys by the schema, and indents by two spaces)',
  ],
  notes: 'Files are JSON, YAML (.yaml, .yml) or, for check, iCalendar (.ics).',
  options: {
    check: flag('format: write nothing, and list the files that are not formatted'),
    after: texts('SEED', 'check: a file or a demo world to which the files are added'),
  },
  operands: 'files',
  examples: [
    ['fake-calendar seed check world.json', 'list all problems of a seed'],
    ['fake-calendar seed check --after team rooms.yaml', 'check a seed that adds to a demo world'],
    ['fake-calendar seed format --check *.json', 'in CI: fail if a file is not formatted'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'no problems'],
    ['1', 'problems in at least one file'],
  ],
  run: async (values, [action, ...files]) => {
    if (action === undefined || !ACTIONS.includes(action)) {
      const wrong = action === undefined ? 'requires check or format' : `${action} (expected check or format)`
      throw new CommandError(`seed: ${wrong} (seed --help lists the options)`)
    }
    const other = action === 'check' ? 'check' : 'after'
    if (values[other] !== undefined)
      throw new CommandError(`seed ${action}: Unknown option '--${other}' (seed --help lists the options)`)
    if (files.length === 0) throw new CommandError(`seed ${action}: requires a file (seed --help lists the options)`)
    const before: Seed[] = []
    const ignoreProblems = () => undefined
    for (const name of values.after ?? []) before.push(await readSeed(name, before, ignoreProblems))
    for (const file of files) {
      const isGood = await runOrPrintError(() =>
        action === 'check' ? checkFile(file, before) : formatFile(file, values.check ?? false),
      )
      if (!isGood) process.exitCode = 1
    }
  },
})

async function runOrPrintError(run: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(error.message)
    return false
  }
}

const printLine = (line: string): boolean => process.stdout.write(`${shortenLine(line)}\n`)

/** Prints at most 20 problems, or a summary. `before` are the seeds to which the file is to be added. */
function checkFile(name: string, before: readonly Seed[]): boolean {
  const bytes = readSeedBytes(name)
  const found = checkSeed({ name, bytes, kind: detectSeedFormat(name, bytes) }, before)
  if ('summary' in found) {
    printLine(found.summary)
    return true
  }
  for (const line of limitLines(found.problems)) printLine(line)
  return false
}

/** Writes the formatted text; with `checkOnly` only reports that a file is not formatted. */
function formatFile(name: string, checkOnly: boolean): boolean {
  const bytes = readSeedBytes(name)
  const kind = detectSeedFormat(name, bytes)
  if (kind === 'ics') throw new CommandError(`${name}: iCalendar files cannot be formatted`)
  const text = bytes.toString('utf8')
  const found = formatSeed(name, text, kind)
  if ('problems' in found) {
    for (const line of limitLines(found.problems)) printLine(line)
    return false
  }
  if (found.text === text) return true
  printLine(checkOnly ? `${name}: not formatted` : `${name}: written`)
  if (!checkOnly) writeOutputFile(name, found.text)
  return !checkOnly
}
