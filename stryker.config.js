/** The room that is asked for, `npm run mutants -- 'src/recurrence/**'`: it says by which tests, in vitest.mutants.config.ts. */
const [, room] = /^src\/(\w+)\//m.exec(process.argv.join('\n')) ?? []
if (room) process.env.FC_ROOM = room
// Properties are tried with fewer values, and with the same ones for every mutant.
process.env.RECURRENCE_RUNS ??= '0.1'
process.env.FC_SEED ??= '1'

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
