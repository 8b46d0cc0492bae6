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

/** The tests of the plugin, which run pytest themselves. Without pytest-xdist, two of them are skipped. */
const TESTS = join(PLUGIN, 'tests')

test.skipIf(lacks('python3 pytest'))('the tests of the plugin of pytest pass', async () => {
  const args = ['-m', 'pytest', TESTS, ...QUIET, join(folder, 'one')]
  const { stdout, stderr } = await run(args, { command: pathOf('python3 pytest'), env: installPlugin(folder) })

  expect(stdout + stderr).toMatch(/\n=+ [3-9]\d passed(?:, 2 skipped)? in /)
})

test.skipIf(lacks('python3 pytest-xdist'))('they pass in two processes, which share a server', async () => {
  const args = ['-m', 'pytest', TESTS, '-n', '2', ...QUIET, join(folder, 'two')]
  const { stdout, stderr } = await run(args, { command: pathOf('python3 pytest-xdist'), env: installPlugin(folder) })

  expect(stdout + stderr).toMatch(/\n=+ [3-9]\d passed in /)
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

test('the plugin has the version of the package', () => {
  expect(readFileSync(join(PLUGIN, 'pyproject.toml'), 'utf8')).toContain(`version = "${manifest.version}"`)
})
