import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, run } from './command.ts'

/** The address of a registry that refuses connections. */
const REFUSING = 'http://127.0.0.1:1'
const MANIFEST = { name: 'environment', version: '1.0.0', dependencies: { 'a-package': '1.0.0' } }
const LOCK = {
  ...MANIFEST,
  lockfileVersion: 3,
  packages: { '': MANIFEST, 'node_modules/a-package': { version: '1.0.0' } },
}
const SPEC = `import { expect, test } from 'vitest'
import { installEnvironment } from '${join(ROOT, 'test', 'support', 'environment.ts')}'
const packages = await installEnvironment(process.env.ENVIRONMENT_FOLDER)
test.skipIf(!packages)('needs packages', () => expect(packages).toBeDefined())
test('needs none', () => {})`

/** Runs a test that needs the packages of an environment whose registry cannot be reached. */
async function runWithoutRegistry(env: Record<string, string>) {
  const folder = mkdtempSync(join(ROOT, 'test', '.environment-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK))
    writeFileSync(join(folder, 'needs.spec.js'), SPEC)
    writeFileSync(join(folder, 'vitest.config.js'), "export default { test: { include: ['*.spec.js'] } }")
    const reporters = ['default', join(ROOT, 'test', 'support', 'notTried.ts')].map((name) => `--reporter=${name}`)
    const name = join('test', basename(folder))
    const { code, stdout, stderr } = await run(['run', '--root', folder, ...reporters], {
      command: join(ROOT, 'node_modules', '.bin', 'vitest'),
      env: {
        ...{ ENVIRONMENT_FOLDER: name, NO_COLOR: '1', REQUIRE_PROGRAMS: '', NOT_TRIED_FOLDER: undefined },
        ...{
          npm_config_registry: REFUSING,
          npm_config_cache: join(folder, 'cache'),
          npm_config_fetch_retry_mintimeout: '1',
        },
        ...env,
      },
    })
    return { name, code, stderr, lines: stdout.trimEnd().split('\n') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('tests of packages that cannot be installed are skipped, and the last line names them', async () => {
  const { name, code, lines } = await runWithoutRegistry({})

  expect({ code, last: lines.at(-1) }).toEqual({
    code: 0,
    last: `Not tried, because this machine lacks them: the packages of ${name} from the npm registry`,
  })
  expect(lines).toContainEqual(expect.stringMatching(/Tests +1 passed \| 1 skipped/))
})

test('with REQUIRE_PROGRAMS=1, packages that cannot be installed are a failure', async () => {
  const { code, stderr } = await runWithoutRegistry({ REQUIRE_PROGRAMS: '1' })

  expect(code).toBe(1)
  expect(stderr).toContain('ECONNREFUSED')
})
