import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { OPERATIONS, RAW_ROUTES } from '../src/control/operations/index.ts'

type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = { needs?: string; permissions?: Record<string, string>; container?: string; steps: Step[] }
type Workflow = {
  name: string
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const readWorkflow = (file: string): Workflow => parse(readFileSync(`.github/workflows/${file}`, 'utf8'))
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps)
const WORKFLOWS = readdirSync('.github/workflows')
const SCRIPTS: Record<string, string> = manifest.scripts

test.each(WORKFLOWS)('the steps of %s use pinned actions, and scripts and files that exist', (file) => {
  const workflow = readWorkflow(file)
  expect(workflow.permissions).toEqual({ contents: 'read' })
  for (const { needs } of Object.values(workflow.jobs)) if (needs) expect(workflow.jobs).toHaveProperty(needs)
  for (const { uses, run } of stepsOf(workflow)) {
    if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
    else expect(run).toBeTypeOf('string')
    for (const [, script = ''] of (run ?? '').matchAll(/npm run ([\w:]+)/g)) expect(SCRIPTS).toHaveProperty([script])
    for (const [script = ''] of (run ?? '').matchAll(/^\.[\w/.]+/g)) expect(statSync(script).mode & 0o111).not.toBe(0)
  }
})

const DOCKERFILE = readFileSync('Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ instruction: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
const valuesOf = (name: string): string[] =>
  DOCKERFILE.filter(({ instruction }) => instruction === name).map(({ rest }) => rest)

test('the Dockerfile copies files, runs scripts and starts commands that exist', () => {
  for (const copied of valuesOf('COPY').filter((copied) => !copied.startsWith('--from=')))
    for (const file of copied.split(' ').slice(0, -1)) expect(existsSync(file), file).toBe(true)
  const scripts = valuesOf('RUN').flatMap((line) =>
    [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
  )
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(SCRIPTS).toHaveProperty([script])
  expect(manifest.bin).toHaveProperty(JSON.parse(valuesOf('ENTRYPOINT')[0] ?? ''))
})

test('the health check of the Dockerfile requests a control route, and its program compiles', () => {
  const [node, flag, program = ''] = JSON.parse(valuesOf('HEALTHCHECK')[0]?.replace(/^.*?CMD /, '') ?? '') as string[]
  expect([node, flag]).toEqual(['node', '-e'])
  expect(() => new Function(program)).not.toThrow()
  const { pathname } = new URL(/`(http:[^`]+)`/.exec(program)?.[1]?.replace(/\$\{process\.env\.PORT\}/, '1') ?? '')
  expect(valuesOf('EXPOSE')).toEqual(['$PORT'])
  expect([...RAW_ROUTES, ...OPERATIONS].map(({ verb, path }) => `${verb} ${path}`)).toContain(`GET ${pathname}`)
})

test('CI warns of vulnerabilities in bundled packages alone, and passes without an answer', () => {
  const notices = join(mkdtempSync(join(tmpdir(), 'audit-')), 'notices.md')
  onTestFinished(() => rmSync(dirname(notices), { recursive: true }))
  writeFileSync(notices, '## hono 4.13.19 (MIT)\n\n## MIT permission notice\n')
  const audit = (input: string) => {
    const { status, stdout } = spawnSync(process.execPath, ['.ci/audit.js', notices], { input, encoding: 'utf8' })
    return { status, stdout }
  }
  const via = [{ url: 'https://example.com/1' }]
  const vulnerabilities = {
    hono: { name: 'hono', severity: 'high', via },
    axios: { name: 'axios', severity: 'low', via },
  }

  expect(audit(JSON.stringify({ vulnerabilities }))).toEqual({
    status: 0,
    stdout: 'warning: hono (high): https://example.com/1\n1 bundled packages, 1 with known vulnerabilities\n',
  })
  expect(audit('')).toEqual({ status: 0, stdout: 'warning: the registry did not answer npm audit\n' })
})
