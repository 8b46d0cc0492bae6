import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, run } from '../support/command.ts'
import { installEnvironment } from '../support/environment.ts'
import { lacks, pathOf } from '../support/programs.ts'
import { installPlugin } from '../support/pytest.ts'
import { DAY, MISTAKES, type Mistake, PYTHON_DAY } from './mistakes.ts'

const folder = mkdtempSync(join(ROOT, 'test', '.mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { NO_COLOR: '1', FORCE_COLOR: undefined, CI: '' }
const tool = (name: string) => join(ROOT, 'node_modules', '.bin', name)

const IMPORTS =
  "import { createFakeCalendar } from 'fake-calendar'\nimport { intercept } from 'fake-calendar/intercept'\n"
const REQUIRES =
  "const { createFakeCalendar } = require('fake-calendar')\nconst { intercept } = require('fake-calendar/intercept')\n"

type Row = { line: string; before?: string | undefined }
const toRow = ({ line, before }: Mistake): Row => ({ line, before })

/** Returns a file with a test for each row, whose title has the number of the row. `first` is the first line of a test. */
function writeSpec(
  head: string,
  row: (mistake: Mistake) => Row,
  first: (mistake: Mistake) => string = () => '',
): string {
  const tests = MISTAKES.map((mistake, at) => {
    const { line, before = '' } = row(mistake)
    const lines = [first(mistake), before, line].map((one) => `  ${one}\n`)
    return `test('mistake ${at}.', async ({ fake, calendar, calendarFor }) => {\n${lines.join('')}})`
  })
  return [head, DAY, ...tests].join('\n')
}

/** `expect(fake).toHaveSent({})` becomes `assertSent(fake, {})`. */
const toFunction = ({ line, before, nodeTest }: Mistake): Row => ({
  line: nodeTest ?? line.replace(/expect\(([^)]+(?:\([^)]*\))?)\)\.toHave(\w+)\(/, 'assert$2($1, '),
  before,
})

function writePythonSpec(): string {
  const tests = MISTAKES.map(
    ({ python: { line, before = 'pass' } }, at) =>
      `def test_mistake_${at}_(fake_calendar, calendar, control):\n    ${before}\n    ${line}\n`,
  )
  return ['import datetime', 'import urllib.request', PYTHON_DAY, ...tests].join('\n\n')
}

/** Makes a folder with a spec, and returns its path. */
function prepare(name: string, file: string, spec: string): string {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, file), spec)
  return project
}

/** Returns the text that is printed about a mistake. */
type Printed = (at: number) => string

/** `starts` matches the first line of each part of an output. The parts of a mistake have its title in that line. */
const splitByTitle =
  (output: string, starts: RegExp, title = (at: number) => `mistake ${at}.`): Printed =>
  (at) =>
    output
      .split(starts)
      .filter((part) => part.split('\n', 1)[0]?.includes(title(at)))
      .join('\n')

const jest = await installEnvironment('test/samples/jest')

/**
 * Playwright starts a process after each failed test, which takes longer than all other mistakes. The report of a failed test has
 * the same text in every runner, so these show that it is printed.
 */
const REPORTED_BY_PLAYWRIGHT = MISTAKES.filter(({ isInReport }) => isInReport).slice(0, 3)
const isTriedByPlaywright = (mistake: Mistake) => !mistake.isInReport || REPORTED_BY_PLAYWRIGHT.includes(mistake)

/** A runner runs all mistakes in one process. `findLine` returns the line that it shows of the test. */
type Runner = {
  name: string
  isMissing?: boolean
  isTried?: (mistake: Mistake) => boolean
  row: (mistake: Mistake) => Row & { printed: string }
  print(): Promise<Printed>
  findLine(part: string): string | undefined
}

const sameText =
  (row: (mistake: Mistake) => Row) =>
  (mistake: Mistake): Row & { printed: string } => ({ ...row(mistake), printed: mistake.printed })

const RUNNERS: readonly Runner[] = [
  {
    name: 'vitest',
    row: sameText(toRow),
    async print() {
      const head = `${IMPORTS}import { expect, test } from 'fake-calendar/vitest'`
      const project = prepare('vitest', 'mistakes.spec.js', writeSpec(head, toRow))
      writeFileSync(join(project, 'vitest.config.js'), "export default { test: { include: ['*.spec.js'] } }")
      const args = ['run', '--root', project, '--reporter=default']
      const { stdout, stderr } = await run(args, { command: tool('vitest'), env })
      return splitByTitle(stdout + stderr, /^(?= FAIL |⎯)/m)
    },
    // The first frame is the author's. The marker points to its line, which is shown whole or from its beginning.
    findLine: (part) => /❯ mistakes\.spec\.js:\d+:\d+\n(?:.*\n)*? +\d+\| +(.*)\n +\|? *\|? *\^/.exec(part)?.[1],
  },
  {
    name: 'jest',
    isMissing: jest === undefined,
    row: sameText(toRow),
    async print() {
      const head = `${REQUIRES}const { expect, test } = require('fake-calendar/jest')`
      const project = prepare('jest', 'mistakes.spec.js', writeSpec(head, toRow))
      writeFileSync(join(project, 'package.json'), '{}')
      const installed = join(project, 'node_modules', 'fake-calendar')
      mkdirSync(installed, { recursive: true })
      for (const part of ['package.json', 'dist']) symlinkSync(join(ROOT, part), join(installed, part))
      const args = ['--rootDir', project, '--watchman=false', '--runInBand']
      const command = join(jest ?? '', 'node_modules', '.bin', 'jest')
      const { stdout, stderr } = await run(args, { command, cwd: project, env })
      return splitByTitle(stdout + stderr, /^(?= {2}● |mistake )/m, (at) => `● mistake ${at}.`)
    },
    findLine: (part) => /^ +> +\d+ \| +(.*)$/m.exec(part)?.[1],
  },
  {
    name: 'node:test',
    row: sameText(toFunction),
    async print() {
      const head = `${IMPORTS}import { assertChanged, assertEvent, assertReceived, assertSent, test } from 'fake-calendar/node-test'`
      const project = prepare('nodeTest', 'mistakes.spec.js', writeSpec(head, toFunction))
      const args = ['--test', '--test-reporter=spec', 'mistakes.spec.js']
      const { stdout } = await run(args, { cwd: project, env: { ...env, NODE_TEST_CONTEXT: undefined } })
      return splitByTitle(stdout.split('failing tests:')[0] ?? '', /^(?=✖ mistake )/m)
    },
    // node:test shows no code. The first frame that is not of another package is the author's.
    findLine(part) {
      const frame = part.split('\n').find((line) => /^ +at .*:\d+:\d+\)?$/.test(line) && !/node_modules/.test(line))
      const [, number] = /mistakes\.spec\.js:(\d+):\d+/.exec(frame ?? '') ?? []
      return readFileSync(join(folder, 'nodeTest', 'mistakes.spec.js'), 'utf8').split('\n')[Number(number) - 1]
    },
  },
  {
    name: 'Playwright',
    isTried: isTriedByPlaywright,
    row: sameText(toRow),
    async print() {
      const head = `${IMPORTS}import { expect, test } from 'fake-calendar/playwright'`
      // A test that fails as expected prints the same error, but no report, and does not end its process.
      const fails = (mistake: Mistake) =>
        mistake.isInReport ? (isTriedByPlaywright(mistake) ? '' : 'test.skip()') : 'test.fail()'
      const project = prepare('playwright', 'mistakes.spec.js', writeSpec(head, toRow, fails))
      const settings = { testMatch: '*.spec.js', reporter: 'json', workers: 1, outputDir: join(project, 'results') }
      writeFileSync(join(project, 'playwright.config.js'), `export default ${JSON.stringify(settings)}`)
      const { stdout } = await run(['test'], { command: tool('playwright'), cwd: project, env })
      const [suite] = (JSON.parse(stdout) as PlaywrightResults).suites
      return (at) =>
        suite?.specs
          .filter(({ title }) => title === `mistake ${at}.`)
          .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
          .flatMap(({ errors, stderr }) => [...stderr.map(({ text }) => text), ...errors.map(({ message }) => message)])
          .join('\n') ?? ''
    },
    findLine: (part) => /^> *\d+ \| +(.*)$/m.exec(part)?.[1],
  },
  {
    name: 'pytest',
    isMissing: lacks('python3 pytest'),
    row: ({ python, printed }) => ({ printed, ...python }),
    async print() {
      const project = prepare('pytest', 'test_mistakes.py', writePythonSpec())
      const args = ['-m', 'pytest', '-p', 'no:cacheprovider', '-W', 'ignore', 'test_mistakes.py']
      const { stdout } = await run(args, {
        command: pathOf('python3 pytest'),
        cwd: project,
        env: { ...env, ...installPlugin(join(folder, 'plugin')) },
      })
      return splitByTitle(stdout, /^(?=_{3,} )/m, (at) => `test_mistake_${at}_`)
    },
    findLine: (part) => /^> +(.*)$/m.exec(part)?.[1],
  },
]

type PlaywrightResults = {
  suites: {
    specs: {
      title: string
      tests: { results: { errors: { message: string }[]; stderr: { text: string }[] }[] }[]
    }[]
  }[]
}

describe.each(RUNNERS)('$name', ({ name, isMissing = false, isTried = () => true, row, print, findLine }) => {
  const rows = MISTAKES.flatMap((mistake, at) => (isTried(mistake) ? [{ ...row(mistake), at }] : []))
  let printed: Printed = () => ''
  beforeAll(async () => {
    if (!isMissing) printed = await print()
  })

  test.skipIf(isMissing).each(rows)(`${name} prints what is wrong with: $line`, ({ line, printed: text, at }) => {
    const part = printed(at)
    const lines = part.split('\n')

    expect(lines.filter((one) => one.includes(text)).length, part).toBeGreaterThan(0)
    expect(findLine(part), part).toContain(line.slice(0, 40))
  })
})
