import { defineConfig } from 'vitest/config'

/** The scenarios of the official client once more, in process: they are loaded a second time, and so in a process of their own. */
const TWICE = 'test/clients/node.inProcess.test.ts'
/** What is left in memory is told apart from what other files leave there. */
const WEIGHED = 'test/life/young.test.ts'

/** `FC_BROWSER=no` leaves out what looks at the inspector: the browser has a zone of its own, and is no Node. */
const LOOKED_AT = process.env.FC_BROWSER === 'no' ? ['test/ui/**'] : []

export default defineConfig({
  test: {
    testTimeout: 30_000,
    restoreMocks: true,
    setupFiles: ['test/support/seeded.ts'],
    // As many processes as there are processors: the default leaves one idle, of two.
    maxWorkers: '100%',
    projects: [
      // The files of one process share its modules: loading them again for each was most of a run. It is sound while src
      // keeps nothing in a module but what it can work out again, and what a test puts in place of a global is put back.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [TWICE, WEIGHED, 'test/e2e/**', ...LOOKED_AT],
          isolate: false,
        },
      },
      // Installs from the npm registry, and runs in the environments of users.
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
      { extends: true, test: { name: 'apart', include: [TWICE, WEIGHED], isolate: true } },
    ],
  },
})
