import { checkedSeed } from '../life/checkedSeed.ts'
import { isSnapshot } from '../life/snapshots.ts'
import { ActiveFault } from '../testing/faults/faults.ts'
import { deepest, pathOf } from '../wire/issues.ts'
import { seed } from '../wire/seeds/seed.ts'
import type { Overloads } from './history.ts'
import { type ControlContext, type Operation, runOperation } from './operation.ts'
import { OPERATIONS } from './operations.ts'

type Row = (typeof OPERATIONS)[number]
type Method<A extends unknown[], R> = (...given: A) => R
/** An operation's ways, as functions of the arguments that they take to its outcome. */
type Called<O> = O extends { inProcess: infer W; run(...given: never[]): infer R }
  ? { [N in keyof W]: W[N] extends (...given: infer A) => unknown ? Method<A, R> : never }
  : never
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type Flat = Omit<All<Called<Row>>, keyof Overloads> & Overloads
type Group = keyof Flat extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never

/** Every operation by its name in process. */
export type InProcess = { [N in keyof Flat as N extends `${string}.${string}` ? never : N]: Flat[N] } & {
  [G in Group]: { [N in keyof Flat as N extends `${G}.${infer Own}` ? Own : never]: Flat[N] }
}

/** Each way in process, taken apart once and not for every world: `clock.freeze` is `freeze` in the group `clock`. */
const WAYS = (OPERATIONS as readonly Operation[]).flatMap((operation) =>
  Object.entries(operation.inProcess).map(([name, way]) => {
    const [own = name, group] = name.split('.').reverse()
    return { operation, name, own, group, way }
  }),
)

/** The names of a world's parts, `clock`, and of its functions that are in none, each with the ways behind it. */
const NAMES = new Map<string, (typeof WAYS)[number][]>()
for (const way of WAYS) {
  const name = way.group ?? way.own
  NAMES.set(name, [...(NAMES.get(name) ?? []), way])
}

/** Does something in the scene as it is. */
export type Within = (act: (context: ControlContext) => unknown) => unknown
export type Dress = { readonly [N in keyof InProcess]?: (made: InProcess[N]) => object }

/**
 * The operations of the table as functions, each done `within` the scene as it is then. What they hand over is the caller's own.
 * Each is made when it is first asked for: a test calls few of them, and there is a world to every test.
 */
export class Functions {
  readonly #within: Within
  readonly #dress: Dress

  constructor(within: Within, dress: Dress) {
    this.#within = within
    this.#dress = dress
  }

  static {
    for (const [name, ways] of NAMES) {
      Object.defineProperty(Functions.prototype, name, {
        enumerable: true,
        get(this: Functions) {
          return this.#own(name, this.#made(name, ways))
        },
        set(this: Functions, value: unknown) {
          this.#own(name, value)
        },
      })
    }
  }

  #own<T>(name: string, value: T): T {
    Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true })
    return value
  }

  #made(name: string, ways: readonly (typeof WAYS)[number][]): unknown {
    const parts = ways.filter(({ group }) => group !== undefined)
    const whole = ways.find(({ group }) => group === undefined)
    const made = Object.assign(
      whole ? this.#function(whole) : {},
      Object.fromEntries(parts.map((way) => [way.own, this.#function(way)])),
    )
    const dress = this.#dress[name as keyof InProcess] as ((made: unknown) => object) | undefined
    return dress?.(made) ?? made
  }

  #function({ operation, name, way }: (typeof WAYS)[number]): (...given: never[]) => unknown {
    return (...given) =>
      handed(
        operation,
        this.#within((context) => runOperation(operation, context, checked(operation, name, way(...given)) as never)),
      )
  }
}

/** A world's functions; a part that has a dress is put into it when it is first asked for. */
export const inProcess = (within: Within, dress: Dress = {}): InProcess =>
  new Functions(within, dress) as unknown as InProcess

function handed(operation: Operation, outcome: unknown): unknown {
  if (outcome instanceof Promise) return outcome.then((come) => handed(operation, come))
  const copied = ownCopy(outcome)
  return operation.handOver?.(outcome as never, copied as never) ?? copied
}

/** What a value is matched with: a pattern, or a matcher of a test's own. */
const isCondition = (value: unknown): boolean =>
  value instanceof RegExp || (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)

/**
 * A handle stays itself: a snapshot, and a fault that was added, which goes on to tell its counts. Not structuredClone,
 * which under jest makes objects of another realm, strictly equal to none of the test's.
 */
function ownCopy(outcome: unknown): unknown {
  if (outcome instanceof ActiveFault || isCondition(outcome)) return outcome
  if (Array.isArray(outcome)) return outcome.map(ownCopy)
  if (typeof outcome !== 'object' || outcome === null || isSnapshot(outcome)) return outcome
  return Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, ownCopy(value)]))
}

/** An input as its schema has it; a RangeError, or of a seed a SeedError, says what is wrong with it. */
function checked({ input, isKnown }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (isKnown?.(given as never)) return given
  if (input === seed) return checkedSeed(given)
  const result = input.safeParse(given)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new RangeError(`${pathOf(issue?.path ?? []) || name}: ${issue?.message ?? 'invalid'}`)
}
