import { type TestContext as NodeContext, type TestOptions, test as theirs } from 'node:test'
import { format } from 'node:util'
import { runInTestWorld, type TestContext, type WorldOptions } from './runner.ts'

export {
  assertChanged,
  assertEvent,
  assertReceived,
  assertSent,
  type ExpectedMail,
  type ReceivedFilter,
} from './runner.ts'
export type { TestContext, WorldOptions }

/** The context of a test: its world, and `t`, the context of node:test. */
export type Context = TestContext & { t: NodeContext }
/** The body of a test. The test fails if it throws or rejects. */
export type NodeTestBody = (context: Context) => unknown
/** Declares a test. Resolves when it has ended. */
type Declare = {
  (name: string, body: NodeTestBody): Promise<void>
  (name: string, options: TestOptions, body: NodeTestBody): Promise<void>
}

/** The `test` of node:test, whose bodies get a world. */
export interface NodeWorldTest extends Declare {
  only: Declare
  skip: Declare
  todo: Declare
  /** Declares a test for each case: `test.for([1, 2])('%i', (one, { fake }) => …)`. */
  for<C>(cases: readonly C[]): (name: string, body: (one: C, context: Context) => unknown) => void
  /** Returns a test function whose worlds have other options: `test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z' })`. */
  extend(options: WorldOptions): NodeWorldTest
}

type NodeTest = (name: string, options: TestOptions, body: (t: NodeContext) => Promise<void>) => Promise<void>

function createTest(world: WorldOptions): NodeWorldTest {
  const wrapDeclaration =
    (declare: NodeTest): Declare =>
    (name: string, ...rest: [NodeTestBody] | [TestOptions, NodeTestBody]) => {
      const [options, body] = rest.length === 1 ? [{}, ...rest] : rest
      return declare(name, options, (t) =>
        runInTestWorld(
          world,
          (context) => body(addNodeContext(context, t)),
          // TAP escapes line ends.
          (report) => {
            for (const line of report.split('\n')) t.diagnostic(line)
          },
        ),
      )
    }
  const test = wrapDeclaration(theirs)
  return Object.assign(test, {
    only: wrapDeclaration(theirs.only),
    skip: wrapDeclaration(theirs.skip),
    todo: wrapDeclaration(theirs.todo),
    for:
      <C>(cases: readonly C[]) =>
      (name: string, body: (one: C, context: Context) => unknown) => {
        for (const one of cases) void test(format(name, one), (context) => body(one, context))
      },
    extend: (more: WorldOptions) => createTest({ ...world, ...more }),
  })
}

const addNodeContext = (context: TestContext, t: NodeContext): Context =>
  Object.defineProperties({ t }, Object.getOwnPropertyDescriptors(context)) as Context

/** A test with its own world: `test('…', async ({ fake, calendar }) => …)`. */
export const test: NodeWorldTest = createTest({})
export const it: NodeWorldTest = test
