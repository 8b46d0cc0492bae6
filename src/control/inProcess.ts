import { runForCaller } from '../schema/values/callerStack.ts'
import { ActiveFault } from './faults/faults.ts'
import { type FunctionRow, listFunctions, parseArguments } from './functionRows.ts'
import { type ControlContext, type Operation, runOperation } from './operations/operation.ts'
import type { Control } from './types/world.ts'
import { isSnapshot } from './worlds/snapshots.ts'

/** Written out, because the package loads the rows of the functions when the first member is read. */
const MEMBERS = Object.keys({
  health: true,
  reset: true,
  seed: true,
  replace: true,
  state: true,
  print: true,
  syncTokens: true,
  worlds: true,
  delete: true,
  fork: true,
  deleteWorld: true,
  snapshots: true,
  snapshot: true,
  restore: true,
  deleteSnapshot: true,
  diff: true,
  changes: true,
  clock: true,
  advance: true,
  advanceTo: true,
  conferences: true,
  mail: true,
  clearMail: true,
  faults: true,
  quota: true,
  channels: true,
  notifications: true,
  oauth: true,
  calls: true,
  ical: true,
  importICalendar: true,
  attempts: true,
} satisfies Record<keyof Control, true>)

type RunInContext = (act: (context: ControlContext) => unknown) => unknown
/** Each takes the member and returns its replacement. */
type Decorators = { readonly [N in keyof Control]?: (member: Control[N]) => object }

/** A member is created on its first read, because a test has a world of its own and calls few functions. */
class Functions {
  readonly #run: RunInContext
  readonly #decorators: Decorators

  constructor(run: RunInContext, decorators: Decorators) {
    this.#run = run
    this.#decorators = decorators
  }

  static {
    for (const name of MEMBERS) {
      Object.defineProperty(Functions.prototype, name, {
        enumerable: true,
        get(this: Functions) {
          return this.#defineMember(name, this.#createMember(name, listFunctions(name)))
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

export const createFunctions = (run: RunInContext, decorators: Decorators): Control =>
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
