export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Milliseconds of each of several calls, the first few of which only warm up. */
export async function timed(times, act, warmUp = 5) {
  const durations = []
  for (let run = -warmUp; run < times; run++) {
    const start = performance.now()
    await act(run)
    if (run >= 0) durations.push(performance.now() - start)
  }
  return durations
}
