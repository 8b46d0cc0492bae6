import { deepestIssue, formatPath } from '../schema/values/issues.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import { seed } from '../seeds/schema/seed.ts'
import { ActiveFault } from './faults/faults.ts'
import { rejectCollection } from './matching/conditions.ts'
import type { Overloads } from './operations/history.ts'
import { OPERATIONS } from './operations/index.ts'
import { type ControlContext, type Operation, runOperation } from './operations/operation.ts'
import { isSnapshot } from './worlds/snapshots.ts'

type Row = (typeof OPERATIONS)[number]
type Method<A extends unknown[], R> = (...given: A) => R
/** The functions in process of an operation, with the outcome of the operation as their result. */
type FunctionsOf<O> = O extends { inProcess: infer W; run(...given: never[]): infer R }
  ? { [N in keyof W]: W[N] extends (...given: infer A) => unknown ? Method<A, R> : never }
  : never
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type AllFunctions = Omit<Intersection<FunctionsOf<Row>>, keyof Overloads> & Overloads
type Group = keyof AllFunctions extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never

/** The control operations as functions: `reset`, `clock.freeze`. */
export type InProcess = {
  [N in keyof AllFunctions as N extends `${string}.${string}` ? never : N]: AllFunctions[N]
} & {
  [G in Group]: { [N in keyof AllFunctions as N extends `${G}.${infer Own}` ? Own : never]: AllFunctions[N] }
}

/** One entry per function in process: `clock.freeze` is `freeze` in the group `clock`. Computed once for all worlds. */
const FUNCTIONS = (OPERATIONS as readonly Operation[]).flatMap((operation) =>
  Object.entries(operation.inProcess).map(([name, way]) => {
    const [own = name, group] = name.split('.').reverse()
    return { operation, name, own, group, way }
  }),
)

/** The functions of each member of a world: a group such as `clock`, or one function without a group. */
const FUNCTIONS_BY_MEMBER = new Map<string, (typeof FUNCTIONS)[number][]>()
for (const way of FUNCTIONS) {
  const name = way.group ?? way.own
  FUNCTIONS_BY_MEMBER.set(name, [...(FUNCTIONS_BY_MEMBER.get(name) ?? []), way])
}

/** Calls `act` with the current context of a world. */
export type RunInContext = (act: (context: ControlContext) => unknown) => unknown
/** Extends members of a world, by their names. */
export type Decorators = { readonly [N in keyof InProcess]?: (made: InProcess[N]) => object }

/**
 * The operations of the table as functions. Each call runs in the current context, and results are copies for the
 * caller. A member is created on its first read, because a test has a world of its own and calls few functions.
 */
export class Functions {
  readonly #run: RunInContext
  readonly #decorators: Decorators

  constructor(run: RunInContext, decorators: Decorators) {
    this.#run = run
    this.#decorators = decorators
  }

  static {
    for (const [name, ways] of FUNCTIONS_BY_MEMBER) {
      Object.defineProperty(Functions.prototype, name, {
        enumerable: true,
        get(this: Functions) {
          return this.#setOwn(name, this.#createMember(name, ways))
        },
        set(this: Functions, value: unknown) {
          this.#setOwn(name, value)
        },
      })
    }
  }

  #setOwn<T>(name: string, value: T): T {
    Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true })
    return value
  }

  #createMember(name: string, ways: readonly (typeof FUNCTIONS)[number][]): unknown {
    const parts = ways.filter(({ group }) => group !== undefined)
    const whole = ways.find(({ group }) => group === undefined)
    const made = Object.assign(
      whole ? this.#createFunction(whole) : {},
      Object.fromEntries(parts.map((way) => [way.own, this.#createFunction(way)])),
    )
    const decorators = this.#decorators[name as keyof InProcess] as ((made: unknown) => object) | undefined
    return decorators?.(made) ?? made
  }

  #createFunction({ operation, name, way }: (typeof FUNCTIONS)[number]): (...given: never[]) => unknown {
    return (...given) =>
      handOver(
        operation,
        this.#run((context) => runOperation(operation, context, parseInput(operation, name, way(...given)) as never)),
      )
  }
}

/** Creates the functions of a world. Decorated members are created on their first read. */
export const inProcess = (run: RunInContext, decorators: Decorators = {}): InProcess =>
  new Functions(run, decorators) as unknown as InProcess

function handOver(operation: Operation, outcome: unknown): unknown {
  if (outcome instanceof Promise) return outcome.then((come) => handOver(operation, come))
  const copied = copyForCaller(outcome)
  return operation.handOver?.(outcome as never, copied as never) ?? copied
}

/** Returns true for a regular expression or an asymmetric matcher. */
const isMatcherOrPattern = (value: unknown): boolean =>
  value instanceof RegExp || (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)

/**
 * Copies a result for the caller. Handles are not copied: snapshots, and faults, whose counts are live. It does not
 * use structuredClone, because under jest the copies would be of another realm and equal to no object of the test.
 */
function copyForCaller(outcome: unknown): unknown {
  if (outcome instanceof ActiveFault || isMatcherOrPattern(outcome)) return outcome
  if (Array.isArray(outcome)) return outcome.map(copyForCaller)
  if (typeof outcome !== 'object' || outcome === null || isSnapshot(outcome)) return outcome
  return Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, copyForCaller(value)]))
}

/**
 * Validates an input with the schema of its operation. Throws a RangeError with the path of the wrong field, or a
 * SeedError for a seed.
 */
function parseInput({ input, isKnown }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (isKnown?.(given as never)) return given
  if (input === seed) return parseSeed(given)
  for (const [field, value] of Object.entries(Object(given))) rejectCollection(value, field)
  const result = input.safeParse(given)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  throw new RangeError(`${formatPath(issue?.path ?? []) || name}: ${issue?.message ?? 'invalid'}`)
}
