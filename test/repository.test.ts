import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { SERVER_OPTIONS } from '../src/cli/serverOptions.ts'
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
const ENGINES = manifest.engines.node.match(/\d+(?=\.\d)/g) ?? []

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

test('CI runs .ci/run for every change, on the oldest supported Node', () => {
  const { on, jobs } = readWorkflow('ci.yml')
  expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null })
  expect(jobs.ci?.container).toBe(`node:${ENGINES[0]}-bookworm`)
  expect(jobs.ci?.steps.map(({ uses, run }) => run ?? uses)).toEqual(['actions/checkout@v4', '.ci/run', 'npm run docs'])
})

test('a tag publishes the tested package with provenance, and then an image', () => {
  const { on, jobs } = readWorkflow('release.yml')
  expect(on).toEqual({ push: { tags: ['v*'] } })
  expect(Object.keys(jobs)).toEqual(['npm', 'image'])
  expect(jobs.npm?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(jobs.npm?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci',
    expect.stringContaining('"$GITHUB_REF_NAME"'),
    'npm run check && npm run test:unit',
    expect.stringContaining(':_authToken" "$NPM_TOKEN"'),
    'npm publish --provenance --access public',
  ])
  expect(jobs.image?.needs).toBe('npm')
  expect(jobs.image?.permissions).toEqual({ contents: 'read', packages: 'write' })
  expect(jobs.image?.steps.at(-1)).toMatchObject({ uses: 'docker/build-push-action@v6', with: { push: true } })
})

const DOCKERFILE = readFileSync('Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ instruction: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
const valuesOf = (name: string): string[] =>
  DOCKERFILE.filter(({ instruction }) => instruction === name).map(({ rest }) => rest)

test('the Dockerfile builds in one stage and installs the package in another', () => {
  expect(DOCKERFILE.map(({ instruction }) => instruction)).toEqual([
    ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'COPY', 'RUN'],
    ...['FROM', 'COPY', 'RUN', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
  ])
  const [build = '', final = ''] = valuesOf('FROM')
  const [, image = '', major = ''] = /^(node:(\d+)-slim) AS build$/.exec(build) ?? []
  expect(final).toBe(image)
  expect(ENGINES).toContain(major)
  for (const copied of valuesOf('COPY')) {
    if (copied.startsWith('--from=')) expect(copied).toMatch(/^--from=build /)
    else for (const file of copied.split(' ').slice(0, -1)) expect(existsSync(file)).toBe(true)
  }
  for (const [, script = ''] of valuesOf('RUN')
    .join('\n')
    .matchAll(/npm run ([\w:]+)/g))
    expect(SCRIPTS).toHaveProperty([script])
})

test('the container runs the command without root rights, on the default port', () => {
  expect(valuesOf('USER')).toEqual(['node'])
  expect(manifest.bin).toHaveProperty(JSON.parse(valuesOf('ENTRYPOINT')[0] ?? ''))
  const [option = '', address] = JSON.parse(valuesOf('CMD')[0] ?? '') as string[]
  expect(SERVER_OPTIONS).toHaveProperty(option.replace('--', ''))
  expect(address).toBe('0.0.0.0')
  expect(valuesOf('EXPOSE')).toEqual([/default (\d+)/.exec(SERVER_OPTIONS.port.about)?.[1]])
})

test('the health check requests a control route, and its program compiles', () => {
  const [node, flag, program = ''] = JSON.parse(valuesOf('HEALTHCHECK')[0]?.replace(/^CMD /, '') ?? '') as string[]
  expect([node, flag]).toEqual(['node', '-e'])
  expect(() => new Function(program)).not.toThrow()
  const { port, pathname } = new URL(/'(http:[^']+)'/.exec(program)?.[1] ?? '')
  expect([port]).toEqual(valuesOf('EXPOSE'))
  expect([...RAW_ROUTES, ...OPERATIONS].map(({ verb, path }) => `${verb} ${path}`)).toContain(`GET ${pathname}`)
})
