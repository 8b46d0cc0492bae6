import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, ROOT, run, type Started } from './support/command.ts'

/** The package as a user gets it: packed once, installed into an empty folder. The build is there already (`pretest`). */
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-package-'))
const installed = join(folder, 'node_modules', 'fake-calendar')
let tarball = ''

/** None of what `npm test` tells its children of our own folder. */
const env = Object.fromEntries(
  Object.keys(process.env).flatMap((name) => (name.startsWith('npm_') ? [[name, undefined]] : [])),
)
const MINUTE = 60_000

/** Runs a program in the user's folder; anything but success fails with what it said. */
async function succeed(command: string, args: readonly string[], cwd = folder): Promise<string> {
  const { code, stdout, stderr } = await run(args, { command, cwd, env })
  expect(code, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

const tool = (name: string) => join(ROOT, 'node_modules', '.bin', name)
const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))

beforeAll(async () => {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await succeed('npm', pack, ROOT))
  tarball = join(folder, filename)
  write('package.json', '{ "private": true, "type": "module" }')
  await succeed('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', tarball])
}, 2 * MINUTE)

afterAll(() => rmSync(folder, { recursive: true }))

test('nothing else is installed, and nothing is run at installation', () => {
  const { dependencies = {}, scripts } = manifest()

  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['fake-calendar'])
  expect(dependencies).toEqual({})
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([])
})

test('it takes at most 1.5 MB', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(join(installed, name)),
  )
  const size = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)

  expect(size).toBeLessThanOrEqual(1_500_000)
})

test('it holds what is used, and no source maps', () => {
  const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })

  expect(names).toEqual(
    expect.arrayContaining([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.md',
      join('bin', 'fake-calendar.js'),
      join('dist', 'cli.js'),
      join('dist', 'index.d.ts'),
      join('dist', 'index.js'),
      join('fixtures', 'default.json'),
    ]),
  )
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
})

test('its types say nothing of the book of facts, which stays in the repository', () => {
  expect(readFileSync(join(installed, 'dist', 'index.d.ts'), 'utf8')).not.toMatch(/behaviour \d/)
})

test('the notices name every package that the source imports, with its licence', () => {
  const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES.md'), 'utf8')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n')
  const imported = [...sources.matchAll(/^import (?!type).*from '((?:@[^/']+\/)?[^./'][^/':]*)['/]/gm)].map(
    ([, name]) => name,
  )

  expect(new Set(imported)).toContain('zod')
  for (const name of new Set(imported))
    expect(notices).toMatch(new RegExp(`^## ${name} [\\d.]+ \\(.+\\)\\n\\n {4}\\S`, 'm'))
})

test('npx fake-calendar serves', { timeout: MINUTE }, async () => {
  const { printed, stop } = launch(['fake-calendar', '--port', '0', '--json'], { command: 'npx', cwd: folder, env })

  const { url } = JSON.parse(await printed(/\n$/)) as Started
  const inserted = await fetch(`${url}/calendars/primary/events`, {
    method: 'POST',
    headers: { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' },
    body: JSON.stringify({ summary: 'Hello', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }),
  })
  await stop()

  expect(await inserted.json()).toMatchObject({ kind: 'calendar#event', summary: 'Hello' })
})

test('a program imports createFakeCalendar', async () => {
  write(
    'program.js',
    `import { createFakeCalendar } from 'fake-calendar'
    const fake = createFakeCalendar({ now: '2026-03-02T09:00:00Z' })
    const response = await fake.request('/calendar/v3/calendars/primary', { headers: { Authorization: 'Bearer a@example.com' } })
    console.log((await response.json()).id)
    await fake.close()`,
  )
  expect(await succeed(process.execPath, ['program.js'])).toBe('a@example.com\n')
})

const CONSUMER = `import { createFakeCalendar, type FakeCalendar, type Seed, SeedError } from 'fake-calendar'
const seed: Seed = {
  anchor: '2026-03-02',
  accounts: [{ email: 'a@example.com', settings: { weekStart: '1' } }],
  calendars: [{ id: 'a@example.com', events: [{ summary: 'x', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }] }],
}
const fake: FakeCalendar = createFakeCalendar({ seed: [seed], now: new Date() })
const response: Promise<Response> = fake.world('other').request('/calendar/v3/colors')
const again: Seed = fake.state()
fake.seed(again).events satisfies number
// @ts-expect-error there is no such option
createFakeCalendar({ sed: seed })
// @ts-expect-error an event has no such field
const wrong: Seed = { calendars: [{ id: 'x', events: [{ sumary: 'x' }] }] }
// @ts-expect-error a port is a number
fake.listen({ port: '1' })
export { response, SeedError, wrong }
`

test.each([
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
])(
  'TypeScript takes its types, with no others installed: $moduleResolution',
  { timeout: MINUTE },
  async (resolution) => {
    const lib = ['es2022', 'dom']
    const compilerOptions = {
      ...resolution,
      strict: true,
      skipLibCheck: false,
      types: [],
      target: 'es2022',
      lib,
      noEmit: true,
    }
    write('consumer.ts', CONSUMER)
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))

    expect(await succeed(process.execPath, [tool('tsc'), '-p', folder])).toBe('')
  },
)

test('publint has nothing to say', { timeout: MINUTE }, async () => {
  expect(await succeed(tool('publint'), ['run', tarball, '--strict'])).toContain('All good!')
})

test('attw finds nothing wrong with the types', { timeout: MINUTE }, async () => {
  await succeed(tool('attw'), [tarball, '--profile', 'esm-only', '--no-definitely-typed'])
})
