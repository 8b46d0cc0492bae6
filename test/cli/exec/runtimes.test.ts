import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND } from '../../support/command.ts'
import { namespaceProblem, runWithoutNetwork } from '../../support/noRoute.ts'
import { isMissing, RUNTIMES, type Runtime } from './runtimes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-measured-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Trial = { command: readonly string[]; without: readonly string[] }

/** Runs each command with some of the given variables removed, and prints which runs reached the fake. */
const MEASURING = `
  const { spawnSync } = require('node:child_process')
  const trials = JSON.parse(require('node:fs').readFileSync('trials.json', 'utf8'))
  console.log(JSON.stringify(trials.map(({ command: [program, ...args], without }) => {
    const env = { ...process.env }
    for (const name of without) delete env[name]
    return spawnSync(program, args, { env, encoding: 'utf8', timeout: 30000 }).stdout.includes('calendar#colors')
  })))`

/** The variables by which a program may find a proxy, or trust an authority: those of the table in docs/guides/programs.md. */
const ALL = [...new Set(RUNTIMES.flatMap(({ variables }) => variables.flat()))]
/** Variables of this machine that would replace the removed ones. */
const UNSET = Object.fromEntries(
  ['CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE', 'HTTPLIB2_CA_CERTS'].map((name) => [name, undefined]),
)

const trialsOf = ({ command, variables }: Runtime): Trial[] => [
  { command, without: [] },
  { command, without: ALL.filter((name) => !variables.flat().includes(name)) },
  ...variables.map((group) => ({ command, without: group })),
]

describe.skipIf(namespaceProblem)(
  `variables, each measured by leaving it out${namespaceProblem ? ` (skipped: ${namespaceProblem})` : ''}`,
  () => {
    const runtimes = namespaceProblem ? [] : RUNTIMES.filter((runtime) => !isMissing(runtime))
    let reached: boolean[] = []

    beforeAll(async () => {
      for (const { file } of runtimes) if (file) writeFileSync(join(folder, file.name), file.text)
      writeFileSync(join(folder, 'trials.json'), JSON.stringify(runtimes.flatMap(trialsOf)))
      const command = [process.execPath, COMMAND, 'exec', '--intercept', '--', process.execPath, '-e', MEASURING]
      const { stdout, stderr } = await runWithoutNetwork(command, { ...UNSET, SSL_CERT_DIR: '/etc/ssl/certs' }, folder)
      expect(stdout, stderr).toMatch(/^\[/)
      reached = JSON.parse(stdout)
    }, 300_000)

    test.each(runtimes)('11.23 $name reaches the fake by its own variables, and by no others', (runtime) => {
      const before = runtimes.slice(0, runtimes.indexOf(runtime)).reduce((sum, one) => sum + trialsOf(one).length, 0)
      const [withAll, withItsOwn, ...withoutOne] = reached.slice(before, before + trialsOf(runtime).length)

      expect({ withAll, withItsOwn }).toEqual({ withAll: true, withItsOwn: true })
      expect(runtime.variables.filter((_, at) => withoutOne[at])).toEqual([])
    })
  },
)
