import { onTestFinished, vi } from 'vitest'
import { Store } from '../../src/db/store.ts'

/** Operations that change a whole world at once. */
const TURNS = ['resetTo', 'restore', 'clear'] as const

/** Makes the store fail at the n-th write of a transaction. The returned function tells if that happened. */
export function failingAt(n: number): () => boolean {
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
    if (this.isRollingBack) return write.call(this, name, begin) as never
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

/** Returns the lines on stderr instead of printing them. */
export function faults(): string[] {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  return lines
}
