import { checkedSeed } from '../life/checkedSeed.ts'
import type { RecordedCall } from '../rig/recorded.ts'
import { counted } from '../rig/search.ts'
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

/** The operations of the table as functions, each done `within` the scene as it is then. What they hand over is the caller's own. */
export function inProcess(within: (act: (scene: Scene) => unknown) => unknown): InProcess {
  const root: Record<string, unknown> = {}
  for (const { operation, name, own, group, way } of WAYS) {
    const at = group === undefined ? root : under(root, group)
    at[own] = (...given: never[]) =>
      ownCopy(within((scene) => done(operation, scene, checked(operation, name, way(...given)) as never)))
  }
  return root as InProcess
}

function under(root: Record<string, unknown>, group: string): Record<string, unknown> {
  root[group] ??= {}
  return root[group] as Record<string, unknown>
}

/** Not structuredClone, which under jest makes objects of another realm, strictly equal to none of the test's. */
function ownCopy(outcome: unknown): unknown {
  if (outcome instanceof Promise) return outcome.then(ownCopy)
  if (Array.isArray(outcome)) {
    const copy = outcome.map(ownCopy)
    return 'evicted' in outcome ? counted(copy as RecordedCall[], Number(outcome.evicted)) : copy
  }
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
