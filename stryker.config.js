/** The room that is asked for, `npm run mutants -- 'src/recurrence/**'`: it says by which tests, in vitest.mutants.config.ts. */
const [, room] = /^src\/(\w+)\//m.exec(process.argv.join('\n')) ?? []
if (room) process.env.FC_ROOM = room
// Properties are tried with fewer values, and with the same ones for every mutant.
process.env.FC_RUNS ??= '0.1'
process.env.FC_SEED ??= '1'
/** Set by test/mutants/run.js. */
const { MUTANTS_SAMPLE, MUTANTS_REPORT } = process.env

export default {
  testRunner: 'vitest',
  // Which tests are about a room says vitest.mutants.config.ts: to look for what they import would be work for each mutant again.
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutants/sample.js'],
  checkers: MUTANTS_SAMPLE ? ['sample'] : [],
  concurrency: 1,
  // Generous, so that a mutant on a machine that is busy does not pass for one that never ends.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 30,
  reporters: ['clear-text', 'progress-append-only', ...(MUTANTS_REPORT ? ['json'] : [])],
  ...(MUTANTS_REPORT && { jsonReporter: { fileName: MUTANTS_REPORT } }),
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['dist', '*.tgz', '.stryker-tmp'],
  ignoreStatic: true,
  allowConsoleColors: false,
}
