import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { createFakeCalendar } from '../src/index.ts'
import { FIXTURE_NAMES, requireFixture } from '../src/seeds/fixtures.ts'
import { COMMAND, type Ended, launch, ROOT, run, runCommand, serve } from './support/command.ts'
import { installEnvironment } from './support/environment.ts'
import { type Block, blocks, shellLines } from './support/pages.ts'
import { lacks, type ProgramName, pathOf } from './support/programs.ts'
import { installPlugin, PLUGIN } from './support/pytest.ts'

/** The folder in which all blocks of the pages run unchanged, except for the port, which can be in use here. */
const folder = mkdtempSync(join(ROOT, 'test', '.readme-'))
symlinkSync(join(ROOT, 'fixtures'), join(folder, 'fixtures'))
/**
 * Inside the clone package names resolve to the installed packages, and `fake-calendar` to the build, also with npx.
 */
const bin = join(folder, 'bin')
const PATH = `${bin}:${process.env.PATH}`
// An older Node warns about an import of JSON, and a newer Python about older clients.
const QUIET = { NODE_OPTIONS: '--disable-warning=ExperimentalWarning', PYTHONWARNINGS: 'ignore' }
const env = { PATH, PYTHONPATH: join(PLUGIN, 'src'), CHROMIUM: pathOf('chromium'), ...QUIET }
/** Runs the programs of a list in one process. */
const RUN_PROGRAMS = join(ROOT, 'test', 'support', 'runPrograms.js')
const tool = (name: string) => join(ROOT, 'node_modules', '.bin', name)

let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  mkdirSync(bin)
  const vitest = `[ "$1" = vitest ] && shift && cd '${ROOT}' && exec '${tool('vitest')}' "$@"`
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\n${vitest}\nshift\nexec '${process.execPath}' '${COMMAND}' "$@"\n`)
  // A browser of this machine must not open.
  for (const name of ['open', 'xdg-open']) writeFileSync(join(bin, name), '#!/bin/sh\n')
  for (const name of ['npx', 'open', 'xdg-open']) chmodSync(join(bin, name), 0o755)
  for (const { text, marks } of blocks)
    if (marks.has('file')) writeFileSync(join(folder, marks.get('file') ?? ''), text)
  server = await serve()
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true })
})

const here = (text: string) => text.replaceAll('127.0.0.1:8787', `127.0.0.1:${server.port}`)
const titled = (some: readonly Block[]) =>
  some.map((block) => [`${block.page}: ${block.text.split('\n')[0]}`, block] as const)

/**
 * The world that a block meets: that of a file of the pages, of a fixture, or the one that a start without a seed has.
 */
function seedOf({ marks }: Block): string {
  const name = marks.get('seed')
  return name?.endsWith('.json')
    ? readFileSync(join(folder, name), 'utf8')
    : JSON.stringify(requireFixture(name ?? 'default'))
}
async function meetWorld(block: Block) {
  const body = seedOf(block)
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await fetch(`${server.rootUrl}_control/replace`, { method: 'POST', headers, body })
  expect(status).toBe(200)
}

const lines = (block: Block) => shellLines(block).map((line) => line.replace(/ &$/, ''))
/** Commands that end without a signal. */
const ENDS = /^npx fake-calendar (?:exec|proxy|capture|seed|eval|prove) /
const SERVES = /^(?:npx (?:--yes )?fake-calendar|npm start --|fake-calendar)\b *(.*)$/
const KINDS: Record<string, (block: Block) => boolean> = {
  program: ({ language, marks }) => language === 'js' && !marks.has('run'),
  chromium: ({ marks }) => marks.get('run') === 'chromium',
  python: ({ language, marks }) => language === 'python' && !marks.has('run'),
  pytest: ({ marks }) => marks.get('run') === 'pytest',
  vitest: ({ marks }) => marks.get('run') === 'vitest',
  jest: ({ marks }) => marks.get('run') === 'jest',
  seed: ({ language, marks }) => language === 'json' && marks.has('file'),
  // A line of the page runs the command with the saved files.
  eval: ({ marks }) => marks.get('run') === 'eval',
  quotation: ({ marks }) => marks.has('from'),
  shell: (block) => block.language === 'sh',
}
const all = (kind: string) => blocks.filter((block) => !block.marks.has('not run') && KINDS[kind]?.(block))
const notRun = blocks.filter(({ marks }) => marks.has('not run'))

test('every block is run, or states a reason', () => {
  const hasKind = (block: Block) => Object.values(KINDS).some((is) => is(block))

  expect(blocks.filter((block) => !block.marks.has('not run') && !hasKind(block))).toEqual([])
})

/** Expects that a program succeeded and printed only the output in its comments. */
function expectSuccess({ text }: Block, { code, stdout, stderr }: Ended) {
  const promised = [...text.matchAll(/(?:console\.log.*\/\/|# prints:) (.+)$/gm)].map(([, output]) => output)

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const line of promised) expect(stdout).toContain(line)
}
async function succeeds(block: Block, file: string, command: string) {
  await meetWorld(block)
  writeFileSync(join(folder, file), here(block.text))
  expectSuccess(block, await run([file], { command, cwd: folder, env }))
}

/** Tests of node:test report when their process ends, so each of those programs has its own process. */
const hasOwnProcess = ({ text }: Block) => /node[:-]test/.test(text)
const programs = all('program')

describe('programs', () => {
  const together = programs.filter((block) => !hasOwnProcess(block))
  const results = new Map<Block, Ended>()
  let runner: Ended | undefined
  beforeAll(async () => {
    const list = together.map((block, at) => {
      const file = join(folder, `program${at}.mjs`)
      writeFileSync(file, here(block.text))
      return { file, seed: seedOf(block) }
    })
    writeFileSync(join(folder, 'programs.json'), JSON.stringify({ rootUrl: server.rootUrl, programs: list }))
    runner = await run([RUN_PROGRAMS, 'programs.json'], { cwd: folder, env, timeout: 100_000 })
    const ended: Ended[] = JSON.parse(readFileSync(join(folder, 'ended.json'), 'utf8'))
    for (const [at, result] of ended.entries()) if (together[at]) results.set(together[at], result)
  })

  test.each(titled(together))('%s', (_, block) => {
    expectSuccess(block, results.get(block) ?? { code: null, stdout: '', stderr: 'was not run' })
  })

  test('the programs end although they leave servers open', () => {
    expect(runner).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test.each(titled(programs.filter(hasOwnProcess)))('%s', (_, block) =>
    succeeds(block, 'program.mjs', process.execPath),
  )
})

test.skipIf(lacks('chromium')).each(titled(all('chromium')))('%s', (_, block) =>
  succeeds(block, 'page.mjs', process.execPath),
)

test.skipIf(lacks('python3 googleapiclient')).each(titled(all('python')))('%s', (_, block) =>
  succeeds(block, 'program.py', pathOf('python3 googleapiclient')),
)

/** The key file that a reader has. */
function writeServiceAccount(): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = {
    type: 'service_account',
    client_email: 'robot@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  }
  writeFileSync(join(folder, 'service-account.json'), JSON.stringify(key))
}

test.skipIf(lacks('python3 pytest')).each(titled(all('pytest')))('%s', async (_, { text }) => {
  writeServiceAccount()
  writeFileSync(join(folder, 'test_calendar.py'), text)
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-W', 'ignore', 'test_calendar.py']
  const pluginEnv = { ...env, ...installPlugin(join(folder, 'plugin')), FAKE_CALENDAR_COMMAND: undefined }
  const { code, stdout, stderr } = await run(args, { command: pathOf('python3 pytest'), cwd: folder, env: pluginEnv })

  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/\d+ passed/)
})

type Suite = { block: Block; file: string }
const suitesOf = (kind: string, ending: string): Suite[] =>
  all(kind).map((block, at) => ({ block, file: `calendar${at}.${ending}` }))
const titledSuites = (suites: readonly Suite[]) =>
  suites.map(({ block, file }) => [`${block.page}: ${block.text.split('\n')[0]}`, file] as const)
/** The results of one run of vitest or jest for all blocks, by file. */
type Results = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { title: string; failureMessages: string[] }[]
  }[]
}
const resultOf = ({ testResults }: Results, file: string) => testResults.find(({ name }) => name.endsWith(`/${file}`))
const readResults = (file: string): Results => JSON.parse(readFileSync(file, 'utf8'))

/** The program of the guide to lost responses without the id that makes its insert repeatable. All assertions go on after a failure. */
const BOOKS_TWICE = blocks
  .find(({ page, text }) => page.endsWith('lost-answers.md') && text.includes("'lunch0'"))
  ?.text.replace("id, summary: 'Lunch'", "summary: 'Lunch'")
  .replaceAll('expect(fake)', 'expect.soft(fake)') as string

describe('tests of users', () => {
  const options = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
  ]

  const vitestSuites = suitesOf('vitest', 'spec.ts')
  let compiled = ''
  let vitestResults: Results = { testResults: [] }
  beforeAll(async () => {
    for (const { block, file } of vitestSuites) writeFileSync(join(folder, file), block.text)
    writeFileSync(join(folder, 'twice.spec.ts'), BOOKS_TWICE)
    const settings = { include: ['*.spec.ts'], testTimeout: 60_000, maxWorkers: 1, isolate: false }
    writeFileSync(join(folder, 'vitest.config.js'), `export default { test: ${JSON.stringify(settings)} }\n`)
    const report = join(folder, 'vitest.json')
    const reporting = ['--reporter=json', `--outputFile=${report}`]
    const [program] = await Promise.all([
      run([...options, ...vitestSuites.map(({ file }) => file)], { command: tool('tsc'), cwd: folder }),
      run(['run', '--root', folder, ...reporting], { command: tool('vitest'), cwd: folder }),
    ])
    compiled = program.stdout + program.stderr
    vitestResults = readResults(report)
  })

  test.each(titledSuites(vitestSuites))('%s', (_, file) => {
    expect(compiled).not.toContain(file)
    expect(resultOf(vitestResults, file)).toMatchObject({ status: 'passed', message: '' })
  })

  test('the program of the guide to lost responses fails by its own assertions if it books twice', () => {
    const failed = resultOf(vitestResults, 'twice.spec.ts')?.assertionResults.filter(
      ({ failureMessages }) => failureMessages.length > 0,
    )
    expect(failed).toMatchObject([
      {
        title: 'with an id, the repeated insert is 409, and there is one event',
        failureMessages: [
          expect.stringContaining('events.insert'),
          expect.stringContaining('expected 1 event with {"summary":"Lunch"}; there are 2 events:'),
        ],
      },
    ])
  })

  test('no other file fails to compile', () => {
    expect(compiled).toBe('')
  })
})

const jest = await installEnvironment('test/samples/jest')

describe.skipIf(!jest)('tests of users in jest', () => {
  const jestSuites = suitesOf('jest', 'test.js')
  let jestResults: Results = { testResults: [] }
  /** Runs jest in its default mode, in a CommonJS folder whose node_modules link to the build. */
  beforeAll(async () => {
    const project = join(folder, 'jest')
    const installed = join(project, 'node_modules', 'fake-calendar')
    mkdirSync(installed, { recursive: true })
    // The folder is below the repository, so a link to the repository would be circular for tools that list files.
    for (const part of ['package.json', 'dist']) symlinkSync(join(ROOT, part), join(installed, part))
    writeFileSync(join(project, 'package.json'), '{}')
    for (const { block, file } of jestSuites) writeFileSync(join(project, file), block.text)
    const report = join(folder, 'jest.json')
    const reporting = ['--json', `--outputFile=${report}`, '--runInBand', '--testTimeout=60000', '--watchman=false']
    await run(['--rootDir', project, ...reporting], {
      command: join(jest ?? '', 'node_modules', '.bin', 'jest'),
      cwd: project,
    })
    jestResults = readResults(report)
  })

  test.each(titledSuites(jestSuites))('%s', (_, file) => {
    expect(resultOf(jestResults, file)).toMatchObject({ status: 'passed', message: '' })
  })
})

test.each(titled(all('quotation')))('%s is in the file that it quotes, which is run', (_, { text, marks }) => {
  const file = marks.get('from') ?? ''

  expect(file).toMatch(/^test\/samples\//)
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(text)
})

test.each(titled(all('seed')))('%s is a valid seed', async (_, { text }) => {
  await createFakeCalendar({ seed: JSON.parse(text) }).close()
})

/**
 * `npm ci`, `npm start` with its build and `npm test` are run by .ci/run, so only their definitions are checked here.
 */
function names(script: string) {
  expect(manifest.scripts).toHaveProperty(script)
  expect(manifest.scripts).toHaveProperty(`pre${script}`, expect.stringContaining('build'))
  expect(manifest.scripts.start).toBe('node bin/fake-calendar.js')
}

const PLACED = /^--(port|host)$/

/** Starts by their options. Pages that name the same options, but for the port, share a start. */
const started = new Map<string, Promise<void>>()
function starts(options: string[]): Promise<void> {
  const loopback = options.includes('--host') ? ['--host', '127.0.0.1'] : []
  // Servers of the snippets listen on loopback and on free ports instead of the given addresses.
  const others = options.filter((option, at) => !PLACED.test(option) && !PLACED.test(options[at - 1] ?? ''))
  const args = [...others, ...loopback]
  const key = JSON.stringify(args)
  const start = started.get(key) ?? startWith(args)
  started.set(key, start)
  return start
}

/** Options of servers that print while they run. Such a server has its own process, and others share one. */
const PRINTS_LATER = /^--(play|log|open)$/

async function startWith(options: string[]): Promise<void> {
  if (options.includes('--help') || options[0] === 'export')
    return expect(await runCommand(options, {}, folder)).toMatchObject({ code: 0, stderr: '' })
  const args = [...options, '--port', '0']
  if (!args.some((option) => PRINTS_LATER.test(option))) {
    const { code, stdout, stderr } = await runCommand(args, {}, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return expectStarted(stdout)
  }
  const { printed, stop } = launch(args, { cwd: folder, env: { PATH } })
  expectStarted(await printed(options.includes('--json') ? /\n$/ : /\n\n$/))
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
}

function expectStarted(text: string): void {
  expect(text).toContain('/calendar/v3')
  expect(text).toMatch(/[Aa]ccounts\W+\w+@/)
}

async function answers(command: string) {
  const { code, stdout } = await run(['-c', here(command)], { command: 'sh', cwd: folder, env })

  expect(code, command).toBe(0)
  if (command.includes('curl')) expect(JSON.parse(stdout)).not.toHaveProperty('error')
}

/** The programs that lines of the pages name. */
const NAMED: readonly ProgramName[] = ['curl', 'gcalcli', 'php', 'python3']
const programsOf = (block: Block) =>
  NAMED.filter((name) => lines(block).some((line) => new RegExp(`\\b${name}\\b`).test(line)))

describe.each(titled(blocks.filter((block) => lines(block).length > 0)))('%s', (_, block) => {
  test.skipIf(lacks(...programsOf(block)))('its lines run', async () => {
    await meetWorld(block)
    for (const line of lines(block)) {
      const [, script] = /^npm (?:ci && npm )?(\w+)$/.exec(line) ?? []
      const [, options] = SERVES.exec(line) ?? []
      if (script !== undefined) names(script)
      else if (options !== undefined && !ENDS.test(line)) await starts(options.split(' ').filter(Boolean))
      else await answers(line)
    }
  })
})

/** A program in a language that this machine lacks: the request that its client sends succeeds at its address. */
test.each(titled(notRun.filter(({ marks }) => /Sends: /.test(marks.get('not run') ?? ''))))('%s', async (_, block) => {
  await meetWorld(block)
  const [, verb = '', path = ''] = /Sends: ([A-Z]+) (\S+)/.exec(block.marks.get('not run') ?? '') ?? []
  const [, base = 'no address'] = /http:\/\/127\.0\.0\.1:8787(\/[^'"]*)/.exec(block.text) ?? []
  const headers = new Headers(path.includes('key=') ? {} : { Authorization: 'Bearer alice@example.com' })
  const { status } = await fetch(new URL(path, server.rootUrl), { method: verb, headers })

  expect(path.startsWith(base)).toBe(true)
  expect(status).toBe(200)
})

test.each(FIXTURE_NAMES.filter((name) => name !== 'default'))('a page starts a server from the fixture %s', (name) => {
  expect(blocks.flatMap(lines)).toContain(`npx fake-calendar --seed ${name}${name === 'company' ? ' --open' : ''}`)
})
