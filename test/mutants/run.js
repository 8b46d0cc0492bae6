/**
 * `npm run mutants -- 'src/recurrence/**'`: every mutant of a room, one after the other. `--sample 150` tries so many of them,
 * drawn by `--seed`, and says within which bounds the score of all of them lies, 19 times of 20.
 *
 * Noticed is what a test fails for. A mutant that runs out of time may be one that never ends, or one on a machine that had
 * no time for it: these are counted apart, and so are mutants that do the same as what they stand for, of which a comment in
 * the code says why (`// Stryker disable next-line EqualityOperator: why`).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const files = positionals.join(',')
if (files === '') {
  console.error("Which files? As in: npm run mutants -- --sample 150 'src/recurrence/**'")
  process.exit(1)
}

const { installEnvironment } = (await runnerImport('./test/support/environment.ts')).module
const environment = await installEnvironment('test/mutants')
const stryker = join(environment, 'node_modules', '.bin', 'stryker')

const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
const report = join(folder, 'report.json')
const env = {
  ...process.env,
  MUTANTS_REPORT: report,
  ...(values.sample && { MUTANTS_SAMPLE: values.sample, MUTANTS_SEED: values.seed }),
}
const { status } = spawnSync(stryker, ['run', '--mutate', files], { env, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const mutants = Object.values(JSON.parse(readFileSync(report, 'utf8')).files).flatMap((file) => file.mutants)
rmSync(folder, { recursive: true })

const count = (...of) => mutants.filter((mutant) => of.includes(mutant.status)).length
const isExplained = ({ status, statusReason = '' }) => status === 'Ignored' && !/static/i.test(statusReason)
const [noticed, late, missed] = [count('Killed'), count('Timeout'), count('Survived', 'NoCoverage')]

/** Wilson's bounds of a share, 19 times of 20. */
function boundsOf(share, of) {
  const z = 1.96
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of)
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of)
  return [middle - half, middle + half]
}
const percent = (share) => `${(share * 100).toFixed(1)} %`
const share = noticed / (noticed + missed)
const all = noticed + late + missed + count('CompileError')
const drawn = values.sample ? ` of ${all}` : ''
console.log(
  `${files}: ${noticed} of ${noticed + missed} noticed, ${percent(share)}; ${late} more ran out of time, ${mutants.filter(isExplained).length} are explained`,
)
if (values.sample)
  console.log(
    `drawn: ${noticed + late + missed}${drawn}; ${boundsOf(share, noticed + missed)
      .map(percent)
      .join(' to ')}`,
  )
