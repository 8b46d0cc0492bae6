import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { run } from '../support/command.ts'
import { lacks, pathOf } from '../support/programs.ts'
import { installPlugin, PLUGIN } from '../support/pytest.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-pytest-'))
afterAll(() => rmSync(folder, { recursive: true }))

const QUIET = ['-p', 'no:cacheprovider', '-W', 'ignore', '--basetemp']

/** With pytest-xdist in two processes, which share a server; without it two tests are skipped. */
test.skipIf(lacks('python3 pytest'))('the tests of the plugin of pytest pass', async () => {
  const workers = lacks('python3 pytest-xdist') ? [] : ['-n', '2']
  const args = ['-m', 'pytest', join(PLUGIN, 'tests'), ...workers, ...QUIET, join(folder, 'one')]
  const { stdout, stderr } = await run(args, { command: pathOf('python3 pytest'), env: installPlugin(folder) })

  expect(stdout + stderr).toMatch(workers.length > 0 ? /\n=+ [3-9]\d passed in / : /\n=+ [3-9]\d passed, 2 skipped in /)
})

test.skipIf(lacks('python3 pip', 'python3 pytest'))('pip installs the plugin, and pytest loads it', async () => {
  const source = join(folder, 'source')
  cpSync(PLUGIN, source, { recursive: true })
  const target = join(folder, 'installed')
  const options = ['--no-deps', '--no-index', '--no-build-isolation', '--disable-pip-version-check']
  const installed = await run(['-m', 'pip', 'install', ...options, '--target', target, source], {
    command: pathOf('python3 pip'),
    env: { PYTHONDONTWRITEBYTECODE: '1', PIP_ROOT_USER_ACTION: 'ignore' },
  })
  expect(installed.code, installed.stdout + installed.stderr).toBe(0)

  writeFileSync(join(folder, 'test_control.py'), 'def test_control(control):\n    assert control.calls() == []\n')
  const env = { ...installPlugin(join(folder, 'unused')), PYTHONPATH: target }
  const args = ['-m', 'pytest', ...QUIET, join(folder, 'three'), 'test_control.py']
  const { stdout, stderr } = await run(args, { command: pathOf('python3 pytest'), cwd: folder, env })

  expect(stdout + stderr).toMatch(/plugins: .*fake-calendar-[\d.]+[\s\S]* 1 passed/)
})

test.skipIf(lacks('python3'))('the client needs only the standard library', async () => {
  const program =
    "import sys; sys.modules['pytest'] = None; import fake_calendar; print(dir(fake_calendar.connect('http://127.0.0.1:1').clock))"
  const { stdout, stderr } = await run(['-c', program], {
    command: pathOf('python3'),
    env: installPlugin(join(folder, 'plain')),
  })

  expect(stdout, stderr).toContain("'advance', 'advanceTo', 'freeze'")
})

const TYPED = `import datetime
from fake_calendar import Controls

def test_types(control: Controls) -> None:
    control.clock.freeze(datetime.datetime.now())
    control.faults.add(on="events.list", do={"fail": "backendError"}, for_="1m")
    control.seed(accounts=[])
    for call in control.calls("events.*", account="alice@example.com"):
        print(call["method"].upper())
    token: str = control.oauth.mint(account="alice@example.com")
`
const WRONGLY_TYPED: readonly (readonly [wrong: string, problem: string])[] = [
  ['control.clock.advnce("1h")', '"_Clock" has no attribute "advnce"; maybe "advance"'],
  ['control.faults.add(on="events.list")', 'Missing named argument "do"'],
  ['control.calls.verify("events.list", tims=1)', 'Unexpected keyword argument "tims"'],
  ['control.mail(1)', 'incompatible type "int"; expected "Optional[str]"'],
  ['control.oauth.mint(account="a@example.com") + 1', 'Unsupported operand types for + ("str" and "int")'],
]

test.skipIf(lacks('python3 mypy'))('the controls have types', async () => {
  const file = join(folder, 'typed.py')
  writeFileSync(file, [TYPED, ...WRONGLY_TYPED.map(([wrong]) => `    ${wrong}\n`)].join(''))
  const args = ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), file]
  const env = { MYPYPATH: join(PLUGIN, 'src'), PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout, stderr } = await run(args, { command: pathOf('python3 mypy'), env })
  const start = TYPED.split('\n').length

  const problems = stdout.split('\n').filter((line) => /typed\.py:\d+: error: /.test(line))
  expect(
    problems.map((line) => Number(line.split(':')[1])),
    stdout + stderr,
  ).toEqual(WRONGLY_TYPED.map((_, at) => start + at))
  for (const [at, [, problem]] of WRONGLY_TYPED.entries()) expect(problems[at]).toContain(problem)
})

test('the plugin has the version of the package', () => {
  expect(readFileSync(join(PLUGIN, 'pyproject.toml'), 'utf8')).toContain(`version = "${manifest.version}"`)
})
