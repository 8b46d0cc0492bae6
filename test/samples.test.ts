import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, run } from './support/command.ts'
import { CHROMIUM, lacking } from './support/debian.ts'

/** Projects of users, one folder for each runner. They use the package as it is published; test/package.test.ts installs it. */
const SAMPLES = join(ROOT, 'test', 'samples')
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-samples-'))
const env = {
  ...Object.fromEntries(
    Object.keys(process.env).flatMap((name) => (/^(npm_|VITEST|NODE_TEST)/.test(name) ? [[name, undefined]] : [])),
  ),
  CHROMIUM,
  CI: undefined,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
}
const MINUTES = 3 * 60_000
let tarball = ''

/** The other packages of each project. */
const NEEDED: Record<string, string[]> = {
  vitest: ['vitest', '@types/node', 'typescript', '@googleapis/calendar'],
  jest: ['jest', '@googleapis/calendar'],
  'node-test': ['@googleapis/calendar'],
  playwright: ['@playwright/test', '@googleapis/calendar'],
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, { command: 'npm', cwd, env })
  expect(code, `npm ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  // Jest says on stderr what has passed; npm pack says its JSON on stdout alone.
  return args[0] === 'pack' ? stdout : stdout + stderr
}

beforeAll(async () => {
  const [{ filename }] = JSON.parse(
    await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT),
  )
  tarball = join(folder, filename)
}, MINUTES)

afterAll(() => rmSync(folder, { recursive: true }))

const projects = new Map<string, Promise<string>>()

/** Returns the folder of a sample, with the unpacked tarball and links to the packages of this repository. */
function installed(name: string): Promise<string> {
  const project = projects.get(name) ?? install(name)
  projects.set(name, project)
  return project
}

async function install(name: string): Promise<string> {
  const project = join(folder, name)
  cpSync(join(SAMPLES, name), project, { recursive: true })
  const target = join(project, 'node_modules', 'fake-calendar')
  mkdirSync(target, { recursive: true })
  const unpacked = await run(['-xzf', tarball, '--strip-components=1', '-C', target], { command: 'tar' })
  expect(unpacked).toMatchObject({ code: 0, stderr: '' })
  for (const needed of [...(NEEDED[name] ?? []), '.bin']) {
    const at = join(project, 'node_modules', needed)
    rmSync(at, { recursive: true, force: true })
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', needed), at)
  }
  return project
}

const noChromium = lacking('chromium', CHROMIUM, ['--version'])

test('every sample that is a project of its own is run', () => {
  const projects = readdirSync(SAMPLES).filter((name) => existsSync(`${SAMPLES}/${name}/package.json`))
  expect(projects.sort()).toEqual(Object.keys(NEEDED).sort())
})

test.concurrent.each([
  { name: 'vitest', says: /Tests +13 passed \| 1 expected fail \(14\)/ },
  { name: 'jest', says: /Tests: +8 passed/ },
  { name: 'node-test', says: /^(?:#|ℹ) pass 7$/m },
])('a project of $name passes', { timeout: MINUTES }, async ({ name, says }) => {
  const project = await installed(name)

  expect(await npm(['test'], project)).toMatch(says)
})

test.concurrent('a project of jest passes in ES modules', { timeout: MINUTES }, async () => {
  const project = await installed('jest')

  expect(await npm(['run', 'test:esm'], project)).toMatch(/Tests: +1 passed/)
})

const withChromium = noChromium ? test.skip : test.concurrent

withChromium('a project of playwright passes', { timeout: MINUTES }, async () => {
  const project = await installed('playwright')

  expect(await npm(['test'], project)).toMatch(/6 passed/)
})
