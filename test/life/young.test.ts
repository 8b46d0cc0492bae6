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
  /** How many bytes of each of some fakes are left. What survives one collection is looked at once more. */
  const left = async (count: number) => {
    collect('major')
    const before = process.memoryUsage().heapUsed
    for (let nth = 0; nth < count; nth++) await createFakeCalendar().close()
    collect('minor')
    collect('minor')
    return (process.memoryUsage().heapUsed - before) / count
  }
  await left(200)
  // The least of some: what else the process has to do lies in the others.
  expect(Math.min(await left(400), await left(400), await left(400))).toBeLessThan(1500)
})
