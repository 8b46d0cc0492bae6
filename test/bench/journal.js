import { median } from './median.js'
import { call, createFilled } from './world.js'

const CALLS = 200
const ROUNDS = 301

/**
 * Microseconds of the processor that a request takes with the journal on and off, in turn, and the median of the
 * ratios of each round.
 */
export async function journal() {
  const fakes = { on: createFilled(100), off: createFilled(100, { journal: 0 }) }
  const rounds = []
  for (let round = -10; round < ROUNDS; round++) {
    const durations = {}
    // The order alternates, so that neither side always runs on the garbage of the other.
    for (const which of round % 2 ? ['on', 'off'] : ['off', 'on']) durations[which] = await perCall(fakes[which])
    if (round >= 0) rounds.push(durations)
  }
  await Promise.all(Object.values(fakes).map((fake) => fake.close()))
  return {
    on: median(rounds.map(({ on }) => on)),
    off: median(rounds.map(({ off }) => off)),
    ratio: median(rounds.map(({ on, off }) => on / off)),
  }
}

async function perCall(fake) {
  const start = process.cpuUsage()
  for (let done = 0; done < CALLS; done++) await call(fake, '/calendars/primary/events/event000007')
  const { user, system } = process.cpuUsage(start)
  return (user + system) / CALLS
}
