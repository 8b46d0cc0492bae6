import { checkedSeed } from '../life/checkedSeed.ts'
import { Planned } from '../rig/faults.ts'
import { deepest, pathOf } from '../wire/issues.ts'
import { seed } from '../wire/seeds/seed.ts'
import { OPERATIONS } from './control.ts'
import { done, type Operation, type Scene } from './operation.ts'

type Row = (typeof OPERATIONS)[number]
type Method<A extends unknown[], R> = (...given: A) => R
/** An operation's ways, as functions of the arguments that they take to its outcome. */
type Called<O> = O extends { inProcess: infer W; run(...given: never[]): infer R }
  ? { [N in keyof W]: W[N] extends (...given: infer A) => unknown ? Method<A, R> : never }
  : never
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type Flat = All<Called<Row>>
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

/** The operations of the table as functions, on the scene as it is at each call. What they hand over is the caller's own. */
export function inProcess(scene: () => Scene): InProcess {
  const root: Record<string, unknown> = {}
  for (const { operation, name, own, group, way } of WAYS) {
    const at = group === undefined ? root : under(root, group)
    const act = (...given: never[]) =>
      ownCopy(done(operation, scene(), checked(operation, name, way(...given)) as never))
    // A function may have others beside it: `quota`, and `quota.state`.
    at[own] = Object.assign(act, at[own])
  }
  return root as InProcess
}

function under(root: Record<string, unknown>, group: string): Record<string, unknown> {
  root[group] ??= {}
  return root[group] as Record<string, unknown>
}

/** What a value is matched with: a pattern, or a matcher of a test's own. */
const isCondition = (value: unknown): boolean =>
  value instanceof RegExp || (typeof value === 'object' && value !== null && 'asymmetricMatch' in value)

/** A fault that was added goes on to tell its counts. Not structuredClone, which under jest makes objects of another realm, strictly equal to none of the test's. */
function ownCopy(outcome: unknown): unknown {
  if (outcome instanceof Promise) return outcome.then(ownCopy)
  if (outcome instanceof Planned || isCondition(outcome)) return outcome
  if (Array.isArray(outcome)) return outcome.map(ownCopy)
  if (typeof outcome !== 'object' || outcome === null) return outcome
  return Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, ownCopy(value)]))
}

/** An input as its schema has it; a RangeError, or of a seed a SeedError, says what is wrong with it. */
function checked({ input }: Operation, name: string, given: unknown): unknown {
  if (!input) return undefined
  if (input === seed) return checkedSeed(given)
  const result = input.safeParse(given)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new RangeError(`${pathOf(issue?.path ?? []) || name}: ${issue?.message ?? 'invalid'}`)
}
