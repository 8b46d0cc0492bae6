import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bursts } from './bursts.js'
import { coldStart } from './coldStart.js'
import { freshFake, reset } from './perTest.js'
import { scale } from './scale.js'
import { series } from './series.js'

/** Measures the built package; `npm run bench`. Nothing here passes or fails: the numbers stand beside their limits. */
const FEW = 1_000
const MANY = 100_000
const HEAP = fileURLToPath(new URL('heap.js', import.meta.url))
const ms = (value) => `${value.toFixed(2)} ms`
const us = (value) => `${value.toFixed(0)} µs`

const { ours, bare, runs } = await coldStart()
const [few, many] = await scale([FEW, MANY])
const weeks = await series()
const heap = Number(execFileSync(process.execPath, ['--expose-gc', HEAP, String(MANY)], { encoding: 'utf8' }))

const rows = [
  ['what', 'median', 'beside', 'ratio', 'limit'],
  [`cold start to the first answer (${runs} runs each)`, ms(ours), `node -e 0: ${ms(bare)}`, ours / bare, '2'],
  [`one week's list, ${MANY} events`, ms(many.list), `${FEW} events: ${ms(few.list)}`, many.list / few.list, '1'],
  [`sync of 10 changes, ${MANY} events`, ms(many.sync), `${FEW} events: ${ms(few.sync)}`, many.sync / few.sync, '1'],
  [`heap per event, ${MANY} events`, `${(heap / 1000).toFixed(2)} kB`, '', '', '3 kB'],
  [
    'a week of 1000 series begun in 2000',
    ms(weeks.old),
    `plain rrule: ${ms(weeks.walked)}`,
    weeks.old / weeks.walked,
    '0.01',
  ],
  ['the same of series begun in 2000', ms(weeks.old), `in 2025: ${ms(weeks.young)}`, weeks.old / weeks.young, '3'],
  ['a fake per test: open, one request, close', us(await freshFake()), '', '', ''],
  [`reset, ${FEW} events`, us(await reset(FEW)), '', '', ''],
  ...bursts(),
].map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(cell < 0.1 ? 4 : 2) : cell)))

const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
process.stdout.write(`Node ${process.version}\n\n`)
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd()}\n`,
  )
