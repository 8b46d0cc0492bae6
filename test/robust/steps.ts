/**
 * Counts work in steps instead of milliseconds: yields of generators, visited elements of arrays, maps and sets, time zone
 * lookups and pattern matches.
 */
type Counted = { of: object; name: string }

// biome-ignore lint/suspicious/noExplicitAny: the prototypes of the language have no types of their own
const prototypeOf = (made: object): any => Object.getPrototypeOf(made)

const COUNTED: readonly Counted[] = [
  { of: Object.getPrototypeOf(prototypeOf((function* () {})())), name: 'next' },
  { of: prototypeOf(new Map().keys()), name: 'next' },
  { of: prototypeOf(new Set().keys()), name: 'next' },
  { of: Array.prototype, name: 'push' },
  { of: Date, name: 'UTC' },
  { of: RegExp.prototype, name: 'exec' },
  { of: Intl.DateTimeFormat.prototype, name: 'formatToParts' },
  { of: Buffer.prototype, name: 'includes' },
]

let steps = 0
let maxSteps = Number.POSITIVE_INFINITY

/** Counts steps from here on. Throws in code that exceeds `limit`. */
export function startCounting(limit = Number.POSITIVE_INFINITY): { takeCount(limit?: number): number; stop(): void } {
  steps = 0
  maxSteps = limit
  const before = COUNTED.map(({ of, name }) => {
    const own = Object.getOwnPropertyDescriptor(of, name)
    const act = own?.value
    if (typeof act !== 'function') throw new Error(`nothing to count: ${name}`)
    Object.defineProperty(of, name, {
      ...own,
      value: function counted(this: unknown, ...given: unknown[]): unknown {
        steps += 1
        if (steps > maxSteps) throw new Error(`more than ${maxSteps} steps`)
        return act.apply(this, given)
      },
    })
    return () => Object.defineProperty(of, name, own as PropertyDescriptor)
  })
  return {
    /** Returns the steps since the last call, and sets the next limit. */
    takeCount(next = limit) {
      const count = steps
      steps = 0
      maxSteps = next
      return count
    },
    stop() {
      for (const undo of before) undo()
    },
  }
}
