/**
 * `npm run language`: lists comments, test titles, limits and types that break the rules of the language, with counts per folder. Exits
 * with 1 if there are any.
 * `npm run language -- src/api` checks one folder, covered or not.
 */
import { readdirSync } from 'node:fs'
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/language/check.ts')
const folders = process.argv.slice(2)
const findings = module.findProblems(folders.length > 0 ? folders : undefined)
for (const finding of findings) console.log(module.formatFinding(finding))

const groups = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}/`)
const rules = ['headless', 'name', 'duplicate']
console.log(['folder'.padEnd(20), ...rules.map((rule) => rule.padStart(10))].join(''))
for (const group of [...groups, 'src', 'test', 'build', 'bin', 'docs', 'README.md']) {
  const own = findings.filter(({ file }) => (group === 'src' ? /^src\/[^/]+$/.test(file) : file.startsWith(group)))
  if (own.length === 0 && folders.length > 0) continue
  const counts = rules.map((rule) => String(own.filter((finding) => finding.rule === rule).length).padStart(10))
  console.log([group.padEnd(20), ...counts].join(''))
}
if (findings.length > 0) process.exitCode = 1
