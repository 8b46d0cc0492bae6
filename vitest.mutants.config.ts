import { defineConfig } from 'vitest/config'

/** For `npm run mutants`: the tests that look into `src`, and neither at the package nor at the command nor at the house itself. */
export default defineConfig({
  test: {
    include: [
      'test/{api,conferences,control,events,fields,life,meetings,oauth,push,recurrence,store,wire}/**/*.test.ts',
      'test/http/*.test.ts',
    ],
    exclude: ['test/**/page.test.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
  },
})
