import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'

const PUSH = fileURLToPath(new URL('push.js', import.meta.url))
const CHANNELS = 200
const WRITES = 5_000
const PAIRS = 3
const ms = (value) => `${value.toFixed(0)} ms`

/**
 * Measures the processor time of a burst of writes with and without channels, and the state of the channels
 * afterwards.
 */
export const bursts = () => ['process', 'socket'].flatMap(rowsOf)

/** Pairs of bursts, one after the other, so that what else the machine does meets both. */
function rowsOf(how) {
  const pairs = Array.from({ length: PAIRS }, () => [burst(0, how), burst(CHANNELS, how)])
  const [without, withThem] = [0, 1].map((at) => median(pairs.map((pair) => pair[at].cpu)))
  const ended = Math.min(...pairs.map(([, { ended }]) => ended))
  const left = median(pairs.map(([, { left }]) => left))
  const writes = `${WRITES} writes by ${how}`
  return [
    [`${writes}, ${CHANNELS} channels (CPU)`, ms(withThem), `none: ${ms(without)}`, withThem / without, '1.5'],
    [`${writes}: channels that end at their last message`, String(ended), `of ${CHANNELS}`, ended / CHANNELS, '1'],
    [`${writes}: heap left over`, `${(left / 1e6).toFixed(2)} MB`, '', '', '0'],
  ]
}

const burst = (channels, how) =>
  JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', PUSH, String(channels), String(WRITES), how], { encoding: 'utf8' }),
  )
