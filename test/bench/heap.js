import { createFilled } from './world.js'

/** Run with --expose-gc: prints the bytes of heap that each of so many events takes, all that is kept for them included. */
const count = Number(process.argv[2])
await createFilled(10).close()
const used = () => {
  for (let round = 0; round < 3; round++) globalThis.gc()
  return process.memoryUsage().heapUsed
}
const before = used()
const fake = createFilled(count)
process.stdout.write(String((used() - before) / count))
await fake.close()
