import { expect, test } from 'vitest'
import { deriveSeed } from './chance.ts'
import { formatRequest, reduceRequests, runRandomRequests, toFaultKind } from './randomRuns.ts'

/** Set by `npm run soak -- --fuzz 1000000 --seed 1`. */
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1000)
const REQUESTS_PER_RUN = 150

test(`${REQUESTS} random requests to three worlds (seed ${SEED}) cause no internal error, and a refused one changes nothing`, {
  timeout: 60_000 + REQUESTS * 60,
}, async ({ annotate }) => {
  const statuses = new Map<number, number>()
  /** One fault of each kind, with the shortest sequence of requests. */
  const faults = new Map<string, string>()
  let [sent, faulted, steps, slowest] = [0, 0, 0, 0]
  for (let run = 0; sent < REQUESTS; run++) {
    const outcome = await runRandomRequests(
      deriveSeed(SEED, run),
      REQUESTS_PER_RUN,
      process.env.FUZZ_REQUESTS !== undefined,
    )
    sent += Math.max(outcome.requests.length, 1)
    faulted += outcome.faulted
    for (const [status, count] of outcome.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
    steps = Math.max(steps, outcome.most.steps)
    slowest = Math.max(slowest, outcome.slowest.ms)
    if (outcome.fault === undefined) continue
    const kind = toFaultKind(outcome.fault) ?? ''
    if (!faults.has(kind)) {
      const few = await reduceRequests(outcome)
      faults.set(kind, `seed ${SEED}, run ${run}: ${outcome.fault}\n\nafter\n${few.map(formatRequest).join('\n')}`)
    }
  }
  if (faults.size > 0) expect.fail([...faults.values()].join('\n\n'))
  const counts = JSON.stringify(Object.fromEntries(statuses))
  await annotate(
    `${sent} requests, of which ${faulted} met a fault that was added: ${counts}; at most ${steps} steps and ${Math.round(slowest)} ms`,
  )
  // The requests fail at every stage, and many succeed. No seed decides about these bounds: of 1,000 requests with each of the
  // seeds 1 to 24 at least 312 succeeded, and each of these statuses appeared at least 8 times. A 412 appeared 5 to 17 times
  // and a fault 5 to 45 times, which only a longer run can require.
  const required = [200, 204, 400, 401, 403, 404, ...(sent >= 3000 ? [412] : [])]
  for (const status of required) expect(statuses.get(status) ?? 0, `${status} of ${counts}`).toBeGreaterThan(0)
  if (sent >= 3000) expect(faulted).toBeGreaterThan(0)
  expect((statuses.get(200) ?? 0) / sent).toBeGreaterThan(0.2)
})
