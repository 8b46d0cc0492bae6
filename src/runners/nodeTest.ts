import { type TestContext as NodeContext, type TestOptions, test as theirs } from 'node:test'
import { format } from 'node:util'
import { inTestWorld, type TestContext, type WorldOptions } from './runner.ts'

export { assertChanged, assertEvent, assertReceived, assertSent, type WantedMail, type Which } from './runner.ts'
export type { TestContext, WorldOptions }

/** The context of a test: its world, and `t`, the context of node:test. */
export type Context = TestContext & { t: NodeContext }
export type Body = (context: Context) => unknown
type Declare = {
  (name: string, body: Body): Promise<void>
  (name: string, options: TestOptions, body: Body): Promise<void>
}

export interface WorldTest extends Declare {
  only: Declare
  skip: Declare
  todo: Declare
  /** Declares a test for each case: `test.for([1, 2])('%i', (one, { fake }) => …)`. */
  for<C>(cases: readonly C[]): (name: string, body: (one: C, context: Context) => unknown) => void
  /** Returns a test function whose worlds have other options: `test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z' })`. */
  extend(options: WorldOptions): WorldTest
}

type Theirs = (name: string, options: TestOptions, body: (t: NodeContext) => Promise<void>) => Promise<void>

function testsIn(world: WorldOptions): WorldTest {
  const declaring =
    (declare: Theirs): Declare =>
    (name: string, ...rest: [Body] | [TestOptions, Body]) => {
      const [options, body] = rest.length === 1 ? [{}, ...rest] : rest
      return declare(name, options, (t) =>
        inTestWorld(
          world,
          (context) => body(withNodeContext(context, t)),
          (report) => t.diagnostic(report),
        ),
      )
    }
  const test = declaring(theirs)
  return Object.assign(test, {
    only: declaring(theirs.only),
    skip: declaring(theirs.skip),
    todo: declaring(theirs.todo),
    for:
      <C>(cases: readonly C[]) =>
      (name: string, body: (one: C, context: Context) => unknown) => {
        for (const one of cases) void test(format(name, one), (context) => body(one, context))
      },
    extend: (more: WorldOptions) => testsIn({ ...world, ...more }),
  })
}

/** Copies the getters, so that the client is loaded only by a test that uses it. */
const withNodeContext = (context: TestContext, t: NodeContext): Context =>
  Object.defineProperties({ t }, Object.getOwnPropertyDescriptors(context)) as Context

/** A test with a world of its own: `test('…', async ({ fake, calendar }) => …)`. */
export const test: WorldTest = testsIn({})
export const it: WorldTest = test
