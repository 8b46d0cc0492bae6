import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, run, serve } from '../support/command.ts'

/**
 * The package in the environments of users: installed from its tarball, with packages of the npm registry. The projects of
 * the tests share one install for each major version of vitest, because `vitest` is found by its name.
 */
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-e2e-'))
const env = Object.fromEntries(
  Object.keys(process.env).flatMap((name) => (/^(npm_|VITEST|NODE_TEST)/.test(name) ? [[name, undefined]] : [])),
)
const MINUTES = 5 * 60_000
const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
let tarball = ''

type Result = { code: number | null; output: string }
async function execute(command: string, args: readonly string[], cwd: string, more: object = {}): Promise<Result> {
  const { code, stdout, stderr } = await run(args, {
    command,
    cwd,
    env: { ...env, NO_COLOR: '1', CI: 'true', ...more },
  })
  return { code, output: stdout + stderr }
}

/** Returns the output of a command that has to succeed. */
async function succeed(command: string, args: readonly string[], cwd: string, more: object = {}): Promise<string> {
  const { code, output } = await execute(command, args, cwd, more)
  expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0)
  return output
}

function write(project: string, files: Record<string, string>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, project, name)), { recursive: true })
    writeFileSync(join(folder, project, name), content)
  }
  return join(folder, project)
}

const installs = new Map<string, Promise<string>>()
function installed(project: string, packages: readonly string[]): Promise<string> {
  const earlier = installs.get(project)
  if (earlier) return earlier
  const cwd = write(project, { 'package.json': '{ "private": true, "type": "module" }' })
  const install = succeed('npm', ['install', ...QUIET, tarball, ...packages], cwd).then(() => cwd)
  installs.set(project, install)
  return install
}

/** The oldest versions that are supported, with the small client. */
const oldest = () =>
  installed('oldest', [
    ...['typescript@5.4', 'vitest@3.2', 'vite@6', 'jest@29', 'ts-jest@29', '@types/jest@29', '@types/node@20'],
    ...['msw@2', '@googleapis/calendar', 'esbuild'],
  ])
/**
 * Not tested here, so its version is fixed: vite 8.4.0 names an optional package that the registry lacks. npm skips it, and Yarn
 * ends with an error.
 */
const VITE = '8.3.8'
/** The newest versions, with the client of all APIs. */
const newest = () => installed('newest', ['vitest@5', `vite@${VITE}`, 'googleapis', 'typescript@6', '@types/node@22'])
/** All versions of TypeScript, and no client. */
const compilers = () =>
  installed('compilers', [
    ...['ts54@npm:typescript@5.4', 'ts59@npm:typescript@5.9', 'ts6@npm:typescript@6', 'ts7@npm:typescript@7'],
    '@types/node@20',
  ])

/** Bun and Deno, with the small client. */
const runtimes = () => installed('runtimes', ['bun', 'deno', '@googleapis/calendar'])
const yarns = () => installed('yarns', ['yarn@1', '@yarnpkg/cli-dist@4'])
/** Returns the path of a file of a package for this platform, such as `@oven/bun-linux-x64/bin/bun`. */
function platformFile(cwd: string, scope: string, file: string): string {
  const path = readdirSync(join(cwd, 'node_modules', scope))
    .map((name) => join(cwd, 'node_modules', scope, name, file))
    .find((candidate) => existsSync(candidate))
  expect(path, `${scope}/*/${file}`).toBeDefined()
  return path ?? ''
}

beforeAll(async () => {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run(args, { command: 'npm', cwd: ROOT, env })
  const [{ filename }] = JSON.parse(stdout)
  tarball = join(folder, filename)
}, MINUTES)

afterAll(() => rmSync(folder, { recursive: true }), MINUTES)

test.each([
  ['vitest@1', 'jest@27', 'msw@1', '@playwright/test@1.39'],
  ['vitest@2', 'jest@28', 'msw@2'],
  ['vitest@4.0', 'jest@30', '@playwright/test@latest'],
])('npm installs it beside %s and %s', { timeout: MINUTES }, async (...packages) => {
  const cwd = write(`beside-${packages.join('-').replaceAll('/', '-')}`, { 'package.json': '{ "private": true }' })

  await succeed('npm', ['install', '--package-lock-only', ...QUIET, tarball, ...packages], cwd)
})

test.each([
  { name: 'Yarn 1', program: 'yarn/bin/yarn.js' },
  { name: 'Yarn 4 with Plug and Play', program: '@yarnpkg/cli-dist/bin/yarn.js' },
])('$name installs it beside vitest, and a test passes', { timeout: MINUTES }, async ({ name, program }) => {
  const yarn = join(await yarns(), 'node_modules', program)
  const cwd = write(name.replaceAll(' ', '-'), {
    'package.json': JSON.stringify({
      private: true,
      type: 'module',
      resolutions: { vite: VITE },
      dependencies: { 'fake-calendar': `file:${tarball}`, vitest: '4.1' },
    }),
    'yarn.lock': '',
    'page.spec.js': `import { expect, test } from 'fake-calendar/vitest'
test('the inspector', async ({ fake }) => expect((await fake.request('/_ui/')).status).toBe(200))`,
  })

  await succeed(process.execPath, [yarn, 'install'], cwd, { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' })
  expect(await succeed(process.execPath, [yarn, 'vitest', 'run'], cwd)).toMatch(/1 passed/)
  expect(await succeed(process.execPath, [yarn, 'fake-calendar', '--version'], cwd)).toMatch(/\d+\.\d+\.\d+\n/)
})

const BOOKING = `
test('a lunch is booked', async ({ fake, calendar }) => {
  const { data } = await calendar.events.quickAdd({ calendarId: 'primary', text: 'Lunch' })
  const summary: string | null | undefined = data.summary
  // @ts-expect-error the client is typed
  calendar.evnts
  expect(summary).toBe('Lunch')
  expect(fake).toHaveEvent({ summary: 'Lunch' })
  expect(fake).toHaveReceived('events.quickAdd')
  // @ts-expect-error so are the matchers
  expect(() => expect(fake).toHaveSomething()).toThrow()
})
`
const VITEST = `import { expect, test } from 'fake-calendar/vitest'\n${BOOKING}`
const compiling = (options: object, files?: string[]) =>
  JSON.stringify({
    files,
    compilerOptions: { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], ...options },
  })

test.each([
  { name: 'vitest 3.2 and @googleapis/calendar', project: oldest, vitest: /v3\.2/ },
  { name: 'vitest 5 and googleapis', project: newest, vitest: /v5\./ },
])('a test in TypeScript passes with $name', { timeout: MINUTES }, async ({ project, vitest }) => {
  const cwd = await project()
  write(cwd.slice(folder.length), {
    'booking.spec.ts': VITEST,
    'tsconfig.booking.json': compiling(
      {
        module: 'esnext',
        moduleResolution: 'bundler',
        skipLibCheck: true,
        types: ['node'],
      },
      ['booking.spec.ts'],
    ),
  })

  const output = await succeed('npx', ['vitest', 'run', 'booking.spec.ts'], cwd)
  expect(output).toMatch(vitest)
  await succeed('npx', ['tsc', '-p', 'tsconfig.booking.json'], cwd)
})

test('ts-jest compiles to CommonJS with moduleResolution node, and passes', { timeout: MINUTES }, async () => {
  const cwd = await oldest()
  const jest = { preset: 'ts-jest', testMatch: ['<rootDir>/**/*.test.ts'] }
  write('oldest/jest', {
    'package.json': JSON.stringify({ private: true, jest }),
    'tsconfig.json': compiling({
      module: 'commonjs',
      moduleResolution: 'node',
      esModuleInterop: true,
      skipLibCheck: true,
      noEmit: false,
      resolveJsonModule: true,
    }),
    'booking.test.ts': `import { expect, test } from 'fake-calendar/jest'\n${BOOKING}`,
  })

  expect(await succeed(process.execPath, [join(cwd, 'node_modules/jest/bin/jest.js')], join(cwd, 'jest'))).toMatch(
    /1 passed/,
  )
})

const CONSUMER = `
import { createFakeCalendar, type Seed } from 'fake-calendar'
import { fromICalendar } from 'fake-calendar/ical'
import { intercept } from 'fake-calendar/intercept'
import { test as nodeTest } from 'fake-calendar/node-test'
import 'fake-calendar/register'
const seed: Seed = team
export const fake = createFakeCalendar({ seed })
export const stop: () => void = intercept(fake)
export const read = fromICalendar('', { owner: 'alice@example.com' }).then((calendar) => fake.seed(calendar))
nodeTest('a test', async ({ calendar }) => {
  // @ts-expect-error there is no official client
  calendar.events
})
`
const IMPORTED = "import team from 'fake-calendar/fixtures/team.json'\n"
const WITH_TYPE = "import team from 'fake-calendar/fixtures/team.json' with { type: 'json' }\n"
const REQUIRED = "import team = require('fake-calendar/fixtures/team.json')\n"
const RESOLUTIONS = [
  { module: 'commonjs', moduleResolution: 'node10', type: 'commonjs', fixture: REQUIRED },
  { module: 'node16', moduleResolution: 'node16', type: 'commonjs', fixture: REQUIRED },
  { module: 'nodenext', moduleResolution: 'nodenext', type: 'module', fixture: WITH_TYPE },
  { module: 'esnext', moduleResolution: 'bundler', type: 'module', fixture: IMPORTED },
]

test.each([
  { typescript: 'ts54', resolutions: RESOLUTIONS },
  { typescript: 'ts59', resolutions: RESOLUTIONS },
  { typescript: 'ts6', resolutions: RESOLUTIONS },
  // TypeScript 7 has no resolution like that of Node 10 any more.
  { typescript: 'ts7', resolutions: RESOLUTIONS.slice(1) },
])(
  'the declarations pass $typescript in every resolution without a client',
  { timeout: MINUTES },
  async ({ typescript, resolutions }) => {
    const cwd = await compilers()
    for (const { module, moduleResolution, type, fixture } of resolutions) {
      const name = `types/${typescript}-${moduleResolution}`
      const options = {
        module,
        moduleResolution,
        types: ['node'],
        skipLibCheck: false,
        resolveJsonModule: true,
        esModuleInterop: true,
      }
      write(`compilers/${name}`, {
        'package.json': JSON.stringify({ type }),
        'consumer.ts': fixture + CONSUMER,
        'tsconfig.json': compiling({
          ...options,
          ...(typescript === 'ts6' && moduleResolution === 'node10' && { ignoreDeprecations: '6.0' }),
        }),
      })
      const { output } = await execute(
        process.execPath,
        [join(cwd, 'node_modules', typescript, 'bin/tsc'), '-p', join(cwd, name)],
        cwd,
      )
      // Third-party libraries have their own errors, such as google-auth-library with an old TypeScript.
      const own = output
        .split('\n')
        .filter((line) => /error TS/.test(line) && !/^\S*node_modules\/(?!fake-calendar\/)/.test(line))
      expect(own, name).toEqual([])
    }
  },
)

const BUNDLED = `
import { createFakeCalendar } from 'fake-calendar'
const fake = createFakeCalendar({ seed: 'team' })
const { status } = await fake.request('/calendar/v3/colors', { headers: { Authorization: 'Bearer alice@example.com' } })
const page = await fake.request('/_ui/')
console.log(status, page.status, (await page.text()).split('\\n')[0])
`

test('a bundle of esbuild serves the API, and /_ui where the package is installed, with an error elsewhere', {
  timeout: MINUTES,
}, async () => {
  const cwd = await oldest()
  write('oldest', { 'bundled.js': BUNDLED })
  const options = [
    '--bundle',
    '--platform=node',
    '--format=esm',
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  ]
  await succeed(
    process.execPath,
    [join(cwd, 'node_modules/esbuild/bin/esbuild'), 'bundled.js', ...options, '--outfile=out.mjs'],
    cwd,
  )

  expect(await succeed(process.execPath, ['out.mjs'], cwd)).toMatch(/^200 200 <!doctype html>/i)
  expect(await succeed(process.execPath, [join(cwd, 'out.mjs')], folder)).toBe(
    '200 404 The inspector is not in this bundle: leave fake-calendar external, or run where the package is installed.\n',
  )
})

test('vitest runs it inlined, as Vite does with noExternal', { timeout: MINUTES }, async () => {
  const cwd = await oldest()
  write('oldest/inlined', {
    'vitest.config.js': "export default { test: { server: { deps: { inline: ['fake-calendar'] } } } }",
    'page.spec.js': `import { createFakeCalendar } from 'fake-calendar'
import { expect, test } from 'vitest'
test('the page of the inspector', async () => {
  const page = await createFakeCalendar().request('/_ui/')
  expect(page.status).toBe(200)
})`,
  })

  await succeed('npx', ['vitest', 'run'], join(cwd, 'inlined'))
})

const INTERCEPTED = `
import https from 'node:https'
import { auth, calendar } from '@googleapis/calendar'
import { createFakeCalendar } from 'fake-calendar'
import { intercept } from 'fake-calendar/intercept'
// Bun has a node-fetch of its own.
const CLIENT = 'Bun' in globalThis ? { fetchImplementation: (...request) => fetch(...request) } : {}
const fake = createFakeCalendar({ seed: 'team' })
const stop = intercept(fake)
const credentials = new auth.OAuth2()
credentials.setCredentials({ access_token: 'dana@example.com' })
const { status } = await calendar({ version: 'v3', auth: credentials, ...CLIENT }).calendarList.list()
const fetched = await fetch(new Request('https://www.googleapis.com/calendar/v3/colors?key=any'))
const got = await new Promise((resolve, reject) => {
  https.get('https://www.googleapis.com/calendar/v3/colors?key=any', resolve).on('error', reject)
})
await new Promise((resolve) => got.resume().on('close', resolve))
const refused = await fetch('https://sheets.googleapis.com/').catch(({ message }) => /fake-calendar/.exec(message)?.[0])
stop()
console.log(status, fetched.status, got.statusCode, refused, fake.calls().length)
`
const REGISTERED = `
console.log((await fetch('https://www.googleapis.com/calendar/v3/colors?key=any')).status)
`
const CONNECTED = `
import { connect } from 'fake-calendar/connect'
const world = connect(process.env.SERVER, { world: 'blue' })
await world.seed({ accounts: [{ email: 'bob@example.com' }] })
await world.clock.freeze('2026-03-02T09:00:00Z')
await world.advance('1h')
await world.faults.add({ on: 'colors.get', do: { fail: 'backendError503' } })
const { status } = await world.request('/calendar/v3/colors', { headers: { Authorization: 'Bearer bob@example.com' } })
await world.calls.verify('colors.get', { status: 503 }, { times: 1 })
const rejected = await world.calls.verify('events.list').catch(({ name }) => name)
console.log(status, (await world.clock.state()).now, rejected)
`

test.each([
  { name: 'Bun', scope: '@oven', file: 'bin/bun', args: [], preload: () => ['--preload', 'fake-calendar/register'] },
  {
    name: 'Deno',
    scope: '@deno',
    file: 'deno',
    args: ['run', '-A', '--deny-net=www.googleapis.com'],
    preload: (cwd: string) => ['--import', `file://${cwd}/node_modules/fake-calendar/dist/register.js`],
  },
])('$name: intercept, register and connect', { timeout: MINUTES }, async ({ scope, file, args, preload }) => {
  const cwd = await runtimes()
  write('runtimes', { 'intercepted.js': INTERCEPTED, 'registered.js': REGISTERED, 'connected.js': CONNECTED })
  const server = await serve()
  const runtime = platformFile(cwd, scope, file)
  // A request of Bun that is not intercepted fails at this proxy. Deno forbids it.
  const closed = { ...(scope === '@oven' && { HTTPS_PROXY: 'http://127.0.0.1:9' }), SERVER: server.url }
  const start = (script: string, ...options: string[]) => succeed(runtime, [...args, ...options, script], cwd, closed)

  expect(await start('intercepted.js')).toBe('200 200 200 fake-calendar 3\n')
  expect(await start('registered.js', ...preload(cwd))).toBe('200\n')
  expect(await start('connected.js')).toBe('503 2026-03-02T10:00:00.000Z VerificationError\n')
  await server.stop()
})
