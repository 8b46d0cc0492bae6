/** The room that is asked for, `npm run mutants -- 'src/recurrence/**'`: it says by which tests, in vitest.mutants.config.ts. */
const [, room] = /^src\/(\w+)\//m.exec(process.argv.join('\n')) ?? []
if (room) process.env.FC_ROOM = room

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  coverageAnalysis: 'perTest',
  plugins: ['@stryker-mutator/vitest-runner'],
  concurrency: 1,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', '*.tgz', '.stryker-tmp'],
  ignoreStatic: true,
  allowConsoleColors: false,
}
