import { onTestFinished, vi } from 'vitest'
import { Store } from '../../src/db/store.ts'

/** Operations that change a whole world at once. */
const TURNS = ['resetTo', 'restore', 'clear'] as const

/**
 * Makes the store throw at the n-th write of a transaction. The returned function ends that, and returns true if there
 * were so many writes.
 */
export function failAtWrite(n: number): () => boolean {
  let [writes, depth] = [0, 0]
  const { write, transaction } = Store.prototype
  const within = vi.spyOn(Store.prototype, 'transaction').mockImplementation(function (this: Store, act) {
    depth += 1
    try {
      return transaction.call(this, act) as never
    } finally {
      depth -= 1
    }
  })
  const spy = vi.spyOn(Store.prototype, 'write').mockImplementation(function (this: Store, name, begin) {
    if (depth > 0) writes += 1
    if (depth > 0 && writes === n) throw new Error(`write ${n} fails`)
    return write.call(this, name, begin) as never
  })
  const turns = TURNS.map((name) => {
    const turn = Store.prototype[name] as (...given: never[]) => void
    return vi.spyOn(Store.prototype, name).mockImplementation(function (this: Store, ...given: unknown[]) {
      if (depth > 0) writes += 1
      if (depth > 0 && writes === n) throw new Error(`write ${n} fails`)
      turn.apply(this, given as never[])
    })
  })
  return () => {
    spy.mockRestore()
    within.mockRestore()
    for (const turn of turns) turn.mockRestore()
    return writes >= n
  }
}

/** Collects the lines that are printed to stderr until the end of the test, and returns their list, which grows. */
export function captureErrors(): string[] {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  return lines
}
