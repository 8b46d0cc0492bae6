import { runForCaller } from '../schema/values/callerStack.ts'
import { deepestIssue, formatPath } from '../schema/values/issues.ts'
import { parseSeed } from '../seeds/parseSeed.ts'
import { seed } from '../seeds/schema/seed.ts'
import { ActiveFault } from './faults/faults.ts'
import { isPromise, rejectOpaqueObject } from './matching.ts'
import { FUNCTIONS, REMOTE_ONLY } from './operations/index.ts'
import { type ControlContext, type Operation, runOperation } from './operations/operation.ts'
import type { Control } from './types/world.ts'
import { isSnapshot } from './worlds/snapshots.ts'

type FunctionRow = {
  readonly operation: Operation
  readonly name: string
  readonly own: string
  readonly group: string | undefined
  readonly toInput: (...given: never[]) => unknown
}

/** A member is a function (`reset`), a group of functions (`clock`), or both (`calls`, `calls.clear`). */
const FUNCTIONS_BY_MEMBER = new Map<string, FunctionRow[]>()
for (const [name, row] of FUNCTIONS) {
  if (REMOTE_ONLY.includes(name)) continue
  const [own = name, group] = name.split('.').reverse()
  const member = group ?? own
  FUNCTIONS_BY_MEMBER.set(member, [...(FUNCTIONS_BY_MEMBER.get(member) ?? []), { ...row, name, own, group }])
}

export type RunInContext = (act: (context: ControlContext) => unknown) => unknown
/** Each takes the member and returns its replacement. */
export type Decorators = { readonly [N in keyof Control]?: (member: Control[N]) => object }

/** A member is created on its first read, because a test has a world of its own and calls few functions. */
export class Functions {
  readonly #run: RunInContext
  readonly #decorators: Decorators

  constructor(run: RunInContext, decorators: Decorators) {
    this.#run = run
    this.#decorators = decorators
  }

  static {
    for (const [name, rows] of FUNCTIONS_BY_MEMBER) {
      Object.defineProperty(Functions.prototype, name, {
        enumerable: true,
        get(this: Functions) {
          return this.#defineMember(name, this.#createMember(name, rows))
        },
        set(this: Functions, value: unknown) {
          this.#defineMember(name, value)
        },
      })
    }
  }

  #defineMember<T>(name: string, value: T): T {
    Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true })
    return value
  }

  #createMember(name: string, rows: readonly FunctionRow[]): unknown {
    const parts = rows.filter(({ group }) => group !== undefined)
    const whole = rows.find(({ group }) => group === undefined)
    const member = Object.assign(
      whole ? this.#createFunction(whole) : {},
      Object.fromEntries(parts.map((row) => [row.own, this.#createFunction(row)])),
    )
    const decorate = this.#decorators[name as keyof Control] as ((member: unknown) => object) | undefined
    return decorate?.(member) ?? member
  }

  #createFunction({ operation, name, toInput }: FunctionRow): (...given: never[]) => unknown {
    const run = (...given: never[]): unknown =>
      runForCaller(run, () =>
        toInProcessResult(
          operation,
          this.#run((context) =>
            runOperation(operation, context, parseArguments(operation, name, toInput(...given)) as never),
          ),
        ),
      )
    return run
  }
}

export const createFunctions = (run: RunInContext, decorators: Decorators = {}): Control =>
  new Functions(run, decorators) as unknown as Control

function toInProcessResult(operation: Operation, outcome: unknown): unknown {
  if (outcome instanceof Promise) return outcome.then((value) => toInProcessResult(operation, value))
  const copied = copyOutcome(outcome)
  return operation.toResult?.(outcome as never, copied as never) ?? copied
}

const isMatcherOrPattern = (value: unknown): boolean =>
  value instanceof RegExp || (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)

/**
 * Copies lists and objects deeply, but no faults (their counts are live), snapshots, regular expressions and matchers.
 * It does not use structuredClone, because under jest the copies would be of another realm and equal to no object of
 * the test.
 */
function copyOutcome(outcome: unknown): unknown {
  if (outcome instanceof ActiveFault || isMatcherOrPattern(outcome)) return outcome
  if (Array.isArray(outcome)) return outcome.map(copyOutcome)
  if (typeof outcome !== 'object' || outcome === null || isSnapshot(outcome)) return outcome
  return Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, copyOutcome(value)]))
}

/** Throws a RangeError with the path of the first wrong field, and a SeedError for a seed. */
function parseArguments({ input }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (isPromise(given)) rejectOpaqueObject(given, name)
  if (input === seed) return parseSeed(given)
  for (const [field, value] of Object.entries(Object(given))) rejectOpaqueObject(value, field)
  const result = input.safeParse(given)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  throw new RangeError(`${formatPath(issue?.path ?? []) || name}: ${issue?.message ?? 'invalid'}`)
}
