import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // The files of one process share its modules: loading them again for each was most of a run. It is sound while src
    // keeps nothing in a module but what it can work out again, and what a test puts in place of a global is put back.
    isolate: false,
    restoreMocks: true,
    // As many processes as there are processors: the default leaves one idle, of two.
    maxWorkers: '100%',
  },
})
