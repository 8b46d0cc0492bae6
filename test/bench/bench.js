import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bounds } from './bounds.js'
import { drawing, growth } from './growth.js'
import { inside } from './inside.js'
import { peerFound } from './peer.js'
import { inColumns, machine, pageOf } from './report.js'
import { scaled } from './scaled.js'
import { crowded, served, writes } from './served.js'

/** Measures the built package beside its targets: the named rows, or all of them, which writes docs/explanation/performance.md. */
const ALL = [...served, writes, crowded, scaled, ...inside, bounds]
const docs = (name) => fileURLToPath(new URL(`../../docs/explanation/${name}`, import.meta.url))

const names = process.argv.slice(2)
const unknown = names.filter((name) => name !== 'growth' && !ALL.some((one) => one.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(', ')}; there is ${ALL.map(({ name }) => name).join(', ')}, growth.\n`,
  )
  process.exit(2)
}
const wanted = ALL.filter(({ name }) => names.length === 0 || names.includes(name))

const found = wanted.some((one) => served.includes(one)) ? peerFound() : {}
const notes = found.missing ? [`Without a peer: ${found.missing}.`] : []
const rows = []
for (const { name, run } of wanted) {
  process.stderr.write(`${name} …\n`)
  const measured = [await run(found)].flat()
  rows.push(...measured)
  // A later row may fail, so each is printed when it is measured.
  for (const { what, ours, ratio = '' } of measured) process.stderr.write(`  ${what}: ${ours} ${ratio}\n`)
}
const lines = names.length === 0 || names.includes('growth') ? growth() : {}
process.stdout.write(`${machine()}\n\n`)
if (rows.length > 0) process.stdout.write(`${inColumns(rows.flat())}\n`)
for (const note of notes) process.stdout.write(`\n${note}\n`)
for (const [name, points] of Object.entries(lines))
  process.stdout.write(`${name}: ${points.map(([count, taken]) => `${count}: ${taken.toFixed(0)} µs`).join(', ')}\n`)
if (names.length === 0) {
  writeFileSync(docs('performance.md'), pageOf(rows.flat(), notes, lines))
  writeFileSync(docs('bench.svg'), drawing(lines))
}
