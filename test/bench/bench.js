import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { client, fetch, interception, worldPerTest } from './inProcess.js'
import { forks, heap, journal, series, worlds } from './inside.js'
import { peerFound } from './peer.js'
import { inColumns, machine, pageOf } from './report.js'
import { scaled } from './scaled.js'
import { growth, served, writes } from './served.js'
import { importing, start } from './start.js'

/**
 * Measures the built package beside other servers and libraries: `npm run bench -- get list` the named rows; without
 * names all of them, which takes some minutes and writes docs/explanation/performance.md.
 */
const MAIN = [...served, client, worldPerTest, importing, start, heap]
const ALL = [...MAIN, fetch, interception, writes, growth, worlds, forks, journal, series, scaled]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !ALL.some((one) => one.name === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there is ${ALL.map(({ name }) => name).join(', ')}.\n`)
  process.exit(2)
}
const wanted = ALL.filter(({ name }) => names.length === 0 || names.includes(name))

const found = wanted.some((one) => served.includes(one)) ? peerFound() : {}
const notes = found.missing ? [`Without a peer: ${found.missing}.`] : []
const rows = []
for (const { name, isMain, run } of wanted) {
  process.stderr.write(`${name} …\n`)
  const measured = [await run(found)].flat().map((row) => ({ ...row, isMain }))
  rows.push(...measured)
  // A later row may fail, so each is printed when it is measured.
  for (const { what, ours, ratio = '' } of measured) process.stderr.write(`  ${what}: ${ours} ${ratio}\n`)
}
process.stdout.write(`${machine()}\n\n${inColumns(rows)}\n`)
for (const note of notes) process.stdout.write(`\n${note}\n`)
if (names.length === 0) {
  const page = fileURLToPath(new URL('../../docs/explanation/performance.md', import.meta.url))
  writeFileSync(page, pageOf(rows, notes))
}
