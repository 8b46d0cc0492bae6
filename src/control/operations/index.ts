import { z } from 'zod'
import type { Verb } from '../../api/endpoint.ts'
import type { Control } from '../types/world.ts'
import { attempts } from './attempts.ts'
import { calendarFiles } from './calendarFiles.ts'
import { calls } from './calls.ts'
import { clock } from './clock.ts'
import { conferences } from './conferences.ts'
import { faults } from './faults.ts'
import { history } from './history.ts'
import { mail } from './mail.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import type { AnyDefinition, Operation } from './operation.ts'
import { snapshots } from './snapshots.ts'
import { worlds } from './worlds.ts'

const DEFINITIONS = {
  'A world': worlds,
  Snapshots: snapshots,
  Changes: history,
  'The clock': clock,
  Conferences: conferences,
  Mail: mail,
  'Faults and quota': faults,
  'Push messages': notifications,
  OAuth: oauth,
  Calls: calls,
  'Calendars as files': calendarFiles,
  'Attempts of agents': attempts,
}

type Callable = (...given: never[]) => unknown
type NamesOfFunctions<T> = { [N in keyof T]: T[N] extends Callable ? N : never }[keyof T] & string
type FunctionName =
  | NamesOfFunctions<Control>
  | { [M in keyof Control]: `${M}.${NamesOfFunctions<Control[M]>}` }[keyof Control]
type FunctionOf<N> = N extends `${infer M extends keyof Control}.${infer F}`
  ? F extends keyof Control[M]
    ? Control[M][F]
    : never
  : N extends keyof Control
    ? Control[N]
    : never
type ResultOf<N> = FunctionOf<N> extends (...given: never[]) => infer R ? R : unknown
type Outcome<N> = N extends 'fork' | 'diff' | 'changes' ? unknown : ResultOf<N>
type Chapters = typeof DEFINITIONS
type Rows = { [T in keyof Chapters]: (all: Chapters[T]) => void }[keyof Chapters] extends (all: infer I) => void
  ? I
  : never
type Also = { [N in keyof Rows]: Rows[N] extends { also?: infer A } ? keyof A : never }[keyof Rows]
type FunctionOfResult = { [N in FunctionName]: `${N}.${NamesOfFunctions<ResultOf<N>>}` }[FunctionName]
type RowWithoutFunction = Exclude<keyof Rows, FunctionName | FunctionOfResult>
type Check<
  D extends { [N in Exclude<FunctionName, Also>]: { run(...given: never[]): Outcome<N> } },
  _ extends never,
> = D
/** Does not compile unless each function of a world has a row whose outcome it can return, and each row a function. */
export type CheckedRows = Check<Rows, RowWithoutFunction>

const DONE = { result: z.object({ done: z.literal(true) }), field: null, reply: () => ({ done: true }) }

function createOperation(name: string, row: object): Operation {
  const { route, toInput, also, ...rest } = row as AnyDefinition
  const [verb, path] = route.split(' ')
  const functions = { [name]: toInput ?? ((first: unknown = rest.input && {}) => first), ...also }
  const reply = rest.result ? {} : DONE
  return { name, id: `control.${name}`, verb, path: `/_control${path}`, functions, ...rest, ...reply } as Operation
}

export const CHAPTERS = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([title, rows]) => [
    title,
    Object.entries(rows).map(([name, row]) => createOperation(name, row)),
  ]),
) as Record<keyof Chapters, Operation[]>

export const OPERATIONS: readonly Operation[] = Object.values(CHAPTERS).flat()

export const FUNCTIONS: ReadonlyMap<string, { operation: Operation; toInput: Callable }> = new Map(
  OPERATIONS.flatMap((operation) =>
    Object.entries(operation.functions).map(([name, toInput]) => [name, { operation, toInput }] as const),
  ),
)

/** Functions of `connect` alone: in process they are functions of a result. */
export const REMOTE_ONLY: readonly string[] = OPERATIONS.flatMap(({ name, resultFunctions = [] }) =>
  resultFunctions.map((own) => `${name}.${own}`),
)

type RawRouteRow = { id: `control.${string}`; verb: Verb; path: `/_control/${string}`; summary: string }

export const RAW_ROUTES = [
  {
    id: 'control.calls.stream',
    verb: 'GET',
    path: '/_control/calls/stream',
    summary:
      'Streams each request as it is answered (server-sent events `call`; the id is its position in the order of recording), and the events `reset`, `restored` and `cleared`. Accepts the filter of the list, and continues after the event `Last-Event-ID` or the call `since`. `changes=true` adds the event `changed` for changes of the world or its controls.',
  },
  {
    id: 'control.functions',
    verb: 'POST',
    path: '/_control/functions/{name}',
    summary:
      'Calls a function by its name, such as `clock.freeze`, with the list of its arguments, and returns its `result`, and what else `connect` needs to return the same as in process. `connect` sends `arguments`, and in `undefined` the path of each value that JSON omits.',
  },
  {
    id: 'control.overview',
    verb: 'GET',
    path: '/_control/overview',
    summary:
      "Returns the data of the inspector's first page: the accounts of the world, and the size and the last request of each world. It creates no world.",
  },
  {
    id: 'control.story',
    verb: 'PUT',
    path: '/_control/story',
    summary:
      'Holds (`{ "action": "pause" }`), continues (`play`) or steps (`next`) the story that `--play` plays in the world, and returns its latest step, which the overview has too.',
  },
  {
    id: 'control.openapi',
    verb: 'GET',
    path: '/_control/openapi.json',
    summary: 'Returns an OpenAPI 3.1 document of `/_control`.',
  },
] as const satisfies readonly RawRouteRow[]

export type RawRouteId = (typeof RAW_ROUTES)[number]['id']
