import { createFilled, toPlainEvents } from './world.js'

/** Run with --expose-gc and the name of a measurement: prints bytes of heap, ours and those beside them. */
const used = () => {
  for (let round = 0; round < 3; round++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** Returns what `create` takes while its result is kept. */
function heapOf(create) {
  const before = used()
  const kept = create()
  const taken = used() - before
  return kept ? taken : 0
}

const FORKS = 10_000
const MEASUREMENTS = {
  /** Each event beside the same event as a plain object. */
  heap() {
    const count = 100_000
    return [heapOf(() => createFilled(count)) / count, heapOf(() => toPlainEvents(count)) / count]
  },
  /** A fork of a world of 1,000 events beside the world. */
  forks() {
    const world = heapOf(() => createFilled(1000))
    const fake = createFilled(1000)
    const before = fake.snapshot()
    fake.fork(before, 'first')
    const all = heapOf(() => {
      for (let nth = 0; nth < FORKS; nth++) fake.fork(before, `w${nth}`)
      return fake
    })
    return [all / FORKS, world]
  },
}
await createFilled(10).close()
process.stdout.write(JSON.stringify(MEASUREMENTS[process.argv[2]]()))
