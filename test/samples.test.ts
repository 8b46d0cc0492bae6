import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT, run } from './support/command.ts'
import { installEnvironment } from './support/environment.ts'
import { lacks, pathOf } from './support/programs.ts'

/** Projects of users, one folder for each runner. They use a copy of the built package; test/package.test.ts installs it. */
const SAMPLES = join(ROOT, 'test', 'samples')
const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-samples-'))
const env = {
  ...Object.fromEntries(
    Object.keys(process.env).flatMap((name) => (/^(npm_|VITEST|NODE_TEST)/.test(name) ? [[name, undefined]] : [])),
  ),
  CHROMIUM: pathOf('chromium'),
  CI: undefined,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
}
const MINUTES = 10 * 60_000

/** The other packages of each project. */
const NEEDED: Record<string, string[]> = {
  vitest: ['vitest', '@types/node', 'typescript', '@googleapis/calendar'],
  jest: ['@googleapis/calendar'],
  'node-test': ['@googleapis/calendar'],
  playwright: ['@playwright/test', '@googleapis/calendar'],
}

/** Runs a script of a project as npm does, and returns its output. */
async function runScript(name: string, project: string): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const PATH = `${join(project, 'node_modules', '.bin')}:${process.env.PATH}`
  const { code, stdout, stderr } = await run(['-c', scripts[name]], {
    command: 'sh',
    cwd: project,
    env: { ...env, PATH },
  })
  expect(code, `${scripts[name]}\n${stdout}${stderr}`).toBe(0)
  return stdout + stderr
}

afterAll(() => rmSync(folder, { recursive: true }))

const projects = new Map<string, string>()

/** The packages of samples with a lock file of their own. */
const environments: Record<string, string | undefined> = { jest: await installEnvironment('test/samples/jest') }

/** Returns the folder of a sample, with the package and links to the other packages of this repository. */
function installed(name: string): string {
  const project = projects.get(name) ?? install(name)
  projects.set(name, project)
  return project
}

function install(name: string): string {
  const project = join(folder, name)
  cpSync(join(SAMPLES, name), project, { recursive: true })
  const target = join(project, 'node_modules', 'fake-calendar')
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(target, part), { recursive: true })
  const link = (from: string, needed: string) => {
    const at = join(project, 'node_modules', needed)
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(from, 'node_modules', needed), at)
  }
  for (const needed of NEEDED[name] ?? []) link(ROOT, needed)
  const environment = environments[name]
  if (environment) link(environment, 'jest')
  link(environment ?? ROOT, '.bin')
  return project
}

test('every sample with its own project is run', () => {
  const projects = readdirSync(SAMPLES).filter(
    (name) => existsSync(`${SAMPLES}/${name}/worlds.spec.js`) || existsSync(`${SAMPLES}/${name}/worlds.spec.ts`),
  )
  expect(projects.sort()).toEqual(Object.keys(NEEDED).sort())
})

test.concurrent.each([
  { name: 'vitest', says: /Tests +13 passed \| 1 expected fail \(14\)/ },
  { name: 'node-test', says: /^(?:#|ℹ) pass 7$/m },
])('the tests of the project $name pass', { timeout: MINUTES }, async ({ name, says }) => {
  expect(await runScript('test', installed(name))).toMatch(says)
})

test.skipIf(!environments.jest)(
  'the tests of the project jest pass, also in ES modules',
  { timeout: MINUTES },
  async () => {
    expect(await runScript('test', installed('jest'))).toMatch(/Tests: +9 passed/)
    expect(await runScript('test:esm', installed('jest'))).toMatch(/Tests: +2 passed/)
  },
)

const withChromium = lacks('chromium') ? test.skip : test.concurrent

withChromium('a project of playwright passes', { timeout: MINUTES }, async () => {
  expect(await runScript('test', installed('playwright'))).toMatch(/6 passed/)
})
