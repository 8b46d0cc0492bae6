import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROUNDS = 7

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]
export const us = (value) => `${value.toFixed(value < 10 ? 1 : 0)} µs`
export const ms = (value) => `${value.toFixed(1)} ms`

/**
 * Measures in rounds in which each side has its turn, so that other work of the machine affects all of them. The order
 * alternates. A side has `round`, which returns the cost of one call, and perhaps `warmUp`. Returns the costs by side and round.
 */
export async function measureInTurn(sides, rounds = ROUNDS) {
  for (const side of sides) await side.warmUp?.()
  const costs = sides.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = [...sides.keys()]
    for (const at of round % 2 ? order.reverse() : order) costs[at].push(await sides[at].round())
  }
  return costs
}

/**
 * A row of the report: our costs beside those of others, by round. `least` is how many times as fast as another we should be,
 * `most` how many times its cost ours may have.
 */
export function compareCosts(what, own, others, format = us) {
  const judged = others.filter(({ least, most }) => (least ?? most) !== undefined)
  const compared = judged.map(({ name, costs, least, most }) => {
    const ratio = median(own.map((cost, round) => (least === undefined ? cost / costs[round] : costs[round] / cost)))
    const unit = `x the ${least === undefined ? 'cost' : 'speed'}${judged.length > 1 ? ` of ${name}` : ''}`
    return {
      ratio: `${ratio.toFixed(2)} ${unit}`,
      target: least === undefined ? `<= ${most} ${unit}` : `>= ${least} ${unit}`,
      isMet: least === undefined ? ratio <= most : ratio >= least,
    }
  })
  return {
    what,
    ours: format(median(own)),
    beside: others.map(({ name, costs }) => `${name}: ${format(median(costs))}`).join(', '),
    ratio: compared.map(({ ratio }) => ratio).join('; '),
    target: compared.map(({ target }) => target).join('; '),
    met: compared.every(({ isMet }) => isMet),
  }
}

/**
 * Starts a module of this folder in a process of its own. `query(message)` resolves with the next message of it, and `stop`
 * when it has ended.
 */
export async function startChild(module, args, options = {}) {
  const file = fileURLToPath(new URL(module, import.meta.url))
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...options })
  const ended = once(child, 'exit')
  const query = async (message) => {
    child.send(message)
    const failed = ended.then(([code]) => Promise.reject(new Error(`${module} ${args} ended with ${code}`)))
    const [answer] = await Promise.race([once(child, 'message'), failed])
    return answer
  }
  return {
    query,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
