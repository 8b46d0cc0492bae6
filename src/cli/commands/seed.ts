import { limitLines } from '../../schema/values/limitLines.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand } from '../defineCommand.ts'
import { escapeControls, printError } from '../output.ts'
import { detectSeedFormat, readSeed, readSeedBytes } from '../seedFile.ts'
import { checkSeed } from '../seeds/check.ts'

export const seed = defineCommand({
  name: 'seed',
  usage: ['seed check FILE…     (lists problems as file:line:column: path: problem)'],
  notes: 'Files are JSON, YAML (.yaml, .yml) or iCalendar (.ics).',
  options: {
    after: { type: 'string', multiple: true, value: 'SEED', about: 'A file or a fixture to which the files are added' },
  },
  operands: 'files',
  examples: [
    ['fake-calendar seed check world.json', 'list all problems of a seed'],
    ['fake-calendar seed check --after team rooms.yaml', 'check a seed that adds to a fixture'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'no problems'],
    ['1', 'problems in at least one file'],
  ],
  run: async ({ after = [] }, [action, ...files]) => {
    if (action !== 'check') {
      const wrong = action === undefined ? 'requires check' : `${action} (expected check)`
      throw new CommandError(`seed: ${wrong} (seed --help lists the options)`)
    }
    if (files.length === 0) throw new CommandError('seed check: requires a file (seed --help lists the options)')
    const before: Seed[] = []
    const ignoreProblems = () => undefined
    for (const name of after) before.push(await readSeed(name, before, ignoreProblems))
    for (const file of files) if (!checkFile(file, before)) process.exitCode = 1
  },
})

const printLine = (line: string): boolean => process.stdout.write(`${escapeControls(line)}\n`)

function checkFile(name: string, before: readonly Seed[]): boolean {
  try {
    const bytes = readSeedBytes(name)
    const found = checkSeed({ name, bytes, kind: detectSeedFormat(name, bytes) }, before)
    for (const line of 'summary' in found ? [found.summary] : limitLines(found.problems)) printLine(line)
    return 'summary' in found
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(error.message)
    return false
  }
}
