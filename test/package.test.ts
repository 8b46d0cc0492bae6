import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, ROOT, run, type Started } from './support/command.ts'
import { installEnvironment } from './support/environment.ts'
import { withNewer } from './support/surface.ts'

/**
 * The package as users get it: packed once, installed into an empty folder. It is built before (`pretest`).
 */
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-package-'))
const installed = join(folder, 'node_modules', 'fake-calendar')
let tarball = ''

/** The environment without the variables of `npm test` for this folder. */
const env = Object.fromEntries(
  Object.keys(process.env).flatMap((name) => (name.startsWith('npm_') ? [[name, undefined]] : [])),
)

/** Runs a program in the user's folder. Fails with its output unless it succeeds. */
async function succeed(command: string, args: readonly string[], cwd = folder): Promise<string> {
  const { code, stdout, stderr } = await run(args, { command, cwd, env })
  expect(code, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

const tool = (name: string) => join(ROOT, 'node_modules', '.bin', name)
const write = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}
const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))

beforeAll(async () => {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await succeed('npm', pack, ROOT))
  tarball = join(folder, filename)
  write('package.json', '{ "private": true, "type": "module" }')
  await succeed('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', tarball])
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the package installs nothing else, and runs no script at installation', () => {
  const { dependencies = {}, scripts } = manifest()

  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['fake-calendar'])
  expect(dependencies).toEqual({})
  expect(Object.keys(scripts).filter((name) => /install/.test(name))).toEqual([])
})

test.each([
  ['the tarball', () => tarball],
  ['a folder with a clone', () => ROOT],
])('npm install of %s runs no script and prints no warning', async (_, source) => {
  const project = mkdtempSync(join(tmpdir(), 'fake-calendar-install-'))
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const args = ['install', '--no-audit', '--no-fund', '--offline', '--foreground-scripts', source()]
  const { code, stdout, stderr } = await run(args, { command: 'npm', cwd: project, env })
  rmSync(project, { recursive: true })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim()).toMatch(/^added 1 package in \w+$/)
})

test('the package has at most 2.66 MB', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(join(installed, name)),
  )
  const size = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)

  expect(size).toBeLessThanOrEqual(2_660_000)
})

test('the package contains only used files, and no source maps', () => {
  const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })

  expect(names).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.md',
      join('bin', 'fake-calendar.js'),
      ...['pyproject.toml', 'README.md', 'src/fake_calendar/plugin.py'].map((name) => join('clients', 'python', name)),
      join('dist', 'cli.cjs'),
      ...['company', 'company.story', 'team'].map((name) => join('dist', 'fixtures', `${name}.json`)),
      join('dist', 'ical.cjs'),
      join('dist', 'ical.d.cts'),
      join('dist', 'ical.d.ts'),
      join('dist', 'ical.js'),
      join('dist', 'index.cjs'),
      join('dist', 'index.d.cts'),
      join('dist', 'index.d.ts'),
      join('dist', 'index.js'),
      join('dist', 'fixtures', 'default.json'),
    ]),
  )
  expect(names.filter((name) => /\.map$|__pycache__|python\/tests/.test(name))).toEqual([])
})

test('the types of the package do not mention the book of facts, which stays in the repository', () => {
  expect(readFileSync(join(installed, 'dist', 'index.d.ts'), 'utf8')).not.toMatch(/behaviour \d/)
})

test('the notices name every bundled package with its licence', () => {
  const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES.md'), 'utf8')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n')
  const imported = [...sources.matchAll(/^import (?!type).*from '((?:@[^/']+\/)?[^./'][^/':]*)['/]/gm)].map(
    ([, name]) => name,
  )

  const bundled = [...new Set(imported)].filter((name) => !Object.hasOwn(manifest().peerDependencies, name ?? ''))
  expect(bundled).toContain('zod')
  for (const name of bundled) expect(notices).toMatch(new RegExp(`^## ${name} [\\d.]+ \\(.+\\)\\n\\n {4}\\S`, 'm'))
})

test('npx fake-calendar starts a server', async () => {
  const { printed, stop } = launch(['fake-calendar', '--port', '0', '--json'], { command: 'npx', cwd: folder, env })

  const { baseUrl } = JSON.parse(await printed(/\n$/)) as Started
  const inserted = await fetch(`${baseUrl}/calendars/primary/events`, {
    method: 'POST',
    headers: { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' },
    body: JSON.stringify({ summary: 'Hello', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }),
  })
  await stop()

  expect(await inserted.json()).toMatchObject({ kind: 'calendar#event', summary: 'Hello' })
})

test('the server also answers pages of other origins, batches, streams and compressed bodies', async () => {
  const command = join(installed, 'bin', 'fake-calendar.js')
  const { printed, stop } = launch([command, '--port', '0', '--json'], { command: process.execPath, cwd: folder, env })
  const { baseUrl, rootUrl } = JSON.parse(await printed(/\n$/)) as Started
  const headers = { Authorization: 'Bearer alice@example.com' }

  const discovered = await fetch(`${rootUrl}discovery/v1/apis/calendar/v3/rest`, {
    headers: { 'User-Agent': 'test (gzip)', 'Accept-Encoding': 'gzip' },
  })
  expect(discovered.headers.get('Content-Encoding')).toBe('gzip')
  expect(await discovered.json()).toMatchObject({ id: 'calendar:v3' })
  const crossOrigin = await fetch(`${baseUrl}/colors`, { headers: { ...headers, Origin: 'http://page.example' } })
  expect([crossOrigin.status, crossOrigin.headers.get('Access-Control-Allow-Origin')]).toEqual([
    200,
    'http://page.example',
  ])
  await crossOrigin.body?.cancel()
  const part = '--x\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3/colors\r\n\r\n--x--\r\n'
  const batch = await fetch(`${rootUrl}batch/calendar/v3`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'multipart/mixed; boundary=x' },
    body: part,
  })
  expect(await batch.text()).toContain('HTTP/1.1 200 OK')
  const stream = await fetch(`${rootUrl}_control/calls/stream`)
  expect(stream.headers.get('Content-Type')).toContain('text/event-stream')
  await stream.body?.cancel()
  await stop()
})

/** Prints the loaded files and platform modules on stderr at exit. */
const REPORTER = `process.on('exit', () => {
  require('node:fs').writeSync(2, [...Object.keys(require.cache), ...process.moduleLoadList].join('\\n'))
})`

let list: ReturnType<typeof servedWithZod> | undefined
/** Returns the files that a server loads until it has answered a list. Tests share the result. */
const servedList = () => {
  list ??= servedWithZod('calendar/v3/users/me/calendarList')
  return list
}

/** Serves one request. Returns the response, and the number of loaded files that contain zod. */
async function servedWithZod(path: string, init: RequestInit = {}) {
  const command = join(installed, 'bin', 'fake-calendar.js')
  const reporter = join(folder, 'telling.cjs')
  writeFileSync(reporter, REPORTER)
  const args = ['--require', reporter, command, '--port', '0', '--json']
  const { printed, stop } = launch(args, { command: process.execPath, cwd: folder, env })
  const { rootUrl } = JSON.parse(await printed(/\n$/)) as Started
  const headers = { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' }
  const body = await (await fetch(rootUrl + path, { headers, ...init })).json()
  const { stderr } = await stop()
  const lines = stderr.split('\n')
  const loaded = lines.filter((file) => file.includes('/fake-calendar/dist/'))
  expect(loaded.length).toBeGreaterThan(1)
  const platform = lines.flatMap((line) => /^NativeModule (.+)$/.exec(line)?.slice(1) ?? [])
  return { body, platform, zod: loaded.filter((file) => readFileSync(file, 'utf8').includes('_zod')).length }
}

test('a start loads only the modules of a Node server', async () => {
  const { platform } = await servedList()

  expect(platform).toContain('_http_server')
  const unused = ['internal/deps/undici/undici', 'internal/webstreams/compression', 'internal/crypto/webcrypto', 'zlib']
  expect(platform.filter((name) => unused.includes(name))).toEqual([])
})

test('schemas are loaded by the first request that needs them; discovery loads all of them', async () => {
  const read = await servedList()
  const found = await servedWithZod('discovery/v1/apis/calendar/v3/rest')
  const masked = await servedWithZod('calendar/v3/users/me/calendarList?fields=items/accessRole')
  const written = await servedWithZod('calendar/v3/calendars', { method: 'POST', body: '{ "summary": "Team" }' })

  const recorded = JSON.parse(readFileSync(join(ROOT, 'test', 'surface.json'), 'utf8')).schemas as Record<
    string,
    object
  >
  expect(found.body.schemas).toEqual(
    Object.fromEntries(Object.entries(recorded).map(([name, schema]) => [name, withNewer(name, schema)])),
  )
  expect(masked.body.items).toContainEqual({ accessRole: 'owner' })
  expect(written.body).toMatchObject({ summary: 'Team' })
  expect(read.zod).toBe(0)
  expect(written.zod).toBeGreaterThan(0)
})

/** The files that are loaded with an entry. */
async function loadedWith(entry: string, before = ''): Promise<string[]> {
  const program = `${before}; require('${entry}'); console.log(Object.keys(require.cache).join('\\n'))`
  return (await succeed(process.execPath, ['-e', program])).trim().split('\n')
}

test('the package is loaded without schemas, but under jest with all of them, because jest can reset its modules', async () => {
  const files = await loadedWith('fake-calendar', 'delete process.env.JEST_WORKER_ID')
  const filesInJest = await loadedWith('fake-calendar', "process.env.JEST_WORKER_ID = '1'")
  const isSchema = (file: string) => readFileSync(file, 'utf8').includes('_zod')

  expect(files.filter(isSchema)).toEqual([])
  expect(filesInJest.filter(isSchema)).not.toEqual([])
})

test('the entry of a runner loads the package and little else, and no client', async () => {
  const [own, all] = [await loadedWith('fake-calendar/node-test'), await loadedWith('fake-calendar')]
  const more = own.filter((file) => !all.includes(file))

  expect(own.filter((file) => !file.startsWith(join(installed, 'dist')))).toEqual([])
  expect(more.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(20_000)
})

/** Connects until the port refuses connections. */
async function untilFree(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(url, { headers: { Connection: 'close' } })
    } catch {
      return
    }
  }
}

test.each(['SIGTERM', 'SIGKILL'] as const)('after %s to npx the port is free', async (signal) => {
  const npx = launch(['fake-calendar', '--port', '0', '--json'], { command: 'npx', cwd: folder, env })
  const { url } = JSON.parse(await npx.printed(/\n$/)) as Started

  npx.kill(signal)

  await untilFree(url)
})

test.each([
  ['while agents run', 'sleep 1000', /_ui\/.*\n/],
  ['after its attempts', 'cat', /All tasks/],
])('after SIGKILL to npx an evaluation with --ui ends %s', async (_, agent, state) => {
  const place = { seed: 'team', now: '2030-06-03T07:00:00Z', account: 'dana@example.com' }
  write('task.json', JSON.stringify({ name: 'Wait', ...place, prompt: 'Wait.', goal: { do: [] } }))
  const line = `exec npx fake-calendar eval task.json --agent '${agent}' --ui 2>&1`
  const npx = launch(['-c', line], { command: 'sh', cwd: folder, env })
  const [url = ''] = /^http:.*/m.exec(await npx.printed(state)) ?? []

  npx.kill('SIGKILL')

  await untilFree(new URL(url).origin)
})

test('npx in the background continues when its shell ends', async () => {
  const script = 'npx fake-calendar --port 0 --json < /dev/null & echo $! >&2'
  const shell = launch(['-c', script], { command: 'sh', cwd: folder, env })
  const { url } = JSON.parse(await shell.printed(/\n$/)) as Started

  // A wait that times out. It answers after it has looked for clients several times.
  const waited = await fetch(`${url}/_control/notifications/until`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ channelId: 'none', timeout: '1s' }),
  })
  const { status } = await fetch(`${url}/_control/health`)
  await shell.stop()

  expect([waited.status, status]).toEqual([504, 200])
})

test('a program can import createFakeCalendar', async () => {
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

test('a program can require it, and gets the same module as by import', async () => {
  write(
    'program.cjs',
    `const { createFakeCalendar, SeedError } = require('fake-calendar')
    const seed = require('fake-calendar/fixtures/company.json')
    import('fake-calendar').then((imported) => {
      const fake = createFakeCalendar({ seed })
      console.log(fake.worlds(), fake.mail().length > 1, imported.createFakeCalendar === createFakeCalendar, imported.SeedError === SeedError)
    })`,
  )
  // Node itself can load ES modules by require, but jest and other loaders cannot.
  expect(await succeed(process.execPath, ['--no-experimental-require-module', 'program.cjs'])).toBe(
    "[ 'default' ] true true true\n",
  )
})

test('the iCalendar reader is loaded only with its own entry', async () => {
  write(
    'ical.cjs',
    `const { readFileSync } = require('node:fs')
    const loaded = () => Object.keys(require.cache).some((file) => /dist/.test(file) && readFileSync(file, 'utf8').includes('THISANDFUTURE'))
    const { createFakeCalendar } = require('fake-calendar')
    const fake = createFakeCalendar({ seed: 'team' })
    const before = loaded()
    const { fromICalendar } = require('fake-calendar/ical')
    const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART:20260302', 'END:VEVENT', 'END:VCALENDAR']
    fromICalendar(lines.join('\\n'), { owner: 'alice@example.com' }).then((seed) => {
      console.log(before, loaded(), fake.seed(seed).events)
    })`,
  )
  expect(await succeed(process.execPath, ['ical.cjs'])).toBe('false true 1\n')
})

const CONSUMER = `import { createFakeCalendar, type FakeCalendar, type Fired, type Seed, SeedError } from 'fake-calendar'
import { connect, type RemoteWorld } from 'fake-calendar/connect'
import { fromICalendar, type ICalendarSeed } from 'fake-calendar/ical'
const remote: RemoteWorld = connect('http://127.0.0.1:8787', { world: 'ci' })
const advanced: Promise<Fired[]> = remote.advance('1h')
const read: Promise<ICalendarSeed> = fromICalendar('', { owner: 'a@example.com' })
read.then((seed) => createFakeCalendar({ seed }).seed(seed))
advanced.then((fired) => fired.length)
const seed: Seed = {
  anchor: '2026-03-02',
  accounts: [{ email: 'a@example.com', settings: { weekStart: '1' } }],
  calendars: [{ id: 'a@example.com', events: [{ summary: 'x', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }] }],
}
const fake: FakeCalendar = createFakeCalendar({ seed: [seed], now: new Date() })
const response: Promise<Response> = fake.world('other').request('/calendar/v3/colors')
const again: Seed = fake.state()
fake.oauth.fail({ fail: 'denied' })
fake.clock.freeze() satisfies Fired[]
// @ts-expect-error the clock is what users call
fake.clock.schedule
// @ts-expect-error there is no such fixture
createFakeCalendar({ seed: 'teem' })
fake.seed(again).events satisfies number
createFakeCalendar({ seed: ['team', team] })
// @ts-expect-error there is no such option
createFakeCalendar({ sed: seed })
// @ts-expect-error an event has no such field
const wrong: Seed = { calendars: [{ id: 'x', events: [{ sumary: 'x' }] }] }
// @ts-expect-error a port is a number
fake.listen({ port: '1' })
export { response, SeedError, wrong }
`

const IMPORTED = "import team from 'fake-calendar/fixtures/team.json' with { type: 'json' }\n"
const REQUIRED = "import team = require('fake-calendar/fixtures/team.json')\n"

/** Module resolution of users' projects, each in its own folder. */
const PROJECTS = {
  nodenext: { module: 'nodenext', type: 'module', fixture: IMPORTED },
  node16: { module: 'node16', type: 'commonjs', fixture: REQUIRED },
  bundler: { module: 'esnext', type: 'module', fixture: IMPORTED },
}

test('TypeScript accepts the types without other types installed, with any module resolution', async () => {
  for (const [moduleResolution, { module, type, fixture }] of Object.entries(PROJECTS)) {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      skipLibCheck: false,
      // The declarations of TypeScript itself take most of the time.
      skipDefaultLibCheck: true,
      types: [],
      target: 'es2022',
      lib: ['es2022', 'dom'],
      noEmit: true,
    }
    write(join(moduleResolution, 'package.json'), JSON.stringify({ type }))
    write(join(moduleResolution, 'consumer.ts'), fixture + CONSUMER)
    write(join(moduleResolution, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  }
  // One process, which parses the libraries once.
  const projects = Object.keys(PROJECTS).map((name) => join(folder, name))
  expect(await succeed(process.execPath, [tool('tsc'), '--build', ...projects])).toBe('')
})

const packaging = await installEnvironment('test/environments/packaging')
const packagingTool = (name: string) => join(packaging ?? '', 'node_modules', '.bin', name)

test.skipIf(!packaging)('publint reports nothing', async () => {
  expect(await succeed(packagingTool('publint'), ['run', tarball, '--strict'])).toContain('All good!')
})

test.skipIf(!packaging)('attw finds no problem in the types', async () => {
  // It exits before it has written all of its report into a pipe.
  const line = `'${packagingTool('attw')}' '${tarball}' --no-definitely-typed --format json > attw.json`
  await run(['-c', line], { command: 'sh', cwd: folder, env })
  const { problems } = JSON.parse(readFileSync(join(folder, 'attw.json'), 'utf8')).analysis as {
    problems: { kind: string; resolutionKind?: string }[]
  }

  // Vitest itself cannot be required. The oldest resolution, `node10`, does not read `exports`.
  expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([
    { kind: 'NoResolution', entrypoint: './vitest', resolutionKind: 'node16-cjs' },
  ])
})

test('every link in a shipped file leads to a shipped file, to a file of the repository, or out of the project, and those of the README not to the repository', () => {
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const links = pages.flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({
      page,
      to,
    })),
  )
  const left = (manifest().files as string[]).filter((path) => path.startsWith('!')).map((path) => path.slice(1))
  const isLeft = (path: string) => left.some((one) => path.startsWith(one.replace(/\*$/, '')))
  const holds = (page: string, to: string) => (root: string) =>
    existsSync(join(root, dirname(page), to.replace(/#.*/, '')))
  const leads = ({ page, to }: { page: string; to: string }) =>
    /^(https?:|#)/.test(to) ||
    [installed, ...(page !== 'README.md' && isLeft(join(dirname(page), to)) ? [ROOT] : [])].some(holds(page, to))

  expect(links).toContainEqual({ page: 'README.md', to: 'docs/reference/control.md' })
  expect(links.filter((link) => !leads(link))).toEqual([])
})

test('npm corrects nothing in the package when it is published', async () => {
  const { code, stdout, stderr } = await run(['publish', '--dry-run', '--ignore-scripts'], {
    command: 'npm',
    cwd: ROOT,
    env,
  })
  const warnings = stderr.split('\n').filter((line) => line.startsWith('npm warn publish'))

  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`+ ${manifest().name}@`) })
  expect(warnings.filter((line) => !line.includes('logged in'))).toEqual([])
})
