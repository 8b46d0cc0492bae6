import { expect, test as theirs } from '@jest/globals'
import {
  matchers,
  requireVersion,
  runInTestWorld,
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

/** The body of a test. The test fails if it throws or rejects. */
export type JestTestBody = (context: TestContext) => unknown
/** Declares a test. `timeout` is in milliseconds. */
type Declare = (name: string, body: JestTestBody, timeout?: number) => void

/** The `test` of Jest, whose bodies get a world. */
export interface JestWorldTest extends Declare {
  only: Declare
  skip: Declare
  failing: Declare
  concurrent: Declare
  todo(name: string): void
  /** Declares a test for each case: `test.for([1, 2])('%i', (one, { fake }) => …)`. */
  for<C>(cases: readonly C[]): (name: string, body: (one: C, context: TestContext) => unknown, timeout?: number) => void
  /**
   * Returns a test function whose worlds have other options: `test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z'
   * })`.
   */
  extend(options: WorldOptions): JestWorldTest
}

/** Not by `console`, because jest adds the code of this package to each line of it. */
const printReport = (report: string): void =>
  void process.stderr.write(`${expect.getState().currentTestName ?? 'a test'}\n${report}\n\n`)

function createTest(options: WorldOptions): JestWorldTest {
  const wrapDeclaration =
    (declare: (name: string, body: () => Promise<void>, timeout?: number) => void): Declare =>
    (name, body, timeout) =>
      declare(name, () => runInTestWorld(options, body, printReport), timeout)
  return Object.assign(wrapDeclaration(theirs), {
    only: wrapDeclaration(theirs.only),
    skip: wrapDeclaration(theirs.skip),
    failing: wrapDeclaration(theirs.failing),
    concurrent: wrapDeclaration(theirs.concurrent),
    todo: (name: string) => theirs.todo(name),
    for:
      <C>(cases: readonly C[]) =>
      (name: string, body: (one: C, context: TestContext) => unknown, timeout?: number) => {
        // A list is one case, not the arguments of one.
        const rows = cases.map((one) => (Array.isArray(one) ? [one] : one)) as [C][]
        theirs.each(rows)(
          name,
          (one) => runInTestWorld(options, (context) => body(one as C, context), printReport),
          timeout,
        )
      },
    extend: (more: WorldOptions) => createTest({ ...options, ...more }),
  })
}

/** A test with its own world: `test('…', async ({ fake, calendar }) => …)`. */
export const test: JestWorldTest = createTest({})
export const it: JestWorldTest = test
