import { expect, test as theirs } from '@jest/globals'
import {
  inTestWorld,
  matchers,
  requireVersion,
  type TestContext,
  type WorldMatchers,
  type WorldOptions,
} from './runner.ts'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends WorldMatchers<R> {}
}

export type { TestContext, WorldMatchers, WorldOptions }
export { expect }

requireVersion('jest', 'jest', 28)
expect.extend(matchers)

/** A test, and what it is handed. */
export type Body = (context: TestContext) => unknown
type Declare = (name: string, body: Body, timeout?: number) => void

export interface WorldTest extends Declare {
  only: Declare
  skip: Declare
  failing: Declare
  concurrent: Declare
  todo(name: string): void
  /** A test for each case: `test.for([1, 2])('%i', (one, { fake }) => …)`. */
  for<C>(cases: readonly C[]): (name: string, body: (one: C, context: TestContext) => unknown, timeout?: number) => void
  /** The same with other worlds: `test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z' })`. */
  extend(options: WorldOptions): WorldTest
}

function testsIn(options: WorldOptions): WorldTest {
  const declaring =
    (declare: (name: string, body: () => Promise<void>, timeout?: number) => void): Declare =>
    (name, body, timeout) =>
      declare(name, () => inTestWorld(options, body), timeout)
  return Object.assign(declaring(theirs), {
    only: declaring(theirs.only),
    skip: declaring(theirs.skip),
    failing: declaring(theirs.failing),
    concurrent: declaring(theirs.concurrent),
    todo: (name: string) => theirs.todo(name),
    for:
      <C>(cases: readonly C[]) =>
      (name: string, body: (one: C, context: TestContext) => unknown, timeout?: number) => {
        // A list is one case, and not the arguments of one.
        const rows = cases.map((one) => (Array.isArray(one) ? [one] : one)) as [C][]
        theirs.each(rows)(name, (one) => inTestWorld(options, (context) => body(one as C, context)), timeout)
      },
    extend: (more: WorldOptions) => testsIn({ ...options, ...more }),
  })
}

/** A test with a world of its own: `test('…', async ({ fake, calendar }) => …)`. */
export const test: WorldTest = testsIn({})
export const it: WorldTest = test
