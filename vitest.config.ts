import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Files with a process of their own, which start before those of the project `unit`: one loads the scenarios of the official
 * client a second time, and one takes so long that at the end of a run the other processors would wait for it.
 */
const ISOLATED = ['test/clients/node.inProcess.test.ts', 'test/model/model.test.ts']
const BROWSER = 'test/ui/**/*.test.ts'
const ENVIRONMENTS = 'test/e2e/**/*.test.ts'

/** The test files that start processes: commands, programs of other languages, servers. */
const STARTS_PROCESSES = /node:child_process|\/(command|programs|noRoute|nginx)\.ts/
const E2E = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !/^(ui|e2e)\//.test(name))
  .map((name) => join('test', name))
  .filter((file) => !ISOLATED.includes(file) && STARTS_PROCESSES.test(readFileSync(file, 'utf8')))

export default defineConfig({
  test: {
    // The limits are only for tests that never end, because a loaded machine may take twenty times as long.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    // The last line names the programs that this machine lacks.
    reporters: ['default', './test/support/notTried.ts'],
    setupFiles: ['test/support/seeded.ts'],
    // Transformed modules are kept for the next run, also of another Node, because .ci/run starts the tests many times.
    experimental: { fsModuleCache: true },
    // One process for each processor. The default leaves one of two idle.
    maxWorkers: '100%',
    projects: [
      // The files of a process share its modules, because loading them for each file was most of a run. Modules of `src` keep
      // only what they can calculate again, and a test puts back each global that it replaces.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...ISOLATED, ...E2E, BROWSER, ENVIRONMENTS],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      { extends: true, test: { name: 'e2e', include: E2E, isolate: false } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER],
          isolate: false,
          // Browsers end now and then for reasons of their machine. A repeated test is named in the output.
          retry: process.env.CI ? 1 : 0,
          // Pages draw when the machine lets them: assertions wait for the state that they describe.
          expect: { poll: { timeout: 30_000 } },
          // A test visits many pages, because starting a page takes longer than showing another part of it.
          testTimeout: 600_000,
        },
      },
      // Installs the package from the npm registry into the environments of users. Takes minutes: `npm run test:environments`.
      { extends: true, test: { name: 'environments', include: [ENVIRONMENTS] } },
    ],
  },
})
