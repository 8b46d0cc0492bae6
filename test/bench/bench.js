import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { coldStart } from './coldStart.js'
import { median } from './median.js'
import { freshFake, reset } from './perTest.js'
import { burst } from './push.js'
import { scale } from './scale.js'

/** Measures the built package; `npm run bench`. Nothing here passes or fails: the numbers stand beside their limits. */
const FEW = 1_000
const MANY = 100_000
const HEAP = fileURLToPath(new URL('heap.js', import.meta.url))
const ms = (value) => `${value.toFixed(2)} ms`
const us = (value) => `${value.toFixed(0)} µs`

const { ours, bare, runs } = await coldStart()
const [few, many] = await scale([FEW, MANY])
const heap = Number(execFileSync(process.execPath, ['--expose-gc', HEAP, String(MANY)], { encoding: 'utf8' }))

const CHANNELS = 200
const WRITES = 5_000
const pushes = ['process', 'socket'].map((how) => ({ how, ...compared(how) }))

/** Pairs of bursts without and with channels, one after the other, so that what else the machine does meets both. */
function compared(how) {
  const pairs = [1, 2, 3].map(() => [burst(0, WRITES, how), burst(CHANNELS, WRITES, how)])
  const [without, withThem] = [0, 1].map((at) => median(pairs.map((pair) => pair[at].cpu)))
  const last = pairs.map((pair) => pair[1])
  return {
    without,
    withThem,
    ended: Math.min(...last.map(({ ended }) => ended)),
    left: median(last.map(({ left }) => left)),
  }
}

const rows = [
  ['what', 'median', 'beside', 'ratio', 'limit'],
  [`cold start to the first answer (${runs} runs each)`, ms(ours), `node -e 0: ${ms(bare)}`, ours / bare, '2'],
  [`one week's list, ${MANY} events`, ms(many.list), `${FEW} events: ${ms(few.list)}`, many.list / few.list, '1'],
  [`sync of 10 changes, ${MANY} events`, ms(many.sync), `${FEW} events: ${ms(few.sync)}`, many.sync / few.sync, '1'],
  [`heap per event, ${MANY} events`, `${(heap / 1000).toFixed(2)} kB`, '', '', '3 kB'],
  ['a fake per test: open, one request, close', us(await freshFake()), '', '', ''],
  [`reset, ${FEW} events`, us(await reset(FEW)), '', '', ''],
  ...pushes.flatMap(({ how, without, withThem, ended, left }) => [
    [
      `${WRITES} writes by ${how}, ${CHANNELS} channels (CPU)`,
      ms(withThem),
      `none: ${ms(without)}`,
      withThem / without,
      '1.5',
    ],
    [`channels at their last message, by ${how}`, `${ended} of ${CHANNELS}`, '', '', 'all'],
    [`heap left after it, by ${how}`, `${(left / 1e6).toFixed(1)} MB`, '', '', ''],
  ]),
].map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)))

const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
process.stdout.write(`Node ${process.version}\n\n`)
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd()}\n`,
  )
