import type { z } from 'zod'
import type { Verb } from '../api/endpoint.ts'
import type { Realm } from '../life/realm.ts'
import type { Taken } from '../life/snapshots.ts'
import type { Seed } from '../wire/seeds/seed.ts'

/** The worlds that a server holds. */
export interface Worlds {
  names(): string[]
  remove(name: string): void
  /** Begins a world with seeds or with a moment of another one, in the place of one that there is. */
  begin(name: string, start: Taken | readonly Seed[]): void
  realm(name: string): Realm
}

/** What an operation is done to: a world by its name, and the worlds beside it. */
export type Scene = { realm: Realm; worlds: Worlds; name: string }

/** What an operation is called as in process (`clock.freeze`), and how the arguments there become its input. */
type Ways<I> = Record<string, (...given: never[]) => I>

type Row<S extends z.ZodType, W, R> = {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  /**
   * What it takes: what the path names, beside it of a GET the parameters of the query, of all others a JSON body. Without
   * it nothing is read.
   */
  input?: S
  /** An input that is good in any world. */
  example?: z.input<S>
  /** What the route replies. */
  result: z.ZodType
  inProcess: W
  /** Whether an input of a way in process needs no look: it holds what was handed out, and what the run looks at itself. */
  isKnown?(given: z.input<S>): boolean
  /** What it does. In process the outcome is handed over as it is; a RangeError or a SeedError says what cannot be. */
  run(scene: Scene, input: z.output<S>): R
  /** The outcome in the words of the route, where it is not those already. */
  reply?(outcome: Awaited<R>, input: z.output<S>, scene: Scene): object
  /** What is handed over in process, where that is more than data; `copied` is the outcome as the caller's own. */
  handOver?(outcome: Awaited<R>, copied: Awaited<R>): unknown
}

/** What a test author may do to a world that no client of the real service can: by a route, and in process. */
export interface Operation {
  id: `control.${string}`
  verb: Verb
  path: `/_control/${string}`
  summary: string
  input?: z.ZodType | undefined
  example?: unknown
  result: z.ZodType
  inProcess: Ways<unknown>
  isKnown?(given: never): boolean
  run(scene: Scene, input: never): unknown
  reply?(outcome: never, input: never, scene: Scene): object
  handOver?(outcome: never, copied: never): unknown
}

/** Infers the types of input and outcome, and keeps those of the ways in process. */
export const operation = <W extends Ways<z.input<S>>, R, S extends z.ZodType = z.ZodUndefined>(
  row: Row<S, W, R>,
): Row<S, W, R> => row

/** Does an operation whole or not at all, up to where it has to wait for something. */
export const done = ({ run, verb }: Operation, scene: Scene, input: never): unknown => {
  const { world, rig } = scene.realm
  const outcome = world.store.withAuthor({ by: 'control' }, () => world.store.transaction(() => run(scene, input)))
  if (verb === 'GET') return outcome
  const tell = () => rig.journal.tell('changed')
  if (!(outcome instanceof Promise)) tell()
  // What fails may have changed something up to where it had to wait.
  else outcome.then(tell, tell)
  return outcome
}

/** The ways of an operation that takes nothing. */
export const nothing = (): undefined => undefined

/** An input that cannot be, by the field that is at fault. */
export class Misfit extends RangeError {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/** What was waited for did not come in time. */
export class WaitedInVain extends Error {}

/** Names the field whose value a RangeError is about. */
export const of = <T>(field: string, act: () => T): T => {
  try {
    return act()
  } catch (error) {
    throw error instanceof RangeError ? new Misfit(field, error.message) : error
  }
}
