import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'

/** Collects all memory, or the young alone: of what is old then nothing goes, nor what it leads to. */
function collector(): (kind: 'major' | 'minor') => void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: string }) => void = runInNewContext('gc')
  return (type) => collect({ type })
}

test('a fake that is let go of goes with young memory, and does not wait until all is cleaned up', async () => {
  const collect = collector()
  const open = async (count: number) => {
    for (let nth = 0; nth < count; nth++) await createFakeCalendar().close()
  }
  await open(200)
  collect('major')
  const before = process.memoryUsage().heapUsed
  await open(400)
  // What survives one is looked at once more.
  collect('minor')
  collect('minor')
  expect((process.memoryUsage().heapUsed - before) / 400).toBeLessThan(1500)
})
