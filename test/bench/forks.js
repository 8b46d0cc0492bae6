import { call, createFilled } from './world.js'

/** Run with --expose-gc: prints the bytes of heap that so many forks of a world with so many events take. */
const [count, forks] = process.argv.slice(2).map(Number)
const used = () => {
  for (let round = 0; round < 3; round++) globalThis.gc()
  return process.memoryUsage().heapUsed
}
const fake = createFilled(count)
const before = fake.snapshot()
await call(fake.fork(before, 'first'), '/calendars/primary/events?maxResults=1')
const empty = used()
for (let nth = 0; nth < forks; nth++) fake.fork(before, `w${nth}`)
process.stdout.write(String(used() - empty))
await fake.close()
